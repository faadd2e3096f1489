"""Query results as a page shows them: the first rows, how many there are in all, and the cells of
the table.

A body is read in a stream and only the first rows stay in memory, however many there are. A term is
a link where it leads somewhere, else text. What a stranger stored or sends stays text: only http(s)
addresses become links, and the templates escape everything.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from types import MappingProxyType

from pyoxigraph import (
    BlankNode,
    Literal,
    NamedNode,
    QueryResultsFormat,
    QuerySolutions,
    RdfFormat,
    Triple,
    parse,
)
from pyoxigraph import parse_query_results as parse_results

from kg.publish.formats.urls import query_answer
from kg.store.protocol import Store
from kg.vocab import cut, prefixes, xsd

Term = NamedNode | BlankNode | Literal | Triple
Row = Sequence[Term | None]

MOST_ROWS = 1_000
# characters in a page, markup counted roughly; many columns or long texts leave room for fewer rows
MOST_TEXT = 2_000_000
LONGEST_TEXT = 2_000  # characters in a cell
MARKUP = 60  # characters around each
LONGEST_ADDRESS = 60  # characters of an address as text
LONGEST_LABEL = 12  # of a blank node: the engine makes them up, and they mean nothing
LONGEST_WORD = 12  # characters of a word that is not broken at a hyphen
SHORT_TEXT = 40  # characters; what is longer wants a wide column
NUMBERS = re.compile(
    re.escape(str(xsd))
    + "(decimal|double|float|((non)?(positive|negative))?integer|(unsigned)?(long|int|short|byte))",
    re.IGNORECASE,
)

CAPITAL = re.compile(r"(?<=[a-z0-9])[A-Z]")
NO_NAMES: Mapping[str, str] = MappingProxyType({})

# As `format=` names them, and people know them.
TABLE_FORMS = {"json": "JSON", "csv": "CSV", "tsv": "TSV", "xml": "XML"}
GRAPH_FORMS = {
    "turtle": "Turtle",
    "jsonld": "JSON-LD",
    "nt": "N-Triples",
    "nq": "N-Quads",
    "trig": "TriG",
    "rdf": "RDF/XML",
}


@dataclass(frozen=True, slots=True)
class QueryResult:
    """`rows` are the first of `total`. The result of ASK is a `verdict` instead."""

    columns: Sequence[str] = ()
    rows: Sequence[Row] = ()
    total: int = 0
    verdict: bool | None = None
    noun: str = "row"
    forms: dict[str, str] = field(default_factory=lambda: TABLE_FORMS)

    @property
    def summary(self) -> str:
        """How many rows there are: `12,345 rows, the first 1,000 of which are shown.`"""
        if not self.total:
            return f"No {self.noun}s."
        more = f", showing the first {len(self.rows):,}" if len(self.rows) < self.total else ""
        return f"{self.total:,} {self.noun}{'s' if self.total > 1 else ''}{more}."


def table(body: bytes) -> QueryResult:
    """The answer to SELECT or ASK, from SPARQL results in JSON."""
    found = parse_results(body, format=QueryResultsFormat.JSON)
    if not isinstance(found, QuerySolutions):
        return QueryResult(verdict=bool(found))
    rows = first_rows(tuple(solution) for solution in found)
    return QueryResult(
        [variable.value for variable in found.variables], rows, len(rows) + sum(1 for _ in found)
    )


def triples(body: bytes) -> QueryResult:
    """The answer to CONSTRUCT or DESCRIBE, from N-Triples as we write them: a line each."""
    head = b"\n".join(body.split(b"\n", MOST_ROWS)[:MOST_ROWS])
    rows = first_rows(tuple(quad.triple) for quad in parse(head, RdfFormat.N_TRIPLES, lenient=True))
    return QueryResult(
        ("subject", "predicate", "object"),
        rows,
        body.count(b"\n"),
        noun="triple",
        forms=GRAPH_FORMS,
    )


def first_rows(rows: Iterable[Row]) -> list[Row]:
    """As many rows as a page has room for, and at least one."""
    room, found = MOST_TEXT, []
    for row in islice(rows, MOST_ROWS):
        found.append(row)
        room -= sum(MARKUP + min(len(str(term)), LONGEST_TEXT) for term in row)
        if room <= 0:
            break
    return found


@dataclass(frozen=True, slots=True)
class ResultCell:
    """`full` is the tooltip: the address behind a short text, or a common datatype. `note` is a
    language or another datatype.
    """

    text: str = ""
    href: str = ""
    full: str = ""
    note: str = ""
    language: str = ""
    is_number: bool = False
    is_elsewhere: bool = False

    @property
    def is_long(self) -> bool:
        return len(self.text) > SHORT_TEXT

    @property
    def is_whole(self) -> bool:
        """Whether it stays on one line, as a date does."""
        return len(self.text) <= LONGEST_WORD and " " not in self.text


def heading(name: str) -> str:
    """The name of a column in words: `coauthorName` -> `Coauthor name`."""
    words = CAPITAL.sub(lambda found: f" {found[0].lower()}", name).replace("_", " ").strip()
    return words[:1].upper() + words[1:]


def things_in(rows: Iterable[Row], base: str) -> list[str]:
    """The things of a site that rows speak of, and those whose pages they are parts of."""
    found = {
        term.value
        for row in rows
        for term in row
        if isinstance(term, NamedNode) and term.value.startswith(base)
    }
    return sorted(found | {f"{iri.partition('#')[0]}#it" for iri in found})


def names_of(store: Store, base: str, things: Iterable[str]) -> dict[str, str]:
    """What things are called. Of parts of a document only our own terms have names of their own, as
    in completions.
    """
    own = f"{base}terms/"
    known = [thing for thing in things if thing.endswith("#it") or thing.startswith(own)]
    return {thing: name for thing, (_, name) in store.labels(known).items() if name}


class CellMaker:
    """Makes the cells of one page. `page_of` gives the page of a thing as a relative address, or
    nothing; `names` are those of things.
    """

    def __init__(
        self, base: str, page_of: Callable[[str], str], names: Mapping[str, str] = NO_NAMES
    ) -> None:
        self.base, self.page_of, self.names = base, page_of, names
        self.prefixes = {namespace: prefix for prefix, namespace in prefixes(base).items()}
        self.of = lru_cache(maxsize=None)(self.make)

    def make(self, term: Term | None) -> ResultCell:
        match term:
            case NamedNode(value=iri):
                return self.iri(iri)
            case Literal():
                return self.literal(term)
            case BlankNode(value=label):
                return ResultCell(f"_:{shortened(label, LONGEST_LABEL)}", full=f"_:{label}")
            case Triple():
                return ResultCell(shortened(f"<<( {term} )>>", LONGEST_TEXT))
        return ResultCell()

    def iri(self, iri: str) -> ResultCell:
        text = self.named(iri)
        full = iri if text != iri else ""
        if iri.startswith(self.base):  # a thing without a page is described by the endpoint
            return ResultCell(
                text, self.page_of(iri) or query_answer(f"DESCRIBE <{iri}>", "html"), full
            )
        if iri.startswith(("http://", "https://")):
            return ResultCell(text, iri, full, is_elsewhere=True)
        return ResultCell(text, full=full)

    def named(self, iri: str) -> str:
        """The name of a thing; of a part of its page, with the anchor there."""
        document, _, anchor = iri.partition("#")
        whole = self.names.get(f"{document}#it")
        if iri in self.names or not whole:
            return self.names.get(iri) or self.short(iri)
        return f"{whole}, {anchor.replace('-', ' ')}" if anchor else whole

    def short(self, iri: str) -> str:
        """`schema:name`, `people/ada#it`, `example.org/a/long/way…`"""
        namespace, name = cut(iri)
        if name and namespace in self.prefixes:
            return f"{self.prefixes[namespace]}:{name}"
        if iri.startswith(self.base) and iri != self.base:
            return shortened(iri.removeprefix(self.base), LONGEST_ADDRESS)
        return shortened(iri.removeprefix("https://").removeprefix("http://"), LONGEST_ADDRESS)

    def literal(self, literal: Literal) -> ResultCell:
        text, datatype = shortened(literal.value, LONGEST_TEXT), literal.datatype.value
        if literal.language:
            return ResultCell(text, note=f"@{literal.language}", language=literal.language)
        if datatype == xsd.string:
            return ResultCell(text)
        if datatype.startswith(str(xsd)):  # a number or a date needs no note, only a tooltip
            return ResultCell(
                text, full=self.short(datatype), is_number=bool(NUMBERS.fullmatch(datatype))
            )
        return ResultCell(text, note=self.short(datatype))


def shortened(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def numeric_columns(rows: Sequence[Sequence[ResultCell]]) -> frozenset[int]:
    """The places of columns that hold numbers alone."""
    return frozenset(
        place
        for place, column in enumerate(zip(*rows, strict=True))
        if {cell.is_number for cell in column if cell.text} == {True}
    )
