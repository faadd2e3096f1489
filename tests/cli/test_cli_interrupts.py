"""Ctrl-C in the middle of real commands: they end within a second of CPU, with 130, and say what
is kept.
"""

from __future__ import annotations

import json
import os
import resource
import select
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kg.errors import is_interrupt
from kg.settings import shipped
from tests.conftest import LARGE_SITE
from tests.sparql.processes import cpu_seconds
from tests.web.serving import serving

# A shell that starts the tests in the background has them, and what they start, ignore Ctrl-C.
START = (
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "from kg.cli import main, messages; print('begun', flush=True); main()"
)
ENDLESS = "SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l FILTER(?a > ?j) } ORDER BY ?d"
SECOND = 1  # of CPU


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "lab"
    shutil.copytree(shipped("example"), folder, ignore=shutil.ignore_patterns(".*"))
    return folder


@pytest.fixture
def silent_server() -> Iterator[tuple[str, Callable[[], object]]]:
    """The address of a server that takes connections and never answers, and whether somebody waits
    for it.
    """
    with socket.create_server(("127.0.0.1", 0)) as listening:
        address = f"http://127.0.0.1:{listening.getsockname()[1]}/"
        yield address, lambda: select.select([listening], [], [], 0)[0]


def interrupted(
    *words: object, stdin: str = "", when: float | Callable[[], object], **variables: str
) -> tuple[int, str]:
    """The exit code of a command that is interrupted after seconds of CPU, or as soon as
    something is true, as by Ctrl-C at a terminal, and what it says in the end.
    """
    with subprocess.Popen(
        [sys.executable, "-c", START, *map(str, words)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, **variables},
    ) as process:
        assert process.stdin and process.stdout
        process.stdin.write(stdin)
        process.stdin.close()
        process.stdin = None
        assert process.stdout.readline() == "begun\n"
        ready = when if callable(when) else after(when, process.pid)
        until = time.monotonic() + 120
        while not ready():
            assert process.poll() is None, process.communicate()[1]
            assert time.monotonic() < until
            time.sleep(0.01)
        others = cpu_of_children()
        used = cpu_seconds(process.pid)
        os.killpg(process.pid, signal.SIGINT)
        said = process.communicate(timeout=120)[1]
        assert cpu_of_children() - others - used < SECOND
    assert "Traceback" not in said
    return process.returncode, said.splitlines()[-1]


def after(seconds: float, process: int) -> Callable[[], bool]:
    """When a process has used so much CPU from now on: also on a busy machine it is as far then."""
    end = cpu_seconds(process) + seconds
    return lambda: cpu_seconds(process) >= end


def cpu_of_children() -> float:
    """Of those that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@pytest.mark.process
def test_a_check_changes_nothing() -> None:
    code, said = interrupted("check", LARGE_SITE, when=1.0)
    assert (code, said) == (130, "Stopped. Nothing was changed.")


@pytest.mark.process
@pytest.mark.sample(test=0.3)
@pytest.mark.parametrize("when", [0.02, 0.1, 0.2, 0.3, 0.4, 0.5])
def test_no_moment_of_its_start_is_too_early(when: float) -> None:
    """pydantic makes faults of its own of what comes in the middle of its classes."""
    code, said = interrupted("check", LARGE_SITE, when=when)
    assert (code, said) == (130, "Stopped. Nothing was changed.")


def test_what_others_make_of_it_is_known() -> None:
    with pytest.raises(RuntimeError) as raised:
        type("Made", (), {"name": Interrupted()})
    assert is_interrupt(raised.value)
    assert not is_interrupt(RuntimeError("something else"))


class Interrupted:
    def __set_name__(self, owner: type, name: str) -> None:
        raise KeyboardInterrupt


@pytest.mark.process
def test_a_build_leaves_the_folder_as_it_was_and_keeps_what_is_made(
    site: Path, tmp_path: Path
) -> None:
    output = tmp_path / "out"
    code, said = interrupted("build", site, "-o", output, when=lambda: [*tmp_path.glob(".out*/*")])
    assert code == 130
    assert said.startswith(f"Stopped. {output}/ was not changed.")
    assert not output.exists()
    assert [*tmp_path.glob(".out*/*")], "the next build goes on from there"


@pytest.mark.process
def test_an_endless_query_ends(site: Path) -> None:
    code, said = interrupted("query", "-", site, stdin=ENDLESS, when=2.0)
    assert (code, said) == (130, "Stopped. Nothing was changed.")


@pytest.mark.process
def test_a_query_that_waits_for_a_server_ends(
    silent_server: tuple[str, Callable[[], object]],
) -> None:
    address, is_waited_for = silent_server
    code, said = interrupted(
        "query", "-", "--endpoint", address, stdin="ASK {}", when=is_waited_for
    )
    assert (code, said) == (130, "Stopped. Nothing was changed.")


@pytest.mark.process
def test_a_push_that_waits_for_a_server_ends(
    site: Path, silent_server: tuple[str, Callable[[], object]]
) -> None:
    address, is_waited_for = silent_server
    code, said = interrupted(
        "push", site, "--endpoint", address, "--profile", "standard", when=is_waited_for
    )
    assert code == 130
    assert said.startswith("Stopped. ")


@pytest.mark.process
def test_an_import_leaves_the_site_as_it_was(tmp_path: Path) -> None:
    jobs = [{"name": f"Firm {n}", "position": "Clerk", "startDate": "2001"} for n in range(1900)]
    resume = {"basics": {"name": "Ada Berg"}, "work": jobs}
    (tmp_path / "resume.json").write_text(json.dumps(resume), encoding="utf-8")
    site = tmp_path / "site"
    code, said = interrupted("import", tmp_path / "resume.json", "--into", site, when=1.0)
    assert code == 130, said
    assert said.startswith("Stopped. ")
    assert not site.exists()


@pytest.mark.proof
@pytest.mark.server
def test_a_server_says_that_it_has_stopped(site: Path) -> None:
    with serving(site) as server:
        assert server.interrupt() == (130, "Stopped.\n")
