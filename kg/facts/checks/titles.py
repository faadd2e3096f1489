"""Titles: one that two works share means one work entered twice, unless somebody says that they are two."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache

from kg.errors import Place, Problem
from kg.facts.letters import LETTERS
from kg.facts.load import Facts, Loaded
from kg.facts.models.works import Publication

Key = tuple[str, str]
Work = tuple[Loaded, Publication]


@lru_cache(maxsize=65536)
def plain(title: str) -> str:
    """A title without case, accents, punctuation and spaces, as titles are compared."""
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKD", title.casefold().translate(LETTERS)))


def titles_of(work: Publication) -> set[str]:
    return {plain(title) for title in (work.title, *work.alternateTitles)} - {""}


def key_of(work: Work) -> Key:
    return work[0].kind, work[0].slug


def same_titles(facts: Facts) -> Iterator[Problem]:
    """Each work is told once for each title, with the first of the works before it that it is not known to differ from."""
    works = {key_of(work): work for work in facts.of(Publication)}
    sharing: dict[str, list[Work]] = defaultdict(list)
    for work in works.values():
        for title in titles_of(work[1]):
            sharing[title].append(work)
    settled: dict[Key, set[Key]] = defaultdict(set)
    for title, group in sharing.items():
        for number, work in enumerate(group if len(group) > 1 else ()):
            if key_of(work) not in settled:
                settle(key_of(work), works, settled)
            for other in group[:number]:
                if key_of(other) not in settled[key_of(work)] and key_of(work) not in settled[key_of(other)]:
                    yield same_title(work, other, title)
                    break


def settle(key: Key, works: dict[Key, Work], settled: dict[Key, set[Key]]) -> None:
    """Notes which works one is known to differ from: those it names, and those it is based on, be it by way of others."""
    settled[key].update((other.kind, other.slug) for other in works[key][1].distinctFrom)
    waiting = [key]
    while waiting:
        work = works.get(waiting.pop())
        for other in work[1].basedOn if work else ():
            if (other.kind, other.slug) not in settled[key]:
                waiting.append((other.kind, other.slug))
            settled[key].add((other.kind, other.slug))


def same_title(work: Work, other: Work, title: str) -> Problem:
    slug, there = other[0].slug, place_of(other, title)
    remedy = "write 'basedOn' if one became the other, 'distinctFrom' if they are two"
    if work[0].kind == other[0].kind == "patents":  # which 'distinctFrom' cannot name
        remedy = "accept this with the reason why they are two"
    message = f"{work[0].slug}: '{slug}' ({there}) has the same title. Merge the two, or {remedy}."
    return Problem(place_of(work, title), "warning", message, "same-title", (there,))


def place_of(work: Work, title: str) -> Place:
    if plain(work[1].title) == title:
        return work[0].row.at("title")
    number = next(number for number, other in enumerate(work[1].alternateTitles) if plain(other) == title)
    return work[0].row.at("alternateTitles", number)


def distinct_works(facts: Facts) -> Iterator[Problem]:
    """`distinctFrom` speaks of another work, of a like title."""
    works = {key_of(work): work[1] for work in facts.of(Publication)}
    for each, work in facts.of(Publication):
        for number, other in enumerate(work.distinctFrom):
            place, found = each.row.at("distinctFrom", number), works.get((other.kind, other.slug))
            if found is work:
                message = f"{each.slug}: no work is distinct from itself. Correct 'distinctFrom'."
                yield Problem(place, "error", message, "distinct-from-itself")
            elif found and not titles_of(work) & titles_of(found):
                message = f"{each.slug}: '{other.slug}' has another title, so nobody takes the two for one. Remove it from 'distinctFrom'."
                yield Problem(place, "warning", message, "distinct-needlessly")
