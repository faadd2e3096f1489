"""`kg verify`: verification of a built folder or a running server."""

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
from kg.cli.messages import inform, print_json, progress
from kg.cli.options import FOLDER, format_option
from kg.errors import KgError, summary
from kg.publish.verify.source import Directory, Look, SiteSource, ignore

if TYPE_CHECKING:
    from kg.graph.build import Graph
    from kg.plugins.verify.private_values import Private

IDLE_TIMEOUT = 20  # seconds without a byte from the server
MAX_BYTES = 1 << 28


@command(
    heading="Publishing",
    short_help="Verify a built folder or a running server.",
    example="kg verify public mysite",
)
@click.argument("place", metavar="FOLDER|URL")
@click.argument("site", cls=SiteArgument, type=FOLDER, required=False)
@click.option(
    "--sample",
    type=click.IntRange(1),
    metavar="N",
    help="Verify a fixed sample of N documents (default: all).",
)
@format_option("text", "json", what="Format of the report.")
def verify(place: str, site: Path | None, sample: int | None, format: str) -> None:
    """Verify a folder written by kg build, or the site at a URL.

    All formats of a document must contain the same graph, and the dumps must contain all
    documents. Embedded JSON-LD must match its page, links must work, and HTML must be well-formed.
    On a server, HTTP behaviour is verified too; no other server is contacted.

    With SITE, also verify that no private value of this site is published.
    """
    from kg.plugins.verify.published_site import verify_site

    private = private_values(site) if site else None
    with open_source(place, private.look if private else ignore) as source:
        besides = private.faults if private else lambda source: []
        with progress("Verifying") as counting:
            result = verify_site(source, sample or 0, counting("documents"), besides)
    if format == "json":
        report = {
            "place": place,
            "good": result.good,
            "private": site is not None,  # whether private values were searched for
            "proved": {key: value for key, value in asdict(result).items() if key != "problems"},
            "problems": [json_problem(each) for each in result.problems],
        }
        print_json(report)
    else:
        for problem in result.problems:
            click.echo(printable(str(problem)))
        if result.problems:
            inform(f"{summary(result.problems)}.")
        if result.good:
            inform(f"Verified {result}{', no private data' if site else ''}.")
            if not site:
                inform("Not checked for private data. To check it, also give the SITE.")
    sys.exit(0 if result.good else 1)


@contextmanager
def open_source(place: str, look: Look = ignore) -> Iterator[SiteSource]:
    from kg.plugins.verify.server import SiteServer
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
                    method, url, b"", headers, seconds, MAX_BYTES, silence=IDLE_TIMEOUT
                )
            except TooLarge as error:
                raise OSError(f"more than {MAX_BYTES >> 20} MiB") from error
            return found.status, found.headers, found.body

        yield SiteServer(place, fetch, look)


def private_values(site: Path) -> Private:
    """The private values of a site."""
    from kg.plugins.verify.private_values import Private
    from kg.publish.site import Documents

    return Private(Documents(graph_of(site)))


def graph_of(site: Path) -> Graph:
    """The graph of everything that can be read, without validation."""
    from kg.facts.load import load
    from kg.graph.build import build

    facts = load(site)
    if facts.site is None:
        raise KgError(
            f"cannot read {site}/data/site.yaml. kg check {site} shows what is wrong in it."
        )
    return build(facts, facts.site)
