"""`kg serve --watch` in a process of its own, as few lines as the command has: python -m
tests.web.watching SITE.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from kg.check.reloads import Reloads
from kg.files.cache import Cache
from kg.graph.parallel.run import Run
from kg.sparql.limits import Limits
from kg.web.app import Options
from kg.web.serve import serve
from kg.web.sources import CheckedSource


def main(site: Path) -> None:
    source, reloads = (
        CheckedSource(site, Run(cache=Cache(site)), lambda: "2026-11-15", Limits(), watched=True),
        Reloads(),
    )
    current, _ = source.open()
    serve(
        current,
        Options(port=0, key=os.environ["KG_SERVE_KEY"]),
        lambda address: click.echo(f"Serving {address}", err=True),
        source.follow(current, reloads),
        reloads,
    )


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1]))
    except KeyboardInterrupt:  # as the command does
        sys.exit(130)
