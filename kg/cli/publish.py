"""Commands that put the graph before others: as a folder or a file."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from kg.cli.options import FORMATS, PREVIOUS, SITE, TODAY
from kg.cli.say import progress, report, tell


@click.command()
@SITE
@TODAY
@click.option("-o", "--output", type=click.Path(path_type=Path), default="site", show_default=True, help="The folder to write.")
@PREVIOUS
def build(site: Path, today: str, output: Path, previous: Path | None) -> None:
    """Write the whole site into a folder, for any web host."""
    from kg.graph.check import good_or_warn
    from kg.graph.former import FILE
    from kg.publish.export import export
    from kg.publish.site import Documents

    graph, problems = good_or_warn(site, today, keep=True, previous=previous or output / FILE)
    report(problems, site)
    number = export(Documents(graph), output, progress)
    tell(f"{graph.counts}; {number} files in {output}/. Put them on any web host.")


@click.command()
@SITE
@click.option("-f", "--format", type=click.Choice(list(FORMATS)), default="ttl", show_default=True, help="The form to write.")
def dump(site: Path, format: str) -> None:
    """Print the whole graph."""
    from kg.graph.check import good
    from kg.publish.dump import dump

    sys.stdout.buffer.write(dump(good(site, keep=True), FORMATS[format]))
