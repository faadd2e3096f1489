"""A graph in memory: asked over all its documents at once, with relative addresses, in every standard form."""

from __future__ import annotations

import csv
import json
from io import StringIO

import pytest
from pyoxigraph import Literal, NamedNode, QueryResultsFormat, RdfFormat, parse, parse_query_results

from kg.engine.memory import Memory, readable
from kg.engine.store import Wanted
from kg.errors import BadQuery, WrongForm
from kg.publish.formats import GRAPHS, TABLES

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
    rows = memory.select("SELECT ?name { ?a <http://schema.org/knows> ?b . ?b <http://schema.org/name> ?name }")
    assert rows == [{"name": Literal("Bo")}]


def test_one_document_can_be_asked_alone(memory: Memory) -> None:
    assert len(memory.select("SELECT * { GRAPH <a> { ?s ?p ?o } }")) == 2


def test_relative_addresses_lie_below_the_base(memory: Memory) -> None:
    assert memory.select("SELECT ?who { <a#it> <http://schema.org/knows> ?who }") == [{"who": NamedNode(f"{BASE}b#it")}]


def test_a_value_is_bound_and_nothing_else_gets_in(memory: Memory) -> None:
    query = "SELECT ?thing ?name WHERE { ?thing <http://schema.org/name> ?name }"
    assert [row["name"].value for row in memory.select(query, thing=f"{BASE}b#it")] == ["Bo"]
    with pytest.raises(ValueError, match="Invalid IRI"):
        memory.select(query, thing="x> } # <")
    with pytest.raises(ValueError, match="must say WHERE"):
        memory.select("SELECT ?thing { ?thing ?p ?o }", thing=f"{BASE}b#it")


def test_an_unbound_variable_is_not_in_its_row(memory: Memory) -> None:
    rows = memory.select("SELECT ?s ?who { ?s <http://schema.org/name> 'Bo' OPTIONAL { ?s <http://schema.org/knows> ?who } }")
    assert rows == [{"s": NamedNode(f"{BASE}b#it")}]


def test_only_a_select_has_rows_and_only_a_construct_has_triples(memory: Memory) -> None:
    with pytest.raises(BadQuery):
        memory.select("ASK {}")
    with pytest.raises(BadQuery):
        memory.construct("SELECT * {}")


def test_a_construct_gives_lines_of_ntriples(memory: Memory) -> None:
    lines = memory.construct("CONSTRUCT { ?b <http://schema.org/knows> ?a } WHERE { ?a <http://schema.org/knows> ?b }")
    assert lines == [f"<{BASE}b#it> <http://schema.org/knows> <{BASE}a#it> ."]


def test_documents_come_in_order_and_keep_their_quads_apart(memory: Memory) -> None:
    assert memory.documents() == [f"{BASE}a", f"{BASE}b"]
    assert [len(memory.quads(document)) for document in memory.documents()] == [2, 1]


@pytest.mark.parametrize("media_type", TABLES)
def test_a_table_comes_in_every_standard_form(memory: Memory, media_type: str) -> None:
    answer = memory.answer("SELECT ?name { ?s <http://schema.org/name> ?name }", Wanted(media_type, None))
    assert answer.media_type == media_type
    names = {"Bo", 'Ada, "the" <first>'}
    if media_type == "text/csv":
        assert {row["name"] for row in csv.DictReader(StringIO(answer.body.decode()))} == names
    else:
        form = QueryResultsFormat.from_media_type(media_type)
        assert form is not None
        assert {row["name"].value for row in parse_query_results(answer.body, format=form)} == names  # type: ignore[union-attr]


def test_an_ask_is_answered_with_true_or_false(memory: Memory) -> None:
    for pattern, expected in (("?s ?p 'Bo'", True), ("?s ?p 'Cy'", False)):
        answer = memory.answer(f"ASK {{ {pattern} }}", Wanted(TABLES[0], None))
        assert json.loads(answer.body)["boolean"] is expected


@pytest.mark.parametrize("media_type", GRAPHS)
@pytest.mark.parametrize("query", ["CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o . <a#it> ?p ?o }", "DESCRIBE <a#it>"])
def test_a_graph_comes_in_every_standard_form(memory: Memory, query: str, media_type: str) -> None:
    answer = memory.answer(query, Wanted(None, media_type))
    form = RdfFormat.from_media_type(media_type)
    assert form is not None
    assert answer.media_type == media_type
    assert {quad.triple for quad in parse(answer.body, format=form)} == {quad.triple for quad in memory.quads(f"{BASE}a")}


def test_a_table_is_not_given_where_only_graphs_are_taken(memory: Memory) -> None:
    with pytest.raises(WrongForm, match="gives a table"):
        memory.answer("SELECT * {}", Wanted(None, GRAPHS[0]))
    with pytest.raises(WrongForm, match="gives a graph"):
        memory.answer("DESCRIBE <a>", Wanted(TABLES[0], None))


def test_a_slip_is_shown_with_line_and_column(memory: Memory) -> None:
    with pytest.raises(BadQuery, match=r"^line 2, column \d+: expected ") as caught:
        memory.answer("SELECT *\nWHERE { ?s ?p }", Wanted(TABLES[0], GRAPHS[0]))
    assert "[" not in str(caught.value), "classes of characters help nobody"
    assert len(str(caught.value)) < 250


def test_a_message_of_another_kind_stays_as_it_is() -> None:
    assert readable("no such luck") == "no such luck"
