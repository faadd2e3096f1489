"""`kg verify`: the proof of a site that is published already."""

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
from kg.cli.command import SiteArgument, command
from kg.cli.messages import progress, show_json, tell
from kg.cli.options import FOLDER, formats
from kg.errors import KgError, summary
from kg.publish.verify.source import Directory, Look, SiteSource, ignore

if TYPE_CHECKING:
    from kg.graph.build import Graph
    from kg.publish.verify.private import Private

SILENCE = 20  # seconds without a byte after which a server gives no answer
MAX_BYTES = 1 << 28


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
    from kg.publish.verify.verify import verify_site

    private = private_values(site) if site else None
    with open_source(place, private.look if private else ignore) as source:
        besides = private.faults if private else lambda source: []
        with progress("Verifying") as counting:
            proof = verify_site(source, sample or 0, counting("documents"), besides)
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
    from kg.publish.verify.server import SiteServer
    from kg.web.http_client import Client, TooLarge

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
    from kg.publish.site import Documents
    from kg.publish.verify.private import Private

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
