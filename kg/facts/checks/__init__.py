"""Checks the graph cannot see, because what they need is never published: lists of works, disputes,
second jobs, names nobody claims.

Each rule takes facts and yields the problems it finds. Those that compare files read their notes.
"""

from __future__ import annotations

import datetime
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from decimal import Decimal

from kg.errors import Place, Problem
from kg.facts.checks.career_rules import career_gaps, expired_certificates, nothing_current
from kg.facts.checks.person_rules import name_parts, oneself, untidy_names
from kg.facts.checks.registry_rules import unmentioned
from kg.facts.checks.section_rules import looks_like
from kg.facts.checks.work_rules import (
    awards_for_works,
    based_on_later_works,
    based_on_themselves,
    editions_out_of_their_year,
    kinds_and_venues,
    theses,
    untidy_pages,
    years_and_dates,
)
from kg.facts.explain import field_names, no_field
from kg.facts.formats.bibliographies import is_bibliography
from kg.facts.load import Facts, Loaded
from kg.facts.models import SECTIONS
from kg.facts.models.base import Dated
from kg.facts.models.careers import GUESTS, Position
from kg.facts.models.education import Study
from kg.facts.models.engagements import Office
from kg.facts.models.publishing.publications import Publication
from kg.facts.models.venues import Series
from kg.facts.notes import Key, Work, entries
from kg.facts.values.terms import Mention

Rule = Callable[[Facts], Iterable[Problem]]
MOST_POINTS_APART = Decimal("0.6")
MOST_STRANGERS = 10  # authors of one work, each told of


def check(facts: Facts, today: datetime.date | None = None) -> list[Problem]:
    """What all rules find; those about the present only where the day is given."""
    across = [problem for rule in ACROSS_FILES for problem in rule(facts)]
    return facts.found + in_files(facts, today) + across


def in_files(facts: Facts, today: datetime.date | None) -> list[Problem]:
    """What the rules find that look at one file at a time."""
    found = [problem for rule in OF_A_FILE for problem in rule(facts)]
    if not today:
        return found
    return [*found, *(problem for rule in OF_TODAY for problem in rule(facts, today))]


def disputes(facts: Facts) -> Iterator[Problem]:
    """What is disputed is a field of the entry, be it one of what is named there."""
    for each in facts.loaded:
        for entry, row, label in entries(each.fact, each.row, each.row.path):
            for field in entry.disputed:
                place = row.at("disputed", field, key=True)
                section = SECTIONS.get(label.partition("[")[0])
                names = {*field_names(type(entry)), *type(entry).spread, *row}
                names.update(section.fields_of_thing if section else ())
                if field not in names:
                    yield no_field(place, f"{label}.disputed: ", field, names)
                    continue
                message = f"the sources disagree about '{field}'. Settle it, then remove it from"
                yield Problem(place, "info", f"{label}: {message} 'disputed'.", "disputed")


def unknown_authors(facts: Facts) -> Iterator[Problem]:
    """Only reported where every CV could be read, for one that could not be may claim the name. Of
    the many in a bibliography only those who may be somebody we know; of very many in one work the
    first stands for all others.
    """
    for each, work in facts.of(Publication) if facts.complete else ():
        strangers: list[int] = []
        for number, signature in enumerate(work.authors):
            if not isinstance(signature.person, Mention):
                continue
            if near := facts.names.near(signature.printed):
                hint = f"If it is one of {', '.join(near)}, add it to the alternateNames there."
                yield unknown_author(each, number, signature.printed, hint)
            elif not is_bibliography(each.row.file):
                strangers.append(number)
        rest = strangers[1:] if len(strangers) > MOST_STRANGERS else []
        also = f"So are {len(rest)} others here. " if rest else ""
        for number in strangers[: -len(rest) or None]:
            hint = f"{also}If you know who it is, say so in data/people.yaml."
            yield unknown_author(each, number, work.authors[number].printed, hint)


