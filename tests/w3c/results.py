"""What a query should give and what it gave, read from any of the suite's formats into one value.

Terms are read by pyoxigraph, which keeps lexical forms as they are written; rdflib would tidy them,
and hide a difference.
"""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyoxigraph as ox
from pyoxigraph import BlankNode, Literal, NamedNode, QueryResultsFormat, RdfFormat, Triple

RS = "http://www.w3.org/2001/sw/DataAccess/tests/result-set#"
TYPE = NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")

JSON, XML = "application/sparql-results+json", "application/sparql-results+xml"
CSV, TSV = "text/csv", "text/tab-separated-values"
TURTLE, RDF_XML = "text/turtle", "application/rdf+xml"
MEDIA_TYPES = {
    **{".srj": JSON, ".srx": XML, ".csv": CSV, ".tsv": TSV},
    **{".ttl": TURTLE, ".nt": TURTLE, ".rdf": RDF_XML},
}

Term = NamedNode | BlankNode | Literal | Triple
Row = dict[str, Term]


@dataclass(frozen=True)
class Table:
    variables: frozenset[str]
    rows: list[Row]
    ordered: bool = False


@dataclass(frozen=True)
class Triples:
    """A graph, as a table of its triples."""

    rows: list[Row]


Result = bool | Table | Triples


def expected(path: Path, iri: str) -> tuple[Result, str]:
    """What a file says should come, and the media type in which to ask for it."""
    media_type = MEDIA_TYPES[path.suffix]
    result = read(path.read_bytes(), media_type, iri)
    if media_type in (TURTLE, RDF_XML):
        return result, TURTLE if isinstance(result, Triples) else JSON
    return result, media_type


def read(body: bytes, media_type: str, base: str | None = None) -> Result:
    if media_type == CSV:
        return plain(body)
    if media_type in (TURTLE, RDF_XML):
        return graph(body, media_type, base)
    form = QueryResultsFormat.from_media_type(media_type)
    found = ox.parse_query_results(body, form)
    if isinstance(found, ox.QueryBoolean):
        return bool(found)
    variables = [variable.value for variable in found.variables]
    rows = [{name: row[name] for name in variables if row[name] is not None} for row in found]
    return Table(frozenset(variables), rows)


def plain(body: bytes) -> Table:
    """CSV has no types: all is text but the blank nodes, and an empty cell is an unbound
    variable.
    """
    head, *lines = csv.reader(io.StringIO(body.decode(), newline=""))
    rows: list[Row] = []
    for line in lines:
        cells = zip(head, line, strict=True)
        rows.append(
            {
                name: BlankNode(cell[2:]) if cell.startswith("_:") else Literal(cell)
                for name, cell in cells
                if cell
            }
        )
    return Table(frozenset(head), rows)


def graph(body: bytes, media_type: str, base: str | None) -> Result:
    """A graph, or the table or truth that a graph in the DAWG's vocabulary describes."""
    quads = ox.Dataset(ox.parse(body, RdfFormat.from_media_type(media_type), base_iri=base))
    sets = [
        quad.subject
        for quad in quads.quads_for_object(NamedNode(RS + "ResultSet"))
        if quad.predicate == TYPE
    ]
    if not sets:
        return Triples(
            [{"s": quad.subject, "p": quad.predicate, "o": quad.object} for quad in quads]
        )

    def values(thing: Any, name: str) -> list[Any]:
        return [
            quad.object
            for quad in quads.quads_for_subject(thing)
            if quad.predicate == NamedNode(RS + name)
        ]

    if truth := values(sets[0], "boolean"):
        return bool(truth[0].value == "true")
    variables = frozenset(name.value for name in values(sets[0], "resultVariable"))
    solutions = values(sets[0], "solution")
    ordered = bool(solutions) and all(values(solution, "index") for solution in solutions)
    if ordered:
        solutions.sort(key=lambda solution: int(values(solution, "index")[0].value))
    rows = [
        {
            values(binding, "variable")[0].value: values(binding, "value")[0]
            for binding in values(solution, "binding")
        }
        for solution in solutions
    ]
    return Table(variables, rows, ordered)
