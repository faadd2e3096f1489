"""Things as values: by slug, by address, by exact name; else what is near."""

from __future__ import annotations

import pytest

from kg.check.check import good
from kg.errors import BadValue
from kg.publish.questions.values import Things, bind
from kg.sparql.reading.questions import Question, read_question
from kg.store.memory import Memory
from tests.conftest import ROOT
from tests.test_queries import QUERIES

BASE = "https://lab.example.org/"
ADA = f"VALUES (?person) {{ (<{BASE}people/ada-lindqvist#it>) }}"


@pytest.fixture(scope="module")
def store() -> Memory:
    return good(ROOT / "kg" / "example").memory


@pytest.fixture(scope="module")
def things(store: Memory) -> Things:
    return Things.of(store)


@pytest.fixture(scope="module")
def question() -> Question:
    return read_question("coauthors-of", QUERIES["coauthors-of"])


def test_the_things_of_a_graph_are_found_once(store: Memory, things: Things) -> None:
    assert Things.of(store) is things


@pytest.mark.parametrize(
    "value",
    [
        "ada-lindqvist",
        "people/ada-lindqvist",
        "people/ada-lindqvist#it",
        f"{BASE}people/ada-lindqvist",
        f"{BASE}people/ada-lindqvist#it",
        f"<{BASE}people/ada-lindqvist#it>",
        "Ada Lindqvist",
        " ada  lindqvist ",
    ],
)
def test_a_thing_is_known_by_slug_address_and_name(
    value: str, things: Things, question: Question
) -> None:
    assert ADA in bind(question, {"person": value}, things)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "person is missing: author, such as ada-lindqvist."),
        ({"person": "ada-lindquist"}, "unknown person. Did you mean ada-lindqvist"),
        ({"person": "Lindqvist"}, "Did you mean ada-lindqvist"),
        ({"person": "lindquist"}, "Did you mean ada-lindqvist"),
        ({"person": "Ade"}, "Did you mean ada-lindqvist"),
        ({"person": "orgs/northfjord"}, "unknown person."),
        ({"person": "https://elsewhere.example/people/ada-lindqvist"}, "unknown person."),
        ({"person": 'x"> } #'}, "unknown person."),
        ({"person": "x" * 100_000}, "unknown person."),
        ({"person": ""}, "unknown person. Use a slug, an address or a name, such"),
        (
            {"person": "ada-lindqvist", "persn": "x"},
            "Unknown parameter 'persn'. Did you mean person?",
        ),
    ],
)
def test_what_is_not_there_is_told_with_what_is(
    given: dict[str, str], message: str, things: Things, question: Question
) -> None:
    with pytest.raises(BadValue) as refused:
        bind(question, given, things)
    assert message in str(refused.value)
    assert len(str(refused.value)) < 400


def test_a_name_that_several_have_is_told_with_their_slugs(question: Question) -> None:
    lines = "".join(
        f'<{BASE}people/{slug}#it> <http://schema.org/name> "Wei Li" .\n' for slug in ("a", "b")
    )
    with pytest.raises(
        BadValue, match=r"several entries have this name\. Use one of a, b\."
    ) as refused:
        bind(question, {"person": "Wei Li"}, Things.of(Memory(BASE, lines.encode())))
    assert refused.value.nearest == ["a", "b"]


def test_of_a_graph_elsewhere_slugs_are_taken_as_they_are(question: Question) -> None:
    assert "(<people/nobody#it>)" in bind(question, {"person": "nobody"}, None)
