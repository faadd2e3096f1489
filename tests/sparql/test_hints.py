"""Hints: what a query names and no triple uses, and what was probably meant."""

from __future__ import annotations

import time

import pytest

from kg.graph.build import Graph
from kg.sparql.endpoint import Embedded
from kg.sparql.evaluate import answer
from kg.sparql.limits import Limits
from kg.sparql.reading.hints import MAX_NAME, hints
from kg.sparql.reading.tokens import template_of
from kg.store.memory import Memory
from kg.store.protocol import Query, Wanted
from kg.vocab import cv
from tests.sparql.asking import answered
from tests.test_queries import QUERIES

BASE = "https://lab.example.org/"
NQUADS = f"""\
<{BASE}people/ada#it> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://schema.org/Person> <{BASE}people/ada> .
<{BASE}people/ada#it> <http://schema.org/name> "Ada" <{BASE}people/ada> .
<{BASE}people/ada#it> <http://schema.org/affiliation> <{BASE}people/ada#work-northfjord> <{BASE}people/ada> .
<{BASE}people/ada#work-northfjord> <http://schema.org/additionalType> <{cv.Employment}> <{BASE}people/ada> .
<{BASE}works/sand#it> <http://schema.org/author> <{BASE}people/ada#it> <{BASE}works/sand> .
<{BASE}works/sand#it> <http://schema.org/datePublished> "2024"^^<http://www.w3.org/2001/XMLSchema#gYear> <{BASE}works/sand> .
<{BASE}works/sand#it> <{cv.earliest}> "2024-01-01"^^<http://www.w3.org/2001/XMLSchema#date> <{BASE}works/sand> .
<{BASE}people/noor-haddad#it> <http://xmlns.com/foaf/0.1/name> "Noor" <{BASE}people/noor-haddad> .
<http://elsewhere.example/größe> <http://elsewhere.example/hat-wert> "1" <http://elsewhere.example/größe> .
""".encode()  # noqa: E501
PREFIXES = (
    "PREFIX schema: <http://schema.org/> PREFIX foaf: <http://xmlns.com/foaf/0.1/> PREFIX cv: "
    "<https://w3id.org/cv-kg/terms#> "
)
MOVED = "PREFIX schema: <https://schema.org/> "


PAGES = (
    f"<{BASE}people/ada> <http://schema.org/mainEntity> <{BASE}people/ada#it> <{BASE}pages> .\n"
).encode()


@pytest.fixture(scope="module")
def memory() -> Memory:
    return Memory(BASE, NQUADS)


def test_what_only_pages_say_is_asked_of_their_graph() -> None:
    memory = Memory(BASE, NQUADS, rest=PAGES)
    pattern = "?page schema:mainEntity ?thing"
    assert told(memory, f"{PREFIXES} SELECT * {{ {pattern} }}") == (
        "No triple in the default graph uses schema:mainEntity; it is in the graph <pages>: use "
        "GRAPH <pages> { … }.",
    )
    for graph in ("<pages>", f"<{BASE}pages>"):
        named = f"{PREFIXES} SELECT * {{ GRAPH {graph} {{ {pattern} }} }}"
        assert told(memory, named) == ()
    wrong = f"{PREFIXES} SELECT * {{ GRAPH ?graph {{ ?page schema:mainEntiti ?thing }} }}"
    assert told(memory, wrong) == (
        "No triple uses schema:mainEntiti. Did you mean schema:mainEntity?",
    )


def test_a_question_may_ask_for_what_a_site_does_not_have() -> None:
    memory = Memory(BASE, NQUADS, rest=PAGES)
    pattern = "?grant schema:funder ?funder ; schema:mainEntity ?page ; cv:employer ?employer"
    query = f"{PREFIXES} SELECT * {{ {pattern} ; schema:autor ?author }}"
    assert len(hints(memory, template_of(query))) > 1
    assert hints(memory, template_of(f"#+ summary: Who funds what?\n{query}")) == ()


def told(memory: Memory, query: str) -> tuple[str, ...]:
    return answer(memory, Query(query, Wanted("text/csv", "text/turtle"))).hints


