"""Commands that put the graph before others: as a folder or a file."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from kg.cli.options import FORMATS, PREVIOUS, SITE, TODAY
from kg.cli.say import counting, report, tell
from kg.publish.formats import HTML, PAGE_SUFFIXES

TWINS = {suffix.removeprefix("."): suffix for suffix, media_type in PAGE_SUFFIXES.items() if media_type != HTML}
SAMPLE = 200


def chosen(context: click.Context, option: click.Parameter, value: str | None) -> dict[str, str]:
    """The suffixes of the forms that are wanted, pages always among them."""
    wanted = TWINS.keys() if value is None else {name.strip().removeprefix(".") for name in value.split(",") if name.strip()} - {"html"}
    if unknown := sorted(set(wanted) - TWINS.keys()):
        raise click.BadParameter(f"There is no form '{unknown[0]}'. There are {', '.join(TWINS)}.")
    return {suffix: media_type for suffix, media_type in PAGE_SUFFIXES.items() if media_type == HTML or suffix.removeprefix(".") in wanted}


@click.command()
@SITE
@TODAY
@click.option("-o", "--output", type=click.Path(path_type=Path), default="site", show_default=True, help="The folder to write.")
@PREVIOUS
@click.option("--twins", callback=chosen, metavar="FORM,…", help=f"The data forms of each page, instead of all: {','.join(TWINS)}.")
@click.option(
    "--verify",
    type=click.Choice(["all", "sample"]),
    default="all",
    show_default=True,
    help=f"Prove each page, or {SAMPLE} of them, before the folder is replaced.",
)
def build(site: Path, today: str, output: Path, previous: Path | None, twins: dict[str, str], verify: str) -> None:
    """Write the whole site into a folder, for any web host; prove it, and put it in the place of the one before."""
    from kg.graph.cache import FOLDER
    from kg.graph.check import good_or_warn
    from kg.graph.former import FILE
    from kg.publish.export import export, processors
    from kg.publish.site import Documents

    graph, problems = good_or_warn(site, today, keep=True, previous=previous or output / FILE)
    report(problems, site)
    documents, sample = Documents(graph, suffixes=twins), SAMPLE if verify == "sample" else 0
    written = export(documents, output, counting("files"), sample, site / FOLDER, processors())
    new = f"{written.changed or 'none'} of them new or changed"
    tell(f"{graph.counts}; {written.files} files in {output}/, {new}. Put them on any web host.")
    tell(f"Proved: {written.proof}; nothing private.")
    if left_out := [suffix[1:] for suffix in TWINS.values() if suffix not in twins]:
        tell(f"Left out: the forms {', '.join(left_out)}.")


@click.command()
@SITE
@click.option("-f", "--format", type=click.Choice(list(FORMATS)), default="ttl", show_default=True, help="The form to write.")
def dump(site: Path, format: str) -> None:
    """Print the whole graph."""
    from kg.graph.check import good
    from kg.publish.dump import dump

    sys.stdout.buffer.write(dump(good(site, keep=True), FORMATS[format]))
