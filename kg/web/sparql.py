"""The read-only SPARQL 1.1 Protocol. Worker processes evaluate the queries; the event loop only
waits for them.
"""

from __future__ import annotations

import asyncio
import json
import math
import re
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from functools import lru_cache, partial
from typing import Protocol, TypeVar
from urllib.parse import parse_qs, urljoin

from pyoxigraph import NamedNode

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
    NTRIPLES,
    POLICY_NAME,
    SHORT_NAMES,
    TABLES,
    negotiate,
)
from kg.publish.questions import results
from kg.sparql.endpoint import Endpoint
from kg.sparql.reading import guard
from kg.store.protocol import Answer, Graphs, Query, Wanted
from kg.web import answers
from kg.web.answers import HINT, Reply, build_reply, hint_header
from kg.web.request import Refusal, Request
from kg.web.state import State

FORM_TYPE, QUERY_TYPE, UPDATE_TYPE = (
    "application/x-www-form-urlencoded",
    "application/sparql-query",
    "application/sparql-update",
)
ANSWER_TYPES = (*TABLES, *GRAPHS, HTML)
MAX_FIELDS = 1000
MAX_FORMAT_NAME = 200
# Python has other codecs, but some take minutes or are cached forever. SPARQL excludes UTF-16.
CHARSETS = re.compile(
    r"utf-?8|(?:us-)?ascii|iso-?8859-?[0-9]{1,2}|latin-?1"
    r"|(?:windows-?|cp)125[0-9]",
    re.IGNORECASE,
)
UPDATE_FIELDS = {"update", "using-graph-uri", "using-named-graph-uri"}
READ_ONLY = "This endpoint is read-only. Send a query, not an update."


Fields = dict[str, list[str]]  # parameters of the query string and the form


async def parse_query(request: Request, base: str, client: str) -> Query | None:
    """The query of a request, or None if it has none and wants to know about the endpoint. Raises
    Refusal.
    """
    accept = request.headers.get("accept")
    if request.method != "POST":
        query = parse_address(request.query_string, accept, base)
        return query and query._replace(client=client)
    fields = parse_fields(request.query_string, "address")
    body = await request.read_body()
    media_type, charset = content_type(request.headers.get("content-type", ""))
    if media_type == UPDATE_TYPE:
        raise Refusal(403, READ_ONLY)
    if media_type == QUERY_TYPE:
        fields.setdefault("query", []).insert(0, decode(body, charset))
    elif media_type == FORM_TYPE:
        add_fields(fields, body)
    else:
        raise Refusal(
            415, f"Send the query as {QUERY_TYPE}, or a form with the field 'query' as {FORM_TYPE}."
        )
    return choose_query(fields, accept, base)._replace(client=client)


@lru_cache(maxsize=32)  # many clients repeat their queries
def parse_address(query_string: str, accept: str | None, base: str) -> Query | None:
    fields = parse_fields(query_string, "address")
    if not {"query", *UPDATE_FIELDS}.isdisjoint(fields):
        return choose_query(fields, accept, base)
    return None


def choose_query(fields: Fields, accept: str | None, base: str) -> Query:
    if not UPDATE_FIELDS.isdisjoint(fields):
        raise Refusal(403, READ_ONLY)
    queries = fields.get("query", [])
    if len(queries) != 1:
        raise Refusal(400, f"Found {len(queries)} queries. Send exactly one 'query'.")
    if not queries[0].strip():
        raise Refusal(400, "The query is empty. Try SELECT * { ?s ?p ?o } LIMIT 10")
    form, seconds = (
        next((value for name in names for value in fields.get(name, ()) if value), "")
        for names in (("format", "output"), ("timeout",))
    )
    wanted, is_for_people = choose_format(accept, form)
    default, named = (
        tuple(address(iri, base) for iri in fields.get(f"{kind}-graph-uri", ()))
        for kind in ("default", "named")
    )
    graphs = Graphs(default, named)
    timeout = parse_seconds(seconds)
    return Query(queries[0], wanted, graphs, timeout, is_for_people=is_for_people)


