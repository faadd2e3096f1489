"""`kg serve --watch` in a process of its own, as few lines as the command has: python -m
tests.web.watching SITE.
"""

from __future__ import annotations

import sys
from pathlib import Path
from threading import Event

import click

from kg.check.check import Checked
from kg.check.watch import checks
from kg.web.app import Options
from kg.web.serve import build_state, serve
from kg.web.state import Stage


def main(site: Path) -> None:
    stop = Event()
    states = checks(site, lambda: "2026-11-15", stop)
    first = next(states)
    assert isinstance(first, Checked)
    assert first.graph is not None
    stage = Stage(build_state(first.graph), first, watched=True)
    serve(
        stage,
        Options(port=0),
        lambda address: click.echo(f"Serving {address}", err=True),
        states,
        stop,
    )


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1]))
    except KeyboardInterrupt:  # as the command does
        sys.exit(130)
