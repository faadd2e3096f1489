"""`kg push`: the graph into a SPARQL server, or into files for its bulk loader."""

from __future__ import annotations

from pathlib import Path

import click

from kg.cli.messages import counting, report, tell
from kg.cli.options import ENDPOINT, PROFILE, SITE, TODAY, USER, connect, settings


@click.command()
@SITE
@TODAY
@ENDPOINT
@PROFILE
@USER
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
    from contextlib import closing
    from dataclasses import replace

    from kg.check.check import good_or_warn
    from kg.elsewhere import bulk
    from kg.elsewhere.http import Retry
    from kg.elsewhere.profiles import load
    from kg.elsewhere.push import Record, push, split_by_document
    from kg.publish.site import Documents

    if shards:
        kind = load(profile or "standard")
        bulk.check(shards)
        graph, problems = good_or_warn(site, today, cached=True)
        report(problems, site)
        files = len(bulk.write(split_by_document(Documents(graph)), graph.site.base, kind, shards))
        tell(
            f"{graph.counts}; {files} file{'s' if files > 1 else ''} in {shards}/. LOAD.txt "
            f"there says how {kind.name} loads them."
        )
    elif endpoint:
        with closing(connect(endpoint, profile, user, Retry())) as server:
            # A server that is not there at all is reported before the site is checked.
            Record(replace(server, retry=Retry(tries=1)), settings(site).base).state()
            graph, problems = good_or_warn(site, today, cached=True)
            report(problems, site)
            record = Record(server, graph.site.base)
            pushed = push(split_by_document(Documents(graph)), record, counting("documents pushed"))
        tell(
            f"{graph.counts}; {pushed}. {endpoint} holds {pushed.triples} triples of this site.",
            "green",
        )
