"""Whoever gets another answer because of an edit is among those that it affects."""

from __future__ import annotations

import random

import pytest

from kg.check.check import good
from kg.check.impact.dependencies import dependencies
from kg.check.impact.impact import Difference
from kg.graph.build import Graph
from kg.settings import shipped
from kg.store.memory import Memory
from tests.conftest import ROOT

QUERIES = [
    path
    for path in sorted(shipped("queries").glob("*/*.rq"))
    if "?thing" in path.read_text() and path.parent.name in ("pages", "site")
]
BASE = "https://lab.example.org/"


@pytest.fixture(scope="module")
def small() -> Graph:
    return good(ROOT / "kg" / "example")


def things(memory: Memory) -> list[str]:
    documents = memory.documents()
    return [f"{document}#it" for document in documents] + documents


@pytest.mark.parametrize("seed", range(3))
def test_who_gets_another_answer_is_affected(small: Graph, seed: int) -> None:
    """Some lines are gone, and some are new: those of another part of the same graph."""
    chance = random.Random(seed)
    lines = small.nquads.decode().splitlines(keepends=True)
    new = chance.sample(lines, 12)
    gone = chance.sample([line for line in lines if line not in new], 12)
    before, after = (
        Memory(BASE, "".join(each for each in lines if each not in left).encode())
        for left in (new, gone)
    )
    difference = Difference(after, [line.rstrip("\n") for line in new + gone])
    spared = 0
    for path in QUERIES:
        query = path.read_text(encoding="utf-8")
        affected = difference.affected(query, "thing")
        for thing in things(after):
            if affected is not None and thing not in affected:
                spared += 1
                assert before.select(query, thing=thing) == after.select(query, thing=thing), (
                    path.name,
                    thing,
                )
    assert spared > len(QUERIES) * len(things(after)) / 3, "or it is of no use"


def test_most_queries_tell_how_far_they_look() -> None:
    unknown = [
        path.name
        for path in QUERIES
        if dependencies(path.read_text(encoding="utf-8"), BASE, "thing") is None
    ]
    assert len(QUERIES) >= 40
    assert unknown == []


@pytest.mark.parametrize(
    ("query", "is_far"),
    [
        ("SELECT ?thing ?n WHERE { ?thing schema:knows ?o . ?o schema:name ?n }", False),
        ("SELECT ?thing ?n WHERE { OPTIONAL { ?thing schema:knows ?o } ?o schema:name ?n }", True),
        (
            "SELECT ?thing ?n WHERE { ?thing a ?class . ?o schema:name ?n FILTER(?o != ?thing) }",
            True,
        ),
        (
            (
                "SELECT ?thing ?n WHERE { { ?thing schema:knows ?o } UNION { ?o schema:knows "
                "?thing } ?o schema:name ?n }"
            ),
            False,
        ),
        (
            (
                "SELECT ?thing ?n WHERE { { ?thing schema:knows ?o } UNION { ?thing a ?o2 } ?o "
                "schema:name ?n }"
            ),
            True,
        ),
        (
            "SELECT ?thing ?n WHERE { ?thing a ?class { SELECT ?n { ?thing schema:name ?n } } }",
            True,
        ),
        (
            (
                "SELECT ?thing ?n WHERE { ?thing a ?class { SELECT ?thing ?n { ?thing "
                "schema:name ?n } } }"
            ),
            False,
        ),
    ],
)
def test_without_a_way_that_always_holds_everything_may_be_affected(
    query: str, is_far: bool
) -> None:
    told = dependencies(f"PREFIX schema: <http://schema.org/> {query}", BASE, "thing")
    assert told is not None
    names = [way for way in told if ("http://schema.org/name", False) in way.pattern.edge.links]
    assert names
    assert any(way.steps is None for way in names) == is_far


def test_of_a_part_with_a_limit_nothing_is_known() -> None:
    query = (
        "SELECT ?thing ?n WHERE { { SELECT ?thing ?n { ?thing <http://schema.org/name> ?n } "
        "LIMIT 3 } }"
    )
    assert dependencies(query, BASE, "thing") is None
