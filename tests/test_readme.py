"""Runs the commands of the README and of docs/, and compares their output with what is shown there.

`python -m tests.test_readme docs/tutorial.md …` writes the real output into these pages; without
arguments, into all pages but docs/extend.md.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread

import pytest

from kg.plugins.sources.client import MIRROR
from tests.conftest import ROOT
from tests.plugins.sources.recorded_server import RecordedServer, served

README = (ROOT / "README.md").read_text(encoding="utf-8")
ASK = ROOT / "docs" / "ask.md"
PRINTED = "print({}.to_csv(index=False), end='')"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
IN_A_COPY = ROOT / "docs" / "extend.md"  # which tests/test_extend.py runs
FILES = ROOT / "tests" / "readme"  # what a reader of these pages has
ENVIRONMENT = {
    **os.environ,
    "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
}
LOCAL = "http://127.0.0.1:8000/"
# A block that the reader writes to a file, or one of commands.
BLOCK = re.compile(
    r"(?:Create|Replace) `(?P<file>[^`]+)`:\n\n```\w+\n(?P<text>.*?)```|```console\n.*?```",
    re.DOTALL,
)
# The repository and the address that the tutorial publishes to, which a folder stands in for.
REPOSITORY, PUBLISHED = "git@github.com:YOU/lab.git", "https://YOU.github.io/lab/"
REMOTE, CHECKOUT = "remote.git", "host"
# Commands that are shown without what they say, and where each is tried.
ELSEWHERE = {
    "pipx install .": "tests/test_wheel.py",
    "make wheel": "tests/test_wheel.py",
    "pipx install dist/cv_kg-*.whl": "tests/test_wheel.py",
    "pipx inject cv-kg dist/cv_kg_editor-*.whl": "tests/test_wheel.py",
}


def steps(page: Path) -> list[tuple[str, str]]:
    """The commands of a page, each with what it says."""
    return shown_in(page.read_text(encoding="utf-8"))


def shown_in(text: str) -> list[tuple[str, str]]:
    return [
        step
        for block in re.findall(r"```console\n(.*?)```", text, re.DOTALL)
        for step in re.findall(r"^\$ (.+)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)
    ]


@pytest.mark.process
@pytest.mark.parametrize(
    "page",
    [
        # the page with the fewest commands; the others take minutes
        pytest.param(each, marks=[] if each.stem == "README" else [pytest.mark.proof])
        for each in PAGES
        if steps(each) and each != IN_A_COPY
    ],
    ids=lambda page: page.stem,
)
def test_the_commands_say_what_a_page_shows(page: Path, tmp_path: Path) -> None:
    assert list(outputs(page, tmp_path)) == steps(page)


def outputs(page: Path, folder: Path) -> Iterator[tuple[str, str]]:
    """Writes the files and runs the commands of a page, in order; yields each command with its
    output. A server runs until the next one starts.
    """
    shutil.copytree(FILES, folder, dirs_exist_ok=True)
    address = LOCAL
    sources = RecordedServer()  # what ORCID and other services answered
    with ExitStack() as servers, published(folder) as host, served(sources):
        for block in BLOCK.finditer(page.read_text(encoding="utf-8")):
            if block["file"]:
                file = folder / block["file"]
                file.parent.mkdir(exist_ok=True)
                file.write_text(block["text"], encoding="utf-8")
            for command, _ in shown_in(block[0]):
                if command.startswith("kg serve"):
                    servers.close()
                    said, address = servers.enter_context(serving_as_shown(command, folder))
                    yield command, said.replace(address, LOCAL)
                    continue
                run = subprocess.run(
                    ["bash", "-c", command.replace(LOCAL, address).replace(PUBLISHED, host)],
                    cwd=folder,
                    env=ENVIRONMENT | pushing_to(folder / REMOTE) | {MIRROR: sources.root},
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    text=True,
                    check=False,
                )
                output = run.stdout.replace("\r", "")
                yield command, output.replace(address, LOCAL).replace(host, PUBLISHED)


def pushing_to(repository: Path) -> dict[str, str]:
    """An environment in which git pushes to a folder instead of GitHub."""
    settings = {
        f"url.{repository}.insteadOf": REPOSITORY,
        "user.name": "You",
        "user.email": "you@example.org",
    }
    found = {"GIT_CONFIG_COUNT": str(len(settings))}
    for number, (key, value) in enumerate(settings.items()):
        found |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return found


@contextmanager
def published(folder: Path) -> Iterator[str]:
    """The address of a static host that serves what is pushed to the repository, as GitHub does."""
    run_in(folder, f"git init -q --bare {REMOTE} && mkdir -p {CHECKOUT}")
    hook = folder / REMOTE / "hooks" / "post-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ngit --work-tree=../{CHECKOUT} checkout -q -f gh-pages\n")
    hook.chmod(0o755)
    handler = partial(QuietHandler, directory=str(folder / CHECKOUT))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


def test_the_readme_and_the_pages_that_need_it_have_commands() -> None:
    with_commands = {page.stem for page in PAGES if steps(page)}
    assert with_commands >= {
        "README",
        "CONTRIBUTING",
        "write",
        "import",
        "check",
        "ask",
        "site",
        "tutorial",
    }


def test_every_other_command_of_the_readme_is_tried_elsewhere() -> None:
    shown = "".join(re.findall(r"```sh\n(.*?)```", README, re.DOTALL))
    commands = {line.partition("#")[0].strip() for line in shown.splitlines()}
    assert commands == set(ELSEWHERE)
    for command, file in ELSEWHERE.items():
        assert command in (ROOT / file).read_text(encoding="utf-8"), command


def test_links_between_the_pages_lead_somewhere() -> None:
    for page in PAGES:
        prose = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.M)
        for target in re.findall(r"\]\(([^)#:]+)\)", prose):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


@contextmanager
def serving_as_shown(command: str, folder: Path) -> Iterator[tuple[str, str]]:
    """A server, by what it says and its address."""
    environment = {**ENVIRONMENT, "KG_SERVE_PORT": "0", "KG_SERVE_LOG": "none"}
    with subprocess.Popen(
        ["bash", "-c", f"exec {command}"],
        cwd=folder,
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stderr is not None
        said = server.stderr.readline()
        try:
            yield said, re.search(r"http://127.0.0.1:\d+/", said)[0]
        finally:
            server.send_signal(signal.SIGINT)
            assert server.stderr.read() == "Stopped.\n"
    assert server.returncode == 130


@pytest.mark.process
@pytest.mark.proof
def test_one_question_has_the_same_answer_in_the_browser_and_in_python(tmp_path: Path) -> None:
    shutil.copytree(FILES, tmp_path, dirs_exist_ok=True)
    shown = dict(steps(ROOT / "README.md"))["kg query coauthors-of --person mira-sand mysite"]
    run_in(tmp_path, "kg import resume.json papers.bib --into mysite")
    with serving_as_shown("kg serve mysite", tmp_path) as (_, address):
        there = README.replace("http://127.0.0.1:8000/", address)
        [example] = re.findall(r"```python\n(.*?)\n```", there, re.DOTALL)
        *imports, frame = example.split("\n")
        assert python_in(tmp_path, "\n".join([*imports, PRINTED.format(frame)])) == shown
        [page] = re.findall(r"`(http://\S+?person=mira-sand)` has", there)
        asked = urllib.request.Request(page, headers={"Accept": "text/html"})
        text = urllib.request.urlopen(asked).read().decode()
    for name in ("Noor Haddad", "Åse Gröndahl"):
        assert name in shown
        assert name in text


@pytest.mark.process
@pytest.mark.proof
def test_every_way_to_ask_that_a_page_shows_gives_the_same(tmp_path: Path) -> None:
    run_in(tmp_path, "kg new mysite --example")
    shown = dict(steps(ASK))["kg query coauthors-of --person noor-haddad mysite"]
    with serving_as_shown("kg serve mysite", tmp_path) as (_, address):
        there = ASK.read_text(encoding="utf-8").replace("http://127.0.0.1:8000/", address)
        [curl], [in_r], [by_address, by_library] = (
            re.findall(rf"```{form}\n(.*?)\n```", there, re.DOTALL)
            for form in ("sh", "r", "python")
        )
        assert run_in(tmp_path, f"{curl} -sS").replace("\r", "") == shown
        url = in_r.removeprefix('read.csv("').removesuffix('")')
        assert urllib.request.urlopen(url).read().decode().replace("\r", "") == shown
        *imports, frame = by_address.split("\n")
        assert python_in(tmp_path, "\n".join([*imports, PRINTED.format(frame)])) == shown
    asked = by_library.replace("person=ada", "person='Noor Haddad'")
    printed = python_in(
        tmp_path, f"import pandas\n{asked}\n{PRINTED.format('pandas.DataFrame(answer)')}"
    )
    assert "2024 Where the Sand Stops" in printed
    assert printed.endswith(shown)


@pytest.mark.process
@pytest.mark.proof
def test_the_question_of_ones_own_that_a_page_shows_is_answered(tmp_path: Path) -> None:
    [question] = re.findall(r"```sparql\n(.*?)```", ASK.read_text(encoding="utf-8"), re.DOTALL)
    run_in(tmp_path, "kg new mysite --example && mkdir mysite/queries")
    (tmp_path / "mysite" / "queries" / "since.rq").write_text(question, encoding="utf-8")
    run_in(tmp_path, "kg check mysite")
    printed = run_in(tmp_path, "kg query since --since 2024 mysite").splitlines()
    assert printed == ["year,title", "2024,Where the Sand Stops: Bed Load in a Regulated River"]


def run_in(folder: Path, command: str) -> str:
    words = ["bash", "-c", command]
    return subprocess.run(
        words, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, check=True
    ).stdout


def python_in(folder: Path, code: str) -> str:
    return run_in(folder, f"python -c {shlex.quote(code)}")


@pytest.mark.proof
@pytest.mark.process
def test_make_serve_serves_and_ctrl_c_ends_it() -> None:
    environment = {**os.environ, "KG_SERVE_PORT": "0"}
    server = subprocess.Popen(
        ["make", "serve"],
        cwd=ROOT,
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert server.stderr is not None
    said = []
    for line in server.stderr:
        said.append(line)
        if found := re.search(
            r"(\d+) people, (\d+) works, .*?(\d+) triples. Serving (http://127.0.0.1:\d+/)", line
        ):
            break
    else:
        raise AssertionError("".join(said))
    person = min((ROOT / "data" / "cv").glob("*.yaml")).stem
    with urllib.request.urlopen(f"{found[4]}people/{person}") as answer:
        assert answer.status == 200
    os.killpg(server.pid, signal.SIGINT)
    # make dies of the signal once its command has ended, or tells that this was interrupted
    assert server.wait(20) in (-signal.SIGINT, 2)
    assert "Stopped." in server.stderr.read()
    server.stderr.close()


@pytest.mark.process
def test_make_help_lists_the_commands() -> None:
    shown = subprocess.run(
        ["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    assert re.findall(r"^make ([\w-]+)", shown, re.MULTILINE) == [
        "help",
        "setup",
        "serve",
        "build",
        "wheel",
        "docs",
        "quick",
        "test",
        "proof",
        "exhaustive",
        "w3c",
        "check",
        "bench",
        "bench-large",
        "lock",
        "sbom",
        "reference",
        "release",
        "clean",
    ]


def record(page: Path) -> None:
    """Writes the real output of its commands into a page."""
    with TemporaryDirectory() as folder:
        real = iter(list(outputs(page, Path(folder))))

    def replaced(block: re.Match[str]) -> str:
        steps = shown_in(block[0])
        lines = "".join(f"$ {command}\n{next(real)[1]}" for command, _ in steps)
        return f"```console\n{lines}```"

    text = page.read_text(encoding="utf-8")
    text = re.sub(r"```console\n.*?```", replaced, text, flags=re.DOTALL)
    page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    every = [page for page in PAGES if steps(page) and page != IN_A_COPY]
    for page in [Path(name) for name in sys.argv[1:]] or every:
        record(page)
