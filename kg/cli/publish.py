"""Commands that put the graph before others: as a folder or a file."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kg.cli.options import FORMATS, PREVIOUS, SITE, TODAY, clock
from kg.cli.say import counting, report, tell
from kg.publish.formats import HTML, PAGE_SUFFIXES

if TYPE_CHECKING:
    from kg.graph.build import Graph
    from kg.publish.kept import Keeper

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
@click.option("--watch", is_flag=True, help="Build again what changes, after each save, until it is interrupted.")
def build(site: Path, today: str, output: Path, previous: Path | None, twins: dict[str, str], verify: str, watch: bool) -> None:
    """Write the whole site into a folder, for any web host; prove it, and put it in the place of the one before."""
    from kg.graph.cache import FOLDER
    from kg.graph.check import good_or_warn
    from kg.graph.former import FILE
    from kg.publish.kept import Keeper

    keeper, sample = Keeper(site / FOLDER), SAMPLE if verify == "sample" else 0
    if watch:
        keep_building(site, clock(today), previous or output / FILE, lambda graph: write(graph, output, twins, sample, keeper), output)
        return
    graph, problems = good_or_warn(site, today, keep=True, previous=previous or output / FILE)
    report(problems, site)
    write(graph, output, twins, sample, keeper)


def write(graph: Graph, output: Path, twins: dict[str, str], sample: int, keeper: Keeper) -> None:
    from kg.publish.export import export, processors
    from kg.publish.site import Documents

    written = export(Documents(graph, suffixes=twins), output, counting("files"), sample, keeper, processors())
    new = f"{written.changed or 'none'} of them new or changed"
    tell(f"{graph.counts}; {written.files} files in {output}/, {new}. Put them on any web host.")
    tell(f"Proved: {written.proof}; nothing private.")
    if left_out := [suffix[1:] for suffix in TWINS.values() if suffix not in twins]:
        tell(f"Left out: the forms {', '.join(left_out)}.")


def keep_building(site: Path, today: Callable[[], str], previous: Path, build: Callable[[Graph], None], output: Path) -> None:
    """Builds the site as it is, and after each save; a state with errors leaves the folder as it is."""
    from threading import Event

    from kg.errors import KgError, why
    from kg.graph import cache
    from kg.graph.check import Checked
    from kg.graph.watch import checks
    from kg.settings import site_file

    site_file(site)  # a folder that is no site is wrong use, whatever comes later
    last = None
    try:
        for state in checks(site, today, Event(), cache.load(site), previous):
            try:
                if not isinstance(state, Checked):
                    raise state
                report(state.problems, site)
                last = state.verdict or last
                if state.graph and state.publishable:
                    build(state.graph)
                else:
                    tell(f"There are errors, so {output}/ stays as it is.")
            except (KgError, OSError) as error:
                tell(why(error), "red")
            tell(f"Watching {site}; what a save changes is built. Ctrl-C ends it.")
            del state
    except KeyboardInterrupt:
        tell("")
    finally:
        if last:
            cache.save(site, last)


@click.command()
@SITE
@click.option("-f", "--format", type=click.Choice(list(FORMATS)), default="ttl", show_default=True, help="The form to write.")
def dump(site: Path, format: str) -> None:
    """Print the whole graph."""
    from kg.graph.check import good
    from kg.publish.dump import dump

    sys.stdout.buffer.write(dump(good(site, keep=True), FORMATS[format]))
