"""The questions of a site: each with its words, its form, and all that it needs."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyoxigraph import Store

from kg.check.check import good
from kg.errors import ProblemsFound
from kg.publish.about import void
from kg.publish.questions.questions import complete, own_queries, questions
from kg.settings import Site, resources
from kg.sparql.reading.questions import Question, read_question

BASE = "https://lab.example.org/"


def add(site: Path, name: str, text: str) -> None:
    (site / "queries").mkdir(exist_ok=True)
    (site / "queries" / f"{name}.rq").write_text(text, encoding="utf-8")


def found(site: Path) -> dict[str, Question]:
    return {each.name: each for each in questions(good(site).site)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("#+ summary: Who?\n# how\nSELECT * {}", "Who?"),
        ("# Who?\nSELECT * {}", "Who?"),
        ("# Who,\n#   and when?\nSELECT * {}", "Who, and when?"),
        ("#Who?\n\n# not this\nASK {}", "Who?"),
        ("SELECT * {}\n# too late", "my query"),
    ],
)
def test_the_question_is_what_a_query_opens_with(example: Path, text: str, expected: str) -> None:
    add(example, "my-query", text)
    assert found(example)["my-query"].summary == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# SELECT\nPREFIX ask: <https://x.example/ASK> ask {}", "ask"),
        ("CONSTRUCT { ?s ?p ?o } WHERE { SELECT * { ?s ?p ?o } }", "construct"),
        ("BASE <https://x.example/> DESCRIBE <select>", "describe"),
    ],
)
def test_the_form_is_that_of_the_outermost_query(text: str, expected: str) -> None:
    assert read_question("x", text).form == expected


def test_only_a_query_with_relative_addresses_gets_the_base() -> None:
    whole = "SELECT ?x { ?x a <http://schema.org/Person> }"
    assert complete(whole, BASE) == whole
    relative = complete("ASK { <people/ada#it> a ?class }", BASE)
    assert relative.startswith(f"BASE <{BASE}>\n")
    assert Store().query(relative) is not None


def test_a_site_adds_queries_and_takes_the_place_of_ours(example: Path) -> None:
    add(example, "all-people", "SELECT ?x { ?x a <http://schema.org/Person> }")
    add(example, "coauthors", "# Mine?\nASK { <people/ada-lindqvist#it> ?p ?o }")
    add(example, "everything", "# All of it.\nCONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }")
    queries = found(example)
    assert len(queries) == len([*resources(Site(example, "", ""), "queries", "*.rq")])
    assert {"all-people", "coauthors", "everything", "coauthors-of"} <= {*queries}
    assert (queries["all-people"].summary, queries["all-people"].form) == ("all people", "select")
    assert (queries["coauthors"].summary, queries["coauthors"].form) == ("Mine?", "ask")
    lines = void.nquads(good(example)).decode()
    assert "#query/everything> <http://www.w3.org/ns/shacl#construct> " in lines
    assert (
        "#query/coauthors> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> "
        "<http://www.w3.org/ns/shacl#SPARQLAskExecutable>"
    ) in lines


@pytest.mark.parametrize(
    "text", [b"SELECT ?x {", b"INSERT DATA { <a> <b> <c> }", b"# \xff\nASK {}"]
)
def test_a_query_that_nobody_could_ask_is_not_published(example: Path, text: bytes) -> None:
    add(example, "mine", "")
    (example / "queries" / "mine.rq").write_bytes(text)
    with pytest.raises(ProblemsFound, match=r"queries/mine\.rq:1:"):
        good(example)
    site = Site(example, "https://lab.example.org/", "A small laboratory")
    assert "mine" not in {each.name for each in questions(site)}


def test_a_secret_in_a_query_of_the_site_is_not_published(example: Path) -> None:
    people = example / "data" / "people.yaml"
    people.write_text(
        people.read_text(encoding="utf-8")
        + "\nhidden-one: {name: Hidden Harriet, visibility: private}\n",
        encoding="utf-8",
    )
    add(example, "mine", "# Who?\nASK { ?x <http://schema.org/name> 'Hidden Harriet' }")
    assert b"Harriet" in own_queries(Site(example, BASE, "A small laboratory"))
    with pytest.raises(ProblemsFound, match=r"queries/mine\.rq:2:36 .* error .*\[leak\]"):
        good(example)
