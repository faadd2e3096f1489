"""Commands that put the graph before others: as a folder, a file, a piece of a page, or a server."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kg.cli.options import FORMATS, IN_SITE, SITE, TODAY, clock
from kg.cli.say import progress, report, tell

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kg.errors import Problem
    from kg.graph.watch import Seen


@click.command()
@SITE
@TODAY
@click.option("-o", "--output", type=click.Path(path_type=Path), default="site", show_default=True, help="The folder to write.")
def build(site: Path, today: str, output: Path) -> None:
    """Write the whole site into a folder, for any web host."""
    from kg.graph.check import good_or_warn
    from kg.publish.export import export
    from kg.publish.site import Documents

    graph, problems = good_or_warn(site, today, keep=True)
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


@click.command()
@click.argument("slug")
@IN_SITE
def embed(slug: str, site: Path) -> None:
    """Print the JSON-LD of a page as a script element, for pasting into another page."""
    from kg.facts.nearness import closest
    from kg.graph.check import good
    from kg.publish.site import Documents

    documents = Documents(good(site, keep=True))
    script = documents.embed(slug)
    if script is None:
        near = closest(slug, [address.removeprefix("people/") for address in documents.addresses])
        raise click.UsageError(f"There is no page '{slug}'." + (f" Closest: {', '.join(near)}." if near else ""))
    click.echo(script)


@click.command()
@SITE
@TODAY
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535), help="The port; 0 takes a free one.")
@click.option("--watch", is_flag=True, help="Serve each good state of the files, after every save.")
@click.option("--open-console", is_flag=True, help="Show the problems at /console to everyone, not only on this machine.")
def serve(site: Path, today: str, host: str, port: int, watch: bool, open_console: bool) -> None:
    """Check, build and serve the site. The problems are at /console."""
    from threading import Event

    from kg.graph import cache
    from kg.graph.check import good_or_warn
    from kg.graph.watch import checks
    from kg.web.serve import serve

    graph, problems = good_or_warn(site, today, keep=True)
    report(problems, site)
    stop = Event()
    later = told(checks(site, clock(today), stop, cache.load(site)), site, (graph.nquads, problems)) if watch else None
    ready = f"{graph.counts}. Serving {{}}{', watching the files' if watch else ''} (Ctrl-C ends it)"
    serve(graph, host, port, lambda address: tell(ready.format(address), "green"), problems, later, stop, open_console)
    tell("Stopped.")


def told(states: Iterator[Seen], site: Path, known: tuple[bytes, list[Problem]]) -> Iterator[Seen]:
    """The states of a watched site, each told at the terminal; without the first where it is the known one."""
    from kg.errors import summary
    from kg.graph.check import Checked
    from kg.graph.watch import why

    for number, state in enumerate(states):
        if number == 0 and isinstance(state, Checked) and state.graph and (state.graph.nquads, state.problems) == known:
            continue  # unless somebody has been quick, and saved before it was looked at
        yield state  # when the next is asked for, this one is served
        if isinstance(state, Checked):
            report(state.problems, site)
            outcome = "Served now" if state.publishable else "The last good state is still served"
            tell(f"{outcome}; {summary(state.problems)}.", "green" if state.publishable else "red")
        else:
            tell(f"{why(state)} The last good state is still served.", "red")
