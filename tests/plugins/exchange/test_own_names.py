"""An owner is known by the names printed on the own works, and by no others."""

from __future__ import annotations

import pytest

from kg.plugins.exchange.author_names import add_own_names
from kg.plugins.exchange.draft import Draft


def other_names(
    *authors: str, name: str = "Martin J. Fenner", **basics: str | list[str]
) -> list[str]:
    cv = {"basics": {"name": name, **basics}, "publications": [{"authors": [*authors]}]}
    draft = Draft(cv=cv)
    add_own_names(draft)
    return [str(each) for each in draft.cv["basics"].get("alternateNames", [])]


@pytest.mark.parametrize(
    "printed",
    ["M. Fenner", "M.J. Fenner", "MJ Fenner", "Fenner MJ", "Martin Fenner", "Mart Fenner"],
)
def test_initials_and_parts_of_the_given_names_are_the_owner(printed: str) -> None:
    assert other_names("A. Berg", printed) == [printed]


@pytest.mark.parametrize("printed", ["Maria Fenner", "K. Fenner", "Fenner", "M. Fennerson"])
def test_other_given_names_are_somebody_else(printed: str) -> None:
    assert other_names("A. Berg", printed) == []


def test_of_two_who_could_be_the_owner_neither_is() -> None:
    assert other_names("M. Fenner", "M. J. Fenner") == []


def test_a_known_name_needs_no_other() -> None:
    assert other_names("M. Fenner", "Martin J. Fenner") == []


def test_forms_of_another_known_name_are_the_owner() -> None:
    names = other_names("Mira Sand", name="Mika Sand", alternateNames=["Mira (Mika) Sand"])
    assert names == ["Mira (Mika) Sand", "Mira Sand"]


def test_an_initial_of_another_name_fits_no_other_given_name() -> None:
    known = {"name": "Martin Fenner", "alternateNames": ["M. J. Fenner"]}
    assert other_names("Maria Fenner", **known) == ["M. J. Fenner"]


def test_a_family_name_may_have_several_words() -> None:
    names = other_names("A. van der Berg", name="Ada van der Berg", familyName="van der Berg")
    assert names == ["A. van der Berg"]
    assert other_names("P. Novak", name="Petr Novák") == ["P. Novak"]


@pytest.mark.parametrize("printed", ["MARTIN J. FENNER", "Fenner, Martin J.", "martin j. fenner"])
def test_capitals_and_order_make_nobody_else(printed: str) -> None:
    assert other_names("A. Berg", printed) == [printed]


def test_names_in_any_order_are_the_same() -> None:
    assert other_names("Hyeon Woo Lee", name="Lee Hyeon Woo") == ["Hyeon Woo Lee"]
