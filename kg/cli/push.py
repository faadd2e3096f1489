"""`kg push`: the graph into a SPARQL server, or into files for its bulk loader."""

from __future__ import annotations

from pathlib import Path

import click

from kg.cli.elsewhere import elsewhere, reached
from kg.cli.options import SITE, TODAY
from kg.cli.say import counting, report, tell


@click.command()
@SITE
@TODAY
@elsewhere
@click.option("--shards", type=click.Path(file_okay=False, path_type=Path), metavar="DIR", help="Write files for a bulk loader instead.")
def push(site: Path, today: str, endpoint: str | None, profile: str | None, user: str | None, shards: Path | None) -> None:
    """Bring a SPARQL server to the state of the site: what changed is put, what is gone is deleted. It may be repeated at any time."""
    if bool(endpoint) == bool(shards):
        raise click.UsageError("Say where to: --endpoint URL for a server, or --shards DIR for files that its bulk loader takes.")
    from dataclasses import replace

    from kg.engine.caller import Patience
    from kg.engine.profile import profile as read
    from kg.engine.record import Record
    from kg.graph.check import good_or_warn
    from kg.publish.push import cut
    from kg.publish.push import push as bring
    from kg.publish.shards import write
    from kg.publish.site import Documents

    kind = read(profile or "standard")
    graph, problems = good_or_warn(site, today, keep=True)
    report(problems, site)
    documents, base = cut(Documents(graph)), graph.site.base
    if shards:
        files = len(write(documents, base, kind, shards))
        tell(f"{graph.counts}; {files} file{'s' if files > 1 else ''} in {shards}/. LOAD.txt there says how {kind.name} loads them.")
        return
    server = reached(endpoint or "", profile, user, Patience())
    try:
        Record(replace(server, patience=Patience(tries=1)), base).state()  # who is not there at all is not waited for
        pushed = bring(documents, Record(server, base), counting("documents pushed"))
    finally:
        server.close()
    tell(f"{graph.counts}; {pushed}. {endpoint} holds {pushed.triples} triples of this site.", "green")
