"""The graph as a whole: the same bytes everywhere, every triple in its subject's document, nothing
that nobody mentions.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from pyoxigraph import NamedNode, RdfFormat, parse

from kg.check.check import check, good
from kg.errors import ProblemsFound
from kg.graph.build import Graph
from kg.graph.pages import only_skills
from kg.mapping import iris
from kg.publish.site import Documents
from kg.vocab import VOCABULARY, apart, cv, dcterms, foaf, rdf, schema
from tests.conftest import LARGE_SITE, facts_of

PRINT = (
    "import sys; from pathlib import Path; from kg.check.check import good; "
    "sys.stdout.buffer.write(good(Path(sys.argv[1])).nquads)"
)
PLACES = [
    {"PYTHONHASHSEED": "0", "TZ": "Asia/Tokyo"},
    {"PYTHONHASHSEED": "1", "LC_ALL": "C"},
    {"PYTHONHASHSEED": "4242", "PYTHONUTF8": "0", "LC_ALL": "POSIX"},
]


@pytest.mark.process
@pytest.mark.proof
@pytest.mark.parametrize("place", PLACES, ids=lambda place: f"seed {place['PYTHONHASHSEED']}")
def test_the_same_input_gives_the_same_bytes_anywhere(
    graph: Graph, place: dict[str, str], tmp_path: Path
) -> None:
    command = [sys.executable, "-c", PRINT, str(LARGE_SITE)]
    printed = subprocess.run(
        command, capture_output=True, check=True, cwd=tmp_path, env={**os.environ, **place}
    ).stdout
    assert printed == graph.nquads


def test_the_lines_are_sorted_and_each_is_there_once(graph: Graph) -> None:
    lines = graph.nquads.decode().split("\n")[:-1]
    assert lines == sorted(set(lines))
    assert len(lines) > 6000


def test_there_are_no_blank_nodes(graph: Graph) -> None:
    assert not [
        quad
        for quad in graph.memory.store
        if "BlankNode" in {type(quad.subject).__name__, type(quad.object).__name__}
    ]


def test_every_triple_lies_in_the_document_of_its_subject(graph: Graph) -> None:
    vocabulary = f"{graph.site.base}{VOCABULARY}"
    strangers = [
        quad
        for quad in parse(graph.nquads, format=RdfFormat.N_QUADS)
        if (
            not (subject := str(quad.subject)[1:-1]).startswith(str(cv))
            and iris.document_of(subject) != str(quad.graph_name)[1:-1]
        )
        or (subject.startswith(str(cv)) and str(quad.graph_name)[1:-1] != vocabulary)
    ]
    assert strangers == []


def test_what_is_said_of_pages_and_sources_and_terms_is_no_fact(graph: Graph) -> None:
    names = apart(graph.site.base)
    rest = set(parse(graph.rest, format=RdfFormat.N_QUADS))
    assert {str(quad.graph_name)[1:-1] for quad in rest} == {*names[:3]}
    triples = [quad.triple for quad in parse(graph.nquads, format=RdfFormat.N_QUADS)]
    assert {quad.triple for quad in rest}.isdisjoint(triples)
    assert not any(triple.subject.value.startswith(str(cv)) for triple in triples)
    by_graph: dict[str, set[str]] = {name: set() for name in names}
    for quad in rest:
        by_graph[str(quad.graph_name)[1:-1]].add(quad.predicate.value)
    assert by_graph[names[1]] == {dcterms.source}
    assert dcterms.source not in {triple.predicate.value for triple in triples}
    used = by_graph[names[0]]
    assert used >= {schema.mainEntity, schema.mainEntityOfPage, schema.itemListElement}
    assert used >= {foaf.isPrimaryTopicOf, foaf.publications}
    facts = facts_of(graph)
    assert used >= {foaf.primaryTopic, dcterms.modified}
    # The set that topics are part of is a fact, the list of them is not.
    kinds = facts.select(f"SELECT ?kind {{ <topics/#it> <{rdf.type}> ?kind }} ORDER BY ?kind")
    assert [row["kind"].value for row in kinds] == [schema.CreativeWork, schema.DefinedTermSet]


def test_every_subject_is_ours(graph: Graph) -> None:
    assert {
        str(quad.subject)
        for quad in graph.memory.store
        if not str(quad.subject).startswith((f"<{graph.site.base}", f"<{cv}"))
    } == set()


def test_the_store_and_the_lines_say_the_same(graph: Graph) -> None:
    lines = graph.nquads + graph.rest
    assert set(parse(lines, format=RdfFormat.N_QUADS)) == set(graph.memory.store)


def test_every_document_has_a_name_and_a_class_and_so_has_what_it_is_about(graph: Graph) -> None:
    described: dict[str, set[str]] = {}
    for quad in graph.memory.store:
        described.setdefault(str(quad.subject)[1:-1], set()).add(quad.predicate.value)
    pages = graph.memory.documents()
    assert len(pages) > 100
    things = [iri for iri in described if iri.endswith("#it") and not iri.endswith("/#it")]
    assert [
        iri for iri in [*pages, *things] if not {rdf.type, schema.name} <= described.get(iri, set())
    ] == []


def test_lists_have_all_pages_but_those_of_skills(
    graph: Graph,
) -> None:
    listed = {
        row["item"].value
        for row in graph.memory.select(f"SELECT ?item {{ ?list <{schema.itemListElement}> ?item }}")
    }
    described = {
        f"{document}#it" for document in graph.memory.documents() if not document.endswith("/")
    }
    mentioned = described - {f"{graph.site.base}{VOCABULARY}#it"}
    assert {iri for iri in listed if "#crumb" not in iri} == mentioned - only_skills(graph.memory)


def test_people_whom_nobody_mentions_have_no_page(example: Path) -> None:
    registry = example / "data" / "people.yaml"
    registry.write_text(
        registry.read_text(encoding="utf-8") + "no-one: {name: No One}\n", encoding="utf-8"
    )
    graph = good(example)
    assert "people/noor-haddad" in Documents(graph).addresses
    assert "people/no-one" not in Documents(graph).addresses
    assert b"No One" not in graph.nquads


def test_the_registry_may_know_more_people_than_are_published(graph: Graph) -> None:
    known = yaml.safe_load((LARGE_SITE / "data" / "people.yaml").read_text(encoding="utf-8"))
    mentioned = {
        str(quad.object)[1:-1] for quad in graph.memory.store if isinstance(quad.object, NamedNode)
    }
    pages = {iris.path_of(graph.site.base, document) for document in graph.memory.documents()}
    silent = [
        slug for slug in known if iris.thing(graph.site.base, "people", slug) not in mentioned
    ]
    assert not pages & {f"people/{slug}" for slug in silent}


def test_handwritten_turtle_joins_the_graph(example: Path) -> None:
    turtle = (
        '@prefix schema: <http://schema.org/> .\n<people/ada-lindqvist#it> schema:award "River '
        'Medal 2025" .\n'
    )
    (example / "data" / "awards.ttl").write_text(turtle, encoding="utf-8")
    graph = good(example)
    found = graph.memory.select(
        "SELECT ?medal ?in { GRAPH ?in { <people/ada-lindqvist#it> <http://schema.org/award> "
        "?medal } }"
    )
    assert ("River Medal 2025", f"{graph.site.base}people/ada-lindqvist") in [
        (row["medal"].value, row["in"].value) for row in found
    ]
    assert b"River Medal" in graph.nquads


@pytest.mark.parametrize("subject", ["<https://elsewhere.example.org/x>", "[]", "_:someone"])
def test_handwritten_turtle_may_not_speak_of_foreign_things(example: Path, subject: str) -> None:
    (example / "data" / "more.ttl").write_text(
        f'\n\n{subject} <http://schema.org/name> "X" .\n', encoding="utf-8"
    )
    problems = check(example).problems
    assert [(problem.place.file, problem.severity, problem.rule) for problem in problems] == [
        ("data/more.ttl", "error", "foreign-subject")
    ]


@pytest.mark.sample(test=0.3)
@pytest.mark.parametrize(
    "path",
    [
        "people/../../../../tmp/evil#it",
        "awards/medal#it",
        "people/a/b#it",
        "people/ada.ttl",
        "Ada#it",
        "#it",
    ],
)
def test_handwritten_turtle_may_not_invent_places(example: Path, path: str) -> None:
    turtle = (
        f"<https://lab.example.org/{path}> a <http://schema.org/Thing> ; "
        '<http://schema.org/name> "X" .\n'
    )
    (example / "data" / "more.ttl").write_text(turtle, encoding="utf-8")
    assert {problem.rule for problem in check(example).problems} == {"foreign-subject"}


def test_handwritten_numbers_are_the_same_in_every_form(example: Path) -> None:
    turtle = '<people/ada-lindqvist#it> <http://schema.org/award> 04.00, 007, "x"@en-GB .\n'
    (example / "data" / "more.ttl").write_text(turtle, encoding="utf-8")
    graph = check(example).graph
    assert graph is not None
    lines = graph.nquads + graph.rest
    assert set(parse(lines, format=RdfFormat.N_QUADS)) == set(graph.memory.store)


def test_a_slip_in_handwritten_turtle_is_shown_at_its_line(example: Path) -> None:
    (example / "data" / "more.ttl").write_text(
        "@prefix schema: <http://schema.org/> .\n\n<a#it> schema:name .\n", encoding="utf-8"
    )
    (problem,) = check(example).problems
    assert (problem.place.file, problem.place.line, problem.rule) == ("data/more.ttl", 3, "turtle")
    with pytest.raises(ProblemsFound):
        good(example)


@pytest.mark.sample(test=0.3)
@pytest.mark.parametrize(
    ("triple", "rule"),
    [
        ('<people/ada-lindqvist#x> schema:position "first"', "bad-value"),
        (
            (
                "<people/ada-lindqvist#x> schema:position "
                '"one"^^<http://www.w3.org/2001/XMLSchema#integer>'
            ),
            "ill-typed",
        ),
        ('<people/ada-lindqvist#x> a "Thing"', "bad-value"),
        ('<people/ada-lindqvist#it> schema:award "x"@en--ltr', "bad-value"),
        (r'<people/ada-lindqvist#it> schema:award "x\u0000"', "bad-value"),
        (r'<people/ada-lindqvist#it> schema:award "x\ry"', "bad-value"),
        ("<people/ada-lindqvist#it> schema:about []", "blank-node"),
        ("<people/ada-lindqvist#it> schema:about <<( <a> <b> <c> )>>", "blank-node"),
        ('<people/ada-lindqvist#crumb-9> schema:name "x"', "foreign-subject"),
    ],
)
def test_handwritten_turtle_that_no_page_could_show_is_refused(
    example: Path, triple: str, rule: str
) -> None:
    (example / "data" / "more.ttl").write_text(
        f"@prefix schema: <http://schema.org/> .\n{triple} .\n", encoding="utf-8"
    )
    assert [
        problem.rule for problem in check(example).problems if problem.place.file == "data/more.ttl"
    ] == [rule]


def test_an_id_may_not_be_that_of_a_breadcrumb(example: Path) -> None:
    cv = example / "data" / "cv" / "ada-lindqvist.yaml"
    cv.write_text(
        cv.read_text(encoding="utf-8").replace(
            "- {organization: rowing-club", "- {id: crumb-1, organization: rowing-club"
        ),
        encoding="utf-8",
    )
    assert [problem.rule for problem in check(example).problems] == ["bad-id"]
