"""Acceptances: a warning or an info that an author has seen and answers for, with the reason next to the fact.

    {organization: uni, position: Lecturer, endDate: present, accept: {two-employers: a joint appointment}}

It holds for all that stands in the entry, and for a pair of which one half stands there. Errors cannot be accepted, and an acceptance
that answers to nothing is told, so that none outlives its reason.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Set
from pathlib import Path
from typing import Any, NamedTuple

from kg.errors import Place, Problem, tidy
from kg.facts.load import Loaded
from kg.facts.models.base import Entry
from kg.facts.nearness import closest
from kg.facts.privacy import fields_with_entries
from kg.facts.rows import Row
from kg.graph.shapes import Shapes

EXPLAINED = Path(__file__).parent.parent / "explained"


class Acceptance(NamedTuple):
    """The name of a rule, where it is written, how its entry is called, and from where to where that goes."""

    rule: str
    place: Place
    label: str
    start: Place
    end: Place

    def holds(self, problem: Problem) -> bool:
        return any(self.start <= place <= self.end for place in (problem.place, *problem.others))


def accepted(loaded: Iterable[Loaded], problems: Iterable[Problem], known: Set[str], all_asked: bool = True) -> list[Problem]:
    """The problems that nobody accepts, and what is wrong with acceptances. `known` are the names of all rules.

    An acceptance is stale only where all rules were asked; while there are errors, some are not.
    """
    found = {each for entry in loaded for each in acceptances(entry)}
    by_rule: dict[str, list[Acceptance]] = defaultdict(list)
    for each in found:
        by_rule[each.rule].append(each)
    left: list[Problem] = []
    answered: set[Acceptance] = set()
    refused: set[Acceptance] = set()
    for problem in problems:
        holding = [each for each in by_rule.get(problem.rule, ()) if each.holds(problem)]
        if problem.severity == "error":
            refused.update(holding)
        else:
            answered.update(holding)
        if problem.severity == "error" or not holding:
            left.append(problem)
    all_asked = all_asked and not any(problem.severity == "error" for problem in left)

    def complain(each: Acceptance, message: str, rule: str) -> None:
        left.append(Problem(each.place, "warning", f"{each.label}.accept.{each.rule}: {message}", rule))

    for each in found - answered:
        if each in refused:
            complain(each, "this is an error, and errors cannot be accepted. Mend it, then remove this.", "accepted-error")
        elif each.rule not in known:
            near = closest(each.rule, sorted(known))
            hint = f"Closest: {', '.join(near)}." if near else "Copy the name from behind the problem."
            complain(each, f"there is no such rule. {hint}", "unknown-rule")
        elif all_asked:
            complain(each, "nothing here breaks this rule any more. Remove it.", "stale-acceptance")
    return tidy(left)


def acceptances(loaded: Loaded) -> Iterator[Acceptance]:
    """Those of an entry and of the entries inside it. One that stands around several positions is found with each of them."""
    for entry, row, label in entries(loaded.fact, loaded.row, loaded.row.path):
        for written in (row.written or (row,)) if entry.accept else ():
            named = written.get("accept")
            if isinstance(named, Row):
                start, end = written.extent
                yield from (Acceptance(rule, named.at(rule, key=True), written.path or label, start, end) for rule in named)


def entries(fact: Any, row: Any, label: str) -> Iterator[tuple[Entry, Row, str]]:
    """A fact and the facts in its fields that are entries too, each with its row."""
    if not isinstance(fact, Entry) or not isinstance(row, Row):
        return
    yield fact, row, label
    for name in fields_with_entries(type(fact)):
        value, inner = getattr(fact, name), row.get(name)
        if isinstance(value, dict) and isinstance(inner, Row):
            for key, item in value.items():
                yield from entries(item, inner.get(key), f"{label}.{name}.{key}")
        elif isinstance(value, list) and isinstance(inner, list):
            for number, (item, below) in enumerate(zip(value, inner, strict=False)):
                yield from entries(item, below, f"{label}.{name}[{number}]")


def known_rules(shapes: Shapes) -> set[str]:
    """The names of all rules: those that are explained, and those of the site's own shapes."""
    return {path.name for path in EXPLAINED.glob("*/")} | shapes.names
