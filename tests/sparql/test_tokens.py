"""Queries that differ in their addresses only are read once, and answered each by itself."""

from __future__ import annotations

import json

import pytest

from kg.errors import BadQuery
from kg.sparql.evaluate import answer
from kg.sparql.reading import guard
from kg.sparql.reading.tokens import MAX_CACHED, template_of, tokens
from kg.store.memory import Memory
from kg.store.protocol import Answer, Query, Wanted
from tests.test_queries import QUERIES

BASE = "https://e.example/"
JSON = Wanted("application/sparql-results+json", "text/turtle")
QUADS = b"".join(
    f'<{BASE}{name}> <{BASE}{edge}> "{name} {edge}" <{BASE}g{number}> .\n'.encode()
    for number, name in enumerate(("ada", "bo"))
    for edge in ("zeta", "alpha")
)
TRICKY = [
    "SELECT * { <http://a> ?p <http://b#c> . <http://a> ?q '<http://d>' }",
    'SELECT * { ?s ?p "<http://a>", """<http://b>\n" <http://c>""" } # <http://d>',
    "SELECT * { # <http://a> {\n ?s <http://b?x=y&z='> ?o FILTER(?o<3 && 4>?o) }",
    "ASK { <m://7> ?p <m://0> , <x://1> }",
    (
        "PREFIX a: <http://a/> BASE <http://b/> SELECT ?x FROM <http://c> { ?x a:b <d>, "
        "<http://e>, <http://e> }"
    ),
    "# {\nPREFIX a: <http://a/>\nSELECT ?x { ?x a:b <http://c> }",
    "SELECT ('{' AS ?x) FROM <http://c> { ?x ?y <http://d> }",
    (
        "SELECT ?x { ?x ?y <http://a/../b>, <http://c\\u0064>, <relative>, <http://un finished>, "
        "<http://e> }"
    ),
    "DESCRIBE <http://a> ?x { ?x ?y <http://b> }",
    "",
    "{{{ <http://a",
]


@pytest.fixture(scope="module")
def memory() -> Memory:
    return Memory(BASE, QUADS)


def ask(memory: Memory, query: str) -> Answer:
    guard.check(query)
    return answer(memory, Query(query, JSON))


@pytest.mark.parametrize("query", [*TRICKY, *QUERIES.values()])
def test_a_shape_has_the_same_tokens_and_gives_the_query_back(query: str) -> None:
    found = template_of(query)
    assert found.restore(found.text) == query
    kinds, real = (
        [token.kind for token in tokens(found.text)],
        [token.kind for token in tokens(query)],
    )
    assert kinds == real
    assert [found.restore(token.text) for token in tokens(found.text)] == [
        token.text for token in tokens(query)
    ]


def test_the_same_shape_is_another_question(memory: Memory) -> None:
    queries = [
        f"SELECT ?o {{ <{BASE}{name}> <{BASE}alpha> ?o }}" for name in ("ada", "bo", "nobody")
    ]
    assert len({template_of(query).text for query in queries}) == 1
    assert [
        [row["o"]["value"] for row in json.loads(ask(memory, query).body)["results"]["bindings"]]
        for query in queries
    ] == [
        ["ada alpha"],
        ["bo alpha"],
        [],
    ]
    assert [len(ask(memory, query).hints) for query in queries] == [0, 0, 1]
    assert f"<{BASE}nobody>" in ask(memory, queries[2]).hints[0]


def test_all_columns_keep_the_order_of_the_query(memory: Memory) -> None:
    for name in ("ada", "bo"):
        query = f"SELECT * {{ <{BASE}{name}> <{BASE}zeta> ?z . <{BASE}{name}> <{BASE}alpha> ?a }}"
        table = json.loads(ask(memory, query).body)
        assert table["head"]["vars"] == ["z", "a"]
        assert [row["a"]["value"] for row in table["results"]["bindings"]] == [f"{name} alpha"]


def test_what_patterns_find_is_described(memory: Memory) -> None:
    for name, other in (("ada", "bo"), ("bo", "ada")):
        told = ask(memory, f"DESCRIBE ?s {{ VALUES ?s {{ <{BASE}{name}> }} }}").body.decode()
        assert f"{name} alpha" in told
        assert f"{other} alpha" not in told


def test_graphs_that_are_named_behind_a_misleading_brace_are_found(memory: Memory) -> None:
    for number, name in enumerate(("ada", "bo")):
        query = (
            "SELECT ?s ('{' AS ?brace) FROM <graph> { ?s <https://e.example/alpha> ?o }".replace(
                "graph", f"{BASE}g{number}"
            )
        )
        assert [
            row["s"]["value"] for row in json.loads(ask(memory, query).body)["results"]["bindings"]
        ] == [f"{BASE}{name}"]


def test_what_is_refused_is_told_at_its_own_place() -> None:
    for name in ("a", "abc"):
        with pytest.raises(BadQuery, match=rf"line 1, column {30 + len(name)}\b"):
            guard.check(f"SELECT * {{ ?s <http://a/{name}> ?o SERVICE <http://b> {{ ?s ?p ?o }} }}")


def test_a_service_among_addresses_is_none_and_a_real_one_is_refused() -> None:
    guard.check("SELECT * { <http://service/> <http://b/service> ?service }")
    guard.check("SELECT * { <http://other/> <http://b/other> ?service }")
    for address in ("http://a", "http://service"):
        with pytest.raises(BadQuery, match="SERVICE"):
            guard.check(f"SELECT * {{ SERVICE <{address}> {{ ?s ?p ?o }} }}")


def test_a_long_query_is_read_each_time() -> None:
    query = f"SELECT * {{ ?s <http://a> '{'x' * MAX_CACHED}' }}"
    assert template_of(query) == (query, ())
    guard.check(query)
