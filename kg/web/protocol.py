"""A request read as the SPARQL 1.1 Protocol says: the query, its graphs, the form of the answer."""

from __future__ import annotations

import math
import re
from binascii import a2b_qp
from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import unquote_to_bytes, urljoin

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
WRONG_ESCAPE = re.compile(rb"%(?![0-9A-Fa-f]{2})")
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


class Fields:
    """The parameters of a request, from its address and its form together."""

    def __init__(self, pairs: Sequence[tuple[str, str]]) -> None:
        self.values: dict[str, list[str]] = {}
        self.add(pairs)

    def add(self, pairs: Sequence[tuple[str, str]]) -> None:
        for name, value in pairs:
            self.values.setdefault(name, []).append(value)

    def all(self, name: str) -> Sequence[str]:
        return self.values.get(name, ())

    def one(self, *names: str) -> str:
        """The first that is not empty."""
        return next((value for name in names for value in self.all(name) if value), "")


async def parse_query(request: Request, base: str) -> Query | None:
    """The query of a request, or None where there is none, in order to see what is here. Raises
    Refusal.
    """
    fields = Fields(pairs(request.query_string.encode("latin-1", "replace"), "address"))
    direct = []
    if request.method == "POST":
        body = await request.read_body()
        media_type, charset = content_type(request.headers.get("content-type", ""))
        if media_type == UPDATE:
            raise Refusal(403, READ_ONLY)
        if media_type == DIRECT:
            direct = [decode(body, charset)]
        elif media_type == FORM:
            fields.add(pairs(body, "form"))
        else:
            raise Refusal(
                415, f"Send a form with 'query' as {FORM}, or the query itself as {DIRECT}."
            )
    if not UPDATES.isdisjoint(fields.values):
        raise Refusal(403, READ_ONLY)
    queries = [*direct, *fields.all("query")]
    if not queries and request.method != "POST":
        return None
    if len(queries) != 1:
        raise Refusal(400, f"Exactly one query is expected, not {len(queries)}.")
    if not queries[0].strip():
        raise Refusal(
            400, "The query is empty. Write one, for example: SELECT * { ?s ?p ?o } LIMIT 10"
        )
    accept = request.headers.get("accept")
    if len(fields.values) == len(queries) == 1 and not direct:  # as in most requests
        return Query(queries[0], *choose_form(accept, ""), Graphs(), None)
    wanted, is_for_people = choose_form(accept, fields.one("format", "output"))
    default, named = (
        tuple(address(iri, base) for iri in fields.all(f"{kind}-graph-uri"))
        for kind in ("default", "named")
    )
    seconds = parse_seconds(fields.one("timeout"))
    return Query(queries[0], wanted, is_for_people, Graphs(default, named), seconds)


def content_type(header: str) -> tuple[str, str]:
    """The media type and the charset."""
    media_type, *parameters = (part.strip() for part in header.split(";"))
    pairs = (parameter.partition("=") for parameter in parameters)
    charsets = (value.strip(' "') for name, _, value in pairs if name.lower() == "charset")
    return media_type.lower(), next(charsets, "utf-8")


def pairs(encoded: bytes, where: str) -> list[tuple[str, str]]:
    fields = encoded.split(b"&", MOST_FIELDS)
    if len(fields) > MOST_FIELDS:
        raise Refusal(400, f"The {where} has more than {MOST_FIELDS} fields.")
    try:
        return [
            (plain(name), plain(value))
            for name, _, value in (field.partition(b"=") for field in fields if field)
        ]
    except UnicodeDecodeError as error:
        raise Refusal(400, f"The {where} is not percent-encoded UTF-8.") from error


def plain(encoded: bytes) -> str:
    """Without plus signs and escapes. (Where all escapes are right they are those of
    quoted-printable, for which there is something quick; a query has many.)
    """
    found = encoded.replace(b"+", b" ")
    if b"%" in found:
        found = (
            unquote_to_bytes(found)
            if WRONG_ESCAPE.search(found)
            else a2b_qp(found.replace(b"=", b"=3D").replace(b"%", b"="))
        )
    return found.decode()


def decode(body: bytes, charset: str) -> str:
    """The query that a body is."""
    if not CHARSETS.fullmatch(charset):
        raise Refusal(415, "This charset is not known here. Send UTF-8.")
    try:
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
