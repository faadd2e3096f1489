"""The route `/reconcile`, where OpenRefine and other clients match table rows with entities of a
site. Only for sites served from their facts: a built folder cannot compare names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, cast
from urllib.parse import urlsplit

from kg.publish.formats.media import HTML, JSON, POLICY_NAME
from kg.sparql.workers.fair_queue import Checkpoint, FairThreads
from kg.web.answers import Reply, build_reply
from kg.web.extensions import Route
from kg.web.request import HOST, Refusal, Request, is_loopback
from kg.web.sparql import (
    FORM_TYPE,
    add_fields,
    content_type,
    given_once,
    parse_fields,
)
from kg.web.state import State

if TYPE_CHECKING:  # RDF files are served without these
    from kg.plugins.reconcile.entities import Entities
    from kg.publish.site import Documents
    from kg.store.memory import Memory

PATH = "/reconcile"
SUGGEST, PROPOSE, PREVIEW = f"{PATH}/suggest/", f"{PATH}/properties", f"{PATH}/preview"
ADDRESSES = (PATH, PROPOSE, PREVIEW, *(SUGGEST + each for each in ("entity", "property", "type")))
# Any page may show the preview in a frame; it loads and runs nothing.
PREVIEW_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors *"
NO_JSONP = "JSONP is not supported. Remove the parameter 'callback'; CORS is enabled."


async def respond(request: Request, state: State, client: str, threads: FairThreads) -> Reply:
    """Answers a request. Names are compared in separate threads, so that other requests do not
    wait.
    """
    given = await fields(request)
    work = partial(answer, request, cast("Documents", state.documents), given)
    return await threads.run(client, state.endpoint.limits.deadline, work)


async def fields(request: Request) -> dict[str, str]:
    """The parameters of the address and the form, each at most once."""
    found = parse_fields(request.query_string, "address")
    if request.method == "POST":
        if content_type(request.headers.get("content-type", ""))[0] != FORM_TYPE:
            raise Refusal(415, f"Send a form with the field 'queries' or 'extend' as {FORM_TYPE}.")
        add_fields(found, await request.read_body())
    given = given_once(found)
    if "callback" in given:
        raise Refusal(400, NO_JSONP)
    return given


def answer(
    request: Request, documents: Documents, given: Mapping[str, str], checkpoint: Checkpoint
) -> Reply:
    """Raises Refusal, and whatever the checkpoint raises."""
    from kg.plugins.reconcile import reconciliation as service
    from kg.plugins.reconcile.entities import Entities

    entities = Entities.of(cast("Memory", documents.graph.memory))
    top = root(request, documents.base)
    if request.path == PREVIEW:
        page = service.preview(entities, documents.pages, top, given.get("id", ""))
        if page is None:
            raise Refusal(404, "Unknown id. Write it as people/ada.")
        reply = build_reply(request, page, HTML)
        reply.headers[POLICY_NAME] = PREVIEW_POLICY
        return reply
    answers_by_field: dict[str, Callable[[Entities, str, Checkpoint], object]] = {
        "queries": service.reconcile,
        "extend": service.extend,
    }
    try:
        if request.path.startswith(SUGGEST):
            kind = request.path.removeprefix(SUGGEST)
            prefix, skipped = given.get("prefix", ""), number(given, "cursor", 0)
            skipped = min(skipped, service.MAX_SKIPPED)
            value: object = (
                service.suggest_entities(entities, prefix[:200], skipped)
                if kind == "entity"
                else service.SUGGESTERS[kind](prefix[:200], skipped)
            )
        elif request.path == PROPOSE:
            value = service.propose(given.get("type", ""), number(given, "limit", 100))
        elif asked := [name for name in answers_by_field if name in given]:
            value = answers_by_field[asked[0]](entities, given[asked[0]], checkpoint)
        elif given or request.method == "POST":
            raise Refusal(400, "Send 'queries' or 'extend', or no parameters for the manifest.")
        else:
            value = service.manifest(documents.graph.site, top)
    except service.BadBatch as error:
        status = 413 if isinstance(error, service.LargeBatch) else 400
        raise Refusal(status, str(error)) from error
    return build_reply(request, service.as_json(value), JSON)


def number(given: Mapping[str, str], name: str, usual: int) -> int:
    text = given.get(name, "") or str(usual)
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise Refusal(400, f"'{name}' is not a number. Write one such as {usual}.")
    return int(text)


def root(request: Request, base: str) -> str:
    """The root address of the service: the base of the site, or the local address if the client
    uses that.
    """
    host = request.headers["host"]
    if not HOST.fullmatch(host):  # such as [::1].evil.example
        return base
    try:
        place = urlsplit(f"//{host}")
        is_local = is_loopback(place.hostname or "") and place.port != 0
    except ValueError:  # for example, a port that is too large
        return base
    return f"http://{host}/" if is_local else base


ROUTE = Route(frozenset(ADDRESSES), respond, posted=frozenset({PATH}))