def unknown_author(each: Loaded, number: int, name: str, hint: str) -> Problem:
    return Problem(
        each.row.at("authors", number),
        "info",
        f"{each.row.path}: nobody in the registry is called '{name}', so it is a person of its "
        f"own. {hint}",
        "unregistered-author",
    )


def lineage(slug: str, parents: Mapping[str, str]) -> list[str]:
    """An organisation, what it is part of, and so on upwards; a circle ends where it closes."""
    above = [slug]
    while (slug := parents.get(slug, "")) and slug not in above:
        above.append(slug)
    return above


def units(facts: Facts) -> Iterator[Problem]:
    roles: list[tuple[Loaded, Position | Study | Office]] = [
        *facts.of(Position),
        *facts.of(Study),
        *facts.of(Office),
    ]
    for each, role in roles:
        whole = role.institution if isinstance(role, Study) else role.organization
        if role.unit and whole.slug not in lineage(role.unit.slug, facts.parents):
            yield Problem(
                each.row.at("unit"),
                "error",
                f"{each.row.path}: unit '{role.unit.slug}' is not part of '{whole.slug}'. Give it "
                "a 'parent' there, or correct one of the two.",
                "unit-elsewhere",
            )


def two_employers(facts: Facts) -> Iterator[Problem]:
    """Each public position that is current beside one at another employer, unless one of the two is
    marked as secondary.
    """
    employers: dict[str, dict[str, tuple[str, Place]]] = defaultdict(dict)  # of each person
    for each, position in facts.of(Position):
        is_main = is_present(position) and not position.secondary and position.kind not in GUESTS
        if not is_main or each.is_private:
            continue
        slug, place, known = (
            position.organization.slug,
            each.row.at("endDate"),
            employers[each.slug],
        )
        employer = lineage(slug, facts.parents)[-1]
        for other, there in [known[name] for name in known if name != employer][:1]:
            yield Problem(
                place,
                "warning",
                f"{each.row.path}: '{slug}' is a current employer, and so is '{other}' ({there}). "
                "End one of the positions, or mark it 'secondary: true'.",
                "two-employers",
                (there,),
            )
        known.setdefault(employer, (slug, place))


def needless_expectations(facts: Facts) -> Iterator[Problem]:
    for each, fact in facts.of(Dated):
        if fact.expected and not is_present(fact):
            ended = fact.endDate and fact.endDate.iso and f"ended ({fact.endDate.text})"
            yield Problem(
                each.row.at("expected"),
                "warning",
                f"{each.row.path}: an end is expected, but this "
                f"{ended or 'is not marked as present'}. Write 'endDate: present', or remove "
                "'expected'.",
                "expected-not-present",
            )


def passed_expectations(facts: Facts, today: datetime.date) -> Iterator[Problem]:
    """Compared as far as the expectation goes: what is expected in May has not passed while it is
    May.
    """
    for each, fact in facts.of(Dated):
        date = fact.expected
        if date and is_present(fact) and date.iso < today.isoformat()[: len(date.iso)]:
            yield Problem(
                each.row.at("expected"),
                "warning",
                f"{each.row.path}: this was expected to end in {date.text}. Write the end, or a "
                "new expectation.",
                "expected-passed",
            )


def is_present(fact: Dated) -> bool:
    return bool(fact.endDate and fact.endDate.text == "present")


def stated_percentages(facts: Facts) -> Iterator[Problem]:
    """A printed percentage that is not what its counts give."""
    for each, series in facts.of(Series):
        for year, edition in series.editions.items():
            figures = edition.acceptance
            if not (figures and figures.stated and figures.accepted and figures.submitted):
                continue
            ratio = figures.accepted / figures.submitted * 100
            if abs(ratio - Decimal(figures.stated[:-1])) > MOST_POINTS_APART:
                yield Problem(
                    each.row.at("editions", year, "acceptance", "stated"),
                    "warning",
                    f"{each.slug} {year}: {figures.accepted} of {figures.submitted} is "
                    f"{ratio:.1f}%, but {figures.stated} is stated. Check the numbers.",
                    "stated-acceptance",
                )


