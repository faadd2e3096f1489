"""Turtle: short where that is read back as written, and whole where it would not be."""

from __future__ import annotations

import pytest
from pyoxigraph import Literal, NamedNode, Quad, RdfFormat, parse

from kg.publish.formats.rdf import turtle
from kg.vocab import cv

BASE = "https://lab.example.org/a/"


@pytest.mark.parametrize(
    ("iri", "written"),
    [
        (f"{BASE}people/ada#it", "<people/ada#it>"),
        (f"{BASE}people/", "<people/>"),
        (BASE, "<>"),
        (cv.Study, "cv:Study"),
        ("http://schema.org/name", "schema:name"),
        ("http://schema.org/", "<http://schema.org/>"),
        ("http://schema.org/na\u00aame", "<http://schema.org/na\u00aame>"),
        (f"{BASE}void#class/schema:Person/a%2Fb", "<void#class/schema:Person/a%2Fb>"),
        (f"{BASE}x:y", f"<{BASE}x:y>"),
        (f"{BASE}/x", f"<{BASE}/x>"),
        (f"{BASE}../x", f"<{BASE}../x>"),
    ],
)
def test_an_iri_is_as_short_as_it_can_be(iri: str, written: str) -> None:
    quad = Quad(
        NamedNode(f"{BASE}people/ada#it"), NamedNode("http://schema.org/about"), NamedNode(iri)
    )
    made = turtle(BASE, [quad])
    assert f"schema:about {written} ." in made.decode()
    assert [Quad(*found.triple) for found in parse(made, format=RdfFormat.TURTLE)] == [quad]


@pytest.mark.parametrize(
    "text", ["one\ntwo", 'say "a"\n""" \\" \\', "\n", '\n"', "\r\n\t\\n\n", "a\n\n\x00b"]
)
@pytest.mark.parametrize("language", [None, "en"])
def test_a_text_of_several_lines_keeps_them(text: str, language: str | None) -> None:
    quad = Quad(
        NamedNode(f"{BASE}a"), NamedNode("http://schema.org/text"), Literal(text, language=language)
    )
    made = turtle(BASE, [quad])
    assert made.count(b"\n") == turtle(
        BASE, [Quad(quad.subject, quad.predicate, Literal("a"))]
    ).count(b"\n") + text.count("\n")
    assert [Quad(*found.triple) for found in parse(made, format=RdfFormat.TURTLE)] == [quad]


def test_other_prefixes_can_be_given() -> None:
    quad = Quad(NamedNode(f"{BASE}a"), NamedNode("http://rdfs.org/ns/void#triples"), Literal(1))
    assert b"void:triples 1 ." in turtle(BASE, [quad], {"void": "http://rdfs.org/ns/void#"})
    assert b"<http://rdfs.org/ns/void#triples> 1 ." in turtle(BASE, [quad])
