"""A command of kg in a process of its own, forked from this one, which has all modules loaded: so
that most of its time is spent on what it does. It is killed after some time, or when it is about to
change a file for the n-th time.
"""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kg.cli import INTERRUPTED, main
from tests.sparql.processes import PROC, parents

CHANGING = ("os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.link", "os.symlink", "os.chmod")
SWAP = "renameat2"  # of two folders, which no event tells
PATIENCE = 5.0  # seconds for the processes of one that was killed to end
LONGEST = 300.0  # seconds of one that nobody kills
MARK = "KG_CRASHES"  # in the environment of all that a command starts


@dataclass(frozen=True)
class End:
    """How a command ended: `changes` are the changes of files it made, `seconds` how long it took,
    `left` the processes that outlive it.
    """

    code: int
    said: str
    seconds: float
    changes: int
    left: frozenset[int]

    @property
    def is_killed(self) -> bool:
        return self.code == -signal.SIGKILL

    @property
    def is_good(self) -> bool:
        return self.code in (0, INTERRUPTED) and self.is_clean

    @property
    def is_clean(self) -> bool:
        return "Traceback" not in self.said and not self.left


class Runner:
    """Runs commands in a folder, which has the temporary files of all of them, too."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.temporary = folder, folder / "tmp"
        self.said, self.count = folder / "said.txt", folder / "count.txt"
        self.temporary.mkdir(parents=True)
        os.environ.setdefault("KG_CACHE", str(folder / "cache"))  # not that of the user

    def start(
        self, words: list[str], at_change: int = -1, limit: Callable[[], object] = int
    ) -> int:
        """The process of a command, which kills itself before that change of a file. A `limit` is
        what it has to do with.
        """
        for file in (self.count, self.said):
            file.unlink(missing_ok=True)
        sys.stdout.flush()
        if pid := os.fork():
            return pid
        code = 1
        try:
            self.prepare(at_change)
            limit()
            main(words, prog_name="kg")
        except SystemExit as error:
            code = error.code if isinstance(error.code, int) else 1
        except BaseException:  # as the interpreter would
            sys.excepthook(*sys.exc_info())
        finally:
            self.end(code)
        raise AssertionError

    def prepare(self, at_change: int) -> None:
        os.setsid()
        out = os.open(self.said, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        for descriptor in (1, 2):
            os.dup2(out, descriptor)
        os.environ |= {"TMPDIR": str(self.temporary), MARK: str(os.getpid())}
        tempfile.tempdir = str(self.temporary)  # here another may be known already
        self.changes, self.leader = 0, os.getpid()

        def count(event: str, arguments: tuple[Any, ...]) -> None:
            if os.getpid() == self.leader and is_change(event, arguments, str(self.folder)):
                if self.changes == at_change:
                    os.kill(os.getpid(), signal.SIGKILL)
                self.changes += 1

        sys.addaudithook(count)

    def end(self, code: int) -> None:
        self.leader = 0
        with suppress(OSError):
            sys.stdout.flush()
            sys.stderr.flush()
            self.count.write_bytes(b"%d" % self.changes)
        os._exit(code)

    def ended(self, pid: int, begun: float, seconds: float = LONGEST) -> End:
        """Waits for the end of a command, and kills it when so many seconds are over."""
        while not (ended := os.waitpid(pid, os.WNOHANG))[0]:
            if time.monotonic() - begun > seconds:
                os.kill(pid, signal.SIGKILL)
                ended = os.waitpid(pid, 0)
                break
            time.sleep(0.002)
        return End(
            os.waitstatus_to_exitcode(ended[1]),
            self.said.read_text(encoding="utf-8", errors="replace") if self.said.exists() else "",
            time.monotonic() - begun,
            int(self.count.read_bytes() or -1) if self.count.exists() else -1,
            outliving(pid),
        )


def is_change(event: str, arguments: tuple[Any, ...], folder: str) -> bool:
    if event == "ctypes.dlsym":
        return SWAP in arguments
    if event == "open":
        path, mode, flags = arguments
        is_written = bool(set(mode or "") & set("wxa+")) or flags & (os.O_WRONLY | os.O_RDWR)
        return bool(is_written) and folder in str(path)
    return event in CHANGING and any(folder in str(each) for each in arguments)


def outliving(leader: int, patience: float = PATIENCE) -> frozenset[int]:
    """The processes that a command started and that live on, after some time to end: those of its
    session, and those that have its mark, in whichever session.
    """
    until = time.monotonic() + patience
    while left := frozenset(pid for pid in parents() if belongs(pid, leader)):
        if time.monotonic() > until:
            break
        time.sleep(0.05)
    return left


def belongs(pid: int, leader: int) -> bool:
    try:
        marks = (PROC / str(pid) / "environ").read_bytes().split(b"\0")
        return os.getsid(pid) == leader or f"{MARK}={leader}".encode() in marks
    except OSError:  # it ended meanwhile, or is not ours
        return False
