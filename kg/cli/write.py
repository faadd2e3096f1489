"""Commands that help to write: a site to start from, what may be written, and whom a name means."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from kg.cli.messages import tell
from kg.cli.options import IN_SITE, SITE


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
def new(folder: Path) -> None:
    """Write a small example site into a new folder, to start from."""
    import shutil

    from kg.facts.schema import write
    from kg.settings import shipped

    if folder.exists() and any(folder.iterdir()):
        raise click.UsageError(f"{folder} is not empty.")
    shutil.copytree(
        shipped("example"), folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".*")
    )
    write(folder)
    tell(
        f"A site with two invented people is in {folder}/. Next: kg check {folder}, then kg "
        f"serve {folder}."
    )


@click.command()
@click.argument("kind", required=False)
@IN_SITE
@click.option(
    "--write",
    is_flag=True,
    help="Write all schemas into data/.schema/ of the site, where the data files look for them.",
)
def schema(kind: str | None, site: Path, write: bool) -> None:
    """Print the JSON Schema of a kind of file (cv, people, publications …), or of all."""
    from kg.facts import schema as schemas

    if write:
        schemas.write(site)
        tell(f"Schemas are in {site / schemas.FOLDER}/.")
        return
    found = schemas.schemas()
    if kind and kind not in found:
        raise click.UsageError(
            f"There is no kind of file '{kind}'. Known: {', '.join(sorted(found))}."
        )
    click.echo(schemas.text(found[kind] if kind else found), nl=False)


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
        click.echo(
            "Near: " + ", ".join(f"{slug} ({names.people[slug].get('name')})" for slug in near)
        )
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


@click.command()
@SITE
def names(site: Path) -> None:
    """List what is named in place: where first, its address, its name, and how often."""
    from kg.facts.in_place import listing, summary
    from kg.facts.load import load

    uses = load(site).in_place
    rows = list(listing(uses))
    widths = [max((len(row[column]) for row in rows), default=0) for column in range(3)]
    for row in rows:
        padded = (f"{text:<{width}}" for text, width in zip(row, widths, strict=False))
        click.echo("  ".join((*padded, row[3])))
    tell(summary(uses) or "Nothing is named in place.")


@click.command()
@click.argument("name")
@IN_SITE
def register(name: str, site: Path) -> None:
    """Move what is named in place into its registry; NAME is its name or its address."""
    from kg.facts import register as registry

    file, line = registry.register(site, name)
    click.echo(f"{site / file}:  {line}")
