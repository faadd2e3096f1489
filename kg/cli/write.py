"""Commands that help to write: what may be written, and whom a name means."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kg.cli.command import command, keep
from kg.cli.messages import progress, show, show_json, tell
from kg.cli.options import FOLDER, SITE, formats, given

if TYPE_CHECKING:
    from kg.facts.load import Facts


def facts_of(site: Path) -> Facts:
    from kg.facts.load import load

    with progress("Reading"):
        return load(site)


def complete_kinds(context: click.Context, argument: click.Parameter, begun: str) -> list[str]:
    from kg.facts.schema import schemas

    return [kind for kind in sorted(schemas()) if kind.startswith(begun)]


@command()
@click.argument("kind", required=False, shell_complete=complete_kinds)
@SITE
@click.option(
    "--write",
    is_flag=True,
    help="Write all schemas into data/.schema/ of SITE, where the data files look for them.",
)
def schema(kind: str | None, site: Path, write: bool) -> None:
    """Print the JSON Schema of a kind of file (cv, people, publications …), or of all."""
    from kg.facts import schema as schemas
    from kg.files.atomic import replace_files

    if write:
        if kind and not given("site"):  # all kinds are written, so the only word is the site
            site = Path(FOLDER.convert(kind, None, click.get_current_context()))
        replace_files(site, schemas.files())
        tell(f"Schemas are in {site / schemas.FOLDER}/.")
        return
    found = schemas.schemas()
    if kind and kind not in found:
        raise click.UsageError(
            f"There is no kind of file '{kind}'. Known: {', '.join(sorted(found))}."
        )
    click.echo(schemas.text(found[kind] if kind else found), nl=False)


@command()
@click.argument("name")
@SITE
@formats("text", "json", what="The form of the answer.")
def who(name: str, site: Path, format: str) -> None:
    """Show whom a printed name stands for, by which entry, and who is near."""
    names = facts_of(site).names
    claims = names.claimants(name)
    near = [slug for slug in names.near(name) if slug not in dict(claims)]
    full = {slug: names.people[slug].get("name") for slug in (*dict(claims), *near)}
    if format == "json":
        found = [{"person": slug, "name": full[slug], "place": str(at)} for slug, at in claims]
        others = [{"person": slug, "name": full[slug]} for slug in near]
        show_json({"name": name, "is": found, "near": others})
    else:
        for slug, place in claims:
            show(f"{name} is {slug} ({full[slug]}), {site / str(place)}")
        if near:
            show("Near: " + ", ".join(f"{slug} ({full[slug]})" for slug in near))
    if len(claims) != 1:
        several = "Several people claim this name; say who in each work: {person: KEY, as: NAME}."
        tell(
            several
            if claims
            else (
                "Nobody in the registry has this name. In a list of authors it would be a person "
                "of its own."
            )
        )
    sys.exit(0 if len(claims) == 1 else 1)


@command()
@SITE
@formats("text", "json", what="The form of the list.")
def names(site: Path, format: str) -> None:
    """List what is named in place: where first, its address, its name, and how often."""
    from kg.facts.inline.entities import listing, summary

    uses = facts_of(site).inline
    if format == "json":
        found = [
            {"address": f"{kind}/{slug}", "name": use.name, "places": [*map(str, use.places)]}
            for (kind, slug), use in sorted(uses.items())
        ]
        show_json(found)
        return
    rows = list(listing(uses))
    widths = [max((len(row[column]) for row in rows), default=0) for column in range(3)]
    for row in rows:
        padded = (f"{text:<{width}}" for text, width in zip(row, widths, strict=False))
        show("  ".join((*padded, row[3])))
    tell(summary(uses) or "Nothing is named in place.")


@command()
@click.argument("name")
@SITE
def register(name: str, site: Path) -> None:
    """Move what is named in place into its registry; NAME is its name or its address."""
    from kg.facts import register as registry

    keep("The files are as they were.")
    with progress("Reading"):
        file, line = registry.register(site, name, tell)
    show(f"{site / file}:  {line}")
