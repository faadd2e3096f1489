"""What a client asks for, read from its request as the SPARQL 1.1 Protocol says: the query, its
graphs, the form of the answer.
"""

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
from kg.web.call import Call
from kg.web.refusal import Refusal

FORM, DIRECT, UPDATE = (
    "application/x-www-form-urlencoded",
    "application/sparql-query",
    "application/sparql-update",
)
FORMS = (*TABLES, *GRAPHS, HTML)
MOST_FIELDS = 1000
WRONG_ESCAPE = re.compile(rb"%(?![0-9A-Fa-f]{2})")
# Python has stranger ones, that take minutes or keep in mind for ever what was asked for.
CHARSETS = re.compile(
    r"utf-?(?:8|(?:16|32)(?:-?[lb]e)?)|(?:us-)?ascii|iso-?8859-?[0-9]{1,2}|latin-?1|(?:windows-?|cp)125[0-9]",
    re.IGNORECASE,
)
UPDATES = {"update", "using-graph-uri", "using-named-graph-uri"}
READ_ONLY = "This endpoint is read-only: it takes queries, no updates."


class Asked(NamedTuple):
    """One question. `is_for_people`: the answer is shown in a page."""

    query: str
    wanted: Wanted
    is_for_people: bool
    graphs: Graphs
    timeout: float | None


class Fields:
    """The parameters of a request, from its address and its form together."""

    def __init__(self, pairs: Sequence[tuple[str, str]]) -> None:
        self.said: dict[str, list[str]] = {}
        self.add(pairs)

    def add(self, pairs: Sequence[tuple[str, str]]) -> None:
        for name, value in pairs:
            self.said.setdefault(name, []).append(value)

    def all(self, name: str) -> Sequence[str]:
        return self.said.get(name, ())

    def one(self, *names: str) -> str:
        """The first of the fields that says something."""
        return next((value for name in names for value in self.all(name) if value), "")


def read(call: Call, base: str) -> Asked | None:
    """The question of a request, or None where somebody only looks what is here. Raises Refusal."""
    fields = Fields(pairs(call.query_string, "address"))
    direct = []
    if call.method == "POST":
        if call.mimetype == UPDATE:
            raise Refusal(403, READ_ONLY)
        if call.mimetype == DIRECT:
            direct = [text(call)]
        elif call.mimetype == FORM:
            fields.add(pairs(call.body(), "form"))
        else:
            raise Refusal(
                415, f"Send a form with 'query' as {FORM}, or the query itself as {DIRECT}."
            )
    if not UPDATES.isdisjoint(fields.said):
        raise Refusal(403, READ_ONLY)
    queries = [*direct, *fields.all("query")]
    if not queries and call.method != "POST":
        return None
    if len(queries) != 1:
        raise Refusal(400, f"Exactly one query is expected, not {len(queries)}.")
    if not queries[0].strip():
        raise Refusal(
            400, "The query is empty. Write one, for example: SELECT * { ?s ?p ?o } LIMIT 10"
        )
    if len(fields.said) == len(queries) == 1 and not direct:  # as most do
        return Asked(queries[0], *form_of(call, ""), Graphs(), None)
    wanted, is_for_people = form_of(call, fields.one("format", "output"))
    chosen = Graphs(
        *(
            tuple(address(iri, base) for iri in fields.all(f"{kind}-graph-uri"))
            for kind in ("default", "named")
        )
    )
    return Asked(queries[0], wanted, is_for_people, chosen, seconds(fields.one("timeout")))


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


def text(call: Call) -> str:
    """The body, which is the query."""
    charset = call.charset
    try:
        if not CHARSETS.fullmatch(charset):
            raise LookupError
        return call.body().decode(charset)
    except LookupError as error:
        raise Refusal(415, "This charset is not known here. Send UTF-8.") from error
    except UnicodeDecodeError as error:
        raise Refusal(
            400, f"The query is not {charset}: byte {error.start} does not fit."
        ) from error


def form_of(call: Call, named: str) -> tuple[Wanted, bool]:
    """The forms the client takes for either kind of answer, and whether it shows them to a
    person.
    """
    if named and named not in SHORT_NAMES and "/" not in named:
        raise Refusal(
            400, f"There is no format '{named}'. Known: {', '.join(SHORT_NAMES)}, or a media type."
        )
    accept = ", ".join(SHORT_NAMES.get(named, ())) or (
        named if "/" in named else call.header("ACCEPT")
    )
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


def seconds(given: str) -> float | None:
    try:
        found = float(given) if given else None
    except ValueError:
        found = math.nan
    if found is not None and not found > 0:
        raise Refusal(400, "The timeout is a number of seconds, such as 2.5.")
    return found
