"""Turtle is read from the name down: one file shows the order, and the tables name real terms."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyoxigraph import BlankNode, Literal, NamedNode, Quad, RdfFormat, parse

from kg import vocab
from kg.graph.build import Graph
from kg.graph.describe import quads_of
from kg.publish.formats import rdf as order
from kg.publish.formats.rdf import turtle
from kg.vocab import cv

BASE = "https://lab.example.org/a/"
PERSON = Path(__file__).with_name("person.ttl").read_bytes()
NAMESPACES = vocab.EXTERNAL | {"cv": vocab.cv}

SUBJECTS = [
    f"{BASE}people/ada{end}"
    for end in ("", "#it", "#work-x", "#work-x-gpa", "#talk-2", "#talk-02²")
]
PREDICATES = [
    vocab.rdf.type,
    vocab.schema.name,
    vocab.schema.startDate,
    vocab.foaf.name,
    f"{BASE}p",
]
IRIS = st.sampled_from([*SUBJECTS, cv.Study, str(vocab.foaf.Person), "urn:x"])
VALUES = (
    st.text() | st.text('"\\\n\r ') | st.from_regex(r"[+-]?[0-9]{0,3}\.?[0-9]{0,3}|true|false|1|0")
)
DATATYPES = [str(each) for each in (vocab.xsd.integer, vocab.xsd.decimal, vocab.xsd.boolean)]
LITERALS = st.one_of(
    st.builds(Literal, VALUES),
    st.builds(Literal, VALUES, language=st.sampled_from(["en", "de-at"])),
    st.builds(Literal, VALUES, datatype=st.sampled_from([NamedNode(each) for each in DATATYPES])),
)
QUADS = st.builds(
    Quad,
    st.builds(NamedNode, st.sampled_from(SUBJECTS)),
    st.builds(NamedNode, st.sampled_from(PREDICATES)),
    st.builds(NamedNode, IRIS) | LITERALS,
)


def read(text: bytes) -> list[Quad]:
    return [Quad(*quad.triple) for quad in parse(text, format=RdfFormat.TURTLE)]


def test_a_person_reads_from_the_name_down() -> None:
    quads = read(PERSON)
    assert turtle(BASE, reversed(quads)) == turtle(BASE, quads) == PERSON


@pytest.mark.fuzz
@settings(deadline=None)
@given(st.lists(QUADS))
def test_what_is_written_is_read_back_and_has_one_form(quads: list[Quad]) -> None:
    written = turtle(BASE, quads)
    assert set(read(written)) == set(quads)
    assert turtle(BASE, reversed(quads)) == written


@pytest.mark.parametrize("table", [order.PREDICATES, order.GENERAL, order.SECTIONS])
def test_the_tables_hold_terms_of_the_profile_once(table: str) -> None:
    terms = table.replace(" degree\n", "").split()
    assert len(terms) == len(set(terms)) > 8
    for term in terms:
        prefix, _, local = term.partition(":")
        assert NAMESPACES[prefix][local]


def test_numbers_in_names_count() -> None:
    quads = [
        Quad(NamedNode(f"{BASE}w#author-{place}"), NamedNode(vocab.schema.position), Literal(place))
        for place in (10, 9, 2, 1)
    ]
    written = order.reading_order(BASE, quads)
    assert written == quads[::-1]


def test_a_node_without_a_name_can_be_a_subject() -> None:
    quad = Quad(BlankNode("x"), NamedNode(vocab.schema.name), Literal("Ada"))
    assert b'_:x schema:name "Ada" .' in turtle(BASE, [quad])


def test_the_documents_of_the_site_are_read_without_scrolling(graph: Graph) -> None:
    base = graph.site.base
    for slug in ("alvar-jarl", "mirela-zemann", "sigvard-sunde"):
        text = turtle(base, quads_of(graph.memory, f"{base}people/{slug}")).decode()
        lines = text.partition("\n\n")[2].split("\n")
        assert lines[0].startswith(f"<people/{slug}#it> a ")
        assert lines[1].startswith("  schema:name ")
        assert max(map(len, lines)) <= 561
