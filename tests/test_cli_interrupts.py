"""Ctrl-C in the middle of real commands: they end within a second, with 130, and say what is
kept.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kg.settings import shipped
from tests.web.serving import serving

# A shell that starts the tests in the background has them, and what they start, ignore Ctrl-C.
START = (
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "from kg.cli import main; main()"
)
ENDLESS = "SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l FILTER(?a > ?j) } ORDER BY ?d"
SECOND = 1
AMONG_OTHERS = 3  # times as long, beside other tests


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "lab"
    shutil.copytree(shipped("example"), folder, ignore=shutil.ignore_patterns(".*"))
    return folder


@pytest.fixture
def silent_server() -> Iterator[str]:
    """The address of a server that takes connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/"


def interrupted(
    *words: object, stdin: str = "", when: Callable[[], object], **variables: str
) -> tuple[int, str]:
    """The exit code of a command that is interrupted as soon as something is true, as by Ctrl-C at
    a terminal, and what it says in the end.
    """
    with subprocess.Popen(
        [sys.executable, "-c", START, *map(str, words)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, **variables},
    ) as process:
        assert process.stdin is not None
        process.stdin.write(stdin)
        process.stdin.close()
        process.stdin = None
        until = time.monotonic() + 60
        while not when():
            assert process.poll() is None, process.communicate()[1]
            assert time.monotonic() < until
            time.sleep(0.01)
        begun = time.monotonic()
        os.killpg(process.pid, signal.SIGINT)
        said = process.communicate(timeout=20)[1]
        assert time.monotonic() - begun < SECOND * AMONG_OTHERS
    assert "Traceback" not in said
    return process.returncode, said.splitlines()[-1]


def after(seconds: float) -> Callable[[], bool]:
    end = time.monotonic() + seconds
    return lambda: time.monotonic() > end


def test_a_check_changes_nothing(site: Path) -> None:
    code, said = interrupted("check", "--reference", site, when=after(1.5))
    assert (code, said) == (130, "Stopped. Nothing was changed.")


def test_a_build_leaves_the_folder_as_it_was_and_keeps_what_is_made(
    site: Path, tmp_path: Path
) -> None:
    output = tmp_path / "out"
    code, said = interrupted("build", site, "-o", output, when=lambda: [*tmp_path.glob(".out*/*")])
    assert code == 130
    assert said.startswith(f"Stopped. {output}/ is as it was.")
    assert not output.exists()
    assert [*tmp_path.glob(".out*/*")], "the next build goes on from there"


def test_an_endless_query_ends(site: Path) -> None:
    code, said = interrupted("query", "-", site, stdin=ENDLESS, when=after(2.5))
    assert (code, said) == (130, "Stopped. Nothing was changed.")


def test_a_query_that_waits_for_a_server_ends(silent_server: str) -> None:
    code, said = interrupted(
        "query", "-", "--endpoint", silent_server, stdin="ASK {}", when=after(1)
    )
    assert (code, said) == (130, "Stopped. Nothing was changed.")


def test_a_push_that_waits_for_a_server_ends(site: Path, silent_server: str) -> None:
    code, said = interrupted(
        "push", site, "--endpoint", silent_server, "--profile", "standard", when=after(1.5)
    )
    assert code == 130
    assert said.startswith("Stopped. ")


def test_an_import_leaves_the_site_as_it_was(tmp_path: Path) -> None:
    jobs = [{"name": f"Firm {n}", "position": "Clerk", "startDate": "2001"} for n in range(4000)]
    resume = {"basics": {"name": "Ada Berg"}, "work": jobs}
    (tmp_path / "resume.json").write_text(json.dumps(resume), encoding="utf-8")
    site = tmp_path / "site"
    code, said = interrupted("import", tmp_path / "resume.json", "--into", site, when=after(1.5))
    assert (code, said.startswith("Stopped. ")) == (130, True)
    assert not site.exists()


def test_a_server_says_that_it_has_stopped(site: Path) -> None:
    with serving(site) as server:
        begun = time.monotonic()
        assert server.interrupt() == (130, "Stopped.\n")
        assert time.monotonic() - begun < SECOND * AMONG_OTHERS