@pytest.mark.parametrize(
    ("query", "hint"),
    [
        (
            f"{PREFIXES} SELECT * {{ ?s schema:autor ?o }}",
            "No triple uses schema:autor. Did you mean schema:author?",
        ),
        (
            f"{PREFIXES} SELECT * {{ ?s schema:autor ?o. }}",
            "No triple uses schema:autor. Did you mean schema:author?",
        ),
        (
            f"{PREFIXES} SELECT * {{ ?s a schema:person }}",
            "No triple uses schema:person. Did you mean schema:Person?",
        ),
        (
            f"{PREFIXES} SELECT * {{ ?s ^schema:autor/schema:name ?o }}",
            "No triple uses schema:autor. Did you mean schema:author?",
        ),
        (
            f"{PREFIXES} SELECT * {{ ?s foaf:author ?o }}",
            "No triple uses foaf:author. Did you mean <http://schema.org/author>?",
        ),
        (
            f"{PREFIXES} SELECT * {{ ?s ?p cv:Employmnt }}",
            "No triple uses cv:Employmnt. Did you mean cv:Employment?",
        ),
        (
            "SELECT * { ?s <https://schema.org/name> ?o }",
            "No triple uses <https://schema.org/name>. Did you mean <http://schema.org/name>?",
        ),
        (
            "DESCRIBE <http://www.schema.org/name>",
            "No triple uses <http://www.schema.org/name>. Did you mean <http://schema.org/name>?",
        ),
        (
            "DESCRIBE <https://schema.org/nmae>",
            "No triple uses <https://schema.org/nmae>. Did you mean <http://schema.org/name>?",
        ),
        (
            "DESCRIBE <people/adda#it>",
            "No triple uses <people/adda#it>. Did you mean <people/ada#it>?",
        ),
        (
            "DESCRIBE <people/ada.html>",
            "No triple uses <people/ada.html>. Did you mean <people/ada#it>?",
        ),
        ("DESCRIBE <people/ada/>", "No triple uses <people/ada/>. Did you mean <people/ada#it>?"),
        (
            "DESCRIBE <people/haddad#it>",
            "No triple uses <people/haddad#it>. Did you mean <people/noor-haddad#it>?",
        ),
        ("DESCRIBE <orgs/ada#it>", "No triple uses <orgs/ada#it>. Did you mean <people/ada#it>?"),
        (
            "DESCRIBE <people/ada#work-northfiord>",
            (
                "No triple uses <people/ada#work-northfiord>. Did you mean "
                "<people/ada#work-northfjord>?"
            ),
        ),
        (
            f"BASE <http://other.example/> DESCRIBE <{BASE}people/adda>",
            f"No triple uses <{BASE}people/adda>. Did you mean <{BASE}people/ada>?",
        ),
        (
            "DESCRIBE <./people/../people/adda#it>",
            "No triple uses <./people/../people/adda#it>. Did you mean <people/ada#it>?",
        ),
        (
            "DESCRIBE <people/\\u0061dda#it>",
            "No triple uses <people/\\u0061dda#it>. Did you mean <people/ada#it>?",
        ),
        (
            f"{PREFIXES} SELECT * {{ ?s schema:na\\-me ?o }}",
            "No triple uses schema:na\\-me. Did you mean schema:name?",
        ),
        (
            "SELECT * { VALUES ?s { <works/sand#it> <works/snad#it> } }",
            "No triple uses <works/snad#it>. Did you mean <works/sand#it>?",
        ),
        (
            "PREFIX e: <http://elsewhere.example/> SELECT * { ?s e:hat-wret ?o }",
            "No triple uses e:hat-wret. Did you mean e:hat-wert?",
        ),
        (
            "DESCRIBE <http://elsewhere.example/größen>",
            (
                "No triple uses <http://elsewhere.example/größen>. Did you mean "
                "<http://elsewhere.example/größe>?"
            ),
        ),
        ("DESCRIBE <people/nobody-like-this#it>", "No triple uses <people/nobody-like-this#it>."),
        (
            "SELECT * { GRAPH <people/ada#it> { ?s ?p ?o } }",
            "No graph is named <people/ada#it>. Did you mean <people/ada>?",
        ),
        (
            "SELECT * FROM <people/adda> { ?s ?p ?o }",
            "No graph is named <people/adda>. Did you mean <people/ada>?",
        ),
        (
            "SELECT * FROM NAMED <people/adda> { GRAPH ?g {} }",
            "No graph is named <people/adda>. Did you mean <people/ada>?",
        ),
        (
            f"{MOVED} SELECT * {{ ?s schema:author ?o }}",
            "No triple uses schema:author. Did you mean <http://schema.org/author>?",
        ),
    ],
)
def test_what_no_triple_uses_is_told_with_what_may_be_meant(
    memory: Memory, query: str, hint: str
) -> None:
    assert told(memory, query) == (hint,)


