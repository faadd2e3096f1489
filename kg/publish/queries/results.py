"""The answer to a question, as a page shows it: the first rows, and how many there are in all.

A body is read in a stream and only the rows that are shown are kept, so an answer of any size costs
little memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from urllib.parse import quote, urlencode

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

from kg.store.protocol import Graphs

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
class Result:
    """`rows` are those that are shown, of `total`. A question for yes or no has a `verdict`
    instead.
    """

    columns: Sequence[str] = ()
    rows: Sequence[Row] = ()
    total: int = 0
    verdict: bool | None = None
    noun: str = "row"
    forms: dict[str, str] = field(default_factory=lambda: TABLE_FORMS)

    @property
    def said(self) -> str:
        """How many rows there are: `12,345 rows, the first 1,000 of which are shown.`"""
        if not self.total:
            return f"No {self.noun}s."
        more = (
            f", the first {len(self.rows):,} of which are shown"
            if len(self.rows) < self.total
            else ""
        )
        return f"{self.total:,} {self.noun}{'s' if self.total > 1 else ''}{more}."


def table(body: bytes) -> Result:
    """The answer to SELECT or ASK, from SPARQL results in JSON."""
    found = parse_results(body, format=QueryResultsFormat.JSON)
    if not isinstance(found, QuerySolutions):
        return Result(verdict=bool(found))
    rows = first(tuple(solution) for solution in found)
    return Result(
        [variable.value for variable in found.variables], rows, len(rows) + sum(1 for _ in found)
    )


def triples(body: bytes) -> Result:
    """The answer to CONSTRUCT or DESCRIBE, from N-Triples as we write them: a line each."""
    head = b"\n".join(body.split(b"\n", MOST_ROWS)[:MOST_ROWS])
    rows = first(tuple(quad.triple) for quad in parse(head, RdfFormat.N_TRIPLES, lenient=True))
    return Result(
        ("subject", "predicate", "object"),
        rows,
        body.count(b"\n"),
        noun="triple",
        forms=GRAPH_FORMS,
    )


def first(rows: Iterable[Row]) -> list[Row]:
    """As many rows as a page has room for, and at least one."""
    room, found = MOST_TEXT, []
    for row in islice(rows, MOST_ROWS):
        found.append(row)
        room -= sum(MARKUP + min(len(str(term)), LONGEST_TEXT) for term in row)
        if room <= 0:
            break
    return found


def address(query: str, form: str, graphs: Graphs = Graphs()) -> str:  # noqa: B008
    """Where the answer to a question is, seen from the page with the form."""
    chosen = [
        *(("default-graph-uri", iri) for iri in graphs.default),
        *(("named-graph-uri", iri) for iri in graphs.named),
    ]
    return "./sparql?" + urlencode(
        [("query", query), *chosen, ("format", form)], quote_via=quote, safe=""
    )
