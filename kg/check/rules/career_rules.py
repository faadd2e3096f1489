"""Rules about careers that need private entries, secondary jobs, expected dates or the date of the
check.
"""

from __future__ import annotations

import datetime
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import accumulate
from math import inf

from kg.errors import Place, Problem
from kg.facts.load import Facts
from kg.facts.loaded import Loaded
from kg.facts.models.base import Dated
from kg.facts.models.careers import GUESTS, CareerBreak, Position, SelfEmployment
from kg.facts.models.education import Certificate, Study
from kg.facts.models.engagements import Office
from kg.facts.models.people import Owner
from kg.facts.values.dates import When

JOBS = ("employment", "postdoc", "founder")  # kinds of work that make up a career
YEAR = 12  # months
RECENT_YEARS = 3  # years


def nothing_current(facts: Facts, today: datetime.date) -> Iterator[Problem]:
    """CVs without a current job, study or break, not even a private one, though the last ended
    recently or has no end.
    """
    bound = f"{today.year - RECENT_YEARS}{today.isoformat()[4:]}"
    lately: dict[str, bool] = {}  # by CV: whether its last entry is recent
    for each, fact in careers_in(facts):
        end = fact.endDate
        if is_present(fact) or (end and end.iso > today.isoformat()[: len(end.iso)]):
            lately[each.slug] = False
        elif not end or not end.iso or end.iso >= bound[: len(end.iso)]:
            lately.setdefault(each.slug, True)
    for each, _ in facts.of(Owner):
        if lately.get(each.slug):
            message = "no current position or study. Add 'endDate: present' to one, or accept this"
            text = f"basics: {message} hint."
            yield Problem(each.row.place, "info", text, "owner")


def careers_in(facts: Facts) -> Iterator[tuple[Loaded, Dated]]:
    """All jobs, studies and breaks."""
    for kind in (Position, SelfEmployment, Study, CareerBreak):
        yield from facts.of(kind)


def career_gaps(facts: Facts) -> Iterator[Problem]:
    """Jobs that start more than a year after the previous one, with no other job, study or break in
    between. Private entries fill a gap, too.
    """
    careers: dict[str, list[tuple[Loaded, Dated]]] = defaultdict(list)
    for each, fact in careers_in(facts):
        careers[each.slug].append((each, fact))
    for career in careers.values():
        spans = sorted((begin_of(fact), reach(fact)) for _, fact in career)
        reached = list(accumulate((last for _, last in spans), max))
        jobs = [(each, fact) for each, fact in career if is_job(fact)]
        ended = sorted(
            (month(fact.endDate, YEAR), fact.endDate.iso)
            for _, fact in jobs
            if fact.endDate and fact.endDate.iso
        )
        latest = list(accumulate((iso for _, iso in ended), max))
        for each, job in jobs:
            start = job.startDate
            if start is None or each.is_private:
                continue
            gap = month(start, 1) - YEAR
            if reach(job) < gap:  # ends before it starts: another rule
                continue
            begun = bisect_left(spans, (start.iso,))  # entries that started before this job
            before = bisect_left(ended, (gap,))  # jobs that ended more than a year before it
            if before and not (begun and reached[begun - 1] >= gap):
                yield Problem(
                    each.row.at("startDate"),
                    "info",
                    f"{each.row.path}: the previous position ended in {latest[before - 1]}, more "
                    "than a year before this one. Add what is missing; a break goes into 'breaks' "
                    "and can be 'visibility: private'.",
                    "career-gap",
                )


def is_job(fact: Dated) -> bool:
    return isinstance(fact, SelfEmployment) or (isinstance(fact, Position) and fact.kind in JOBS)


def begin_of(fact: Dated) -> str:
    """The start date; an unknown one sorts before all others."""
    return fact.startDate.iso if fact.startDate else ""


def reach(fact: Dated) -> float:
    """The last month of an entry; infinite if it is unknown or has not ended."""
    end = fact.endDate
    return month(end, YEAR) if end and end.iso else inf


def month(when: When, default: int) -> int:
    """The number of a month; for a year alone, the month that makes a gap smaller."""
    return int(when.iso[:4]) * YEAR + int(when.iso[5:7] or default)


def expired_certificates(facts: Facts, today: datetime.date) -> Iterator[Problem]:
    for each, certificate in facts.of(Certificate):
        end = certificate.endDate
        if end and end.iso and end.iso < today.isoformat()[: len(end.iso)]:
            yield Problem(
                each.row.at("endDate"),
                "info",
                f"{each.row.path}: this expired in {end.text}. Renew it, or keep it as history.",
                "certificate-expired",
            )


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
                f"{each.row.path}: unit '{role.unit.slug}' is not part of '{whole.slug}'. Correct "
                "one of them, or the 'parent' of the unit.",
                "unit-elsewhere",
            )


def lineage(slug: str, parents: Mapping[str, str]) -> list[str]:
    """An organisation and its parents, from the bottom up; a cycle ends where it closes."""
    above = [slug]
    while (slug := parents.get(slug, "")) and slug not in above:
        above.append(slug)
    return above


def two_employers(facts: Facts) -> Iterator[Problem]:
    """Current public positions at different employers, unless one is secondary."""
    employers: dict[str, dict[str, tuple[str, Place]]] = defaultdict(dict)  # by person
    for each, position in facts.of(Position):
        is_main = is_present(position) and not position.secondary and position.kind not in GUESTS
        if not is_main or each.is_private:
            continue
        slug, place = position.organization.slug, each.row.at("endDate")
        known = employers[each.slug]
        employer = lineage(slug, facts.parents)[-1]
        for other, there in [known[name] for name in known if name != employer][:1]:
            yield Problem(
                place,
                "warning",
                f"{each.row.path}: '{slug}' and '{other}' ({there}) are both current employers. "
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
                f"{each.row.path}: 'expected' is set, but this "
                f"{ended or 'is not marked as present'}. Write 'endDate: present', or remove "
                "'expected'.",
                "expected-not-present",
            )


def passed_expectations(facts: Facts, today: datetime.date) -> Iterator[Problem]:
    """Expected ends that have passed, compared at the precision of the date: a date in May has not
    passed while it is May.
    """
    for each, fact in facts.of(Dated):
        date = fact.expected
        if date and is_present(fact) and date.iso < today.isoformat()[: len(date.iso)]:
            yield Problem(
                each.row.at("expected"),
                "warning",
                f"{each.row.path}: this was expected to end in {date.text}. Add the end date, or "
                "update 'expected'.",
                "expected-passed",
            )


def is_present(fact: Dated) -> bool:
    return bool(fact.endDate and fact.endDate.text == "present")
