"""Machines that refuse: `python -m tests.crashes.machines GROUP FOLDER` runs commands with a full
disk, few open files, little memory, or where nothing may be written or read (in bubblewrap: see the
test).

Each ends with its exit code and a message that says what to do, never with a traceback; no process
is left, in the end no temporary file either, and the author's files are as they were.
"""

from __future__ import annotations

import os
import re
import resource
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from kg.cli.new_site import new_site, write_new
from tests.crashes.kills import Runner
from tests.crashes.scenes import files

ROOM = 6_000  # bytes that a file may have; what is said fits
PADDING = "# A line that makes the file larger than that.\n" * 200
AGAIN = r".* and try again\.\n$"
LITTLE = 6 << 20  # bytes more than a process has at its start
READ_ONLY = "fixed"  # the folder of a site on a file system that cannot be written to
CLOSED = ("closed/data/cv", "closed/data", "closed")


class Case(NamedTuple):
    """A command, what the machine has for it, and how it ends."""

    words: str
    limit: Callable[[], object]
    code: int
    said: str


def limited(what: int, most: int) -> Callable[[], object]:
    return lambda: resource.setrlimit(what, (most, most))


def full_output() -> None:
    os.dup2(os.open("/dev/full", os.O_WRONLY), 1)


def little_memory() -> None:
    size = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    limited(resource.RLIMIT_AS, size * resource.getpagesize() + LITTLE)()


FULL = limited(resource.RLIMIT_FSIZE, ROOM)
FEW = limited(resource.RLIMIT_NOFILE, 64)
TOO_FEW = limited(resource.RLIMIT_NOFILE, 5)
CASES = {
    "quick": [
        Case("add award open title=Medal", TOO_FEW, 2, f"Too many open files.{AGAIN}"),
        Case("add award open title=Medal", FULL, 2, f"cannot write .*: File too large.{AGAIN}"),
        Case("add award fixed title=Medal", int, 2, f"Read-only file system.{AGAIN}"),
        Case("add award closed title=Medal", int, 2, f"Permission denied.{AGAIN}"),
        Case(
            "check closed",
            int,
            1,
            r"people.yaml.*(do not have permission|cannot read|permission).*\n",
        ),
        Case("check open", little_memory, 2, f"Out of memory. Nothing was changed.{AGAIN}"),
    ],
    "long": [
        Case("schema --write open", FULL, 2, f"cannot write .*: File too large.{AGAIN}"),
        Case("check open", FULL, 0, r"1 person, 0 works"),
        Case("check fixed", FEW, 0, r"1 person, 0 works"),
        Case("dump open", full_output, 2, f"No space left on device.{AGAIN}"),
        Case("push open --shards parts", FULL, 2, f"File too large.{AGAIN}"),
        Case("build open -o out -j 2", FULL, 2, f"cannot write .*out: File too {AGAIN}"),
        Case("build open -o out -j 2", little_memory, 2, f"Out of memory. out/ was not {AGAIN}"),
        Case("build open -o fixed/out -j 1", int, 2, f"cannot write .*out: Read-only{AGAIN}"),
        Case("build open -o closed/out -j 1", int, 2, f"cannot write .*out: Permission{AGAIN}"),
        Case("build fixed -o out -j 2", FEW, 0, r"Verified 4 documents"),
    ],
}


def prepare(folder: Path) -> None:
    """Three sites: nobody may write into one that is `closed`, or read one of its files."""
    for name in ("open", "closed", READ_ONLY):
        write_new(folder / name, new_site("Ada Berg"))
    with (folder / "open/data/cv/ada-berg.yaml").open("a", encoding="utf-8") as file:
        file.write(PADDING)
    site = folder / "closed"
    (site / "data/people.yaml").write_text("{}\n", encoding="utf-8")
    (site / "data/people.yaml").chmod(0)
    for each in CLOSED:
        (folder / each).chmod(0o555)


def run(group: str, folder: Path) -> None:
    runner = Runner(folder)
    os.chdir(folder)
    author = [folder / name / "data/cv" for name in ("open", "closed", READ_ONLY)]
    before = [files(each) for each in author]
    for case in CASES[group]:
        end = runner.ended(runner.start(case.words.split(), limit=case.limit), time.monotonic())
        assert end.is_clean, f"{case.words}: {end}"
        assert end.code == case.code, f"{case.words}: {end}"
        assert re.search(case.said, end.said, re.DOTALL), f"{case.words}: {end.said}"
        assert [files(each) for each in author] == before, case.words
        print(case.words, flush=True)  # noqa: T201
    left = [path for path in folder.glob("**/.*") if path.name.endswith("~")]
    assert [*left, *runner.temporary.iterdir(), *folder.glob(".out.kg-*")] == []


if __name__ == "__main__":
    for module in (
        "kg.plugins.exchange.entry_commands",
        "kg.plugins.exchange.edits.additions",
        "kg.check.check",
    ):
        import_module(module)
    run(sys.argv[1], Path(sys.argv[2]))
