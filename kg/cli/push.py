"""`kg push`: the graph into a SPARQL server, or into files for its bulk loader."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kg.cli.messages import counting, report, tell
from kg.cli.options import SITE, TODAY
from kg.cli.server_options import connect, endpoint_options

if TYPE_CHECKING:
    from kg.elsewhere.server import Server
    from kg.graph.build import Graph


@click.command()
@SITE
@TODAY
@endpoint_options
@click.option(
    "--shards",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write files for a bulk loader instead.",
)
def push(
    site: Path,
    today: str,
    endpoint: str | None,
    profile: str | None,
    user: str | None,
    shards: Path | None,
) -> None:
    """Bring a SPARQL server to the state of the site: what changed is put, what is gone is deleted.
    It may be repeated at any time.
    """
    if bool(endpoint) == bool(shards):
        raise click.UsageError(
            "Say where to: --endpoint URL for a server, or --shards DIR for files that its "
            "bulk loader takes."
        )
    from kg.elsewhere.http import Retry

    if endpoint:
        server = connect(endpoint, profile, user, Retry())
        try:
            to_server(site, today, server)
        finally:
            server.close()
    elif shards:
        to_files(site, today, profile or "standard", shards)


def to_server(site: Path, today: str, server: Server) -> None:
    from dataclasses import replace

    from kg.elsewhere.http import Retry
    from kg.elsewhere.push import Record, push

    # A server that is not there at all is reported before the site is checked.
    Record(replace(server, retry=Retry(tries=1)), base_of(site)).state()
    documents, graph = published(site, today)
    pushed = push(documents, Record(server, graph.site.base), counting("documents pushed"))
    tell(
        (
            f"{graph.counts}; {pushed}. {server.client.root} holds {pushed.triples} triples of "
            "this site."
        ),
        "green",
    )


def to_files(site: Path, today: str, profile: str, folder: Path) -> None:
    from kg.elsewhere.bulk import check, write
    from kg.elsewhere.profiles import load

    kind = load(profile)
    check(folder)
    documents, graph = published(site, today)
    files = len(write(documents, graph.site.base, kind, folder))
    tell(
        f"{graph.counts}; {files} file{'s' if files > 1 else ''} in {folder}/. LOAD.txt "
        f"there says how {kind.name} loads them."
    )


def published(site: Path, today: str) -> tuple[dict[str, bytes], Graph]:
    """What is published of a site without errors, by document."""
    from kg.check.check import good_or_warn
    from kg.elsewhere.push import split_by_document
    from kg.publish.site import Documents

    graph, problems = good_or_warn(site, today, cached=True)
    report(problems, site)
    return split_by_document(Documents(graph)), graph


def base_of(folder: Path) -> str:
    """The base of a site; only data/site.yaml is read."""
    from kg.errors import ProblemsFound
    from kg.facts.files import read_site

    site, problems = read_site(folder)
    if site is None:
        raise ProblemsFound(problems, folder)
    return site.base
