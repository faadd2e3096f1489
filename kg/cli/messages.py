"""Messages and progress on stderr, for the person at the terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import click

from kg.check.report.selection import select
from kg.check.report.text import lines
from kg.errors import Problem

OFTEN = 0.2  # seconds between two lines of progress


def report(problems: list[Problem], site: Path) -> None:
    """Prints errors and warnings; `kg check` prints infos too."""
    for line in lines(select(problems, site, least="warning"), sys.stderr.isatty()):
        click.echo(line, err=True)


def counting(what: str) -> Callable[[int, int], None]:
    """Progress at a terminal: how far the work is, how fast it goes, and how long it will take."""
    begun, shown = 0.0, 0.0

    def progress(done: int, total: int) -> None:
        nonlocal begun, shown
        now = time.monotonic()
        begun = begun or now
        if sys.stderr.isatty() and (now - shown >= OFTEN or done == total):
            shown = now
            click.echo(
                f"\r{how_far(done, total, what, now - begun)}\033[K", nl=done == total, err=True
            )

    return progress


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
