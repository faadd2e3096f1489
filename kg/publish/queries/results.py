"""Query results as a page shows them: the first rows, and how many there are in all.

A body is read in a stream and only the first rows stay in memory, however many there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice

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

Term = NamedNode | BlankNode | Literal | Triple
Row = Sequence[Term | None]

MOST_ROWS = 1_000
# characters in a page, markup counted roughly; many columns or long texts leave room for fewer rows
MOST_TEXT = 2_000_000
LONGEST_TEXT = 2_000  # characters in a cell
MARKUP = 60  # characters around each

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
        more = (
            f", the first {len(self.rows):,} of which are shown"
            if len(self.rows) < self.total
            else ""
        )
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
