"""Query results for a page: the first rows, the total, and the table cells.

A body is read as a stream, and only the first rows are kept in memory. A term is a link if it has a
target, otherwise text. Untrusted content stays text: only http(s) addresses become links, and
templates escape everything.
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
from kg.vocab import PREFIXES, cut, cv, xsd

Term = NamedNode | BlankNode | Literal | Triple
Row = Sequence[Term | None]

MAX_ROWS = 1_000
# characters per page, including rough markup; wide or long rows reduce the number of rows
MAX_PAGE_TEXT = 2_000_000
MAX_CELL_TEXT = 2_000  # characters in a cell
MARKUP = 60  # characters of markup per cell
MAX_ADDRESS = 60  # characters of a displayed address
MAX_BLANK_LABEL = 12  # characters of a blank node label, which is arbitrary
MAX_UNBROKEN_WORD = 12  # characters of a word that is not broken at hyphens
SHORT_TEXT = 40  # characters; longer texts get a wide column
NUMBERS = re.compile(
    re.escape(str(xsd))
    + "(decimal|double|float|((non)?(positive|negative))?integer|(unsigned)?(long|int|short|byte))",
    re.IGNORECASE,
)

CAPITAL = re.compile(r"(?<=[a-z0-9])[A-Z]")
NO_NAMES: Mapping[str, str] = MappingProxyType({})

# Values of `format=` -> display names.
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
        """The number of rows: `12,345 rows, showing the first 1,000.`"""
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
    """The answer to CONSTRUCT or DESCRIBE, from our N-Triples, one per line."""
    head = b"\n".join(body.split(b"\n", MAX_ROWS)[:MAX_ROWS])
    rows = first_rows(tuple(quad.triple) for quad in parse(head, RdfFormat.N_TRIPLES, lenient=True))
    return QueryResult(
        ("subject", "predicate", "object"),
        rows,
        body.count(b"\n"),
        noun="triple",
        forms=GRAPH_FORMS,
    )


def first_rows(rows: Iterable[Row]) -> list[Row]:
    """As many rows as fit on a page, at least one."""
    room, found = MAX_PAGE_TEXT, []
    for row in islice(rows, MAX_ROWS):
        found.append(row)
        room -= sum(MARKUP + min(len(str(term)), MAX_CELL_TEXT) for term in row)
        if room <= 0:
            break
    return found


@dataclass(frozen=True, slots=True)
class ResultCell:
    """`full` is the tooltip: the full address of a short text, or a common datatype. `note` is a
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
        """Whether the text must not wrap, such as a date."""
        return len(self.text) <= MAX_UNBROKEN_WORD and " " not in self.text


def heading(name: str) -> str:
    """A column name as a heading: `coauthorName` -> `Coauthor name`."""
    words = CAPITAL.sub(lambda found: f" {found[0].lower()}", name).replace("_", " ").strip()
    return words[:1].upper() + words[1:]


def things_in(rows: Iterable[Row], base: str) -> list[str]:
    """The resources of a site in the rows, and the subjects of pages that they are part of."""
    found = {
        term.value
        for row in rows
        for term in row
        if isinstance(term, NamedNode) and term.value.startswith((base, str(cv)))
    }
    return sorted(found | {f"{iri.partition('#')[0]}#it" for iri in found})


def names_of(store: Store, base: str, things: Iterable[str]) -> dict[str, str]:
    """The names of resources. Of parts of a document, only our own terms have names, as in
    completions.
    """
    own = str(cv)
    known = [thing for thing in things if thing.endswith("#it") or thing.startswith(own)]
    return {thing: name for thing, (_, name) in store.labels(known).items() if name}


class CellMaker:
    """Creates the cells of a page. `page_of` returns the relative address of a resource's page, or
    an empty string; `names` are those of resources, `now` is the date of the present in figures.
    """

    def __init__(
        self,
        base: str,
        page_of: Callable[[str], str],
        names: Mapping[str, str] = NO_NAMES,
        now: str = "",
    ) -> None:
        self.base, self.page_of, self.names, self.now = base, page_of, names, now
        self.prefixes = {namespace: prefix for prefix, namespace in PREFIXES.items()}
        self.of = lru_cache(maxsize=None)(self.make)

    def make(self, term: Term | None) -> ResultCell:
        match term:
            case NamedNode(value=iri):
                return self.iri(iri)
            case Literal():
                return self.literal(term)
            case BlankNode(value=label):
                return ResultCell(f"_:{shortened(label, MAX_BLANK_LABEL)}", full=f"_:{label}")
            case Triple():
                return ResultCell(shortened(f"<<( {term} )>>", MAX_CELL_TEXT))
        return ResultCell()

    def iri(self, iri: str) -> ResultCell:
        text = self.named(iri)
        full = iri if text != iri else ""
        if iri.startswith((self.base, str(cv))):  # those without a page link to the endpoint
            return ResultCell(
                text, self.page_of(iri) or query_answer(f"DESCRIBE <{iri}>", "html"), full
            )
        if iri.startswith(("http://", "https://")):
            return ResultCell(text, iri, full, is_elsewhere=True)
        return ResultCell(text, full=full)

    def named(self, iri: str) -> str:
        """The name of a resource; for a part of its page, with the anchor."""
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
            return shortened(iri.removeprefix(self.base), MAX_ADDRESS)
        return shortened(iri.removeprefix("https://").removeprefix("http://"), MAX_ADDRESS)

    def literal(self, literal: Literal) -> ResultCell:
        text, datatype = shortened(literal.value, MAX_CELL_TEXT), literal.datatype.value
        if literal.language:
            return ResultCell(text, note=f"@{literal.language}", language=literal.language)
        if datatype == xsd.string:
            return ResultCell(text)
        if datatype.startswith(str(xsd)):  # numbers and dates need only a tooltip
            return ResultCell(
                text, full=self.short(datatype), is_number=bool(NUMBERS.fullmatch(datatype))
            )
        return ResultCell(text, note=self.short(datatype))


def shortened(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def numeric_columns(rows: Sequence[Sequence[ResultCell]]) -> frozenset[int]:
    """The indexes of columns with only numbers."""
    return frozenset(
        place
        for place, column in enumerate(zip(*rows, strict=True))
        if {cell.is_number for cell in column if cell.text} == {True}
    )
