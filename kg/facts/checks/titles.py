"""Titles: one that two works share means one work entered twice, unless somebody says that they are
two.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from kg.errors import Place, Problem
from kg.facts.load import Facts
from kg.facts.models.works import Publication
from kg.facts.reading.rows import Row
from kg.facts.values.letters import LETTERS

if TYPE_CHECKING:
    from kg.facts.checks.notes import Work

Key = tuple[str, str]


@lru_cache(maxsize=65536)
def plain(title: str) -> str:
    """A title without case, accents, punctuation and spaces, as titles are compared."""
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKD", title.casefold().translate(LETTERS)))


def places_of_titles(work: Publication, row: Row) -> dict[str, Place]:
    """Each title as it is compared, and where it is written first."""
    found: dict[str, Place] = {}
    for number, title in reversed([*enumerate(work.alternateTitles)]):
        found[plain(title)] = row.at("alternateTitles", number)
    found[plain(work.title)] = row.at("title")
    return {title: place for title, place in found.items() if title}


def same_titles(facts: Facts) -> Iterator[Problem]:
    """Each work is told once for each title, with the first of the works before it that it is not
    known to differ from.
    """
    works = facts.notes.works
    sharing: dict[str, list[Key]] = defaultdict(list)
    for key, work in works.items():
        for title in work.titles:
            sharing[title].append(key)
    settled: dict[Key, set[Key]] = {}
    for title, group in sharing.items():
        for number, key in enumerate(group if len(group) > 1 else ()):
            for each in group[: number + 1]:
                if each not in settled:
                    settled[each] = differing(each, works)
            other = next(
                (
                    other
                    for other in group[:number]
                    if other not in settled[key] and key not in settled[other]
                ),
                None,
            )
            if other:
                yield same_title(key, other, works[key].titles[title], works[other].titles[title])


def differing(key: Key, works: Mapping[Key, Work]) -> set[Key]:
    """Which works one is known to differ from: those it names, and those it is based on, be it by
    way of others.
    """
    found = {other for other, _ in works[key].distinct}
    waiting = [key]
    while waiting:
        work = works.get(waiting.pop())
        for other in work.based_on if work else ():
            if other not in found:
                waiting.append(other)
            found.add(other)
    return found


def same_title(work: Key, other: Key, here: Place, there: Place) -> Problem:
    remedy = "write 'basedOn' if one became the other, 'distinctFrom' if they are two"
    if work[0] == other[0] == "patents":  # which 'distinctFrom' cannot name
        remedy = "accept this with the reason why they are two"
    message = f"{work[1]}: '{other[1]}' ({there}) has the same title. Merge the two, or {remedy}."
    return Problem(here, "warning", message, "same-title", (there,))


def distinct_works(facts: Facts) -> Iterator[Problem]:
    """`distinctFrom` speaks of another work, of a like title."""
    works = facts.notes.works
    for key, work in works.items():
        for other, place in work.distinct:
            if other == key:
                message = f"{key[1]}: no work is distinct from itself. Correct 'distinctFrom'."
                yield Problem(place, "error", message, "distinct-from-itself")
            elif other in works and not work.titles.keys() & works[other].titles.keys():
                message = (
                    f"{key[1]}: '{other[1]}' has another title, so nobody takes the two for one. "
                    "Remove it from 'distinctFrom'."
                )
                yield Problem(place, "warning", message, "distinct-needlessly")
