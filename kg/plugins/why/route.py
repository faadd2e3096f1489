"""The route `/console/why`: the sources of an entity, for the author."""

from __future__ import annotations

from functools import partial
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

from kg.errors import KgError, why
from kg.publish.formats.media import TEXT
from kg.web.answers import Reply, build_reply
from kg.web.extensions import Route
from kg.web.request import Refusal, Request

if TYPE_CHECKING:
    from kg.sparql.workers.fair_queue import Checkpoint, FairThreads
    from kg.web.state import State

PATH = "/console/why"


async def respond(request: Request, state: State, client: str, threads: FairThreads) -> Reply:
    """Takes long, without a deadline; that is why only the author may call it."""
    return await threads.run(client, inf, partial(show, request, state.documents.pages.site.folder))


def show(request: Request, folder: Path, checkpoint: Checkpoint) -> Reply:
    """The output of `kg why` for the current files. Raises what the checkpoint raises."""
    from kg.facts.load import load
    from kg.plugins.why import explanation, explanation_output
    from kg.plugins.why.provenance import Provenance

    try:
        checkpoint()
        facts = load(folder)
        checkpoint()
        origins = Provenance(facts)
        checkpoint()
        thing = explanation.find_node(origins, request.field("thing") or "")
        found = explanation.explain(origins, thing)
    except KgError as error:
        raise Refusal(404, why(error)) from error
    lines = explanation_output.as_text(origins, found, Path())
    body = "".join(f"{line}\n" for line in lines).encode()
    return build_reply(request, body, TEXT, cache="no-store")


ROUTE = Route(frozenset({PATH}), respond, is_private=True)
