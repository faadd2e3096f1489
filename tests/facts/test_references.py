"""References: a key becomes the entry it names, or a message with the closest keys."""

from __future__ import annotations

import re
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from kg.facts.identity import PeopleByName
from kg.facts.models.links import CodeRef
from kg.facts.models.venues import edition_name
from kg.facts.values.references import (
    AuthorRef,
    Context,
    LanguageRef,
    OrganizationRef,
    PersonRef,
    PublicationRef,
    Reference,
    TopicRef,
    VenueRef,
)
from kg.facts.values.terms import Mention
from kg.text.nearest import closest

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
        match=r"'zzz' is not among the publications\.",
    ):
        check(PublicationRef, "zzz")


@pytest.mark.parametrize("value", [None, 5, ["osu"], {"key": "osu"}, "osu ", ""])
def test_only_the_exact_key_is_a_reference(value: object) -> None:
    with pytest.raises(
        ValidationError,
        match=r"is not among the organisations|must be a name or a key|'name' is missing|is empty",
    ):
        check(OrganizationRef, value)


@pytest.mark.parametrize("name", ["Ohio", " Ohio ", "OHIO"])
def test_a_name_is_that_of_an_entry_if_need_be_without_case(name: str) -> None:
    assert check(OrganizationRef, name) == OrganizationRef("orgs", "osu")
    assert check(OrganizationRef, {"name": name}) == OrganizationRef("orgs", "osu")


def test_a_name_nobody_has_is_a_thing_of_its_own() -> None:
    found = check(OrganizationRef, "Charles  University")
    assert (found.kind, found.slug, found.name) == (
        "orgs",
        "charles-university",
        "Charles University",
    )
    assert check(TopicRef, "Sea ice") == TopicRef("topics", "sea-ice")


def test_a_name_that_two_entries_claim_must_be_settled() -> None:
    two = Context({"orgs": {"a": {"name": "Ohio"}, "b": {"name": "B", "alternateNames": "Ohio"}}})
    with pytest.raises(ValidationError, match=r"'Ohio' is ambiguous: a or b\. Write the key"):
        check(OrganizationRef, "Ohio", two)


@pytest.mark.parametrize("name", ["de", "German", "german"])
def test_a_language_is_known_by_its_tag_and_its_english_name(name: str) -> None:
    found = check(LanguageRef, name)
    assert (found.slug, found.name) == ("de", "German")


def test_an_unknown_language_is_a_miss() -> None:
    with pytest.raises(ValidationError, match=r"'elvish' is not among the languages\. Write its"):
        check(LanguageRef, "elvish")


@pytest.mark.parametrize(
    ("value", "hint"),
    [
        ("sive", "Closest: sieve. Write a web address or a key."),
        ("on x", "Write its key: berg-2020-x."),
        ("zzzz", "Write a web address or a key."),
    ],
)
def test_what_stands_on_the_web_or_here_is_told_by_its_key(value: str, hint: str) -> None:
    with pytest.raises(ValidationError, match=f"publications or software. {re.escape(hint)}"):
        check(CodeRef, value)


def test_works_are_found_by_their_keys_only() -> None:
    with pytest.raises(ValidationError, match=r"the publications\. Write its key: berg-2020-x\."):
        check(PublicationRef, "On X")


@pytest.mark.parametrize(
    ("kind", "value", "message"),
    [
        (
            OrganizationRef,
            "ada",
            "'ada' is a person, not an organisation. Write the key or",
        ),
        (OrganizationRef, "Ada Berg", "'Ada Berg' is a person, not an organisation"),
        (PersonRef, "osu", "'osu' is an organisation, not a person"),
        (PersonRef, "Ohio", "'Ohio' is an organisation, not a person"),
        (PublicationRef, "sieve", "'sieve' is a piece of software, not a publication"),
        (TopicRef, "osu", "not a topic or a piece of software"),
    ],
)
def test_an_entry_of_another_registry_is_called_what_it_is(
    kind: type[Reference], value: str, message: str
) -> None:
    with pytest.raises(ValidationError, match=message):
        check(kind, value)


@pytest.mark.parametrize(
    ("kind", "value"), [(TopicRef, "Ada Berg"), (TopicRef, "Ohio"), (AuthorRef, "Ohio")]
)
def test_what_may_share_a_name_with_others_does(kind: type[Reference], value: str) -> None:
    assert check(kind, value)


def test_what_is_called_as_an_entry_of_another_kind_says_so() -> None:
    assert check(OrganizationRef, {"name": "Ada Berg"}).slug == "ada-berg"
    assert check(TopicRef, "Osu").kind == "topics"


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
    with pytest.raises(ValidationError, match="'osu' is not among the publications"):
        check(PublicationRef, "osu", None)


def test_an_author_is_a_key_or_a_printed_name() -> None:
    assert check(AuthorRef, "ada") == check(AuthorRef, "A. Berg") == PersonRef("people", "ada")
    assert isinstance(check(AuthorRef, "Bo Ek"), Mention)


def test_a_word_that_looks_like_a_key_is_no_printed_name() -> None:
    with pytest.raises(
        ValidationError, match=r"'adda' is not among the people or organisations\. Closest: ada\."
    ):
        check(AuthorRef, "adda")


def test_a_person_is_whoever_claims_the_name() -> None:
    assert check(PersonRef, "Ada Berg") == check(PersonRef, "A. Berg") == PersonRef("people", "ada")
    assert check(PersonRef, "ADA BERG") == PersonRef("people", "ada")
    assert check(PersonRef, "Ada K. Berg").slug == "ada-k-berg"
    with pytest.raises(ValidationError, match=r"'adda' is not among the people"):
        check(PersonRef, "adda")


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
