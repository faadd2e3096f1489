"""A process that has locked itself up reads one folder, and does nothing else to the world."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from kg.sparql.workers import sandbox

pytestmark = pytest.mark.skipif(not sandbox.is_possible(), reason="this system has not the means")

PROGRAM = """
import os, socket, sys, threading
from pathlib import Path
from kg.engine import jail

here, line = Path(sys.argv[1]), socket.socketpair()
jail.lock(here / "in")
tries = {
    "reads inside": lambda: (here / "in" / "file").read_text(),
    "lists inside": lambda: os.listdir(here / "in"),
    "still talks": lambda: line[0].send(b"x") and line[1].recv(1),
    "reads outside": lambda: (here / "file").read_text(),
    "reads through a link": lambda: (here / "in" / "link").read_text(),
    "writes inside": lambda: (here / "in" / "new").write_text("x"),
    "removes inside": lambda: (here / "in" / "file").unlink(),
    "opens a socket": socket.socket,
    "opens two": socket.socketpair,
    "starts a program": lambda: os.execv(sys.executable, [sys.executable, "-c", ""]),
}
def attempt(name, action):
    try:
        action()
        print(name)
    except PermissionError:
        pass
for name, action in tries.items():
    attempt(name, action)
thread = threading.Thread(target=attempt, args=("opens a socket in a thread", socket.socket))
thread.start()
thread.join()
"""


def test_only_reading_in_the_folder_is_left(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "file").write_text("inside")
    (tmp_path / "file").write_text("outside")
    (tmp_path / "in" / "link").symlink_to(tmp_path / "file")
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, tmp_path], capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    assert done.stdout.splitlines() == ["reads inside", "lists inside", "still talks"]
    assert sorted(path.name for path in (tmp_path / "in").iterdir()) == ["file", "link"]
