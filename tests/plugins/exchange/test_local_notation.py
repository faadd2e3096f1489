"""Names and levels of languages in other languages, and decimal commas."""

from __future__ import annotations

from typing import Any

import pytest

from kg.errors import Place
from kg.facts.values import languages
from kg.facts.values.languages import language_tag
from kg.plugins.exchange.draft import Draft, Value
from kg.plugins.exchange.line_entries import plain_score, tidy_notation


def value(text: str) -> Value:
    return Value.of(text, Place(""), "")


def tidied(language: str, level: str = "") -> Any:
    entry = {"language": value(language)} | ({"level": value(level)} if level else {})
    draft = Draft({"languages": [entry]})
    tidy_notation(draft)
    return draft.cv["languages"][0]


@pytest.mark.parametrize(
    ("name", "tag"),
    [
        *(("Anglais", "en"), ("Englisch", "en"), ("Inglés", "en"), ("ingles", "en")),
        *(("Polonais", "pl"), ("английский", "en"), ("deu", "de"), ("angličtina", "en")),
        *(("Java", ""), ("Python", ""), ("Excel", "")),
    ],
)
def test_languages_are_known_by_their_names_in_other_languages(name: str, tag: str) -> None:
    assert language_tag(name) == tag


@pytest.mark.parametrize(
    ("written", "level", "expected"),
    [
        ("Englisch", "Fließend", {"language": "English", "level": "Fließend"}),
        ("Deutsch", "Muttersprache", {"language": "Deutsch", "level": "native"}),
        ("Polonais", "lu, écrit, parlé", {"language": "Polish", "level": "lu, écrit, parlé"}),
        ("Anglais courant", "", {"language": "English", "level": "courant"}),
        ("German (b2/c1)", "", {"language": "German", "level": "B2/C1"}),
        ("Elbonian fluent", "", {"language": "Elbonian fluent"}),
        ("Klingon fluent", "", {"language": "Klingon", "level": "fluent"}),
    ],
)
def test_language_and_level_are_separated(
    written: str, level: str, expected: dict[str, str]
) -> None:
    assert tidied(written, level) == expected


@pytest.mark.parametrize(
    ("written", "score"),
    [("8,5/10", "8.5/10"), ("1,3", "1.3"), ("85 %", "85/100"), ("sehr gut", "sehr gut")],
)
def test_scores_have_decimal_points(written: str, score: str) -> None:
    assert plain_score(written) == score


def test_usual_names_do_not_load_the_table_of_other_languages(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(languages, "translated_tag", pytest.fail)
    assert [*map(language_tag, ("English", "de", "français"))] == ["en", "de", "fr"]


@pytest.mark.parametrize("where", ["Remote", "100% remote", "Télétravail", "(Home office)"])
def test_work_from_anywhere_is_no_place(where: str) -> None:
    free = [{"title": "Tours", "entries": [value("Ice"), {"name": "A", "location": value(where)}]}]
    work = [{"position": "Guide", "location": value(place)} for place in (where, "Remoteville")]
    draft = Draft({"work": work, "sections": free, "basics": {"location": value(where)}})
    tidy_notation(draft)
    assert draft.cv["work"] == [
        {"position": "Guide"},
        {"position": "Guide", "location": "Remoteville"},
    ]
    assert (draft.cv["basics"], free[0]["entries"][1]) == ({}, {"name": "A"})
    assert [(each.value, each.why) for each in draft.left] == [
        (where.strip("()"), "not a place")
    ] * 3
