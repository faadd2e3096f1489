"""Commands that put the graph before others: as a folder, a file, a piece of a page, or a server."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kg.cli.options import FORMATS, IN_SITE, SITE, TODAY, clock, given
from kg.cli.say import hint, progress, report, tell

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kg.errors import Problem
    from kg.graph.watch import Seen

BASE = "http://127.0.0.1:8000/"  # not the place of the files, which is nobody's business


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
@click.argument("paths", type=click.Path(exists=True, path_type=Path), nargs=-1, metavar="[SITE | FILE...]")
@TODAY
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535), help="The port; 0 takes a free one.")
@click.option("--watch", is_flag=True, help="Serve each good state of the files, after every save.")
@click.option("--open-console", is_flag=True, help="Show the problems at /console to everyone, not only on this machine.")
@click.option(
    "--union/--no-union",
    default=None,
    help="Whether queries see the triples of all graphs at once, or without GRAPH only those outside named ones. By itself so for a SITE, "
    "not for FILEs.",
)
@click.option("--base", metavar="IRI", default=BASE, show_default=True, help="For FILEs: where their relative IRIs, and a query's, begin.")
def serve(
    paths: tuple[Path, ...], today: str, host: str, port: int, watch: bool, open_console: bool, union: bool | None, base: str
) -> None:
    """Check, build and serve the site; the problems are at /console. Or serve RDF FILEs as they are, at /sparql.

    A FILE is Turtle, TriG, N-Triples, N-Quads, JSON-LD or RDF/XML, by its suffix, and may be packed (.gz).
    """
    folders = [path for path in paths if path.is_dir()]
    if folders and len(paths) > 1:
        raise click.UsageError("Give one SITE, which is a folder, or any number of FILEs; not several folders, nor both.")
    if paths and not folders:
        for option in ("watch", "open_console", "today"):
            if given(option):
                raise click.UsageError(f"--{option.replace('_', '-')} is for a SITE. FILEs are read once, and served as they are.")
        serve_files(paths, host, port, bool(union), base)
    elif given("base"):
        raise click.UsageError("--base is for FILEs. The base of a SITE is in its data/site.yaml.")
    else:
        serve_site(folders[0] if folders else Path(), today, host, port, watch, open_console, union is not False)
    tell("Stopped.")


def serve_files(paths: Sequence[Path], host: str, port: int, union: bool, base: str) -> None:
    from kg.engine.embedded import Embedded
    from kg.graph.files import BIG, read
    from kg.publish.plain import Plain, title
    from kg.web.serve import serve
    from kg.web.served import Served, Stage

    found = read(paths, base, hint)
    if len(found.nquads) > BIG:
        hint(f"Loading {found.counts}")
    stage = Stage(Served(Plain(base, title(paths)), Embedded(base, found.nquads, union=union)))
    serve(stage, host, port, lambda address: tell(f"{found.counts}. Serving {address} (Ctrl-C ends it)", "green"))


def serve_site(site: Path, today: str, host: str, port: int, watch: bool, open_console: bool, union: bool) -> None:
    from threading import Event

    from kg.graph import cache
    from kg.graph.check import Checked, good_or_warn
    from kg.graph.watch import checks
    from kg.web.serve import made, serve
    from kg.web.served import Stage

    graph, problems = good_or_warn(site, today, keep=True)
    report(problems, site)
    stop = Event()
    later = told(checks(site, clock(today), stop, cache.load(site)), site, (graph.nquads, problems)) if watch else None
    ready = f"{graph.counts}. Serving {{}}{', watching the files' if watch else ''} (Ctrl-C ends it)"
    stage = Stage(made(graph, union), Checked(graph, problems), watch)
    serve(stage, host, port, lambda address: tell(ready.format(address), "green"), later, stop, open_console)


def told(states: Iterator[Seen], site: Path, known: tuple[bytes, list[Problem]]) -> Iterator[Seen]:
    """The states of a watched site, each told at the terminal; without the first where it is the known one."""
    from kg.errors import summary, why
    from kg.graph.check import Checked

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
