"""Periods that are never published: of awards and systems, and ends that are only expected."""

from __future__ import annotations

import datetime
from collections.abc import Iterator

from kg.errors import Problem
from kg.facts.load import Facts
from kg.facts.models.activities import Contribution
from kg.facts.models.base import Dated
from kg.facts.models.honours import Award


def unpublished(facts: Facts) -> Iterator[Problem]:
    """The graph has no dates to compare here."""
    for each, fact in (*facts.of(Award), *facts.of(Contribution)):
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
