"""The works a CV lists: its owner signs each, lists it once, and forgets none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from kg.errors import Problem
from kg.facts.load import Facts


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
