"""The SPARQL 1.1 Protocol, for reading. Every query runs in a worker process; here it is only
passed on, and the event loop waits for the answer.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from kg.errors import BadQuery, QueryBusy, QueryCrashed, QueryError, QueryTimeout, WrongForm
from kg.publish.formats.media import GRAPHS, HTML, SHORT_NAMES, TABLES, negotiate
from kg.publish.queries import results
from kg.sparql.interface import Endpoint
from kg.sparql.reading import guard
from kg.store.protocol import Answer, Graphs, Wanted
from kg.web import answers
from kg.web.answers import ALWAYS, EDITOR_POLICY, FOR_ALL, HINT, Reply, hint_header
from kg.web.log import Log
from kg.web.protocol import Query, parse_query
from kg.web.request import Refusal, Request
from kg.web.state import Stage, State

PATH = "/sparql"
METHODS = ("GET", "HEAD", "OPTIONS", "POST")
ALLOW = ("Allow", ", ".join(METHODS))
OUTCOMES: dict[type[QueryError], tuple[int, str]] = {
    BadQuery: (400, "refused"),
    WrongForm: (406, "unacceptable"),
    QueryTimeout: (504, "timeout"),
    QueryCrashed: (503, "crashed"),
    QueryBusy: (503, "busy"),
}
GONE = 499  # the client has closed its connection; nobody gets to see this status
RETRY_AFTER = ("Retry-After", "2")  # seconds
EDITOR = ("Content-Security-Policy", EDITOR_POLICY)  # in the place of the first that all have
CACHEABLE = "public, max-age=60, must-revalidate"
LARGE = 64 * 1024  # bytes of an answer; to pack more would hold up the event loop

T = TypeVar("T")
GRAPH_NAMES = "SELECT DISTINCT ?graph { GRAPH ?graph { ?s ?p ?o } }"
TRIPLES = "SELECT (COUNT(*) AS ?number) { ?s ?p ?o }"


async def respond(request: Request, stage: Stage, log: Log) -> Reply:
    """The reply to any request to the endpoint."""
    began = time.perf_counter()
    state = stage.acquire()
    client = request.client(log.proxies)
    exchange = Exchange(request, state, stage.watched, client)
    status = size = 0
    try:
        reply = await exchange.reply()
        status, size = reply.status, len(reply.body)
        return reply
    except asyncio.CancelledError:
        status, exchange.outcome = GONE, "abandoned"
        raise
    finally:
        stage.release(state)
        if status:
            seconds = time.perf_counter() - began
            query, outcome = exchange.query, exchange.outcome
            log.note(client, request.method, PATH, status, size, seconds, query, outcome)


class Exchange:
    """One request to the endpoint and its reply."""

    def __init__(self, request: Request, state: State, watched: bool, client: str) -> None:
        self.request, self.state, self.watched, self.client = request, state, watched, client
        self.query = self.outcome = ""

    async def reply(self) -> Reply:
        method = self.request.method
        if method == "OPTIONS":
            return finish(Reply(200, b"", [ALLOW]))
        try:
            if method not in METHODS:
                message = f"{method[:20]} is not for this address. Ask with GET or POST."
                return await self.problem(405, message, ALLOW)
            query = await parse_query(self.request, self.state.documents.base)
            if query is None:
                return await self.about()
            self.query = query.text
            return await self.answer(query, await self.ask(query))
        except Refusal as refusal:
            return await self.problem(refusal.status, str(refusal))
        except QueryError as error:
            status, self.outcome = OUTCOMES[type(error)]
            return await self.problem(status, str(error), *([RETRY_AFTER] * (status == 503)))

    async def ask(self, query: Query) -> Answer:
        return await self.state.endpoint.ask(
            query.text, query.wanted, query.graphs, self.client, query.timeout
        )

    async def answer(self, query: Query, found: Answer) -> Reply:
        self.outcome = "answered"
        cache = CACHEABLE if found.is_lasting and not self.watched else "no-cache"
        hints = [(HINT, hint_header(found.hints))] if found.hints else []

        def build() -> Reply:
            if not query.is_for_people:
                return self.build(found.body, found.media_type, 200, cache, hints)
            is_table = found.media_type in TABLES
            result = (results.table if is_table else results.triples)(found.body)
            page = self.page(result=result, graphs=query.graphs, hints=found.hints)
            return self.build(page, HTML, 200, cache, hints)

        return await in_thread(build, query.is_for_people or len(found.body) > LARGE)

    async def about(self) -> Reply:
        """The endpoint presents itself: a form for people, a description for programs."""
        wanted = negotiate(self.request.headers.get("accept"), (HTML, *GRAPHS))
        if wanted is None:
            forms = ", ".join((HTML, *GRAPHS))
            return await self.problem(
                406, f"This is here as {forms}; with a query, there are answers."
            )
        if wanted == HTML:
            return await in_thread(lambda: self.build(self.page(), HTML))
        body = await describe(self.state, wanted)
        return await in_thread(lambda: self.build(body, wanted))

    async def problem(self, status: int, message: str, *headers: tuple[str, str]) -> Reply:
        accept = self.request.headers.get("accept")
        body, media_type = await in_thread(
            lambda: answers.write_error(accept, message, status, lambda: self.page(message)),
            negotiate(accept, answers.ERROR_FORMS) == HTML,
        )
        return self.build(body, media_type, status, more=headers)

    def build(
        self,
        body: bytes,
        media_type: str,
        status: int = 200,
        cache: str = "no-cache",
        more: Iterable[tuple[str, str]] = (),
    ) -> Reply:
        headers = self.request.headers
        encodings, known = headers.get("accept-encoding"), headers.get("if-none-match")
        reply = answers.build_reply(encodings, known, body, media_type, status, cache)
        reply.headers.extend(more)
        if media_type == HTML and self.state.documents.pages.has_editor:
            reply.headers.append(EDITOR)  # with 304 too: the client keeps the newer header
        return finish(reply)

    def page(
        self,
        message: str = "",
        result: results.QueryResult | None = None,
        graphs: Graphs = Graphs(),  # noqa: B008
        hints: Sequence[str] = (),
    ) -> bytes:
        """The form for queries, with an answer or an error."""
        name = self.request.field("format")
        form = name if name in SHORT_NAMES else "html"
        limits = self.state.endpoint.limits.words
        return self.state.documents.pages.sparql(
            self.query, message, result, graphs, form, limits, hints=hints
        )


async def in_thread(work: Callable[[], T], is_long: bool = True) -> T:
    """What would hold up the event loop is done beside it."""
    return await asyncio.to_thread(work) if is_long else work()


def finish(reply: Reply) -> Reply:
    """Adds the headers of all answers."""
    length = [] if reply.status == 304 else [("Content-Length", str(len(reply.body)))]
    reply.headers += [*length, *(ALWAYS[1:] if EDITOR in reply.headers else ALWAYS), *FOR_ALL]
    return reply


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
            state.documents.base, in_force, graphs, endpoint.union, {"triples": int(triples)}
        )
    return graph_as(media_type, state.description, state.documents.base)


async def column(endpoint: Endpoint, query: str) -> list[str]:
    answer = await endpoint.ask(query, Wanted(TABLES[0], None))
    rows = json.loads(answer.body)["results"]["bindings"]
    return [term["value"] for row in rows for term in row.values()]
