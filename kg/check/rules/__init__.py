"""Rules about values that are never published, and so are not in the graph: order of lists,
disputed fields, secondary jobs, unknown authors.

Each rule takes facts and yields problems. Rules that compare files use their notes.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from kg import doors
from kg.check.report.explain import Explained
from kg.check.rules.career_rules import (
    career_gaps,
    expired_certificates,
    needless_expectations,
    nothing_current,
    passed_expectations,
    two_employers,
    units,
)
from kg.check.rules.entry_rules import disputes, looks_like, stated_percentages, unmentioned
from kg.check.rules.person_rules import name_parts, oneself, unknown_authors, untidy_names
from kg.check.rules.work_rules import (
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
from kg.errors import KgError, Problem
from kg.facts.load import Facts

GROUP = "kg.checks"
FactRule = Callable[[Facts], Iterable[Problem]]


@dataclass(frozen=True)
class PluginRule(Explained):
    """A rule of a plugin, which sees one file at a time. `find` gets the facts of some files and
    the date to check against, or None to skip rules about the present. The name of the entry point
    is the name of the rule.
    """

    find: Callable[[Facts, datetime.date | None], Iterable[Problem]]


def check(facts: Facts, today: datetime.date | None = None) -> list[Problem]:
    """The problems of all rules; rules about the present only if the date is given."""
    across = [problem for rule in CROSS_FILE_RULES for problem in rule(facts)]
    return facts.found + in_files(facts, today) + across


def in_files(facts: Facts, today: datetime.date | None) -> list[Problem]:
    """The problems of rules that see one file at a time, including those of plugins."""
    found = [problem for rule in FILE_RULES for problem in rule(facts)]
    found += find_by_plugins(facts, today)
    if not today:
        return found
    return [*found, *(problem for rule in DATE_RULES for problem in rule(facts, today))]


def find_by_plugins(facts: Facts, today: datetime.date | None) -> Iterator[Problem]:
    """Runs the rules of plugins. Raises KgError if one fails, because the result would be
    incomplete.
    """
    for name, rule in doors.each(GROUP, PluginRule).items():
        try:
            found = list(rule.find(facts, today))
        except Exception as error:  # a plugin may raise anything
            raise KgError(
                f"The plugin rule {name} failed with {type(error).__name__}: {error}. "
                "Update or uninstall its package; `kg plugins` shows which one it is."
            ) from error
        yield from (replace(problem, rule=name) for problem in found)


FILE_RULES: tuple[FactRule, ...] = (
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
DATE_RULES: tuple[Callable[[Facts, datetime.date], Iterable[Problem]], ...] = (
    nothing_current,
    passed_expectations,
    expired_certificates,
)
CROSS_FILE_RULES: tuple[FactRule, ...] = (
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
