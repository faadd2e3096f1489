"""Single entries: periods that are never published, ends that are only expected, printed
percentages, disputes.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from decimal import Decimal

from kg.errors import Problem
from kg.facts.load import Facts
from kg.facts.models.base import Dated, Entry
from kg.facts.models.honours import Award
from kg.facts.models.venues import Series


def unpublished_periods(facts: Facts) -> Iterator[Problem]:
    """The graph has no dates to compare here."""
    for each, fact in facts.of(Award):
        start, end = fact.startDate, fact.endDate
        if start and end and end.iso and end.iso[: len(start.iso)] < start.iso[: len(end.iso)]:
            message = (
                f"{each.row.path}: ends ({end.text}) before it starts ({start.text}). Swap or "
                "correct the dates."
            )
            yield Problem(each.row.at("endDate"), "error", message, "role-dates")


def needless_expectations(facts: Facts) -> Iterator[Problem]:
    for each, fact in facts.of(Dated):
        if fact.expected and not is_present(fact):
            end = (
                f"ended ({fact.endDate.text})"
                if fact.endDate and fact.endDate.iso
                else "is not marked as present"
            )
            message = (
                f"{each.row.path}: an end is expected, but this {end}. Write 'endDate: present', "
                "or remove 'expected'."
            )
            yield Problem(each.row.at("expected"), "warning", message, "expected-not-present")


def passed_expectations(facts: Facts, today: datetime.date) -> Iterator[Problem]:
    """Compared as far as the expectation goes: what is expected in May has not passed while it is
    May.
    """
    for each, fact in facts.of(Dated):
        if (
            fact.expected
            and is_present(fact)
            and fact.expected.iso < today.isoformat()[: len(fact.expected.iso)]
        ):
            message = (
                f"{each.row.path}: this was expected to end in {fact.expected.text}. Write the "
                "end, or a new expectation."
            )
            yield Problem(each.row.at("expected"), "warning", message, "expected-passed")


def is_present(fact: Dated) -> bool:
    return bool(fact.endDate and fact.endDate.text == "present")


MOST_POINTS_APART = Decimal("0.6")


def stated_percentages(facts: Facts) -> Iterator[Problem]:
    """A printed percentage that is not what its counts give."""
    for each, series in facts.of(Series):
        for year, edition in series.editions.items():
            figures = edition.acceptance
            if (
                not figures
                or not figures.stated
                or figures.accepted is None
                or not figures.submitted
            ):
                continue
            ratio = figures.accepted / figures.submitted * 100
            if abs(ratio - Decimal(figures.stated[:-1])) > MOST_POINTS_APART:
                counts = f"{figures.accepted} of {figures.submitted} is {ratio:.1f}%"
                message = (
                    f"{each.slug} {year}: {counts}, but {figures.stated} is stated. Check the "
                    "numbers."
                )
                yield Problem(
                    each.row.at("editions", year, "acceptance", "stated"),
                    "warning",
                    message,
                    "stated-acceptance",
                )


def disputes(facts: Facts) -> Iterator[Problem]:
    for each, entry in facts.of(Entry):
        for field in entry.disputed:
            message = (
                f"{each.row.path}: the sources disagree about '{field}'. Settle it, then remove "
                "it from 'disputed'."
            )
            yield Problem(each.row.at("disputed", field, key=True), "info", message, "disputed")
