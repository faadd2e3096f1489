"""A request read as the SPARQL 1.1 Protocol says: the query, its graphs, the form of the answer."""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import parse_qs, urljoin

from pyoxigraph import NamedNode

from kg.publish.formats.media import GRAPHS, HTML, NTRIPLES, SHORT_NAMES, TABLES, negotiate
from kg.store.protocol import Graphs, Wanted
from kg.web.request import Refusal, Request

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


class Query(NamedTuple):
    """`is_for_people`: the answer is shown in a page."""

    text: str
    wanted: Wanted
    is_for_people: bool
    graphs: Graphs
    timeout: float | None


Fields = dict[str, list[str]]  # the parameters of a request, from its address and its form


async def parse_query(request: Request, base: str) -> Query | None:
    """The query of a request, or None where there is none, in order to see what is here. Raises
    Refusal.
    """
    accept = request.headers.get("accept")
    if request.method != "POST":
        return parse_address(request.query_string, accept, base)
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
    return choose_query(fields, accept, base)


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
    return Query(queries[0], wanted, is_for_people, graphs, parse_seconds(seconds))


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
