"""What is counted is what SPARQL counts."""

from __future__ import annotations

from collections import Counter

import pytest

from kg.graph.build import Graph
from kg.publish.about.counts import Counts, count, datatype_of
from kg.vocab import rdf, schema, xsd
from tests.conftest import facts_of


@pytest.fixture(scope="module")
def counts(graph: Graph) -> Counts:
    return count(graph.nquads)


def asked(graph: Graph, query: str) -> dict[tuple[str, ...], tuple[int, ...]]:
    """The rows of a query: the addresses in them, and the numbers."""
    found = {}
    for row in facts_of(graph).select(
        f"PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> {query}"
    ):
        values = [term.value for term in row.values()]
        found[tuple(value for value in values if not value.isdigit())] = tuple(
            int(value) for value in values if value.isdigit()
        )
    return found


def test_the_whole(graph: Graph, counts: Counts) -> None:
    whole = (
        "(COUNT(*) AS ?n) (COUNT(DISTINCT ?s) AS ?ns) (COUNT(DISTINCT ?o) AS ?no) "
        "(COUNT(DISTINCT ?p) AS ?np)"
    )
    ((numbers),) = asked(graph, f"SELECT {whole} {{ ?s ?p ?o }}").values()
    totals = counts.totals
    names = ("triples", "distinctSubjects", "distinctObjects", "properties")
    assert tuple(totals[name] for name in names) == numbers
    assert totals["properties"] == len(counts.properties)
    assert totals["documents"] == len(facts_of(graph).fact_graphs)
    assert totals["classes"] == len(counts.classes) > 40


def test_classes(graph: Graph, counts: Counts) -> None:
    expected = asked(
        graph, "SELECT ?class (COUNT(DISTINCT ?s) AS ?n) { ?s a ?class } GROUP BY ?class"
    )
    assert {(kind,): (number,) for kind, number in counts.classes.items()} == expected


def test_properties(graph: Graph, counts: Counts) -> None:
    query = (
        "SELECT ?p (COUNT(*) AS ?n) (COUNT(DISTINCT ?s) AS ?ns) (COUNT(DISTINCT ?o) AS ?no) { ?s "
        "?p ?o } GROUP BY ?p"
    )
    assert {
        (name,): (each.triples, each.subjects, each.values)
        for name, each in counts.properties.items()
    } == asked(graph, query)


def test_properties_of_classes(graph: Graph, counts: Counts) -> None:
    query = (
        "SELECT ?class ?p (COUNT(*) AS ?n) (COUNT(DISTINCT ?s) AS ?ns) { ?s a ?class ; ?p ?o } "
        "GROUP BY ?class ?p"
    )
    assert {key: (each.triples, each.subjects) for key, each in counts.uses.items()} == asked(
        graph, query
    )


def test_links_between_classes(graph: Graph, counts: Counts) -> None:
    query = (
        "SELECT ?class ?p ?other (COUNT(*) AS ?n) { ?s a ?class ; ?p ?o . ?o a ?other } GROUP BY "
        "?class ?p ?other"
    )
    assert {key: (number,) for key, number in counts.links.items()} == asked(graph, query)


def test_datatypes(graph: Graph, counts: Counts) -> None:
    query = (
        "SELECT ?class ?p ?datatype (COUNT(*) AS ?n) { ?s a ?class ; ?p ?o BIND(DATATYPE(?o) AS "
        "?datatype) FILTER(isLiteral(?o)) }"
    )
    assert {key: (number,) for key, number in counts.datatypes.items()} == asked(
        graph, f"{query} GROUP BY ?class ?p ?datatype"
    )


@pytest.mark.parametrize(
    ("literal", "datatype"),
    [
        ('"a <b> \\"^^<c>\\""', xsd.string),
        ('"1"^^<http://www.w3.org/2001/XMLSchema#integer>', xsd.integer),
        ('"Fjord"@nb', rdf.langString),
    ],
)
def test_the_datatype_of_a_literal(literal: str, datatype: str) -> None:
    end = literal[literal.rindex('"') :]
    assert datatype_of(end.encode()) == datatype


def test_a_thing_without_a_class_and_a_class_from_elsewhere() -> None:
    lines = [
        f'<https://a.example/x> <{schema.name}> "X" <https://a.example/x> .\n',
        f"<https://a.example/y> <{rdf.type}> <https://b.example/Kind> <https://a.example/y> .\n",
        f"<https://a.example/y> <{schema.about}> <https://a.example/x> <https://a.example/y> .\n",
        f"<https://a.example/y> <{schema.about}> <https://b.example/z> <https://a.example/y> .\n",
    ]
    counts = count("".join(lines).encode())
    assert counts.classes == Counter({"https://b.example/Kind": 1})
    assert counts.uses["https://b.example/Kind", schema.about].triples == 2
    assert (counts.links, counts.datatypes) == (Counter(), Counter())
    assert counts.totals == {
        "triples": 4,
        "entities": 2,
        "distinctSubjects": 2,
        "distinctObjects": 4,
        "classes": 1,
        "properties": 3,
        "documents": 2,
    }


def test_nothing_is_counted_as_nothing() -> None:
    assert set(count(b"").totals.values()) == {0}
