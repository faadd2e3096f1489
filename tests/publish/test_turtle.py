"""Turtle: short where that is read back as written, and whole where it would not be."""

from __future__ import annotations

import pytest
from pyoxigraph import NamedNode, Quad, RdfFormat, parse

from kg.publish.turtle import turtle

BASE = "https://lab.example.org/a/"


@pytest.mark.parametrize(
    ("iri", "written"),
    [
        (f"{BASE}people/ada#it", "<people/ada#it>"),
        (f"{BASE}people/", "<people/>"),
        (BASE, "<>"),
        (f"{BASE}terms/cv#Study", "cv:Study"),
        ("http://schema.org/name", "schema:name"),
        ("http://schema.org/", "<http://schema.org/>"),
        ("http://schema.org/na\u00aame", "<http://schema.org/na\u00aame>"),
        (f"{BASE}x:y", f"<{BASE}x:y>"),
        (f"{BASE}/x", f"<{BASE}/x>"),
        (f"{BASE}../x", f"<{BASE}../x>"),
    ],
)
def test_an_iri_is_as_short_as_it_can_be(iri: str, written: str) -> None:
    quad = Quad(NamedNode(f"{BASE}people/ada#it"), NamedNode("http://schema.org/about"), NamedNode(iri))
    made = turtle(BASE, [quad])
    assert f"schema:about {written} ." in made.decode()
    assert [Quad(*found.triple) for found in parse(made, format=RdfFormat.TURTLE)] == [quad]
