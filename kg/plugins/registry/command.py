"""`kg who`, `kg names`, `kg register` and `kg topics`: the people and entries behind names."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kg.cli.command import command, on_interrupt
from kg.cli.messages import inform, print_json, progress, show
from kg.cli.options import SITE, facts_of, format_option
from kg.errors import counted

if TYPE_CHECKING:
    pass


@command(
    heading="Editing",
    short_help="Find the person behind a name as it is printed.",
    example='kg who "N. Haddad" mysite',
)
@click.argument("name")
@SITE
@format_option("text", "json", what="Format of the answer.")
def who(name: str, site: Path, format: str) -> None:
    """Find the person behind a name as it is printed (N. Haddad), and similar names.

    Authors without an entry are included.

    Exit codes: 0 one person, 1 nobody or several, 2 invalid command.
    """
    from kg.facts.identity import PeopleByName

    facts = facts_of(site)
    uses = {slug: use for (kind, slug), use in facts.inline.items() if kind == "people"}
    printed = {slug: {"name": use.name, **use.row} for slug, use in uses.items()}
    names = PeopleByName({**printed, **facts.names.people})
    claims = [
        (slug, uses[slug].places[0] if slug in uses else place)
        for slug, place in names.claimants(name)
    ]
    near = [slug for slug in names.near(name) if slug not in dict(claims)]
    full = {slug: names.people[slug].get("name") for slug in (*dict(claims), *near)}
    if format == "json":
        found = [{"person": slug, "name": full[slug], "place": str(at)} for slug, at in claims]
        others = [{"person": slug, "name": full[slug]} for slug in near]
        print_json({"name": name, "is": found, "near": others})
    else:
        for slug, place in claims:
            only = ", without an entry" if slug in uses else ""
            show(f"{name} is {slug} ({full[slug]}{only}), {site / str(place)}")
        if near:
            show("Similar: " + ", ".join(f"{slug} ({full[slug]})" for slug in near))
    if len(claims) > 1:
        inform("Several people have this name. In each work, write {person: KEY, as: NAME}.")
    elif not claims:
        inform(f"No file names '{name}'. In a list of authors it becomes a new person.")
    sys.exit(0 if len(claims) == 1 else 1)


@command(
    heading="Editing",
    short_help="List inline entities: names without a registry entry.",
    example="kg names mysite",
)
@SITE
@format_option("text", "json", what="Format of the list.")
def names(site: Path, format: str) -> None:
    """List inline entities: names in your files that have no registry entry.

    Columns: file and line of the first use, address on the site, name, number of uses.
    """
    from kg.facts.inline.entities import listing, summary

    uses = facts_of(site).inline
    if format == "json":
        found = [
            {"address": f"{kind}/{slug}", "name": use.name, "places": [*map(str, use.places)]}
            for (kind, slug), use in sorted(uses.items())
        ]
        print_json(found)
        return
    rows = list(listing(uses))
    widths = [max((len(row[column]) for row in rows), default=0) for column in range(3)]
    for row in rows:
        padded = (f"{text:<{width}}" for text, width in zip(row, widths, strict=False))
        show("  ".join((*padded, row[3])))
    inform(summary(uses) or "No inline entities.")


@command(
    heading="Editing",
    short_help="Move an inline entity into its registry.",
    example='kg register "Charles University" mysite',
)
@click.argument("name")
@SITE
def register(name: str, site: Path) -> None:
    """Move an inline entity into its registry. Its address does not change.

    NAME is its name or its address; kg names lists both.
    """
    from kg.plugins.registry.register import register as move

    on_interrupt("No file was changed.")
    with progress("Reading"):
        file, line = move(site, name, inform)
    show(f"{site / file}:  {line}")


@command(
    heading="Editing",
    short_help="List topics that the titles of works name.",
    example="kg topics mysite",
)
@SITE
@click.option("--write", is_flag=True, help="Add them to the keywords of the works.")
@format_option("text", "json", what="Format of the list.")
def topics(site: Path, write: bool, format: str) -> None:
    """List topics that the titles of works name.

    The words of the title must be the name of a topic in data/topics.yaml, or one of its
    alternateNames. Read the list before you write: a title is evidence, and no more.
    """
    from kg.plugins.registry.title_topics import namings
    from kg.plugins.registry.title_topics import write as write_keywords

    found = list(namings(facts_of(site)))
    if format == "json":
        print_json(
            [{"work": each.work, "topic": each.topic, "place": str(each.place)} for each in found]
        )
    left = write_keywords(site, found) if write else found
    for each in left if format == "text" else ():
        words = f"the title names '{each.name}'. Add keywords: [{each.topic}]"
        show(f"{site / str(each.place)}  {each.work}: {words}")
    done = f" {len(found) - len(left)} written." if write else " To add them: kg topics --write"
    inform(f"{counted(len(found), 'topic')} in titles.{done if found else ''}")
