"""`kg push`: updates a SPARQL server to the current graph of a site."""

from __future__ import annotations

from pathlib import Path

import click

from kg.cli.command import command, on_interrupt
from kg.cli.messages import inform, progress, report
from kg.cli.options import (
    SITE,
    TODAY,
    good_graph,
    run_for,
    settings,
)
from kg.errors import counted
from kg.plugins.remote.backend import connect, options


@command(
    heading="Publishing",
    short_help="Send the current data of the site to a SPARQL server.",
    params=[*options()],
    example="kg push mysite --endpoint http://127.0.0.1:7878/ --profile oxigraph",
)
@SITE
@TODAY
@click.option(
    "--shards",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Write files for the bulk loader of the server to this folder, instead of --endpoint.",
)
def push(
    site: Path,
    today: str,
    endpoint: str | None,
    profile: str | None,
    user: str | None,
    shards: Path | None,
) -> None:
    """Send the current data of the site to a SPARQL server.

    Sends changed documents and deletes those that no longer exist. If it is interrupted, run it
    again: it continues where it stopped.
    """
    if bool(endpoint) == bool(shards):
        raise click.UsageError(
            "The target is missing. Use --endpoint URL for a server, or --shards FOLDER for files "
            "for its bulk loader."
            if not endpoint
            else "--endpoint and --shards exclude each other. Give one."
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
        graph, problems = good_graph(site, run_for(site, today))
        report(problems, site)
        documents = split_by_document(Documents(graph))
        files = len(bulk.write(documents, graph.site.base, kind, shards))
        inform(
            f"Wrote {counted(len(documents), 'document')} to {counted(files, 'file')} in {shards}/."
            f" To load them into {kind.name}, follow {shards}/LOAD.txt."
        )
    elif endpoint:
        with closing(connect(endpoint, profile, user, Retry())) as server:
            # Report an unreachable server at once, before checking the site.
            Record(replace(server, retry=Retry(tries=1)), settings(site).base).state()
            graph, problems = good_graph(site, run_for(site, today))
            report(problems, site)
            record = Record(server, graph.site.base)
            on_interrupt(f"{endpoint} is partly updated. The next push continues.")
            with progress("Pushing") as counting:
                documents = split_by_document(Documents(graph))
                pushed = push(documents, record, counting("documents pushed"))
        total = f"{len(documents)} of this site, with {counted(pushed.triples, 'triple')}"
        inform(f"Documents: {pushed}. {endpoint} now has {total}.", "green")
