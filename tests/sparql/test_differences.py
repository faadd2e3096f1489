"""SPARQL differs from the standard as docs/ask.md says, and truths are read in any case."""

from __future__ import annotations

import csv
import io
import re

import pytest

from kg.errors import BadQuery
from kg.sparql.evaluate import answer
from kg.store.memory import Memory
from kg.store.protocol import Query, Wanted
from tests.conftest import ROOT

XSD = "http://www.w3.org/2001/XMLSchema#"
BASE = "https://lab.example.org/"
DATA = f"""
<{BASE}a> <{BASE}p> "01"^^<{XSD}integer> <{BASE}g> .
<{BASE}b> <{BASE}p> "1"^^<{XSD}byte> <{BASE}g> .
<{BASE}c> <{BASE}q> "1.0e6"^^<{XSD}double> <{BASE}h> .
<{BASE}d> <{BASE}day> "2006-08-23Z"^^<{XSD}date> <{BASE}h> .
<{BASE}e> <{BASE}name> "x"@en <{BASE}h> .
"""
DAY = f'"2006-08-23"^^<{XSD}date>'
# A row of docs/ask.md -> queries, with the rows that the engine gives.
DIFFERENCES = {
    "Spelling of values": {
        "SELECT DISTINCT ?o { ?s <p> ?o }": [["1"]],
        "SELECT (STR(?o) AS ?text) { <a> <p> ?o }": [["1"]],
        "SELECT ?o { ?s <q> ?o }": [["1000000"]],
        f'SELECT ?s {{ ?s <p> "001"^^<{XSD}integer> }} ORDER BY ?s': [[f"{BASE}a"], [f"{BASE}b"]],
    },
    "Dates with and without a time zone": {
        f"SELECT ?s {{ ?s <day> ?day FILTER(?day != {DAY}) }}": [[f"{BASE}d"]],
        f"SELECT ?s {{ ?s <day> ?day FILTER(STR(?day) = STR({DAY})) }}": [],
    },
    "`GRAPH ?g`": {
        "SELECT ?g { GRAPH ?g { FILTER(BOUND(?g)) } } ORDER BY ?g": [[f"{BASE}g"], [f"{BASE}h"]],
        "SELECT ?g ?n { GRAPH ?g { SELECT (COUNT(*) AS ?n) { ?s <q> ?o } } }": [["", "1"]],
        "SELECT ?g (COUNT(*) AS ?n) { GRAPH ?g { ?s <q> ?o } } GROUP BY ?g": [[f"{BASE}h", "1"]],
    },
    "`*` and `?` in paths": {
        "SELECT ?o { <unknown> <p>* ?o }": [],
        "SELECT ?o { <unknown> <p>? ?o }": [],
        "SELECT ?o { <e> <p>* ?o }": [[f"{BASE}e"]],
    },
    "`GROUP_CONCAT`": {
        "SELECT (LANG(GROUP_CONCAT(?name)) AS ?l) { ?s <name> ?name }": [["en"]],
        "SELECT (LANG(GROUP_CONCAT(STR(?name))) AS ?l) { ?s <name> ?name }": [[]],
    },
    '`BNODE("a")`': {
        'SELECT (COUNT(DISTINCT ?b) AS ?n) { ?s <p> ?o BIND(BNODE("a") AS ?b) }': [["1"]],
        "SELECT (COUNT(DISTINCT ?b) AS ?n) { ?s <p> ?o BIND(BNODE() AS ?b) }": [["2"]],
    },
    "`?x<?a&&?b>?y`": {
        "SELECT ?x { VALUES (?x ?a ?b ?y) { (1 2 4 3) } FILTER (?x<?a&&?b>?y) }": [["1"]],
    },
}


@pytest.fixture(scope="module")
def memory() -> Memory:
    return Memory(BASE, DATA.encode())


def rows(memory: Memory, query: str) -> list[list[str]]:
    found = answer(memory, Query(query, Wanted("text/csv", None)))
    return list(csv.reader(io.StringIO(found.body.decode())))[1:]


def test_the_documentation_lists_each() -> None:
    section = (ROOT / "docs" / "ask.md").read_text(encoding="utf-8").partition("### Differences")[2]
    table = re.findall(r"^\| ([^|]+?) \|.* (\d+) \|$", section, re.MULTILINE)
    assert [topic for topic, _ in table] == list(DIFFERENCES)
    assert sum(int(number) for _, number in table) == 820 - 794


@pytest.mark.parametrize("topic", DIFFERENCES)
def test_the_engine_differs_as_documented(memory: Memory, topic: str) -> None:
    for query, expected in DIFFERENCES[topic].items():
        assert rows(memory, query) == expected, query


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("SELECT (TRUE AS ?t) (False AS ?f) {}", [["true", "false"]]),
        ('SELECT ?t { VALUES ?t { "TRUE" } FILTER(TRUE) }', [["TRUE"]]),
        ("SELECT ?TRUE { BIND(tRUE AS ?TRUE) }", [["true"]]),
    ],
)
def test_truths_are_read_in_any_case(memory: Memory, query: str, expected: list[list[str]]) -> None:
    assert rows(memory, query) == expected


def test_a_mistake_beside_a_truth_keeps_its_place(memory: Memory) -> None:
    with pytest.raises(BadQuery, match=r"line 1, column 21: unexpected"):
        rows(memory, "SELECT (TRUE AS ?t) ?? {}")
