"""The SPARQL 1.1 Protocol, for reading. Every query runs in a worker process; here it is only
passed on, and the event loop waits for the answer.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from typing import Protocol, TypeVar

from kg.errors import (
    BadQuery,
    BadValue,
    QueryBusy,
    QueryCrashed,
    QueryError,
    QueryTimeout,
    WrongForm,
)
from kg.publish.formats.media import (
    EDITOR_POLICY,
    GRAPHS,
    HTML,
    POLICY_NAME,
    SHORT_NAMES,
    TABLES,
    negotiate,
)
from kg.publish.queries import results
from kg.sparql.endpoint import Endpoint
from kg.sparql.reading import guard
from kg.store.protocol import Answer, Graphs, Wanted
from kg.web import answers
from kg.web.answers import HINT, Reply, build_reply, hint_header
from kg.web.protocol import Query, parse_query
from kg.web.request import Refusal, Request
from kg.web.state import State

PATH = "/sparql"
OUTCOMES: dict[type[QueryError], tuple[int, str]] = {
    BadQuery: (400, "refused"),
    BadValue: (400, "refused"),
    WrongForm: (406, "unacceptable"),
    QueryTimeout: (504, "timeout"),
    QueryCrashed: (503, "crashed"),
    QueryBusy: (503, "busy"),
}
RETRY_AFTER = "2"  # seconds
CACHEABLE = "public, max-age=60, must-revalidate"
LARGE = 64 * 1024  # bytes of an answer; to pack more would hold up the event loop

T = TypeVar("T")
GRAPH_NAMES = "SELECT DISTINCT ?graph { GRAPH ?graph { ?s ?p ?o } }"
TRIPLES = "SELECT (COUNT(*) AS ?number) { ?s ?p ?o }"


class AnswerPage(Protocol):
    """Renders the page with what was asked, and its result or what is wrong with it."""

    def __call__(
        self,
        *,
        message: str = "",
        result: results.QueryResult | None = None,
        hints: Sequence[str] = (),
    ) -> bytes: ...


async def respond(request: Request, state: State, client: str, watched: bool) -> Reply:
    """The reply to a request to the endpoint; `watched`: the answer may soon be another."""

    async def reply() -> Reply:
        query = await parse_query(request, state.documents.base)
        if query is None:
            return await about(request, state)
        page = partial(form_page, request, state, graphs=query.graphs)
        return await answer(request, state, client, watched, query, page)

    return allow_editor(await outcome(request, reply(), partial(form_page, request, state)), state)


async def outcome(request: Request, reply: Coroutine[None, None, Reply], page: AnswerPage) -> Reply:
    """The reply of what asks the endpoint, or to what goes wrong with that; people see a page."""
    try:
        return await reply
    except asyncio.CancelledError:
        request.outcome = "abandoned"
        raise
    except Refusal as refusal:
        return await problem(request, refusal, page)
    except QueryError as error:
        status, request.outcome = OUTCOMES[type(error)]
        headers = {"Retry_After": RETRY_AFTER} if status == 503 else {}
        return await problem(request, Refusal(status, str(error), **headers), page)


async def problem(request: Request, refusal: Refusal, page: AnswerPage) -> Reply:
    is_page = negotiate(request.headers.get("accept"), answers.ERROR_FORMS) == HTML
    return await in_thread(
        lambda: answers.problem(request, refusal, lambda: page(message=str(refusal))), is_page
    )


async def answer(
    request: Request, state: State, client: str, watched: bool, query: Query, page: AnswerPage
) -> Reply:
    """The answer to a query. Raises QueryError."""
    request.query = query.text
    found = await state.endpoint.ask(query.text, query.wanted, query.graphs, client, query.timeout)
    request.outcome = "answered"
    is_long = query.is_for_people or len(found.body) > LARGE
    return await in_thread(lambda: write_answer(request, query, found, watched, page), is_long)


def write_answer(
    request: Request, query: Query, found: Answer, watched: bool, page: AnswerPage
) -> Reply:
    cache = CACHEABLE if found.is_lasting and not watched else "no-cache"
    if query.is_for_people:
        read = results.table if found.media_type in TABLES else results.triples
        body = page(result=read(found.body), hints=found.hints)
        reply = build_reply(request, body, HTML, cache=cache)
    else:
        reply = build_reply(request, found.body, found.media_type, cache=cache)
    if found.hints:
        reply.headers[HINT] = hint_header(found.hints)
    return reply


async def about(request: Request, state: State) -> Reply:
    """The endpoint presents itself: a form for people, a description for programs."""
    forms = (HTML, *GRAPHS)
    wanted = negotiate(request.headers.get("accept"), forms)
    if wanted is None:
        known = ", ".join(forms)
        raise Refusal(406, f"This is here as {known}; with a query, there are answers.")
    if wanted == HTML:
        page = await asyncio.to_thread(form_page, request, state)
        return build_reply(request, page, HTML)
    body = await describe(state, wanted)
    return await asyncio.to_thread(build_reply, request, body, wanted)


def allow_editor(reply: Reply, state: State) -> Reply:
    """The policy of pages with the editor; with 304 too: the client keeps the newer header."""
    is_page = reply.headers.get("Content-Type", HTML).startswith(HTML)
    if is_page and state.documents.pages.has_editor:
        reply.headers[POLICY_NAME] = EDITOR_POLICY
    return reply


def form_page(
    request: Request,
    state: State,
    message: str = "",
    result: results.QueryResult | None = None,
    graphs: Graphs = Graphs(),
    hints: Sequence[str] = (),
) -> bytes:
    """The form for queries, with an answer or an error."""
    name = request.field("format")
    form = name if name in SHORT_NAMES else "html"
    limits = state.endpoint.limits.words
    return state.documents.pages.sparql(
        request.query, message, result, graphs, form, limits, hints=hints
    )


async def in_thread(work: Callable[[], T], is_long: bool) -> T:
    """What would hold up the event loop is done beside it."""
    return await asyncio.to_thread(work) if is_long else work()


async def describe(state: State, media_type: str) -> bytes:
    """What the endpoint says of itself to programs, found by asking it. Raises a QueryError."""
    # RDF files are served without these until somebody asks.
    from kg.publish.about.service_description import Limit, describe_service  # noqa: PLC0415
    from kg.publish.formats.rdf import graph_as  # noqa: PLC0415

    endpoint, limits = state.endpoint, state.endpoint.limits
    if not state.description:
        in_force = [
            Limit("deadline", "The time a query may take", limits.deadline, "seconds"),
            Limit("memory", "The memory a query may take", limits.memory, "bytes"),
            Limit("answer", "The size of an answer", limits.answer, "bytes"),
            Limit("characters", "The length of a query", guard.MOST_CHARACTERS, "characters"),
            Limit("depth", "How deep brackets are nested in a query", guard.DEEPEST, "levels"),
            Limit("patterns", "The patterns of a query", guard.MOST_PATTERNS, "patterns"),
            Limit(
                "operators",
                "The operators and clauses of a query",
                guard.MOST_OPERATORS,
                "operators",
            ),
        ]
        graphs, (triples,) = await column(endpoint, GRAPH_NAMES), await column(endpoint, TRIPLES)
        state.description = describe_service(
            state.documents.base,
            in_force,
            graphs,
            endpoint.apart,
            endpoint.union,
            {"triples": int(triples)},
        )
    return graph_as(media_type, state.description, state.documents.base)


async def column(endpoint: Endpoint, query: str) -> list[str]:
    answer = await endpoint.ask(query, Wanted(TABLES[0], None))
    rows = json.loads(answer.body)["results"]["bindings"]
    return [term["value"] for row in rows for term in row.values()]
