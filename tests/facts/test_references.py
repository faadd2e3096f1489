"""References: a key becomes the entry it names, or a message with the closest keys."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from kg.facts.identity import PeopleByName
from kg.facts.models.venues import edition_name
from kg.facts.values.references import (
    AuthorRef,
    Context,
    OrganizationRef,
    PersonRef,
    Reference,
    TopicRef,
    VenueRef,
)
from kg.facts.values.terms import Mention
from kg.facts.values.text import closest

PEOPLE = {"ada": {"name": "Ada Berg", "alternateNames": ["A. Berg"]}}
CONTEXT = Context(
    {
        "people": PEOPLE,
        "orgs": {
            "osu": {"name": "Ohio"},
            "osu-nbcl": {"name": "Lab"},
            "ucsd": {"name": "California"},
            "firm": {},
            "farm": {},
            "form": {},
            "fire": {},
        },
        "topics": {"sand": {"name": "Sand"}, "both": {"name": "A topic"}},
        "software": {"sieve": {"name": "Sieve"}, "both": {"name": "A system"}},
        "publications": {"berg-2020-x": {"title": "On X"}},
    },
    PeopleByName(PEOPLE),
)


def check(kind: type[Reference], value: object, context: Context | None = CONTEXT) -> Any:
    return TypeAdapter(kind).validate_python(value, context=context)


def test_a_key_becomes_the_entry_it_names() -> None:
    found = check(OrganizationRef, "osu")
    assert (type(found), found.kind, found.slug, found.name) == (
        OrganizationRef,
        "orgs",
        "osu",
        "Ohio",
    )


def test_a_miss_names_the_three_closest_keys_the_best_first() -> None:
    with pytest.raises(
        ValidationError,
        match=r"'firn' is not among the organisations\. Closest: firm, fire, f[ao]rm\.",
    ) as error:
        check(OrganizationRef, "firn")
    assert error.value.errors()[0]["type"] == "unknown-reference"


def test_a_shared_beginning_is_close_however_long_the_key() -> None:
    assert closest("osu", ["osu-network-based-computing-laboratory", "uni"]) == [
        "osu-network-based-computing-laboratory"
    ]
    assert closest("osu-network-based-computing-laboratory", ["osu", "uni"]) == ["osu"]
    assert closest("", ["osu", "uni"]) == []


def test_a_miss_that_is_like_nothing_says_what_to_do() -> None:
    with pytest.raises(
        ValidationError,
        match=r"'zzz' is not among the organisations\. Add it to the registry, or correct the key\.",  # noqa: E501
    ):
        check(OrganizationRef, "zzz")


@pytest.mark.parametrize("value", [None, 5, ["osu"], {"key": "osu"}, "OSU", "osu ", ""])
def test_only_the_exact_key_is_a_reference(value: object) -> None:
    with pytest.raises(
        ValidationError,
        match=r"is not among the organisations|a key is expected here|this is empty",
    ):
        check(OrganizationRef, value)


def test_a_key_of_another_registry_is_a_miss() -> None:
    with pytest.raises(ValidationError, match="'ada' is not among the organisations"):
        check(OrganizationRef, "ada")


def test_a_reference_to_two_registries_looks_into_the_first_first() -> None:
    assert [check(TopicRef, key) for key in ("sand", "sieve", "both")] == [
        TopicRef("topics", "sand"),
        TopicRef("software", "sieve"),
        TopicRef("topics", "both"),
    ]
    with pytest.raises(
        ValidationError, match=r"'snad' is not among the topics or software\. Closest: sand"
    ):
        check(TopicRef, "snad")


def test_without_registries_nothing_is_known() -> None:
    with pytest.raises(ValidationError, match="'osu' is not among the organisations"):
        check(OrganizationRef, "osu", None)


def test_an_author_is_a_key_or_a_printed_name() -> None:
    assert check(AuthorRef, "ada") == check(AuthorRef, "A. Berg") == PersonRef("people", "ada")
    assert isinstance(check(AuthorRef, "Bo Ek"), Mention)


def test_a_word_that_looks_like_a_key_is_no_printed_name() -> None:
    with pytest.raises(ValidationError, match=r"'adda' is not among the people\. Closest: ada\."):
        check(AuthorRef, "adda")


def test_a_person_is_never_looked_up_by_name() -> None:
    with pytest.raises(ValidationError, match=r"'Ada Berg' is not among the people"):
        check(PersonRef, "Ada Berg")


def test_references_to_one_entry_are_equal_whatever_their_type() -> None:
    assert {PersonRef("people", "ada"), AuthorRef("people", "ada", PEOPLE["ada"])} == {
        PersonRef("people", "ada")
    }
    assert PersonRef("people", "ada") != PersonRef("people", "bo")
    assert TopicRef("topics", "both") != TopicRef("software", "both")


def test_a_reference_is_called_by_its_name_its_title_or_its_key() -> None:
    assert Reference("orgs", "osu", {"name": "Ohio"}).name == "Ohio"
    assert Reference("publications", "x", {"title": "On X"}).name == "On X"
    assert Reference("orgs", "firm").name == "firm"


def test_the_short_name_is_the_first_of_the_other_names() -> None:
    assert (
        Reference("venues", "sc", {"name": "Supercomputing", "alternateNames": ["SC", "S"]}).short
        == "SC"
    )
    assert (
        Reference("venues", "sc", {"name": "Supercomputing", "alternateNames": []}).short
        == "Supercomputing"
    )


@pytest.mark.parametrize("others", ["SC", ["SC"], ["SC", "Supercomputing"]])
def test_the_first_other_name_is_the_short_one_be_it_one_or_several(others: object) -> None:
    row = {"name": "Supercomputing Conference", "alternateNames": others}
    assert VenueRef("venues", "sc", row).short == "SC"
    assert edition_name(row, "2020") == "SC 2020"
