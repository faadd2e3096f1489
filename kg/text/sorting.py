"""Sort keys for lists: people by family name, works by year and title, all else by name.

Case and accents do not count, nor does a leading article. Alphabets that can be transliterated are
among the Latin names, all other scripts after them. No rules of one language apply: a list here is
read in all of them.
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
    """Whether a text comes after the Latin ones, and what it is sorted by; numbers by their
    size.
    """
    words = " ".join(normalize.words(plain(text)))
    return not words[:1].isascii(), DIGITS.sub(lambda number: number[0].zfill(9), words)


def of_name(name: str) -> Key:
    """An organisation, a venue, a title: `The Ohio State University` is under O."""
    after, words = folded(name)
    return after, ARTICLE.sub("", words, count=1) if ARTICLE.match(words) else words, name


def of_person(name: str, family: str = "", given: str = "") -> Key:
    """By the family name, then the rest. A wrong guess does no harm here, so one is made in every
    alphabet with words.
    """
    found = person_names.stated(name, family, given) or (
        person_names.PersonName(family, name) if family else None
    )
    found = found or (
        person_names.guessed(name) if plain(name).isascii() else person_names.PersonName(name)
    )
    return *folded(found.family), folded(found.given)[1], found.suffix, name


def of_work(title: str, date: str = "") -> Key:
    """The latest first; what has no date, last."""
    year = date[:4]
    return -int(year) if year.isdecimal() else 0, *of_name(title)


def key(kind: str, name: str, family: str = "", given: str = "", date: str = "") -> Key:
    """Where a thing stands in the list of its kind."""
    if kind == "people":
        return of_person(name, family, given)
    return of_work(name, date) if kind in WORKS else of_name(name)


def in_order(kind: str, rows: Iterable[Solution]) -> list[Solution]:
    """The rows of a list. `?item` and `?itemName` say what each is of; `?family`, `?given` and
    `?dated` what else is known.
    """
    return sorted(rows, key=lambda row: place(kind, row))


def place(kind: str, row: Solution) -> Key:
    name, family, given, date, item = (row[each].value if each in row else "" for each in COLUMNS)
    return *key(kind, name, family, given, date), item


def heading(kind: str, row: Solution) -> str:
    """Under what a row of a list stands: the year of a work, the letter of anything else."""
    if kind in WORKS:
        return row["dated"].value[:4] if "dated" in row else "Without a date"
    first = str(place(kind, row)[1])[:1].upper()
    return "0–9" if first.isdecimal() else first
