"""Finds similar names, such as `Charles Univ.` and `Charles University`.

Similar names are a hint for the author; they are never merged automatically.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

from kg.errors import Place, Problem
from kg.facts.inline.entities import Gathered
from kg.facts.values.naming import ThingsByName, kind_word, name_in, names_of
from kg.facts.values.text import SLUG
from kg.facts.yaml.rows import Row
from kg.text.nearest import differing_letters, likeness
from kg.text.person_names import tidied
from kg.text.transliterate import plain

WORD = re.compile(r"[^\W_]+(?:\+\+|#)?\.?")
SMALL = {"the", "of", "and", "for", "at", "in", "on", "de", "der", "und", "et"}
SHORTEST_START = 3  # letters that an abbreviation without a full stop needs
SAME = 0.85
# a language tag, or a town, of which there are many with similar names
WITHOUT_NAMES = ("languages", "places")
# Kinds whose names can look like keys: sea-ice, scikit-learn.
WITHOUT_KEYS = ("people", "publications", "languages", "topics", "software", "sources", "courses")


def words_of(name: str) -> tuple[str, ...]:
    return tuple(word for word in WORD.findall(plain(name)) if word not in SMALL)


def words_in(kind: str, name: str) -> tuple[str, ...]:
    """The words of a name; those of a person without titles and middle initials."""
    if kind != "people":
        return words_of(name)
    first, *others = words_of(tidied(name)[0]) or ("",)
    return (first, *(word for word in others if len(word.rstrip(".")) > 1))


def initials(words: tuple[str, ...]) -> tuple[str, ...]:
    """A key that similar names share, so that few pairs are compared: the first letter of each
    word, and whole words with digits, such as years.
    """
    return tuple(word.rstrip(".") if any(map(str.isdigit, word)) else word[0] for word in words)


def are_alike(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether each word equals the other, abbreviates it, or differs in a letter or two. A single
    word abbreviates another only with a full stop: Java is not JavaScript.
    """
    if len(one) != len(other) or (len(one) == 1 and is_start(*sorted((*one, *other), key=len))):
        return False
    return all(map(is_like, one, other))


def is_start(short: str, long: str) -> bool:
    return short != long and "." not in short and long.startswith(short)


def is_like(one: str, other: str) -> bool:
    short, long = sorted((one.rstrip("."), other.rstrip(".")), key=len)
    if short == long:
        return True
    is_short = f"{short}." in (one, other) or len(short) >= SHORTEST_START
    if long.startswith(short) and is_short:
        return True
    if len(short) <= SHORTEST_START:
        return False
    is_typo = differing_letters(short, long) == 1
    is_swap = sorted(short) == sorted(long)
    is_long = len(short) > SHORTEST_START + 1
    return likeness(short, long) >= SAME or (is_typo and (is_swap or is_long))


class LikelyPair(NamedTuple):
    """An inline name and a similar one: that of an entry, or an earlier inline name. `slug` is that
    of the other.
    """

    kind: str
    path: str
    name: str
    place: Place
    slug: str
    other: str
    other_place: Place
    whole: str = ""  # the organisation of which both are units

    @property
    def problem(self) -> Problem:
        return Problem(
            self.place,
            "info",
            f"{self.path}: '{self.name}' is similar to '{self.other}' ({self.other_place}). If "
            "they are the same, use the same spelling.",
            "near-name",
            (self.other_place,),
        )


def near_names(gathered: Gathered, index: ThingsByName) -> Iterator[Problem]:
    yield from (pair.problem for pair in likely_pairs(gathered, index))
    for (kind, slug), use in gathered.uses.items():
        if kind in WITHOUT_KEYS or "-" not in use.name or not SLUG.fullmatch(use.name):
            continue
        row = gathered.things.rows.get(kind, {}).get(slug)
        if row is not None and not row.written:
            message = (
                f"{row.path}: no entry has the key '{use.name}', so it becomes the name of a new "
                f"{kind_word(kind, 1)}. Correct the key, or write the name as it is printed."
            )
            yield Problem(use.places[0], "warning", message, "like-a-key")


def likely_pairs(gathered: Gathered, index: ThingsByName) -> Iterator[LikelyPair]:
    """Each inline name that is similar to that of an entry or to an earlier inline name."""
    things = gathered.things
    known: dict[tuple[Any, ...], list[tuple[tuple[str, ...], str, str, Place]]] = defaultdict(list)

    def enter(kind: str, slug: str, row: Any, name: str) -> None:
        words = words_in(kind, name)
        if all(words):
            place = row.place if isinstance(row, Row) else Place("")
            known[kind, things.units.get(slug), initials(words)].append((words, slug, name, place))

    for kind in things.rows:
        for slug, row in index.rows.get(kind, {}).items():
            names = [name_in(row)] if kind == "people" else names_of(row)
            for name in names:  # other names of people are often shared: N. Haddad
                enter(kind, slug, row, name)
    for (kind, slug), use in gathered.uses.items():
        thing = things.rows.get(kind, {}).get(slug)
        if thing is None or kind in WITHOUT_NAMES:
            continue
        words = words_in(kind, use.name)
        for other, there, name, place in known.get(
            (kind, things.units.get(slug), initials(words)), ()
        ):
            is_other = there != slug and name not in (use.name, tidied(use.name)[0])
            if is_other and are_alike(words, other):
                whole = things.units.get(slug, "")
                yield LikelyPair(
                    kind, thing.path, use.name, use.places[0], there, name, place, whole
                )
                break
        for name in names_of(thing):
            enter(kind, slug, thing, name)
