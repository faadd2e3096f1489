"""A graph in memory: asked over all its documents at once, with relative addresses."""

from __future__ import annotations

import pytest
from pyoxigraph import Literal, NamedNode

from kg.errors import BadQuery
from kg.store.memory import Memory

BASE = "https://lab.example.org/"
NQUADS = f"""
<{BASE}b#it> <http://schema.org/name> "Bo" <{BASE}b> .
<{BASE}a#it> <http://schema.org/name> "Ada, \\"the\\" <first>" <{BASE}a> .
<{BASE}a#it> <http://schema.org/knows> <{BASE}b#it> <{BASE}a> .
""".encode()


@pytest.fixture(scope="module")
def memory() -> Memory:
    return Memory(BASE, NQUADS)


def test_all_documents_are_asked_at_once(memory: Memory) -> None:
    rows = memory.select(
        "SELECT ?name { ?a <http://schema.org/knows> ?b . ?b <http://schema.org/name> ?name }"
    )
    assert rows == [{"name": Literal("Bo")}]


def test_one_document_can_be_asked_alone(memory: Memory) -> None:
    assert len(memory.select("SELECT * { GRAPH <a> { ?s ?p ?o } }")) == 2


def test_relative_addresses_lie_below_the_base(memory: Memory) -> None:
    assert memory.select("SELECT ?who { <a#it> <http://schema.org/knows> ?who }") == [
        {"who": NamedNode(f"{BASE}b#it")}
    ]


def test_a_value_is_bound_and_nothing_else_gets_in(memory: Memory) -> None:
    query = "SELECT ?thing ?name WHERE { ?thing <http://schema.org/name> ?name }"
    assert [row["name"].value for row in memory.select(query, thing=f"{BASE}b#it")] == ["Bo"]
    with pytest.raises(ValueError, match="Invalid IRI"):
        memory.select(query, thing="x> } # <")
    with pytest.raises(ValueError, match="must contain 'WHERE"):
        memory.select("SELECT ?thing { ?thing ?p ?o }", thing=f"{BASE}b#it")


def test_an_unbound_variable_is_not_in_its_row(memory: Memory) -> None:
    rows = memory.select(
        "SELECT ?s ?who { ?s <http://schema.org/name> 'Bo' OPTIONAL { ?s "
        "<http://schema.org/knows> ?who } }"
    )
    assert rows == [{"s": NamedNode(f"{BASE}b#it")}]


def test_only_a_select_has_rows_and_only_a_construct_has_triples(memory: Memory) -> None:
    with pytest.raises(BadQuery):
        memory.select("ASK {}")
    with pytest.raises(BadQuery):
        memory.construct("SELECT * {}")


def test_a_construct_gives_lines_of_ntriples(memory: Memory) -> None:
    lines = memory.construct(
        "CONSTRUCT { ?b <http://schema.org/knows> ?a } WHERE { ?a <http://schema.org/knows> ?b }"
    )
    assert list(lines) == [f"<{BASE}b#it> <http://schema.org/knows> <{BASE}a#it> ."]


def test_documents_come_in_order_and_keep_their_quads_apart(memory: Memory) -> None:
    assert memory.documents() == [f"{BASE}a", f"{BASE}b"]
    assert [len(memory.quads(document)) for document in memory.documents()] == [2, 1]
