"""Checks the graph cannot see, because what they need is never published: lists of works, disputes,
second jobs, names nobody claims.

Each module is a family of rules; each rule takes facts and tells the problems it finds. Those that
compare files read their notes.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable

from kg.errors import Problem
from kg.facts.checks import careers, entries, people, works
from kg.facts.load import Facts

Rule = Callable[[Facts], Iterable[Problem]]
OF_A_FILE: tuple[Rule, ...] = (
    entries.disputes,
    works.based_on_itself,
    people.unknown_authors,
    careers.units,
    careers.two_employers,
    entries.unpublished_periods,
    entries.needless_expectations,
    entries.stated_percentages,
)
ACROSS_FILES: tuple[Rule, ...] = (
    works.awards_of_others,
    works.same_titles,
    works.distinct_works,
    works.listed_works,
    works.unlisted_works,
    people.unmentioned,
)


def check(facts: Facts, today: datetime.date | None = None) -> list[Problem]:
    """What all rules find; those about the present only where the day is given."""
    return (
        facts.found
        + in_files(facts, today)
        + [problem for rule in ACROSS_FILES for problem in rule(facts)]
    )


def in_files(facts: Facts, today: datetime.date | None) -> list[Problem]:
    """What the rules find that look at one file at a time."""
    found = [problem for rule in OF_A_FILE for problem in rule(facts)]
    return found + list(entries.passed_expectations(facts, today)) if today else found
