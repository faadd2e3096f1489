"""Negotiation: what a client asks for, what is offered, and the one that fits best."""

from __future__ import annotations

import time

import pytest

from kg.publish.formats.media import (
    DUMP_SUFFIXES,
    GRAPHS,
    HTML,
    JSONLD,
    NTRIPLES,
    PAGE_SUFFIXES,
    RDFXML,
    TABLES,
    TURTLE,
    negotiate,
    ranges_of,
)

PAGE = list(PAGE_SUFFIXES.values())
CASES = [
    # Accept header, what a page answers with
    (None, HTML),
    ("", HTML),
    ("  ", HTML),
    ("*/*", HTML),
    ("text/html", HTML),
    ("text/turtle", TURTLE),
    ("TEXT/Turtle", TURTLE),
    ("application/ld+json", JSONLD),
    ("application/n-triples", NTRIPLES),
    ("application/rdf+xml", RDFXML),
    ("application/rdf+xml, text/html;q=0.5", RDFXML),
    ("text/plain", NTRIPLES),
    # q-values
    ("text/html;q=0.5, text/turtle", TURTLE),
    ("text/html;q=0.5, text/turtle;q=0.4", HTML),
    ("text/html ; Q=0.2 , application/ld+json ; q=0.3", JSONLD),
    ("text/html;level=1;q=0.1, text/turtle;charset=utf-8;q=0.9", TURTLE),
    ("text/html;q=0, */*", TURTLE),
    ("text/html;q=0.001, */*;q=0.0001", HTML),
    # wildcards: the most specific range decides
    ("text/*", HTML),
    ("text/*;q=0.9, text/turtle;q=0.1", HTML),
    ("text/*;q=0.1, application/*", JSONLD),
    ("text/html;q=0.1, */*;q=0.5", TURTLE),
    ("*/*, text/html;q=0", TURTLE),
    # ties go to the earlier on offer, not to the earlier in the header
    ("text/turtle, text/html", HTML),
    ("application/ld+json, text/turtle", TURTLE),
    # what real clients send
    ("text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8", HTML),
    ("text/turtle, application/rdf+xml;q=0.9, application/ld+json;q=0.8, */*;q=0.1", TURTLE),
    # broken headers: a broken q counts as 1, empty pieces as nothing
    ("text/turtle;q=high", TURTLE),
    ("text/turtle;q=", TURTLE),
    ("text/turtle;q=7, text/html;q=0.9", TURTLE),
    (",,;q=1,text/turtle,", TURTLE),
    ("text/turtle;;", TURTLE),
    # nothing fits
    ("image/png", None),
    ("image/*, audio/*;q=0.5", None),
    ("text/html;q=0", None),
    ("*/*;q=0", None),
    ("text", None),
    ("html", None),
    (";", None),
]


@pytest.mark.parametrize(("accept", "expected"), CASES)
def test_a_page_is_given_in_the_form_that_fits_best(
    accept: str | None, expected: str | None
) -> None:
    assert negotiate(accept, PAGE) == expected


@pytest.mark.parametrize(
    ("accept", "expected"),
    [
        ("application/json", "application/sparql-results+json"),
        ("application/xml", "application/sparql-results+xml"),
        ("application/json;q=0.1, text/csv", "text/csv"),
        ("application/sparql-results+json;q=0, application/json", None),
    ],
)
def test_the_usual_short_names_stand_for_tables(accept: str, expected: str | None) -> None:
    assert negotiate(accept, TABLES) == expected


def test_quality_is_read_whatever_else_stands_beside_it() -> None:
    assert ranges_of("a/b;x=1; q=0.25 ;y=2, C/D") == [("a/b", 0.25), ("c/d", 1.0)]


def test_the_default_is_the_first_on_offer() -> None:
    assert [negotiate(None, offered) for offered in (PAGE, TABLES, GRAPHS)] == [
        HTML,
        "application/sparql-results+json",
        TURTLE,
    ]


def test_a_long_header_is_read_in_one_go() -> None:
    assert negotiate("x/y;q=0.1," * 5000 + "text/turtle", PAGE) == TURTLE


def test_a_suffix_means_the_same_everywhere() -> None:
    assert all(
        DUMP_SUFFIXES[suffix] == media_type
        for suffix, media_type in PAGE_SUFFIXES.items()
        if suffix in DUMP_SUFFIXES
    )


def test_a_header_that_repeats_itself_costs_little() -> None:
    start = time.process_time()
    assert negotiate("application/json," * 15_000, TABLES) == TABLES[0]
    assert time.process_time() - start < 4
