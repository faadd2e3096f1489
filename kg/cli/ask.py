"""Asks the registry of people for a name."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from kg.cli.options import IN_SITE
from kg.cli.say import tell


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
