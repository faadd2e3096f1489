"""A site whose graph lives in a server elsewhere, and what is served of it after the next push."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event
from typing import TYPE_CHECKING

from kg.elsewhere.held import Held
from kg.elsewhere.proxy import Forwarded
from kg.elsewhere.record import Record
from kg.elsewhere.remote import Remote
from kg.errors import KgError
from kg.publish.site import Documents
from kg.sparql.answer_cache import Kept
from kg.sparql.workers.limits import Limits
from kg.web.state import Served, Stage

if TYPE_CHECKING:
    from kg.check.watch import Seen

EVERY = 10.0  # seconds


def served(graph: Held, limits: Limits) -> Served:
    documents = Documents(graph)
    documents.shapes()  # read now, for the files may change while this graph is served
    graph.memory.prepare((block.query for block in documents.pages.all_blocks), "thing")
    return Served(
        documents, Kept(Forwarded(graph.memory.server, graph.site.base, limits), limits.kept)
    )


def renewed(
    stage: Stage, graph: Held, limits: Limits, stop: Event, every: float = EVERY
) -> Iterator[Seen]:
    """Looks now and then whether something else was pushed, and then puts that on the stage. What
    cannot be had now may be had later.
    """
    site, server = graph.site, graph.memory.server
    record, state = Record(server, site.base), graph.memory.state
    while not stop.wait(every):
        try:
            newest = record.state()
            if newest != state:
                stage.put(served(Held(site, Remote(server, site.base)), limits), None)
                state = newest
        except (KgError, OSError):
            continue
    yield from ()
