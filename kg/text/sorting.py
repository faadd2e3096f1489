"""Sort keys of lists: people by family name, works by year and title, all others by name.

Case, accents and a leading article are ignored. Alphabets that can be transliterated are sorted
with Latin names, other scripts after them. There are no language-specific rules, because lists mix
languages.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from kg.store.protocol import Solution
from kg.text import normalize, person_names
from kg.text.transliterate import plain

Key = tuple[Any, ...]

ARTICLE = re.compile(r"(?:the|an?)\s+(?=\S)")
DIGITS = re.compile(r"\d+")
COLUMNS = ("itemName", "family", "given", "dated", "item")
WORKS = ("publications", "patents", "press")


def folded(text: str) -> tuple[bool, str]:
    """Whether a text comes after Latin ones, and its sort text, with numbers zero-padded."""
    words = " ".join(normalize.words(plain(text)))
    return not words[:1].isascii(), DIGITS.sub(lambda number: number[0].zfill(9), words)


def of_name(name: str) -> Key:
    """For organisations, venues and titles: `The Ohio State University` is under O."""
    after, words = folded(name)
    return after, ARTICLE.sub("", words, count=1) if ARTICLE.match(words) else words, name


def of_person(name: str, family: str = "", given: str = "") -> Key:
    """By family name, then the rest. A wrong guess does little harm here, so names in all alphabets
    are split.
    """
    found = person_names.stated(name, family, given) or (
        person_names.PersonName(family, name) if family else None
    )
    found = found or (
        person_names.guessed(name) if plain(name).isascii() else person_names.PersonName(name)
    )
    return *folded(found.family), folded(found.given)[1], found.suffix, name


def of_work(title: str, date: str = "") -> Key:
    """Latest first; undated works last."""
    year = date[:4]
    return -int(year) if year.isdecimal() else 0, *of_name(title)


def key(kind: str, name: str, family: str = "", given: str = "", date: str = "") -> Key:
    """The sort key of an entry in the list of its kind."""
    if kind == "people":
        return of_person(name, family, given)
    return of_work(name, date) if kind in WORKS else of_name(name)


def in_order(kind: str, rows: Iterable[Solution]) -> list[Solution]:
    """Sorts the rows of a list by `?item`, `?itemName`, `?family`, `?given` and `?dated`."""
    return sorted(rows, key=lambda row: place(kind, row))


def place(kind: str, row: Solution) -> Key:
    name, family, given, date, item = (row[each].value if each in row else "" for each in COLUMNS)
    return *key(kind, name, family, given, date), item


def heading(kind: str, row: Solution) -> str:
    """The heading of a row in a list: the year of a work, the first letter otherwise."""
    if kind in WORKS:
        return row["dated"].value[:4] if "dated" in row else "No date"
    first = str(place(kind, row)[1])[:1].upper()
    return "0–9" if first.isdecimal() else first
