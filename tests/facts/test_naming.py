"""What a name says by itself, and which names are written alike."""

from __future__ import annotations

import pytest

from kg.advice.likeness import are_alike, words_of
from kg.facts.values.naming import ThingsByName, address_of, known_of, language_tag
from kg.facts.values.regions import countries, languages


def test_the_tables_are_whole() -> None:
    assert len(languages()) >= 180
    assert len(set(countries().values())) >= 240


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("Tromsø, Norway", {"country": "NO", "locality": "Tromsø"}),
        ("Columbus, Ohio, USA", {"country": "US", "locality": "Columbus", "region": "Ohio"}),
        ("Norway", {}),
        ("Livermore, CA", {}),
        ("Hall 1, Campus, Tromsø, Norway", {"country": "NO"}),
    ],
)
def test_a_place_says_its_country(name: str, known: dict[str, str]) -> None:
    assert known_of("places", name) == {"name": name, **known}


def test_a_language_has_a_tag() -> None:
    assert [language_tag(name) for name in ("EN", "norwegian", "Elvish")] == ["en", "no", ""]


def test_a_course_begins_with_its_school() -> None:
    index = ThingsByName({"orgs": {"uni": {"name": "University of Somewhere"}}})
    course = {"name": "Ice", "codes": "GEO 1", "provider": "University of Somewhere"}
    assert address_of("courses", course, index) == "uni-geo-1"
    assert address_of("courses", {"name": "Ice"}, index) == "ice"


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("Charles Univ.", "Charles University", True),
        ("Univ. of Somewere", "The University of Somewhere", True),
        ("J. Novák", "Jan Novak", True),
        ("Department of Physics", "Department of Chemistry", False),
        ("Physics I", "Physics II", False),
        ("Sea ice", "Ice", False),
        ("C", "C++", False),
        ("C", "C#", False),
    ],
)
def test_names_are_alike_word_by_word(one: str, other: str, alike: bool) -> None:
    assert are_alike(words_of(one), words_of(other)) is alike