@pytest.mark.parametrize(
    "query",
    [
        f"{PREFIXES} SELECT * {{ <people/ada#it> a schema:Person ; schema:name ?n }}",
        f"{PREFIXES} SELECT * {{ GRAPH <people/ada> {{ ?s ?p ?o }} }}",
        (
            f"{PREFIXES} CONSTRUCT {{ ?s schema:autor [ schema:nmae ?n ] }} WHERE {{ ?s "
            f"schema:name ?n }}"
        ),
        "PREFIX unused: <http://nowhere/> SELECT * { ?s ?p 'x'^^<http://nowhere/datatype> }",
        (
            "PREFIX f: <http://nowhere/> SELECT (f:one(?s) AS ?x) { ?s ?p ?o "
            "FILTER(<http://nowhere/two>(?o)) }"
        ),
        (
            "PREFIX xsd: <http://www.w3.org/2001/XMLSchema#> SELECT * { ?s ?p ?o "
            "FILTER(DATATYPE(?o) = xsd:dateTime) }"
        ),
        f"{PREFIXES} SELECT * {{ ?s ?p ?o FILTER(STRSTARTS(STR(?p), STR(schema:))) }}",
        "SELECT * { ?s ?p ?a, ?b FILTER(?a<3&&?b>4) FILTER((?a)<?b&&?b>4) }",
        "SELECT * { _:a ?p 'see <http://nowhere/>' } # <http://nowhere/> schema:autor",
        "ASK {}",
    ],
)
def test_what_is_used_or_need_not_be_gets_no_hint(memory: Memory, query: str) -> None:
    assert told(memory, query) == ()


def test_a_template_is_no_pattern_but_without_one_the_pattern_counts(memory: Memory) -> None:
    assert len(told(memory, f"{PREFIXES} CONSTRUCT WHERE {{ ?s schema:autor ?n }}")) == 1
    assert (
        len(
            told(
                memory, f"{PREFIXES} CONSTRUCT {{ ?s schema:x ?n }} WHERE {{ ?s schema:autor ?n }}"
            )
        )
        == 1
    )


def test_there_are_three_hints_at_most_and_none_is_long(memory: Memory) -> None:
    names = [f"<people/{'x' * 500}{number}>" for number in range(9)]
    found = told(memory, f"DESCRIBE {' '.join(names)}")
    assert len(found) == 3
    assert all(len(hint) < 2 * MAX_NAME + 40 for hint in found)


@pytest.mark.parametrize("name", QUERIES)
def test_a_named_query_has_no_hints(name: str, graph: Graph) -> None:
    assert hints(graph.memory, template_of(QUERIES[name])) == ()


def test_a_query_that_cannot_be_read_twice_has_no_hints(memory: Memory) -> None:
    assert hints(memory, template_of("SELECT * { ?s unknown:name ?o }")) == ()


def test_what_is_added_later_is_found(memory: Memory) -> None:
    memory = Memory(BASE, NQUADS)
    assert told(memory, "DESCRIBE <people/tomas-fereira#it>") == (
        "No triple uses <people/tomas-fereira#it>.",
    )
    memory.load(
        (
            f'<{BASE}people/tomas-ferreira#it> <http://schema.org/name> "T" '
            f"<{BASE}people/tomas-ferreira> ."
        ).encode()
    )
    assert told(memory, "DESCRIBE <people/tomas-fereira#it>")[0].endswith(
        "Did you mean <people/tomas-ferreira#it>?"
    )


@pytest.mark.process
def test_hints_travel_with_the_answer_which_is_as_it_was(memory: Memory) -> None:
    query = f"{PREFIXES} SELECT * {{ ?s schema:autor ?o }}"
    here = answer(memory, Query(query, Wanted("text/csv", None)))
    endpoint = Embedded(BASE, NQUADS, Limits(workers=1))
    try:
        there = answered(endpoint, query, Wanted("text/csv", None))
        assert answered(endpoint, "ASK {}", Wanted("text/csv", None)).hints == ()
    finally:
        endpoint.close()
    assert here == there
    assert (here.body, here.hints) == (
        b"s,o\r\n",
        ("No triple uses schema:autor. Did you mean schema:author?",),
    )


@pytest.mark.slow
def test_a_name_is_found_soon_among_a_hundred_thousand() -> None:
    letters = "abcdefghijklmnopqrstuvwxyz"
    slugs = [
        f"{letters[n % 26]}{letters[n // 26 % 26]}{letters[n // 676 % 26]}-{n:06}"
        for n in range(100_000)
    ]
    memory = Memory(
        BASE,
        "".join(
            f'<{BASE}people/{slug}#it> <http://schema.org/name> "x" <{BASE}people/{slug}> .\n'
            for slug in slugs
        ).encode(),
    )
    asked = template_of(f"DESCRIBE <people/{slugs[77_777][:-2]}#it>")
    hints(memory, asked)  # gathers the names
    start = time.process_time()
    assert hints(memory, asked)[0].startswith("No triple uses <people/")
    assert time.process_time() - start < 2, "some 50 ms, and a slow machine"
