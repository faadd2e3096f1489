"""`kg push`: uploads the graph to a SPARQL server."""

from __future__ import annotations

from pathlib import Path

import click

from kg.cli.command import command, keep
from kg.cli.messages import progress, report, tell
from kg.cli.options import (
    SITE,
    TODAY,
    good_graph,
    run_over,
    settings,
)
from kg.errors import counted
from kg.plugins.remote.backend import connect, options


@command(
    heading="Publish",
    short_help="Bring a SPARQL server to the state of the site.",
    params=[*options()],
)
@SITE
@TODAY
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
            "The target is missing. Use --endpoint URL for a server, or --shards DIR for files for "
            "its bulk loader."
        )
    from contextlib import closing
    from dataclasses import replace

    from kg.plugins.remote import bulk
    from kg.plugins.remote.profiles import load
    from kg.plugins.remote.push import Record, push, split_by_document
    from kg.plugins.remote.retrying import Retry
    from kg.publish.site import Documents

    if shards:
        kind = load(profile or "standard")
        bulk.check(shards)
        graph, problems = good_graph(site, run_over(site, today))
        report(problems, site)
        documents = split_by_document(Documents(graph))
        files = len(bulk.write(documents, graph.site.base, kind, shards))
        tell(
            f"Wrote {counted(len(documents), 'document')} to {counted(files, 'file')} in "
            f"{shards}/. "
            f"{shards}/LOAD.txt has the commands to load them into {kind.name}."
        )
    elif endpoint:
        with closing(connect(endpoint, profile, user, Retry())) as server:
            # Report an unreachable server before the site is checked.
            Record(replace(server, retry=Retry(tries=1)), settings(site).base).state()
            graph, problems = good_graph(site, run_over(site, today))
            report(problems, site)
            record = Record(server, graph.site.base)
            keep(f"{endpoint} has part of the site. Run kg push again to upload the rest.")
            with progress("Pushing") as counting:
                documents = split_by_document(Documents(graph))
                pushed = push(documents, record, counting("documents pushed"))
        total = f"{counted(len(documents), 'document')}, {counted(pushed.triples, 'triple')}"
        tell(f"Documents: {pushed}. {endpoint} now has {total} of this site.", "green")