def same_titles(facts: Facts) -> Iterator[Problem]:
    """Each work is reported once for each title, with the first of the works before it that it is
    not known to differ from.
    """
    works = facts.notes.works
    sharing: dict[str, list[Key]] = defaultdict(list)
    for key, work in works.items():
        for title in work.titles:
            sharing[title].append(key)
    for title, group in sharing.items():
        settled = {key: differing(key, works) for key in group} if len(group) > 1 else {}
        for number, key in enumerate(settled):
            for other in group[:number]:
                if other not in settled[key] and key not in settled[other]:
                    here, there = works[key].titles[title], works[other].titles[title]
                    yield same_title(key, other, here, there)
                    break


def differing(key: Key, works: Mapping[Key, Work]) -> set[Key]:
    """Which works one is known to differ from: those it names, and those it is based on, be it by
    way of others.
    """
    found = {other for other, _ in works[key].distinct}
    waiting = [key]
    while waiting:
        work = works.get(waiting.pop())
        more = {*work.based_on, *work.version_of} - found if work else set[Key]()
        waiting += more
        found |= more
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
                yield Problem(
                    place,
                    "warning",
                    f"{key[1]}: '{other[1]}' has another title, so nobody takes the two for one. "
                    "Remove it from 'distinctFrom'.",
                    "distinct-needlessly",
                )


def listed_works(facts: Facts) -> Iterator[Problem]:
    """An owner signs what the CV lists, and lists it once."""
    for owner, listed in facts.notes.listed.items():
        seen: set[Key] = set()
        numbers: Counter[str] = Counter()
        for key, place in listed:
            kind, slug = key
            label = f"{kind}[{numbers[kind]}]"
            numbers[kind] += 1
            if key in seen:
                message = f"{label}: '{slug}' is listed twice. Remove one."
                yield Problem(place, "error", message, "listed-twice")
            seen.add(key)
            work = facts.notes.works.get(key)
            if work and owner not in work.authors:
                yield Problem(
                    place,
                    "error",
                    f"{label}: you list '{slug}' but are not among its authors ({work.signed_at}). "
                    "Check the spelling there, or add the printed form to your alternateNames.",
                    "owner-not-author",
                    (work.signed_at,),
                )


def unlisted_works(facts: Facts) -> Iterator[Problem]:
    """Works of an owner that the CV leaves out; a thesis may stand with the study it ended."""
    notes = facts.notes
    listed = {
        owner: {work for work, _ in works}
        for owner, works in notes.listed.items()
        if owner in notes.owners
    }
    for thesis in notes.theses:
        if thesis.author in listed:
            listed[thesis.author].add(thesis.work)
    for key, work in notes.works.items():
        for author in sorted(work.authors & listed.keys()):
            if key not in listed[author]:
                yield Problem(
                    notes.owners[author],
                    "info",
                    f"basics: '{key[1]}' ({work.place}) is signed by you, but your CV does not "
                    f"list it. Add it to '{key[0]}'.",
                    "not-listed",
                    (work.place,),
                )


OF_A_FILE: tuple[Rule, ...] = (
    disputes,
    oneself,
    name_parts,
    untidy_names,
    untidy_pages,
    years_and_dates,
    kinds_and_venues,
    editions_out_of_their_year,
    unknown_authors,
    units,
    two_employers,
    career_gaps,
    needless_expectations,
    stated_percentages,
    looks_like,
)
OF_TODAY: tuple[Callable[[Facts, datetime.date], Iterable[Problem]], ...] = (
    nothing_current,
    passed_expectations,
    expired_certificates,
)
ACROSS_FILES: tuple[Rule, ...] = (
    based_on_themselves,
    based_on_later_works,
    theses,
    awards_for_works,
    same_titles,
    distinct_works,
    listed_works,
    unlisted_works,
    unmentioned,
)
