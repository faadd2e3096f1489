"""Checks the graph cannot see, because what they need is never published: lists of works, disputes, names nobody claims."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from decimal import Decimal

from kg.errors import Problem
from kg.facts.identity import PeopleByName
from kg.facts.load import Facts, Loaded
from kg.facts.models.activities import Contribution
from kg.facts.models.base import Entry
from kg.facts.models.careers import Position, Study
from kg.facts.models.honours import Award
from kg.facts.models.people import Cv
from kg.facts.models.teaching import Mentoring
from kg.facts.models.venues import Series
from kg.facts.models.works import Publication
from kg.facts.references import OrganizationRef, Reference
from kg.facts.terms import Mention

MOST_POINTS_APART = Decimal("0.6")


def check(facts: Facts) -> list[Problem]:
    works = {(each.kind, each.slug): each for each in facts.loaded if isinstance(each.fact, Publication)}
    parents = {each.slug: each.row.get("parent") for each in facts.loaded if each.kind == "orgs"}
    found: list[Problem] = []
    for each in facts.loaded:
        if isinstance(each.fact, Entry):
            found += disputes(each)
        if isinstance(each.fact, Publication):
            found += unknown_authors(each, each.fact, facts.names) if facts.complete else ()
            if each.slug in {work.slug for work in each.fact.basedOn}:
                found.append(
                    Problem(
                        each.row.at("basedOn"),
                        "error",
                        f"{each.slug}: a work is not based on itself. Correct 'basedOn'.",
                        "based-on-itself",
                    )
                )
        if isinstance(each.fact, Cv):
            found += listed_works(each, each.fact, works)
        if isinstance(each.fact, Series):
            found += stated_percentages(each, each.fact)
        if isinstance(each.fact, Award | Contribution):
            found += unpublished_period(each, each.fact)
        if isinstance(each.fact, Mentoring) and each.fact.person.slug == each.slug:
            found.append(
                Problem(each.row.at("person"), "error", f"{each.row.path}: nobody is their own mentee. Correct 'person'.", "own-mentee")
            )
        if isinstance(each.fact, Award):
            found += award_for(each, each.fact, works)
        if isinstance(each.fact, Position):
            found += unit_of(each, each.fact.unit, each.fact.organization, parents)
        if isinstance(each.fact, Study):
            found += unit_of(each, each.fact.unit, each.fact.institution, parents)
    return found


def unpublished_period(each: Loaded, fact: Award | Contribution) -> Iterator[Problem]:
    """The graph has no dates to compare here."""
    start, end = fact.startDate, fact.endDate
    if start and end and end.iso and end.iso[: len(start.iso)] < start.iso[: len(end.iso)]:
        message = f"{each.row.path}: ends ({end.text}) before it starts ({start.text}). Swap or correct the dates."
        yield Problem(each.row.at("endDate"), "error", message, "role-dates")


def award_for(each: Loaded, award: Award, works: dict[tuple[str, str], Loaded]) -> Iterator[Problem]:
    work = works.get((award.work.kind, award.work.slug)) if award.work else None
    if work and isinstance(work.fact, Publication) and each.slug not in {signature.person.slug for signature in work.fact.authors}:
        message = f"{each.row.path}: the award is for '{work.slug}', of which you are no author. Is it the right key?"
        yield Problem(each.row.at("work"), "warning", message, "award-of-others")


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


def listed_works(each: Loaded, cv: Cv, works: dict[tuple[str, str], Loaded]) -> Iterator[Problem]:
    """An owner signs what the CV lists, and lists it once."""
    seen: set[Reference] = set()
    numbers: Counter[str] = Counter()
    for work in cv.works:
        number = numbers[work.kind]
        numbers[work.kind] += 1
        label, place = f"{work.kind}[{number}]", each.row.at(work.kind, number)
        if work in seen:
            yield Problem(place, "error", f"{label}: '{work.slug}' is listed twice. Remove one.", "listed-twice")
        seen.add(work)
        found = works.get((work.kind, work.slug))
        if found and isinstance(found.fact, Publication) and each.slug not in {signature.person.slug for signature in found.fact.authors}:
            message = (
                f"{label}: you list '{work.slug}' but are not among its authors "
                f"({found.row.at('authors')}). Check the spelling there, or add the printed form to your alternateNames."
            )
            yield Problem(place, "error", message, "owner-not-author")


def stated_percentages(each: Loaded, series: Series) -> Iterator[Problem]:
    """A printed percentage that is not what its counts give."""
    for year, edition in series.editions.items():
        figures = edition.acceptance
        if not figures or not figures.stated or figures.accepted is None or not figures.submitted:
            continue
        ratio = figures.accepted / figures.submitted * 100
        if abs(ratio - Decimal(figures.stated[:-1])) > MOST_POINTS_APART:
            counts = f"{figures.accepted} of {figures.submitted} is {ratio:.1f}%"
            message = f"{each.slug} {year}: {counts}, but {figures.stated} is stated. Check the numbers."
            yield Problem(each.row.at("editions", year, "acceptance", "stated"), "warning", message, "stated-acceptance")


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
