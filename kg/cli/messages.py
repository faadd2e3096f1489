"""Messages and progress on stderr, for the person at the terminal."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import click

from kg.check.report.selection import select
from kg.check.report.text import lines
from kg.errors import Problem

PATIENCE = 2.0  # seconds without a sign of progress
OFTEN = 0.2  # seconds from one to the next
Progress = Callable[[int, int], None]


def report(problems: list[Problem], site: Path) -> None:
    """Prints errors and warnings; `kg check` prints infos too."""
    for line in lines(select(problems, site, least="warning"), sys.stderr.isatty()):
        click.echo(line, err=True)


class ProgressLine:
    """What is under way, and how far it is: `Checking: 57 of 180 rules judged`."""

    def __init__(self, title: str) -> None:
        self.title, self.text, self.width = title, title, 0

    def counting(self, what: str) -> Progress:
        begun = time.monotonic()

        def progress(done: int, total: int) -> None:
            passed = time.monotonic() - begun
            self.text = f"{self.title}: {how_far(done, total, what, passed)}"

        return progress

    def draw(self, *_: object) -> None:
        columns = shutil.get_terminal_size().columns - 1
        self.write(f"\r{self.text[:columns].ljust(self.width)}")
        self.width = len(self.text[:columns])

    def erase(self) -> None:
        if self.width:
            self.write(f"\r{' ' * self.width}\r")

    def write(self, text: str) -> None:
        # Past the buffer of sys.stderr, to which the work that is interrupted may be writing.
        with suppress(OSError):
            os.write(sys.stderr.fileno(), text.encode())


@contextmanager
def progress(title: str, is_quiet: bool = False) -> Iterator[Callable[[str], Progress]]:
    """Shows at a terminal how far the work is, if it takes longer than two seconds: in one line,
    which is erased in the end. Work tells of itself by the function that is given.
    """
    line = ProgressLine(title)
    if is_quiet or not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield line.counting
        return
    before = signal.signal(signal.SIGALRM, line.draw)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE, OFTEN)
    try:
        yield line.counting
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        line.erase()


def how_far(done: int, total: int, what: str, seconds: float) -> str:
    """`12,345 of 660,000 files, 410/s, 26 min left`. What takes no time has no rate."""
    shown = f"{done:,} of {total:,} {what}"
    rate = done / seconds if seconds >= OFTEN else 0
    left = f", {span((total - done) / rate)} left" if rate and done < total else ""
    return f"{shown}, {rate:,.0f}/s{left}" if rate >= 1 else shown + left


def span(seconds: float) -> str:
    """`40 s`, `26 min`, `3 h 20 min`."""
    minutes = round(seconds / 60)
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{minutes} min" if minutes < 120 else f"{minutes // 60} h {minutes % 60} min"


def hint(message: str) -> None:
    """A message for people at a terminal alone."""
    if sys.stderr.isatty():
        tell(message)


def tell(message: str, colour: str | None = None) -> None:
    click.echo(click.style(message, fg=colour), err=True)
