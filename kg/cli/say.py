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


def report(problems: list[Problem], site: Path) -> None:
    """What has to be known before publishing: errors and warnings. `kg check` tells all."""
    from kg.report.shown import choose
    from kg.report.text import lines

    for line in lines(choose(problems, site, least="warning"), sys.stderr.isatty()):
        click.echo(line, err=True)


def counting(what: str) -> Callable[[int, int], None]:
    """Tells somebody who waits how far the work is, and how fast."""
    begun = 0.0

    def progress(done: int, total: int) -> None:
        nonlocal begun
        begun = begun or time.monotonic()
        if sys.stderr.isatty() and (done % 50 == 0 or done == total):
            rate = done / max(time.monotonic() - begun, 0.001)
            click.echo(f"\r{done} of {total} {what}, {rate:.0f} a second ", nl=done == total, err=True)

    return progress


def hint(message: str) -> None:
    """What only somebody who waits wants to know."""
    if sys.stderr.isatty():
        tell(message)


def tell(message: str, colour: str | None = None) -> None:
    click.echo(click.style(message, fg=colour), err=True)
