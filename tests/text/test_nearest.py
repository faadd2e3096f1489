"""A misspelling of one word and of no other."""

from __future__ import annotations

import pytest

from kg.text.nearest import is_only_typo, transposed


@pytest.mark.parametrize(
    ("word", "words", "expected"),
    [
        ("nmae", ["name", "note", "kind"], ["name"]),
        ("vneue", ["venue", "venues"], ["venue"]),
        ("nane", ["name"], []),  # a letter is wrong
        ("salt", ["slat", "salts"], []),  # two words are as near
        ("form", ["from", "for"], []),
        ("", ["a"], []),
    ],
)
def test_transposed_letters(word: str, words: list[str], expected: list[str]) -> None:
    assert transposed(word, words) == expected
    for each in expected:
        assert is_only_typo(word, each, words)
