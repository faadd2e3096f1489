"""Checks data that is not in a file yet: an imported draft, a new entry, an edit. Nothing is
written.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from kg.check.check import check_facts
from kg.errors import Problem, errors_in
from kg.facts.files import Unsaved
from kg.facts.load import load
from kg.facts.yaml.rows import Row, Rows, Spot
from kg.graph.parallel.run import Run

Steps = tuple[str | int, ...]  # the path to a value: a file, then names and indexes


class Fault(NamedTuple):
    """An error and the path to its value; the path is empty if the value is in another file."""

    steps: Steps
    problem: Problem


def check_unsaved(
    folder: Path, unsaved: Unsaved, today: str = "", in_full: bool = True
) -> list[Problem]:
    """The errors that the site would have with these files. Without `in_full`, only errors of
    fields and references, which is much faster.
    """
    facts = load(folder, unsaved)
    return errors_in(check_facts(facts, Run(today)).problems if in_full else facts.problems)


def check_rows(
    folder: Path, contents: Mapping[str, Mapping[str, Any]], today: str = "", in_full: bool = True
) -> list[Fault]:
    """The errors that the site would have with these contents by file, each with the path to its
    value. Errors of fields and references come first; if there are none and `in_full`, all others.
    """
    rows, ways = dict[str, Row](), dict[str, list[Steps]]()
    for file, content in contents.items():
        numbering = Numbering(file)
        rows[file] = numbering.row(content, (file,), numbering.spot((file,)))
        ways[file] = numbering.ways
    facts = load(folder, rows)
    found = errors_in(facts.problems)
    if in_full and not found:
        found = errors_in(check_facts(facts, Run(today)).problems)
    return [
        Fault(ways[place.file][place.line - 1] if place.file in ways else (), problem)
        for problem in found
        for place in [
            next((at for at in (problem.place, *problem.others) if at.file in ways), problem.place)
        ]
    ]


class Numbering:
    """Makes rows in which the line is the index of a value, so that a place identifies the
    value.
    """

    def __init__(self, file: str) -> None:
        self.file = file
        self.ways: list[Steps] = []

    def spot(self, steps: Steps) -> Spot:
        self.ways.append(steps)
        return len(self.ways) - 1, 0

    def row(self, content: Mapping[str, Any], steps: Steps, at: Spot) -> Row:
        row = Row(self.file, at)
        for name, item in content.items():
            spot = self.spot(way := (*steps, name))
            row.put(name, self.value(item, way, spot), spot, spot)
        return row

    def value(self, value: Any, steps: Steps, at: Spot) -> Any:
        if isinstance(value, Mapping):
            return self.row(value, steps, at)
        if not isinstance(value, list):
            return str(value) if isinstance(value, str) else json.dumps(value)
        rows = Rows()
        for number, item in enumerate(value):
            spot = self.spot(way := (*steps, number))
            rows.add(self.value(item, way, spot), spot)
        return rows
