"""The shapes: each has words for the author, and our quicker way to judge finds what plain pyshacl finds."""

from __future__ import annotations

import re
from pathlib import Path

import pyshacl
import pytest
import rdflib
from rdflib.namespace import SH

from kg.errors import KgError
from kg.facts.load import load
from kg.graph.build import Graph, build
from kg.graph.check import good
from kg.graph.dataset import local
from kg.graph.shapes import shapes_graph, validate
from kg.mapping.text import ntriples
from kg.settings import shipped
from tests import cases
from tests.conftest import ROOT

FILES = sorted(shipped("shapes").glob("*.ttl"))
BAD = ["author-twice", "ends-before-it-starts", "homepage-shared", "organisation-its-own-ancestor"]
Result = tuple[str | None, ...]


def plainly(graph: Graph) -> set[Result]:
    """What pyshacl alone finds in the union graph: focus, path, value, rule, severity."""
    union = rdflib.Graph().parse(data=ntriples(graph.nquads), format="nt")
    _, report, _ = pyshacl.validate(union, shacl_graph=shapes_graph(graph.site.base, FILES))
    assert isinstance(report, rdflib.Graph)
    parts = (SH.focusNode, SH.resultPath, SH.value, SH.sourceShape, SH.resultSeverity)
    found = [[report.value(result, part) for part in parts] for result in report.objects(None, SH.result)]
    return {
        (*(None if term is None else str(term) for term in about), local(str(rule)), local(str(severity)))
        for *about, rule, severity in found
    }


def ours(graph: Graph) -> set[Result]:
    return {(each.focus, each.path, each.value, each.rule, each.severity) for each in validate(graph, FILES)}


def built(folder: Path) -> Graph:
    facts = load(folder)
    assert facts.site is not None
    return build(facts, facts.site)


def test_every_rule_has_words_for_the_author() -> None:
    shapes = shapes_graph("https://lab.example.org/", FILES)
    rules = {*shapes.subjects(SH.path), *shapes.objects(None, SH.sparql)}
    assert len(rules) >= 25
    wordless = {rule for rule in rules if len(str(shapes.value(rule, SH.message) or "").split()) < 3}
    assert wordless == set()


def test_every_rule_has_a_name() -> None:
    shapes = shapes_graph("https://lab.example.org/", FILES)
    assert [rule for rule in (*shapes.subjects(SH.path), *shapes.subjects(SH.sparql)) if not isinstance(rule, rdflib.URIRef)] == []


def test_the_example_satisfies_both_ways_of_judging() -> None:
    graph = built(ROOT / "kg" / "example")
    assert ours(graph) == plainly(graph) == set()


@pytest.mark.parametrize("case", BAD)
def test_we_find_what_plain_pyshacl_finds(case: str, tmp_path: Path) -> None:
    graph = built(cases.site(cases.FOLDER / case, tmp_path))
    assert ours(graph) == plainly(graph) != set()


SHACL = "@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix schema: <http://schema.org/> .\n"


@pytest.mark.parametrize(
    ("shape", "why"),
    [
        ("<shapes#own> a sh:NodeShape", "own.ttl: these shapes cannot be used"),
        ("<shapes#own> sh:targetNode <> ; sh:sparql [ sh:select 'SELECT ?value WHERE {' ] .", "the query of own is wrong: line 1"),
        ("<shapes#own> sh:targetNode <> ; sh:sparql [ sh:select 'SELECT ?value { ?value ?p ?o }' ] .", "must say WHERE"),
        ("<shapes#own> sh:targetClass schema:Person ; sh:property [ sh:path schema:name ; sh:minCount 'x' ] .", "sh:minCount"),
    ],
)
def test_shapes_of_a_site_that_cannot_be_used_are_told(example: Path, shape: str, why: str) -> None:
    (example / "shapes").mkdir()
    (example / "shapes" / "own.ttl").write_text(SHACL + shape, encoding="utf-8")
    with pytest.raises(KgError, match=re.escape(why)):
        good(example)
