"""`kg diff`: the changes between two versions of a site."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kg.check.report.text import printable
from kg.cli.command import command
from kg.cli.messages import hint, inform, print_file, print_json, progress, warn
from kg.cli.options import SITE, format_option, site_at
from kg.errors import counted, errors_in, summary
from kg.settings import NOWHERE

if TYPE_CHECKING:
    from kg.plugins.changes.change_words import GraphDiff, WordedChange
    from kg.plugins.history.any_states import AnyState

SIGNS = {"new": ("+", "green"), "changed": ("~", None), "removed": ("-", "red")}


@command(
    heading="Checks",
    short_help="List the changes between two versions of a site.",
    example="kg diff HEAD~3 HEAD mysite",
)
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW")
@SITE
@click.option("--triples", is_flag=True, help="Also print the triples, with + or - before each.")
@format_option("text", "json", what="Format of the report; json includes the triples.")
def diff(old: str, new: str, site: Path, triples: bool, format: str) -> None:
    """List the changes from OLD to NEW, in words.

    OLD and NEW are each a site, a folder written by kg build, a dump (an RDF file), or a commit,
    tag or date (2026-01-31) in the git history of SITE.

    Exit codes: 0 no changes, 1 changes, 2 invalid command.
    """
    from kg.plugins.changes.change_words import changes
    from kg.plugins.history.any_states import difference, patch

    with progress("Reading"):
        found = difference(state_at(old, site), state_at(new, site))
    words = changes(found)
    if format == "json":
        print_json(json_diff(found, words))
    else:
        print_changes(words)
        if triples:
            print_file("".join(f"{line}\n" for line in patch(found)).encode())
    sizes = [f"{counted(len(found.added), 'triple')} added", f"{len(found.removed)} removed"]
    is_same = not (found.added or found.removed)
    inform("No changes." if is_same else f"{', '.join(sizes)}.")
    if found.old.base != found.new.base and found.old.base and found.new.base:
        inform(
            f"The base address changed from {found.old.base} to {found.new.base}, so every triple "
            "differs."
        )
    sys.exit(0 if is_same else 1)


def state_at(place: str, site: Path) -> AnyState:
    from kg.graph.rdf_files import read
    from kg.plugins.history.any_states import AnyState, state_of
    from kg.plugins.verify.command import graph_of
    from kg.publish.hosting.built_folder import is_built

    path = Path(place)
    if path.is_file() or is_built(path):
        file = path if path.is_file() else path / "dump.nq"
        return state_of(read([file], NOWHERE, hint))  # our dumps have no relative addresses
    folder = path if path.is_dir() else site_at(site, place)
    graph = graph_of(folder)
    if wrong := errors_in(graph.facts.problems + graph.problems):
        message = f"{place} has {summary(wrong)}; changes may be missing. Run kg check."
        warn(message, "yellow")
    return AnyState(graph.nquads)


def print_changes(changes: list[WordedChange]) -> None:
    title = None
    for change in changes:
        if change.title != title:
            title = change.title
            click.echo(click.style(printable(title or "Removed pages"), bold=True))
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
