"""The SPARQL 1.1 Protocol, for reading. Every query runs in a worker process; here it is only
passed on, and the event loop waits for the answer.
"""

from __future__ import annotations

import asyncio
import json
import math
import re
from collections.abc import Callable, Coroutine, Sequence
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

FORM, DIRECT, UPDATE = (
    "application/x-www-form-urlencoded",
    "application/sparql-query",
    "application/sparql-update",
)
FORMS = (*TABLES, *GRAPHS, HTML)
MOST_FIELDS = 1000
LONGEST_FORMAT = 200
# Python has stranger ones, that take minutes or are remembered for ever.
CHARSETS = re.compile(
    r"utf-?(?:8|(?:16|32)(?:-?[lb]e)?)|(?:us-)?ascii|iso-?8859-?[0-9]{1,2}|latin-?1"
    r"|(?:windows-?|cp)125[0-9]",
    re.IGNORECASE,
)
UPDATES = {"update", "using-graph-uri", "using-named-graph-uri"}
READ_ONLY = "This endpoint is read-only: it takes queries, no updates."


Fields = dict[str, list[str]]  # the parameters of a request, from its address and its form


async def parse_query(request: Request, base: str, client: str) -> Query | None:
    """The query of a request, or None where there is none, in order to see what is here. Raises
    Refusal.
    """
    accept = request.headers.get("accept")
    if request.method != "POST":
        query = parse_address(request.query_string, accept, base)
        return query and query._replace(client=client)
    fields = parse_fields(request.query_string, "address")
    body = await request.read_body()
    media_type, charset = content_type(request.headers.get("content-type", ""))
    if media_type == UPDATE:
        raise Refusal(403, READ_ONLY)
    if media_type == DIRECT:
        fields.setdefault("query", []).insert(0, decode(body, charset))
    elif media_type == FORM:
        add_fields(fields, body)
    else:
        raise Refusal(415, f"Send a form with 'query' as {FORM}, or the query itself as {DIRECT}.")
    return choose_query(fields, accept, base)._replace(client=client)


@lru_cache(maxsize=32)  # many clients repeat their queries
def parse_address(query_string: str, accept: str | None, base: str) -> Query | None:
    fields = parse_fields(query_string, "address")
    if not {"query", *UPDATES}.isdisjoint(fields):
        return choose_query(fields, accept, base)
    return None


def choose_query(fields: Fields, accept: str | None, base: str) -> Query:
    if not UPDATES.isdisjoint(fields):
        raise Refusal(403, READ_ONLY)
    queries = fields.get("query", [])
    if len(queries) != 1:
        raise Refusal(400, f"Exactly one query is expected, not {len(queries)}.")
    if not queries[0].strip():
        raise Refusal(
            400, "The query is empty. Write one, for example: SELECT * { ?s ?p ?o } LIMIT 10"
        )
    form, seconds = (
        next((value for name in names for value in fields.get(name, ()) if value), "")
        for names in (("format", "output"), ("timeout",))
    )
    wanted, is_for_people = choose_form(accept, form)
    default, named = (
        tuple(address(iri, base) for iri in fields.get(f"{kind}-graph-uri", ()))
        for kind in ("default", "named")
    )
    graphs = Graphs(default, named)
    timeout = parse_seconds(seconds)
    return Query(queries[0], wanted, graphs, timeout, is_for_people=is_for_people)


def content_type(header: str) -> tuple[str, str]:
    """The media type and the charset."""
    media_type, *parameters = (part.strip() for part in header.split(";"))
    pairs = (parameter.partition("=") for parameter in parameters)
    charsets = (value.strip(' "') for name, _, value in pairs if name.lower() == "charset")
    return media_type.lower(), next(charsets, "utf-8")


def parse_fields(encoded: str | bytes, where: str) -> Fields:
    try:
        text = encoded if isinstance(encoded, str) else encoded.decode()
        return parse_qs(text, keep_blank_values=True, errors="strict", max_num_fields=MOST_FIELDS)
    except UnicodeDecodeError as error:
        raise Refusal(400, f"The {where} is not percent-encoded UTF-8.") from error
    except ValueError as error:
        raise Refusal(400, f"The {where} has more than {MOST_FIELDS} fields.") from error


def add_fields(fields: Fields, body: bytes) -> None:
    """Those of a form, beside those of the address."""
    for name, values in parse_fields(body, "form").items():
        fields.setdefault(name, []).extend(values)


def given_once(fields: Fields) -> dict[str, str]:
    """Raises Refusal where a parameter has several values."""
    for name, values in fields.items():
        if len(values) > 1:
            raise Refusal(400, f"The parameter '{name[:50]}' is given twice. Give it once.")
    return {name: value for name, (value,) in fields.items()}


def decode(body: bytes, charset: str) -> str:
    """The query that a body is."""
    try:
        if not CHARSETS.fullmatch(charset):
            raise LookupError
        return body.decode(charset)
    except LookupError as error:
        raise Refusal(415, "This charset is not known here. Send UTF-8.") from error
    except UnicodeDecodeError as error:
        raise Refusal(
            400, f"The query is not {charset}: byte {error.start} does not fit."
        ) from error


def choose_form(accept: str | None, named: str) -> tuple[Wanted, bool]:
    """The forms the client takes for either kind of answer, and whether it shows them to a
    person.
    """
    if len(named) > LONGEST_FORMAT or (named not in SHORT_NAMES and "/" not in named and named):
        raise Refusal(
            400,
            f"There is no format '{named[:LONGEST_FORMAT]}'. Known: {', '.join(SHORT_NAMES)}, "
            "or a media type.",
        )
    accept = ", ".join(SHORT_NAMES.get(named, ())) or (named if "/" in named else accept)
    if negotiate(accept, FORMS) == HTML:
        return Wanted(TABLES[0], NTRIPLES), True
    wanted = Wanted(negotiate(accept, TABLES), negotiate(accept, GRAPHS))
    if wanted.table is None and wanted.graph is None:
        raise Refusal(406, f"Answers are given as {', '.join(FORMS)}.")
    return wanted, False


def address(iri: str, base: str) -> str:
    try:
        return NamedNode(urljoin(base, iri)).value
    except ValueError as error:
        raise Refusal(
            400, "A graph is chosen by its address, as default-graph-uri=https://…; this is none."
        ) from error


def parse_seconds(given: str) -> float | None:
    try:
        found = float(given) if given else None
    except ValueError:
        found = math.nan
    if found is not None and not found > 0:
        raise Refusal(400, "The timeout is a number of seconds, such as 2.5.")
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
        query = await parse_query(request, state.documents.base, client)
        if query is None:
            return await about(request, state)
        page = partial(form_page, request, state, graphs=query.graphs)
        return await answer(request, state, watched, query, page)

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
    request: Request, state: State, watched: bool, query: Query, page: AnswerPage
) -> Reply:
    """The answer to a query. Raises QueryError."""
    request.query = query.text
    found = await state.endpoint.ask(query)
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
    answer = await endpoint.ask(Query(query, Wanted(TABLES[0], None)))
    rows = json.loads(answer.body)["results"]["bindings"]
    return [term["value"] for row in rows for term in row.values()]
