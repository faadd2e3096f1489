"""Word lists of `lexicon.yaml`: positions, organisations, units, schools, degrees, places, levels.

Only whole words match, without accents; some compounds end in the word (`Softwareentwickler`).
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from kg.facts.values.regions import countries
from kg.text.transliterate import plain

COMPOUNDED = 6  # letters of a word that can end a compound
MOST_WORDS = 12  # longer texts are sentences


@cache
def lexicon() -> dict[str, Any]:
    read: dict[str, Any] = yaml.load(
        Path(__file__).with_suffix(".yaml").read_bytes(), yaml.CSafeLoader
    )
    return {name: frozenset(words.split()) for name, words in read["words"].items()} | {
        name: re.compile(pattern, re.VERBOSE) for name, pattern in read["patterns"].items()
    }


def words_in(text: str) -> list[str]:
    return re.findall(r"[a-z]+(?:\.[a-z]+)*", plain(text))


def words(name: str) -> frozenset[str]:
    found: frozenset[str] = lexicon()[name]
    return found


def has_word(name: str, text: str) -> bool:
    """Whether a text has a word of a list, and is not a sentence."""
    found, known = words_in(text), words(name)
    return len(found) <= MOST_WORDS and any(
        word in known or word[at:] in known
        for word in found
        for at in range(max(len(word) - COMPOUNDED, 0) + 1)
    )


def pattern(name: str) -> re.Pattern[str]:
    found: re.Pattern[str] = lexicon()[name]
    return found


def is_country(text: str) -> bool:
    """Whether a text is the name of a country, or a state or its code."""
    name = plain(text).strip(" .")
    is_state = text.strip(" .").lower() in words("states") and text.strip(" .").isupper()
    return name in words("places") or name in countries() or is_state
