"""The commands that watch, as processes of their own: a save is answered, a bad one harms nobody,
Ctrl-C ends them.
"""

from __future__ import annotations

import os
import queue
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

pytestmark = pytest.mark.process

KEY = "a-key-that-only-tests-know"
PROGRAM = (
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); from kg.cli import "
    "main; main()"
)


class Running:
    """A command that runs, and what it has said on either stream."""

    def __init__(self, *arguments: str) -> None:
        command = [sys.executable, "-c", PROGRAM, *arguments]
        environment = {**os.environ, "PYTHONUNBUFFERED": "1", "KG_SERVE_KEY": KEY}
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment
        )
        self.said: queue.Queue[str] = queue.Queue()
        self.reader = threading.Thread(target=self.read)
        self.reader.start()

    def read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said.put(line)

    def until(self, pattern: str, seconds: float = 30) -> str:
        """What is said up to a line with the pattern."""
        found, end = "", time.monotonic() + seconds
        while not re.search(pattern, found):
            found += self.said.get(timeout=max(0.01, end - time.monotonic()))
        return found


@contextmanager
def running(*arguments: str, ended_by: signal.Signals = signal.SIGINT) -> Iterator[Running]:
    command = Running(*arguments)
    try:
        yield command
        command.process.send_signal(ended_by)
        assert command.process.wait(20) == (130 if ended_by == signal.SIGINT else 0)
    finally:
        command.process.kill()
        command.process.wait()
        command.reader.join()
        assert command.process.stdout is not None
        command.process.stdout.close()


def test_check_answers_every_save(example: Path) -> None:
    cv = example / "data" / "cv" / "tomas-ferreira.yaml"
    text = cv.read_text(encoding="utf-8")
    with running("check", "--watch", str(example)) as check:
        assert "no problems" in check.until("Watching")
        cv.write_text(text.replace("startDate: 2009", "startDate: 2009-13"), encoding="utf-8")
        assert re.search(
            r"tomas-ferreira.yaml:11:\d+ +error .*2009-13.*\[bad-date\]", check.until("Watching")
        )
        cv.write_text("basics: [", encoding="utf-8")
        assert "[yaml]" in check.until("Watching")
        cv.write_text(text, encoding="utf-8")
        assert "no problems" in check.until("Watching")


@pytest.mark.proof
def test_serve_shows_each_good_state_and_keeps_the_last(example: Path) -> None:
    cv = example / "data" / "cv" / "tomas-ferreira.yaml"
    text = cv.read_text(encoding="utf-8")

    def page(address: str) -> str:
        with urllib.request.urlopen(address) as answer:
            return str(answer.read().decode())

    with running("serve", "--watch", "--port", "0", str(example)) as server:
        found = re.search(r"Serving (\S+),", server.until("Serving"))
        assert found
        person, console = f"{found[1]}people/tomas-ferreira", f"{found[1]}console?key={KEY}"
        cv.write_text(text.replace("river engineering", "flood engineering"), encoding="utf-8")
        server.until("Now serving")
        assert "flood engineering" in page(person)
        cv.write_text(text.replace("startDate: 2009", "startDate: soon"), encoding="utf-8")
        server.until("Still serving the last good version")
        assert "flood engineering" in page(person)
        assert "bad-date" in page(console)
        cv.write_text(text, encoding="utf-8")
        server.until("Now serving")
        assert "river engineering" in page(person)
        assert "bad-date" not in page(console)


@pytest.mark.proof
def test_build_builds_what_a_save_changes_and_a_bad_one_leaves_the_folder_as_it_is(
    one_person: Path, tmp_path: Path
) -> None:
    site, target = shutil.copytree(one_person, tmp_path / "site"), tmp_path / "out"
    cv, page = site / "data" / "cv" / "ada-berg.yaml", target / "people" / "ada-berg.html"
    text = cv.read_text(encoding="utf-8")
    with running(
        "build",
        "--watch",
        str(site),
        "-o",
        str(target),
        "--formats",
        "ttl",
        ended_by=signal.SIGTERM,
    ) as build:
        assert "Verified " in build.until("Watching", 90)
        before = page.read_bytes()
        cv.write_text(text.replace("name: Ada Berg", "nme: Ada Berg"), encoding="utf-8")
        said = build.until("Watching", 90)
        assert "unknown field 'nme'" in said
        assert f"{target}/ was not changed. Fix the errors above." in said
        assert page.read_bytes() == before
        cv.write_text(text.replace("name: Ada Berg", "name: Ada B. Berg"), encoding="utf-8")
        said = build.until("Watching", 90)
        assert re.search(r"files in .*, \d+ new or changed", said)
        assert "Ada B. Berg" in page.read_text(encoding="utf-8")
        cv.write_text(text, encoding="utf-8")
        build.until("Watching", 90)
        assert page.read_bytes() == before
    assert {path.name for path in tmp_path.iterdir()} == {"site", "out"}, (
        "the folder that was kept for the next build is gone"
    )
