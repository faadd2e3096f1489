"""Commands that ask: the graph by SPARQL, the registry of people by a name."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kg.cli.options import FORMATS, IN_SITE, TABLES
from kg.cli.say import tell

if TYPE_CHECKING:
    from kg.graph.build import Graph


@click.command()
@click.argument("query")
@IN_SITE
@click.option(
    "-f", "--format", type=click.Choice([*TABLES, *FORMATS]), help="The form of the answer; by itself csv for a table, ttl for a graph."
)
def query(query: str, site: Path, format: str | None) -> None:
    """Ask a SPARQL question: a file, the name of one in queries/, or - for standard input."""
    from kg.engine import guard
    from kg.engine.evaluate import answer
    from kg.engine.store import Wanted
    from kg.graph.check import good

    graph = good(site, keep=True)
    text = question(query, graph)
    guard.check(text)
    wanted = Wanted(TABLES.get(format), FORMATS.get(format)) if format else Wanted(TABLES["csv"], FORMATS["ttl"])
    body = answer(graph.memory, text, wanted).body
    sys.stdout.buffer.write(body if body.endswith(b"\n") else body + b"\n")


def question(query: str, graph: Graph) -> str:
    """The text of a query given as file, name or '-'."""
    from kg.settings import resources

    if query == "-":
        return sys.stdin.read()
    named = {path.stem: path for path in resources(graph.site, "queries", "*.rq")}
    path = Path(query) if Path(query).is_file() else named.get(query)
    if path is None:
        raise click.UsageError(f"There is no query '{query}'. Give a file, '-' for standard input, or one of: {', '.join(sorted(named))}.")
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise click.UsageError(f"{path} is not UTF-8: {error.reason} at byte {error.start}.") from error


@click.command()
@click.argument("name")
@IN_SITE
def who(name: str, site: Path) -> None:
    """Show whom a printed name stands for, by which entry, and who is near."""
    from kg.facts.load import load

    names = load(site).names
    claims = names.claimants(name)
    for slug, place in claims:
        click.echo(f"{name} is {slug} ({names.people[slug].get('name')}), {site / str(place)}")
    near = [slug for slug in names.near(name) if slug not in dict(claims)]
    if near:
        click.echo("Near: " + ", ".join(f"{slug} ({names.people[slug].get('name')})" for slug in near))
    if len(claims) != 1:
        several = "Several people claim this name; say who in each work: {person: KEY, as: NAME}."
        tell(several if claims else "Nobody in the registry has this name. In a list of authors it would be a person of its own.")
    sys.exit(0 if len(claims) == 1 else 1)
