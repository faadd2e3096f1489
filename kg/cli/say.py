"""What several commands say to the person at the terminal, all of it on stderr."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from kg.errors import Problem

OFTEN = 0.2  # seconds between two times that progress is told


def report(problems: list[Problem], site: Path) -> None:
    """What has to be known before publishing: errors and warnings. `kg check` tells all."""
    from kg.check.report.shown import choose
    from kg.check.report.text import lines

    for line in lines(choose(problems, site, least="warning"), sys.stderr.isatty()):
        click.echo(line, err=True)


def counting(what: str) -> Callable[[int, int], None]:
    """Tells somebody who waits at a terminal how far the work is, how fast it goes, and how long it
    will take.
    """
    begun, told = 0.0, 0.0

    def progress(done: int, total: int) -> None:
        nonlocal begun, told
        now = time.monotonic()
        begun = begun or now
        if sys.stderr.isatty() and (now - told >= OFTEN or done == total):
            told = now
            click.echo(
                f"\r{how_far(done, total, what, now - begun)}\033[K", nl=done == total, err=True
            )

    return progress


def how_far(done: int, total: int, what: str, seconds: float) -> str:
    """`12,345 of 660,000 files, 410/s, 26 min left`. What takes no time has no rate."""
    said = f"{done:,} of {total:,} {what}"
    rate = done / seconds if seconds >= OFTEN else 0
    left = f", {span((total - done) / rate)} left" if rate and done < total else ""
    return f"{said}, {rate:,.0f}/s{left}" if rate >= 1 else said + left


def span(seconds: float) -> str:
    """`40 s`, `26 min`, `3 h 20 min`."""
    minutes = round(seconds / 60)
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{minutes} min" if minutes < 120 else f"{minutes // 60} h {minutes % 60} min"


def hint(message: str) -> None:
    """What only somebody who waits wants to know."""
    if sys.stderr.isatty():
        tell(message)


def tell(message: str, colour: str | None = None) -> None:
    click.echo(click.style(message, fg=colour), err=True)
