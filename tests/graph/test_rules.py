"""The rules behind the derived triples: each says what it means, each finds something, and one pass
is enough.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.check.check import check, good
from kg.graph import rules
from kg.graph.build import Graph
from tests.conftest import ROOT

RULES = sorted((ROOT / "queries" / "rules").glob("*.rq"))


@pytest.fixture(scope="module")
def small() -> Graph:
    return good(ROOT / "kg" / "example")


def test_no_rule_went_missing() -> None:
    assert len(RULES) >= 9


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.stem)
def test_a_rule_opens_with_its_meaning_in_words(rule: Path) -> None:
    first = rule.read_text(encoding="utf-8").splitlines()[0]
    assert first.startswith("# ")
    assert len(first.split()) > 4


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.stem)
def test_a_rule_derives_something(rule: Path, graph: Graph, small: Graph) -> None:
    assert [*rules.derive(graph.memory, [rule], []), *rules.derive(small.memory, [rule], [])]


def test_a_second_pass_adds_nothing(graph: Graph, small: Graph) -> None:
    for each in (graph, small):
        known = set(each.nquads.decode().splitlines(keepends=True))
        assert set(rules.derive(each.memory, RULES, [])) <= known


def test_rules_speak_only_of_things_that_are_described(graph: Graph) -> None:
    typed = {
        row["thing"].value
        for row in graph.memory.select("SELECT DISTINCT ?thing { ?thing a ?class }")
    }
    assert {line[1 : line.index(">")] for line in rules.derive(graph.memory, RULES, [])} <= typed


def test_the_rules_of_a_site_join_ours(example: Path) -> None:
    rule = (
        "# Everybody has won.\nCONSTRUCT { ?p <http://schema.org/award> 'x' } WHERE { ?p a "
        "<http://schema.org/Person> }"
    )
    folder = example / "queries" / "rules"
    folder.mkdir(parents=True)
    (folder / "own.rq").write_text(rule, encoding="utf-8")
    assert len(good(example).memory.select("SELECT ?p { ?p <http://schema.org/award> 'x' }")) == 4


@pytest.mark.sample(test=0.3)
@pytest.mark.parametrize(
    ("rule", "why"),
    [
        (b"CONSTRUCT { ?a", "1:11 This '{' is never closed"),
        (
            b"# a\nSELECT * { ?a ?b ?c }",
            "2:1 SELECT is not allowed here. Write a CONSTRUCT or DESCRIBE",
        ),
        (b"# \xff", "1:3 Byte 0xff is not UTF-8"),
        (
            (
                b"CONSTRUCT { [] <http://schema.org/knows> ?p } WHERE { ?p a "
                b"<http://schema.org/Person> }"
            ),
            "1:1 A blank node is not part of this site",
        ),
        (
            (
                b"CONSTRUCT { <urn:x> <http://schema.org/knows> ?p } WHERE { ?p a "
                b"<http://schema.org/Person> }"
            ),
            "1:13 <urn:x> is not part of this site",
        ),
    ],
)
def test_a_rule_that_cannot_be_used_is_a_problem(example: Path, rule: bytes, why: str) -> None:
    folder = example / "queries" / "rules"
    folder.mkdir(parents=True)
    (folder / "own.rq").write_bytes(rule)
    (problem,) = check(example).problems
    place = problem.place
    assert (place.file, problem.severity) == ("queries/rules/own.rq", "error")
    assert f"{place.line}:{place.column} {problem.message}".startswith(why)
