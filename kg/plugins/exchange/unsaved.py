"""Checks data that is not in a file yet: an imported draft, a new entry, an edit. Nothing is
written.

Invalid values are removed from a draft, so that imported data passes the check without errors. Each
is listed with the error. An entry that lacks a required field moves into a free section.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from kg.check.check import check_facts
from kg.errors import Problem, errors_in
from kg.facts.files import Unsaved
from kg.facts.load import load
from kg.facts.models import REGISTRIES
from kg.facts.values.text import address_slug
from kg.facts.yaml.rows import Row, Rows, Spot
from kg.graph.parallel.run import Run
from kg.plugins.exchange.author_names import SIGNED
from kg.plugins.exchange.draft import (
    NO_FIELD,
    Draft,
    Unplaced,
    Value,
    join_values,
    values_in,
    without_empty,
)
from kg.plugins.exchange.titles import as_heading
from kg.settings import SITE_FILE

Steps = tuple[str | int, ...]  # the path to a value: a file, then names and indexes
NO_FOLDER = Path(os.devnull)
SITE = {str(SITE_FILE): {"base": "https://trial.example/", "title": "Trial"}}
OWNER = "data/cv/owner.yaml"
FIELD_PATH = re.compile(r"[a-zA-Z]+(?:\[\d+\]|\.\w+)*: ")  # of our format, before a message
MISSING = re.compile(r"'(\w+)' is missing")
PLAIN_WORDS = {"person": "name", "studyType": "degree", "startDate": "start", "endDate": "end"}
MARKS = ("kind", "level", "secondary")
NO_NAME = "not a name"
WORDS = {  # for rules whose messages speak of our own files; {} is the other place
    "owner-not-author": "the person of this CV is not among its authors",
    "unknown-field": NO_FIELD,
    "leak": "private, but {} contains it, which would be published",
    "shared-mailbox": "also the email address of another person, at {}",
    "shared-homepage": "also the page of another organization, at {}",
}
PLACE = re.compile(r"(([^\s()]+?):(\d+):\d+)")
NAME_FIELDS = ("position", "studyType", "title", "name", "role", "organization", "institution")


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

    def in_source(place: re.Match[str]) -> str:
        """The place in the source of a value that the check names in its trial files."""
        value: Any = contents.get(place[2])
        for step in ways[place[2]][int(place[3]) - 1][1:] if value else ():
            value = value[step]
        return next((str(each.place) for each in values_in(value)), place[0])

    return [
        Fault(
            ways[place.file][place.line - 1] if place.file in ways else (),
            replace(problem, message=PLACE.sub(in_source, problem.message)),
        )
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


def drop_invalid(draft: Draft, today: str = "", in_full: bool = True) -> None:
    """Removes values from a draft until it has no errors; unless `in_full`, checks fields only."""
    while faults := errors(draft, today, in_full):
        found = {fault.steps: fault.problem for fault in faults}
        in_order = sorted(found, reverse=True)  # last items first, so that indexes stay valid
        dropped = [drop(draft, steps, found[steps]) for steps in in_order]
        if not any(dropped):
            break


def errors(draft: Draft, today: str = "", in_full: bool = True) -> list[Fault]:
    """The errors of a site that contains only this draft."""
    files = {REGISTRIES[kind].path: entries for kind, entries in draft.entries.items() if entries}
    return check_rows(NO_FOLDER, {**SITE, OWNER: draft.cv, **files}, today, in_full)


def reason(problem: Problem) -> str:
    """What is wrong with a value, without the fields of our format, which the source does not
    have, and without advice about them.
    """
    text = FIELD_PATH.sub("", problem.message.partition("\n")[0], count=1)
    if found := MISSING.match(text):
        return f"the entry has no {PLAIN_WORDS.get(found[1], found[1])}"
    if problem.rule in WORDS:
        places = PLACE.findall(problem.message)
        return WORDS[problem.rule].format(places[-1][0] if places else "another place")
    if "cannot be an address" in text or problem.rule == "unknown-reference":
        return NO_NAME
    words = text.rpartition("' is " if "' is " in text else '" is ')[2]
    return words.removeprefix("this is ").partition(". ")[0].removesuffix(".")


def drop(draft: Draft, steps: Steps, problem: Problem) -> bool:
    """Removes a value, or moves an invalid entry into a free section; False if already removed.

    A name that looks like a key, such as `bob`, is marked as a name.
    """
    if len(steps) < 2:
        return False
    file, *rest = steps
    kind = next((kind for kind in REGISTRIES if file == REGISTRIES[kind].path), "")
    top: Any = draft.entries[kind] if kind else draft.cv
    above = [top]
    for step in rest[:-1]:
        if not has(above[-1], step):
            return False  # removed together with its parent
        above.append(above[-1][step])
    if not has(above[-1], rest[-1]):
        return False
    if (
        problem.rule == "unknown-reference"
        and isinstance(name := above[-1][rest[-1]], Value)
        and rest[-1] not in ("name", "as")
        and address_slug(name)
    ):
        above[-1][rest[-1]] = {"as" if {*rest} & {*SIGNED} else "name": name}
        return True
    value, message = above[-1].pop(rest[-1]), reason(problem)
    is_entry = len(rest) == 2 and isinstance(value, dict) and rest[0] not in ("sections", "basics")
    title = as_heading(str(rest[0])) if is_entry and not kind else ""
    written = {each.place: each for each in reversed([*values_in(value)])}  # without derived values
    draft.left += [Unplaced(each, message, title) for each in reversed(written.values())]
    if title:
        draft.put_free(title, free_entry(value))
    prune(above, rest)
    return True


def free_entry(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Converts an entry for a free section: names, dates and URL; the rest becomes the summary."""
    found = {name: entry[name] for name in ("startDate", "endDate", "url") if name in entry}
    date = entry.get("date") or entry.get("year")
    found |= {"date": date} if date and not {"startDate", "endDate"} & {*found} else {}
    rest = [
        each
        for name, value in entry.items()
        for each in values_in(value)
        if name not in found and not (name in MARKS and is_derived(each, entry, name))
    ]
    names = [each for each in rest if each in [entry.get(name) for name in NAME_FIELDS]] or rest[:1]
    others = [each for each in rest if each not in names]
    found["name"] = join_values(names, ", ")
    found["summary"] = join_values(others)
    return without_empty(found)


def is_derived(value: Value, entry: Mapping[str, Any], name: str) -> bool:
    """Whether a mark is from the text of another field: `secondary` from the title above a job."""
    others = values_in({other: each for other, each in entry.items() if other != name})
    return any(each.place == value.place for each in others)


def has(above: Any, step: str | int) -> bool:
    if isinstance(above, dict):
        return step in above
    return isinstance(above, list) and isinstance(step, int) and step < len(above)


def prune(above: list[Any], steps: list[str | int]) -> None:
    """Removes parents that have become empty."""
    for holder, step in zip(reversed(above[:-1]), reversed(steps[:-1]), strict=True):
        if has(holder, step) and not holder[step]:
            holder.pop(step)
