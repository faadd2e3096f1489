"""Checks the graph cannot see, because what they need is never published: lists of works, disputes,
second jobs, names nobody claims.

Each rule takes facts and yields the problems it finds. Those that compare files read their notes.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable

from kg.errors import Problem
from kg.facts.checks.career_rules import (
    career_gaps,
    expired_certificates,
    needless_expectations,
    nothing_current,
    passed_expectations,
    two_employers,
    units,
)
from kg.facts.checks.person_rules import name_parts, oneself, unknown_authors, untidy_names
from kg.facts.checks.registry_rules import stated_percentages, unmentioned
from kg.facts.checks.section_rules import disputes, looks_like
from kg.facts.checks.work_rules import (
    awards_for_works,
    based_on_later_works,
    based_on_themselves,
    distinct_works,
    editions_out_of_their_year,
    kinds_and_venues,
    listed_works,
    same_titles,
    theses,
    unlisted_works,
    untidy_pages,
    years_and_dates,
)
from kg.facts.load import Facts

Rule = Callable[[Facts], Iterable[Problem]]


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
