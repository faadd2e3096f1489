"""The works a CV lists: its owner signs each, lists it once, and forgets none."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from kg.errors import Problem
from kg.facts.load import Facts, Loaded
from kg.facts.models.careers import Study
from kg.facts.models.people import Cv, Owner
from kg.facts.models.works import Publication
from kg.facts.references import Reference


def listed_works(facts: Facts) -> Iterator[Problem]:
    """An owner signs what the CV lists, and lists it once."""
    works = {(each.kind, each.slug): (each, work) for each, work in facts.of(Publication)}
    for each, cv in facts.of(Cv):
        seen: set[Reference] = set()
        numbers: Counter[str] = Counter()
        for listed in cv.works:
            number = numbers[listed.kind]
            numbers[listed.kind] += 1
            label, place = f"{listed.kind}[{number}]", each.row.at(listed.kind, number)
            if listed in seen:
                yield Problem(place, "error", f"{label}: '{listed.slug}' is listed twice. Remove one.", "listed-twice")
            seen.add(listed)
            found = works.get((listed.kind, listed.slug))
            if found and each.slug not in found[1].author_slugs:
                there = found[0].row.at("authors")
                message = (
                    f"{label}: you list '{listed.slug}' but are not among its authors ({there}). "
                    "Check the spelling there, or add the printed form to your alternateNames."
                )
                yield Problem(place, "error", message, "owner-not-author", (there,))


def unlisted_works(facts: Facts) -> Iterator[Problem]:
    """Works of an owner that the CV leaves out; a thesis may stand with the study it ended."""
    theses: dict[str, set[Reference]] = defaultdict(set)
    for each, study in facts.of(Study):
        theses[each.slug].update(study.thesis)
    listed = {each.slug: {*cv.works, *theses[each.slug]} for each, cv in facts.of(Cv)}
    owners: dict[str, Loaded] = {each.slug: each for each, _ in facts.of(Owner) if each.slug in listed}
    for each, work in facts.of(Publication):
        for slug in work.author_slugs:
            if slug in owners and Reference(each.kind, each.slug) not in listed[slug]:
                place = each.row.place
                message = f"basics: '{each.slug}' ({place}) is signed by you, but your CV does not list it. Add it to '{each.kind}'."
                yield Problem(owners[slug].row.place, "info", message, "not-listed", (place,))
