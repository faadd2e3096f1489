"""`kg build` and `kg dump`: the graph as a folder for a web host, or as a file."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kg.cli.messages import counting, report, tell
from kg.cli.options import CLUSTER, FORMATS, JOBS, PREVIOUS, SITE, TODAY, clock, crew, given
from kg.publish.formats.media import HTML, PAGE_SUFFIXES

if TYPE_CHECKING:
    from kg.check.watch import Seen
    from kg.graph.build import Graph
    from kg.publish.export.trace import TraceCache

TWINS = {
    suffix.removeprefix("."): suffix
    for suffix, media_type in PAGE_SUFFIXES.items()
    if media_type != HTML
}
SAMPLE = 200


def chosen(context: click.Context, option: click.Parameter, value: str | None) -> dict[str, str]:
    """The suffixes of the forms that are wanted, pages always among them."""
    wanted = (
        TWINS.keys()
        if value is None
        else {name.strip().removeprefix(".") for name in value.split(",") if name.strip()}
        - {"html"}
    )
    if unknown := sorted(set(wanted) - TWINS.keys()):
        raise click.BadParameter(f"There is no form '{unknown[0]}'. There are {', '.join(TWINS)}.")
    return {
        suffix: media_type
        for suffix, media_type in PAGE_SUFFIXES.items()
        if media_type == HTML or suffix.removeprefix(".") in wanted
    }


@click.command()
@SITE
@TODAY
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    default="site",
    show_default=True,
    help="The folder to write.",
)
@PREVIOUS
@click.option(
    "--twins",
    callback=chosen,
    metavar="FORM,…",
    help=f"The data forms of each page, instead of all: {','.join(TWINS)}.",
)
@click.option(
    "--verify",
    type=click.Choice(["all", "sample"]),
    default="all",
    show_default=True,
    help=f"Prove each page, or {SAMPLE} of them, before the folder is replaced.",
)
@click.option(
    "--watch",
    is_flag=True,
    help="Build again what changes, after each save, until it is interrupted.",
)
@JOBS
@CLUSTER
def build(
    site: Path,
    today: str,
    output: Path,
    previous: Path | None,
    twins: dict[str, str],
    verify: str,
    watch: bool,
    jobs: int | None,
    cluster: str | None,
) -> None:
    """Write the whole site into a folder, for any web host; prove it, and put it in the place of
    the one before.
    """
    from threading import Event

    from kg.check.check import good_or_warn
    from kg.check.redirects import FILE
    from kg.check.verdict import load_verdict
    from kg.check.watch import checks
    from kg.publish.export.trace import TraceCache
    from kg.settings import CACHE

    cache, sample = TraceCache(site / CACHE), SAMPLE if verify == "sample" else 0
    if watch:
        # However it is ended, nothing is left behind.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.default_int_handler)
        team = crew(jobs, cluster)
        states = checks(
            site,
            clock(today),
            Event(),
            load_verdict(site),
            previous or output / FILE,
            team,
        )
        keep_building(
            states, site, lambda graph: write(graph, output, twins, sample, cache, jobs), output
        )
        return
    graph, problems = good_or_warn(
        site, today, cached=True, previous=previous or output / FILE, crew=crew(jobs, cluster)
    )
    report(problems, site)
    write(graph, output, twins, sample, cache, jobs)


def write(
    graph: Graph,
    output: Path,
    twins: dict[str, str],
    sample: int,
    cache: TraceCache,
    jobs: int | None,
) -> None:
    from kg.publish.export.export import export
    from kg.publish.site import Documents
    from kg.sparql.limits import cores

    documents = Documents(graph, suffixes=twins)
    written = export(documents, output, counting("files"), sample, cache, jobs or cores())
    new = f"{written.changed or 'none'} of them new or changed"
    tell(f"{graph.counts}; {written.files} files in {output}/, {new}. Put them on any web host.")
    tell(f"Proved: {written.proof}; nothing private.")
    if left_out := [suffix[1:] for suffix in TWINS.values() if suffix not in twins]:
        tell(f"Left out: the forms {', '.join(left_out)}.")


def keep_building(
    states: Iterator[Seen], site: Path, build: Callable[[Graph], None], output: Path
) -> None:
    """Builds the site as it is, and after each save; a state with errors leaves the folder as it
    is.
    """
    from kg.check.check import Checked
    from kg.check.verdict import save_verdict
    from kg.errors import KgError, why
    from kg.settings import site_file

    site_file(site)  # a folder that is no site is wrong use, whatever comes later
    last = None
    try:
        for state in states:
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
            save_verdict(site, last)


@click.command()
@SITE
@click.option(
    "-f",
    "--format",
    type=click.Choice(list(FORMATS)),
    default="ttl",
    show_default=True,
    help="The form to write.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="With --shards: the folder to write.",
)
@click.option(
    "--shards",
    type=click.IntRange(1, 1000),
    metavar="N",
    help="Write so many files of N-Quads, for engines that load many at once.",
)
@JOBS
@CLUSTER
def dump(
    site: Path,
    format: str,
    output: Path | None,
    shards: int | None,
    jobs: int | None,
    cluster: str | None,
) -> None:
    """Print the whole graph; or write it into several files, a document always into the same."""
    from kg.check.check import good
    from kg.publish.dumps.dump import dump
    from kg.publish.dumps.split import write

    if bool(output) != bool(shards) or (shards and given("format") and format != "nq"):
        raise click.UsageError("--shards N and --output DIR go together, and give N-Quads.")
    graph = good(site, cached=True, crew=crew(jobs, cluster))
    if output and shards:
        paths = write(graph.nquads, output, shards)
        tell(f"{graph.counts}; {paths[0]} to {paths[-1].name}.")
    else:
        sys.stdout.buffer.write(dump(graph, FORMATS[format]))
