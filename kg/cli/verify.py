"""`kg verify` and `kg diff`: the proof of a site that is published already, and what differs
between two states of one.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kg.check.report.machine import json_problem
from kg.check.report.text import printable
from kg.cli.manners import SiteArgument, command
from kg.cli.messages import hint, progress, show_file, show_json, tell, warn
from kg.cli.options import FOLDER, SITE, formats, site_at
from kg.errors import KgError, counted, errors_in, summary
from kg.publish.proof.source import Directory, Look, SiteSource, ignore
from kg.settings import NOWHERE

if TYPE_CHECKING:
    from kg.graph.build import Graph
    from kg.publish.history.change_words import WordedChange
    from kg.publish.history.graph_states import GraphDiff, GraphState
    from kg.publish.proof.private import Private

SILENCE = 20  # seconds without a byte after which a server gives no answer
MAX_BYTES = 1 << 28
SIGNS = {"new": ("+", "green"), "changed": ("~", None), "removed": ("-", "red")}


@command()
@click.argument("place", metavar="DIR|URL")
@click.argument("site", cls=SiteArgument, type=FOLDER, required=False)
@click.option(
    "--sample",
    type=click.IntRange(1),
    metavar="N",
    help="Prove so many documents instead of all; always the same ones.",
)
@formats("text", "json", what="The form of the report.")
def verify(place: str, site: Path | None, sample: int | None, format: str) -> None:
    """Prove that a folder, or the site at an address, is whole.

    The data of each document are the same graph in every form, and their sum is the dump. What a
    page embeds is true, shown on it, complete and small; no link is broken, the HTML is
    well-formed; a server also minds its manners. Only that server is asked. With a SITE its private
    values are looked for, too.
    """
    from kg.publish.proof.prove import prove

    private = private_values(site) if site else None
    with open_source(place, private.look if private else ignore) as source:
        besides = private.faults if private else lambda source: []
        with progress("Verifying") as counting:
            proof = prove(source, sample or 0, counting("documents"), besides)
    if format == "json":
        report = {
            "place": place,
            "good": proof.good,
            "private": site is not None,  # whether private values were looked for
            "proved": {key: value for key, value in asdict(proof).items() if key != "problems"},
            "problems": [json_problem(each) for each in proof.problems],
        }
        show_json(report)
    else:
        for problem in proof.problems:
            click.echo(printable(str(problem)))
        if proof.problems:
            tell(f"{summary(proof.problems)}.")
        if proof.good:
            privacy = "nothing private" if site else "what is private only a SITE can tell"
            tell(f"Proved: {proof}; {privacy}.")
    sys.exit(0 if proof.good else 1)


@contextmanager
def open_source(place: str, look: Look = ignore) -> Iterator[SiteSource]:
    from kg.elsewhere.http import Client, TooLarge
    from kg.publish.proof.server import SiteServer

    if "://" not in place:
        yield Directory(Path(place), look=look)
        return
    with closing(Client(place, agent="kg-verify")) as client:

        def fetch(
            method: str, url: str, headers: Mapping[str, str], seconds: float
        ) -> tuple[int, Mapping[str, str], bytes]:
            try:
                found = client.exchange(
                    method, url, b"", headers, seconds, MAX_BYTES, silence=SILENCE
                )
            except TooLarge as error:
                raise OSError(f"more than {MAX_BYTES >> 20} MiB") from error
            return found.status, found.headers, found.body

        yield SiteServer(place, fetch, look)


def private_values(site: Path) -> Private:
    """What the facts of a site say is private."""
    from kg.publish.proof.private import Private
    from kg.publish.site import Documents

    return Private(Documents(graph_of(site)))


def graph_of(site: Path) -> Graph:
    """The graph of all that can be read, unjudged."""
    from kg.facts.load import load
    from kg.graph.build import build

    facts = load(site)
    if facts.site is None:
        raise KgError(
            f"{site}/data/site.yaml cannot be read, so nothing is known of this site. kg "
            f"check {site} tells more."
        )
    return build(facts, facts.site)


@command(epilog="Example: kg diff HEAD~3 . or kg diff public 2026-01-31")
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW")
@SITE
@click.option("--triples", is_flag=True, help="Print the triples, too, each behind + or -.")
@formats("text", "json", what="The form of the report; json has the triples, too.")
def diff(old: str, new: str, site: Path, triples: bool, format: str) -> None:
    """Say what changed from OLD to NEW, in words.

    Each of the two is a site, a folder that kg build wrote, a dump (a file of RDF), or what git has
    of the SITE: a commit, a tag, or a day. Exit 0: no difference; 1: there is one; 2: wrong use.
    """
    from kg.publish.history.change_words import changes
    from kg.publish.history.graph_states import difference

    with progress("Reading"):
        found = difference(state_at(old, site), state_at(new, site))
    words = changes(found)
    if format == "json":
        show_json(json_diff(found, words))
    else:
        print_changes(words)
        if triples:
            show_file("".join(f"{line}\n" for line in found.patch()).encode())
    sizes = [f"{counted(len(found.added), 'triple')} added", f"{len(found.removed)} removed"]
    is_same = not (found.added or found.removed)
    tell("No difference." if is_same else f"{', '.join(sizes)}.")
    if found.old.base != found.new.base and found.old.base and found.new.base:
        tell(f"The base was {found.old.base} and is {found.new.base}, which is in every triple.")
    sys.exit(0 if is_same else 1)


def state_at(place: str, site: Path) -> GraphState:
    from kg.graph.rdf_files import read
    from kg.publish.history.graph_states import GraphState, state_of
    from kg.publish.hosting.built_folder import is_built

    path = Path(place)
    if path.is_file() or is_built(path):
        file = path if path.is_file() else path / "dump.nq"
        return state_of(read([file], NOWHERE, hint))  # ours has no relative addresses
    folder = path if path.is_dir() else site_at(site, place)
    graph = graph_of(folder)
    if wrong := errors_in(graph.facts.problems + graph.problems):
        warn(f"{place}: {summary(wrong)}, so something may be missing. See kg check.", "yellow")
    return GraphState(graph.nquads)


def print_changes(changes: list[WordedChange]) -> None:
    title = None
    for change in changes:
        if change.title != title:
            title = change.title
            click.echo(click.style(printable(title or "No longer there"), bold=True))
        sign, colour = SIGNS[change.verb]
        former = change.former and f" (was: {change.former})"
        click.echo(click.style(f"  {sign} {printable(change.text + former)}", fg=colour))


def json_diff(found: GraphDiff, changes: list[WordedChange]) -> dict[str, object]:
    return {
        "old": found.old.identity,
        "new": found.new.identity,
        "changes": [
            {key: value for key, value in asdict(change).items() if key != "quotes"}
            for change in changes
        ],
        "removed": found.removed,
        "added": found.added,
    }
