"""Messages and progress on stderr, for the person at the terminal."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import TypeVar

import click

from kg.check.report.selection import select
from kg.check.report.text import harmless, json_of, lines
from kg.cli.command import is_quiet, is_verbose
from kg.errors import Problem, Severity

PATIENCE = 2.0  # seconds without a sign of progress
OFTEN = 0.2  # seconds from one to the next
Progress = Callable[[int, int], None]
Result = TypeVar("Result")


def report(problems: list[Problem], site: Path) -> None:
    """Prints errors and warnings; with -v, and by `kg check`, infos too."""
    least: Severity = "info" if is_verbose() else "warning"
    for line in lines(select(problems, site, least=least), sys.stderr.isatty()):
        click.echo(line, err=True)


class ProgressLine:
    """What is under way, and how far it is: `Checking: 57 of 180 rules judged`."""

    def __init__(self, title: str) -> None:
        self.title, self.text, self.width = title, title, 0

    def counting(self, what: str) -> Progress:
        def progress(done: int, total: int) -> None:
            self.text = f"{self.title}: {done:,} of {total:,} {what}"

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
def progress(title: str) -> Iterator[Callable[[str], Progress]]:
    """Shows at a terminal how far the work is, if it takes longer than two seconds: in one line,
    which is erased in the end. Work tells of itself by the function that is given. With -v the
    seconds it took are told, too.
    """
    line, begun = ProgressLine(title), time.monotonic()
    with drawn(line):
        yield line.counting
    if is_verbose():
        tell(f"{title}: {time.monotonic() - begun:.1f} s")


@contextmanager
def drawn(line: ProgressLine) -> Iterator[None]:
    if is_quiet() or not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield
        return
    before = signal.signal(signal.SIGALRM, line.draw)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE, OFTEN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        line.erase()


def interruptible(work: Callable[[], Result]) -> Result:
    """The result of work that Python itself cannot interrupt, as that of an engine in Rust: it has
    a thread, which Ctrl-C leaves behind.
    """
    future: Future[Result] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except Exception as error:
            future.set_exception(error)

    Thread(target=run, daemon=True).start()
    return future.result()


def hint(message: str) -> None:
    """Tells people at a terminal, and nobody else."""
    if sys.stderr.isatty():
        tell(message)


def tell(message: str, colour: str | None = None) -> None:
    """Information, which -q leaves out."""
    if not is_quiet():
        warn(message, colour)


def warn(message: str, colour: str | None = "red") -> None:
    """What must be known: errors and warnings."""
    click.echo(click.style(harmless(message), fg=colour), err=True)


def show(message: str, err: bool = False) -> None:
    """A result in words."""
    click.echo(harmless(message), err=err)


def show_json(value: object) -> None:
    """A result for programs."""
    click.echo(json_of(value))


def show_file(body: bytes) -> None:
    """A result that is a file: to programs as it is, to a terminal harmless."""
    if sys.stdout.isatty():
        show(body.decode("utf-8", "replace").removesuffix("\n"))
    else:
        sys.stdout.buffer.write(body)
        sys.stdout.flush()
