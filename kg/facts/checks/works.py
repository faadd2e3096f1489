"""Works: listed in CVs, sharing a title, based on themselves, awarded to others."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from kg.errors import Place, Problem
from kg.facts.load import Facts
from kg.facts.models.works import Publication

if TYPE_CHECKING:
    from kg.facts.notes import Work

Key = tuple[str, str]  # kind and slug


def based_on_itself(facts: Facts) -> Iterator[Problem]:
    for each, work in facts.of(Publication):
        for number, other in enumerate(work.basedOn):
            if (other.kind, other.slug) == (each.kind, each.slug):
                message = f"{each.slug}: a work is not based on itself. Correct 'basedOn'."
                yield Problem(each.row.at("basedOn", number), "error", message, "based-on-itself")


def awards_of_others(facts: Facts) -> Iterator[Problem]:
    for award in facts.notes.awards:
        work = facts.notes.works.get(award.work)
        if work and award.owner not in work.authors:
            message = (
                f"{award.label}: the award is for '{award.work[1]}', of which you are no author. "
                "Is it the right key?"
            )
            yield Problem(award.place, "warning", message, "award-of-others")


def listed_works(facts: Facts) -> Iterator[Problem]:
    """An owner signs what the CV lists, and lists it once."""
    works = facts.notes.works
    for owner, listed in facts.notes.listed.items():
        seen: set[tuple[str, str]] = set()
        numbers: Counter[str] = Counter()
        for (kind, slug), place in listed:
            label = f"{kind}[{numbers[kind]}]"
            numbers[kind] += 1
            if (kind, slug) in seen:
                yield Problem(
                    place,
                    "error",
                    f"{label}: '{slug}' is listed twice. Remove one.",
                    "listed-twice",
                )
            seen.add((kind, slug))
            work = works.get((kind, slug))
            if work and owner not in work.authors:
                message = (
                    f"{label}: you list '{slug}' but are not among its authors ({work.signed_at}). "
                    "Check the spelling there, or add the printed form to your alternateNames."
                )
                yield Problem(place, "error", message, "owner-not-author", (work.signed_at,))


def unlisted_works(facts: Facts) -> Iterator[Problem]:
    """Works of an owner that the CV leaves out; a thesis may stand with the study it ended."""
    notes = facts.notes
    listed = {
        owner: {*(work for work, _ in works), *notes.theses.get(owner, ())}
        for owner, works in notes.listed.items()
    }
    for (kind, slug), work in notes.works.items():
        for author in sorted(work.authors):
            if author in notes.owners and author in listed and (kind, slug) not in listed[author]:
                message = (
                    f"basics: '{slug}' ({work.place}) is signed by you, but your CV does not "
                    f"list it. Add it to '{kind}'."
                )
                yield Problem(notes.owners[author], "info", message, "not-listed", (work.place,))


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
