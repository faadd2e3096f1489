"""Checks the graph cannot see, because what they need is never published: lists of works, disputes, second jobs, names nobody claims.

Each module is a family of rules; each rule takes all facts and tells the problems it finds.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable

from kg.errors import Problem
from kg.facts.checks import careers, lists, people, periods, titles, venues, works
from kg.facts.load import Facts

RULES: tuple[Callable[[Facts], Iterable[Problem]], ...] = (
    works.disputes,
    works.based_on_itself,
    works.awards_of_others,
    titles.same_titles,
    titles.distinct_works,
    lists.listed_works,
    lists.unlisted_works,
    people.unknown_authors,
    people.unmentioned,
    careers.units,
    careers.two_employers,
    periods.unpublished,
    periods.needless_expectations,
    venues.stated_percentages,
)


def check(facts: Facts, today: datetime.date | None = None) -> list[Problem]:
    """What all rules find; those about the present only where the day is given."""
    found = [problem for rule in RULES for problem in rule(facts)]
    return found + list(periods.passed_expectations(facts, today)) if today else found