def content_type(header: str) -> tuple[str, str]:
    """The media type and the charset of a Content-Type header."""
    media_type, *parameters = (part.strip() for part in header.split(";"))
    pairs = (parameter.partition("=") for parameter in parameters)
    charsets = (value.strip(' "') for name, _, value in pairs if name.lower() == "charset")
    return media_type.lower(), next(charsets, "utf-8")


def parse_fields(encoded: str | bytes, where: str) -> Fields:
    try:
        text = encoded if isinstance(encoded, str) else encoded.decode()
        return parse_qs(text, keep_blank_values=True, errors="strict", max_num_fields=MAX_FIELDS)
    except UnicodeDecodeError as error:
        raise Refusal(400, f"The {where} is not percent-encoded UTF-8.") from error
    except ValueError as error:
        raise Refusal(400, f"The {where} has more than {MAX_FIELDS} fields.") from error


def add_fields(fields: Fields, body: bytes) -> None:
    """Adds the fields of a form to those of the address."""
    for name, values in parse_fields(body, "form").items():
        fields.setdefault(name, []).extend(values)


def given_once(fields: Fields) -> dict[str, str]:
    """Raises Refusal if a parameter has several values."""
    for name, values in fields.items():
        if len(values) > 1:
            raise Refusal(400, f"The parameter '{name[:50]}' occurs twice. Send it once.")
    return {name: value for name, (value,) in fields.items()}


def decode(body: bytes, charset: str) -> str:
    """The text of a query in a request body. Raises Refusal."""
    try:
        if not CHARSETS.fullmatch(charset):
            raise LookupError
        return body.decode(charset)
    except LookupError as error:
        raise Refusal(415, "Unknown charset. Send UTF-8.") from error
    except UnicodeDecodeError as error:
        raise Refusal(
            400, f"The query is not valid {charset}: byte {error.start} cannot be decoded."
        ) from error


def choose_format(accept: str | None, named: str) -> tuple[Wanted, bool]:
    """The formats that the client accepts for tables and graphs, and whether it wants an HTML
    page.
    """
    if len(named) > MAX_FORMAT_NAME or (named not in SHORT_NAMES and "/" not in named and named):
        raise Refusal(
            400,
            f"Unknown format '{named[:MAX_FORMAT_NAME]}'. Known: {', '.join(SHORT_NAMES)}, "
            "or a media type.",
        )
    accept = ", ".join(SHORT_NAMES.get(named, ())) or (named if "/" in named else accept)
    if negotiate(accept, ANSWER_TYPES) == HTML:
        return Wanted(TABLES[0], NTRIPLES), True
    wanted = Wanted(negotiate(accept, TABLES), negotiate(accept, GRAPHS))
    if wanted.table is None and wanted.graph is None:
        raise Refusal(406, f"No acceptable format. Available: {', '.join(ANSWER_TYPES)}.")
    return wanted, False


def address(iri: str, base: str) -> str:
    try:
        return NamedNode(urljoin(base, iri)).value
    except ValueError as error:
        raise Refusal(
            400, "The graph is not a valid IRI. Write it as default-graph-uri=https://…"
        ) from error


def parse_seconds(given: str) -> float | None:
    try:
        found = float(given) if given else None
    except ValueError:
        found = math.nan
    if found is not None and not found > 0:
        raise Refusal(400, "The timeout is not a positive number of seconds. Write it as 2.5.")
    return found


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
THREAD_THRESHOLD = 64 * 1024  # bytes of an answer; larger ones are compressed in a thread

T = TypeVar("T")
GRAPH_NAMES = "SELECT DISTINCT ?graph { GRAPH ?graph { ?s ?p ?o } }"
TRIPLES = "SELECT (COUNT(*) AS ?number) { ?s ?p ?o }"


class AnswerPage(Protocol):
    """Renders a page with the query, and its result or error."""

    def __call__(
        self,
        *,
        message: str = "",
        result: results.QueryResult | None = None,
        hints: Sequence[str] = (),
    ) -> bytes: ...


async def respond(request: Request, state: State, client: str, watched: bool) -> Reply:
    """Answers a request to the endpoint. `watched`: the answer may change at any time."""

    async def reply() -> Reply:
        query = await parse_query(request, state.documents.base, client)
        if query is None:
            return await about(request, state)
        page = partial(form_page, request, state, graphs=query.graphs)
        return await answer(request, state, watched, query, page)

    return allow_editor(await outcome(request, reply(), partial(form_page, request, state)), state)


