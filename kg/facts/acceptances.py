"""Acceptances: a warning or an info that an author has seen and answers for, with the reason next
to the fact.

    {organization: uni, position: Lecturer, endDate: present,
     accept: {two-employers: a joint appointment}}

It holds for all that stands in the entry, and for a pair of which one half stands there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from kg.errors import Place, Problem
from kg.facts.models.base import Entry
from kg.facts.privacy import fields_with_entries
from kg.facts.reading.rows import Row

if TYPE_CHECKING:
    from kg.facts.load import Loaded


class Acceptance(NamedTuple):
    """The name of a rule, where it is written, how its entry is called, and from where to where
    that goes.
    """

    rule: str
    place: Place
    label: str
    start: Place
    end: Place

    def holds(self, problem: Problem) -> bool:
        return any(self.start <= place <= self.end for place in (problem.place, *problem.others))


def acceptances(loaded: Loaded) -> Iterator[Acceptance]:
    """Those of an entry and of the entries inside it. One that stands around several positions is
    found with each of them.
    """
    for entry, row, label in entries(loaded.fact, loaded.row, loaded.row.path):
        for written in (row.written or (row,)) if entry.accept else ():
            named = written.get("accept")
            if isinstance(named, Row):
                start, end = written.extent
                yield from (
                    Acceptance(rule, named.at(rule, key=True), written.path or label, start, end)
                    for rule in named
                )


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
