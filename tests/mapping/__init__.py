"""Walks over small sites: their lines as quads that can be asked, with addresses below the base
written short.
"""

from __future__ import annotations

from pathlib import Path

from pyoxigraph import NamedNode, RdfFormat, parse

from kg.facts.load import load
from kg.graph.build import walk
from kg.mapping.walk import Walker
from tests.cases import BASE
from tests.facts import site_with

SCHEMA, DCTERMS, RDF_TYPE = (
    "http://schema.org/",
    "http://purl.org/dc/terms/",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#type",
)

Quads = set[tuple[str, str, str, str]]


def walked(folder: Path, **files: str) -> Walker:
    """The walk over the base of the cases and these files, which are in order."""
    facts = load(site_with(folder, **files))
    assert [str(problem) for problem in facts.problems] == []
    return walk(facts, BASE)[0]


def quads(walker: Walker) -> Quads:
    """Subject, predicate, object and graph of every line: IRIs below the base without it,
    predicates by their last word.
    """
    found = parse("".join(walker.lines).encode(), RdfFormat.N_QUADS)
    return {
        (short(each.subject), word(each.predicate), short(each.object), short(each.graph_name))
        for each in found
    }


def short(term: object) -> str:
    return str(getattr(term, "value", term)).removeprefix(BASE)


def word(predicate: NamedNode) -> str:
    return predicate.value.rpartition("#")[2].rpartition("/")[2]


def about(walker: Walker, subject: str) -> set[tuple[str, str]]:
    """What is said of a thing: predicates and objects."""
    return {(predicate, value) for node, predicate, value, _ in quads(walker) if node == subject}