async def outcome(request: Request, reply: Coroutine[None, None, Reply], page: AnswerPage) -> Reply:
    """The reply, or an error response if it fails; browsers get an HTML page."""
    try:
        return await reply
    except asyncio.CancelledError:
        request.outcome = "abandoned"
        raise
    except Refusal as refusal:
        return await problem(request, refusal, page)
    except QueryError as error:
        request.outcome = OUTCOMES[type(error)][1]
        return await problem(request, as_refusal(error), page)


def as_refusal(error: Refusal | QueryError) -> Refusal:
    if isinstance(error, Refusal):
        return error
    status, _ = OUTCOMES[type(error)]
    return Refusal(status, str(error), **({"Retry_After": RETRY_AFTER} if status == 503 else {}))


async def problem(request: Request, refusal: Refusal, page: AnswerPage) -> Reply:
    is_page = answers.error_type(request) == HTML
    return await in_thread(
        lambda: answers.problem(request, refusal, lambda: page(message=str(refusal))), is_page
    )


async def answer(
    request: Request,
    state: State,
    watched: bool,
    query: Query,
    page: AnswerPage,
    cite: Callable[[Answer], Awaitable[Answer]] | None = None,
) -> Reply:
    """Answers a query; `cite` adds the sources. Raises QueryError."""
    request.query = query.text
    found = await state.endpoint.ask(query)
    found = await cite(found) if cite else found
    request.outcome = "answered"
    is_long = query.is_for_people or len(found.body) > THREAD_THRESHOLD
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
    """The reply to a request without a query: the query form, or the service description as RDF."""
    media_types = (HTML, *GRAPHS)
    wanted = negotiate(request.headers.get("accept"), media_types)
    if wanted is None:
        known = ", ".join(media_types)
        raise Refusal(406, f"No acceptable format. Available without a query: {known}.")
    if wanted == HTML:
        page = await asyncio.to_thread(form_page, request, state)
        return build_reply(request, page, HTML)
    body = await describe(state, wanted)
    return await asyncio.to_thread(build_reply, request, body, wanted)


def allow_editor(reply: Reply, state: State) -> Reply:
    """Sets the Content-Security-Policy of pages with the editor; also on 304, because the client
    replaces its stored header.
    """
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
    """The query form, with an answer or an error."""
    name = request.field("format")
    form = name if name in SHORT_NAMES else "html"
    limits = state.endpoint.limits.words
    return state.documents.pages.sparql(
        request.query, message, result, graphs, form, limits, hints=hints
    )


async def in_thread(work: Callable[[], T], is_long: bool) -> T:
    """Runs long work in a thread, so that it does not block the event loop."""
    return await asyncio.to_thread(work) if is_long else work()


async def describe(state: State, media_type: str) -> bytes:
    """The service description, which includes counts from queries. Raises QueryError."""
    # Imported here because RDF files are served without these until the first request.
    from kg.publish.about.void import Limit, describe_service  # noqa: PLC0415
    from kg.publish.formats.rdf import graph_as  # noqa: PLC0415

    endpoint, limits = state.endpoint, state.endpoint.limits
    if not state.description:
        in_force = [
            Limit("deadline", "Maximum time for a query", limits.deadline, "seconds"),
            Limit("memory", "Maximum memory for a query", limits.memory, "bytes"),
            Limit("answer", "Maximum size of an answer", limits.answer, "bytes"),
            Limit("characters", "Maximum length of a query", guard.MAX_CHARACTERS, "characters"),
            Limit("depth", "Maximum nesting of brackets in a query", guard.MAX_DEPTH, "levels"),
            Limit(
                "patterns", "Maximum number of patterns in a query", guard.MAX_PATTERNS, "patterns"
            ),
            Limit(
                "operators",
                "Maximum number of operators and clauses in a query",
                guard.MAX_OPERATORS,
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
    answer = await endpoint.ask(Query(query, Wanted(TABLES[0], None)))
    rows = json.loads(answer.body)["results"]["bindings"]
    return [term["value"] for row in rows for term in row.values()]
