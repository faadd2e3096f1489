"""Checks the graph cannot see, because what they need is never published: lists of works, disputes, names nobody claims."""

from __future__ import annotations

from collections.abc import Iterator

from kg.errors import Problem
from kg.facts.identity import PeopleByName
from kg.facts.load import Facts, Loaded
from kg.facts.models.base import Entry
from kg.facts.models.careers import Position, Study
from kg.facts.models.people import Cv
from kg.facts.models.works import Publication
from kg.facts.references import OrganizationRef
from kg.facts.terms import Mention


def check(facts: Facts) -> list[Problem]:
    works = {each.slug: each for each in facts.loaded if isinstance(each.fact, Publication)}
    parents = {each.slug: each.row.get("parent") for each in facts.loaded if each.kind == "orgs"}
    found: list[Problem] = []
    for each in facts.loaded:
        if isinstance(each.fact, Entry):
            found += disputes(each)
        if isinstance(each.fact, Publication):
            found += unknown_authors(each, each.fact, facts.names)
        if isinstance(each.fact, Cv):
            found += listed_works(each, each.fact, works)
        if isinstance(each.fact, Position):
            found += unit_of(each, each.fact.unit, each.fact.organization, parents)
        if isinstance(each.fact, Study):
            found += unit_of(each, each.fact.unit, each.fact.institution, parents)
    return found


def disputes(each: Loaded) -> Iterator[Problem]:
    assert isinstance(each.fact, Entry)  # noqa: S101
    for field in each.fact.disputed:
        message = f"{each.row.path}: the sources disagree about '{field}'. Settle it, then remove it from 'disputed'."
        yield Problem(each.row.at("disputed", field, key=True), "info", message, "disputed")


def unknown_authors(each: Loaded, work: Publication, names: PeopleByName) -> Iterator[Problem]:
    for number, signature in enumerate(work.authors):
        if isinstance(signature.person, Mention):
            near = names.near(signature.printed)
            hint = f" If it is one of {', '.join(near)}, add it to the alternateNames there." if near else ""
            message = f"{each.row.path}: nobody in the registry is called '{signature.printed}', so it is a person of its own.{hint}"
            yield Problem(each.row.at("authors", number), "info", message, "unregistered-author")


def listed_works(each: Loaded, cv: Cv, works: dict[str, Loaded]) -> Iterator[Problem]:
    """An owner signs what the CV lists, and lists it once."""
    seen: set[str] = set()
    for number, listing in enumerate(cv.publications):
        slug = listing.publication.slug
        place = each.row.at("publications", number)
        if slug in seen:
            yield Problem(place, "error", f"publications[{number}]: '{slug}' is listed twice. Remove one.", "listed-twice")
        seen.add(slug)
        work = works[slug].fact if slug in works else None
        if isinstance(work, Publication) and each.slug not in {signature.person.slug for signature in work.authors}:
            message = (
                f"publications[{number}]: you list '{slug}' but are not among its authors "
                f"({works[slug].row.at('authors')}). Check the spelling there, or add the printed form to your alternateNames."
            )
            yield Problem(place, "error", message, "owner-not-author")


def unit_of(each: Loaded, unit: OrganizationRef | None, whole: OrganizationRef, parents: dict[str, object]) -> Iterator[Problem]:
    if unit is None:
        return
    above: set[object] = set()
    slug: object = unit.slug
    while isinstance(slug, str) and slug not in above:
        above.add(slug)
        slug = parents.get(slug)
    if whole.slug not in above:
        message = f"{each.row.path}: unit '{unit.slug}' is not part of '{whole.slug}'. Give it a 'parent' there, or correct one of the two."
        yield Problem(each.row.at("unit"), "error", message, "unit-elsewhere")
