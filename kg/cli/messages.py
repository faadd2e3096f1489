"""Output of the commands: results on stdout; messages, problems and a progress line on stderr."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import TypeVar

import click

from kg.check.report.selection import select
from kg.check.report.text import harmless, json_of, lines
from kg.cli.command import is_quiet, is_verbose
from kg.errors import Problem

PROGRESS_DELAY = 2.0  # seconds until the progress line appears
PROGRESS_INTERVAL = 0.2  # seconds between its updates
Progress = Callable[[int, int], None]
Result = TypeVar("Result")


def report(problems: list[Problem], site: Path, shown: Sequence[str] = ()) -> None:
    """Prints errors and warnings; with -v, infos too. Infos of the `shown` rules are printed
    always.
    """
    if not is_verbose():
        problems = [each for each in problems if each.severity != "info" or each.rule in shown]
    for line in lines(select(problems, site), sys.stderr.isatty()):
        tell(line)


class ProgressLine:
    """The progress line of a terminal: `Checking: 57 of 180 rules judged`."""

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
        # Unbuffered: the interrupted code may be writing to the buffer of sys.stderr.
        with suppress(OSError):
            os.write(sys.stderr.fileno(), text.encode())


@contextmanager
def progress(title: str) -> Iterator[Callable[[str], Progress]]:
    """Shows a progress line on a terminal if the work takes longer than two seconds, and erases it
    at the end. The work reports its progress with the function that is yielded. With -v, the time
    it took is printed.
    """
    line, started = ProgressLine(title), time.monotonic()
    with redrawn(line):
        yield line.counting
    if is_verbose():
        inform(f"{title}: {time.monotonic() - started:.1f} s")


@contextmanager
def redrawn(line: ProgressLine) -> Iterator[None]:
    if is_quiet() or not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield
        return
    before = signal.signal(signal.SIGALRM, line.draw)
    signal.setitimer(signal.ITIMER_REAL, PROGRESS_DELAY, PROGRESS_INTERVAL)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        line.erase()


def interruptible(work: Callable[[], Result]) -> Result:
    """Runs work that Python cannot interrupt, such as a query of an engine in Rust, in a daemon
    thread, so that Ctrl-C ends the command.
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
    """Prints a message if stderr is a terminal."""
    if sys.stderr.isatty():
        inform(message)


def inform(message: str, colour: str | None = None) -> None:
    """Prints information, unless -q is given."""
    if not is_quiet():
        warn(message, colour)


def warn(message: str, colour: str | None = "red") -> None:
    """Prints an error or a warning, also with -q."""
    tell(click.style(harmless(message), fg=colour))


def tell(line: str) -> None:
    """Prints a line on stderr. If that is impossible, such as on a full disk, work continues."""
    with suppress(OSError):
        click.echo(line, err=True)


def show(message: str, err: bool = False) -> None:
    """Prints a result as text."""
    click.echo(harmless(message), err=err)


def print_json(value: object) -> None:
    """Prints a result as JSON."""
    click.echo(json_of(value))


def print_file(body: bytes) -> None:
    """Prints a file: byte by byte to a pipe, without control characters to a terminal."""
    if sys.stdout.isatty():
        show(body.decode("utf-8", "replace").removesuffix("\n"))
    else:
        sys.stdout.buffer.write(body)
        sys.stdout.flush()
