"""Removes invalid values from a draft, so that imported data passes the check without errors.

Each removed value is listed with the error. An entry that lacks a required field moves into a free
section.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from kg.facts.models import REGISTRIES
from kg.plugins.exchange.draft import Draft, Unplaced, Value, join_values, without_empty
from kg.plugins.exchange.edits.unsaved import Fault, Steps, check_rows
from kg.plugins.exchange.titles import as_heading
from kg.settings import SITE_FILE

NO_FOLDER = Path(os.devnull)
SITE = {str(SITE_FILE): {"base": "https://trial.example/", "title": "Trial"}}
OWNER = "data/cv/owner.yaml"
NAME_FIELDS = ("position", "studyType", "title", "name", "role", "organization", "institution")


def drop_invalid(draft: Draft, today: str = "", in_full: bool = True) -> None:
    """Removes values from a draft until it has no errors; unless `in_full`, checks fields only."""
    while faults := errors(draft, today, in_full):
        found = {fault.steps: fault.problem.message for fault in faults}
        in_order = sorted(found, reverse=True)  # last items first, so that indexes stay valid
        dropped = [drop(draft, steps, found[steps]) for steps in in_order]
        if not any(dropped):
            break


def errors(draft: Draft, today: str = "", in_full: bool = True) -> list[Fault]:
    """The errors of a site that contains only this draft."""
    files = {REGISTRIES[kind].path: entries for kind, entries in draft.entries.items() if entries}
    return check_rows(NO_FOLDER, {**SITE, OWNER: draft.cv, **files}, today, in_full)


def drop(draft: Draft, steps: Steps, message: str) -> bool:
    """Removes a value, or moves an invalid entry into a free section; False if already removed."""
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
    value = above[-1].pop(rest[-1])
    is_entry = len(rest) == 2 and isinstance(value, dict) and rest[0] not in ("sections", "basics")
    title = as_heading(str(rest[0])) if is_entry and not kind else ""
    draft.left += [Unplaced(each, message, title) for each in values_in(value)]
    if title:
        draft.put_free(title, free_entry(value))
    prune(above, rest)
    return True


def free_entry(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Converts an entry for a free section: names, dates and URL; the rest becomes the summary."""
    found = {name: entry[name] for name in ("startDate", "endDate", "url") if name in entry}
    date = entry.get("date") or entry.get("year")
    found |= {"date": date} if date and not {"startDate", "endDate"} & {*found} else {}
    rest = [each for name, value in entry.items() for each in values_in(value) if name not in found]
    names = [each for each in rest if each in [entry.get(name) for name in NAME_FIELDS]] or rest[:1]
    others = [each for each in rest if each not in names]
    found["name"] = join_values(names, ", ")
    found["summary"] = join_values(others)
    return without_empty(found)


def has(above: Any, step: str | int) -> bool:
    if isinstance(above, dict):
        return step in above
    return isinstance(above, list) and isinstance(step, int) and step < len(above)


def prune(above: list[Any], steps: list[str | int]) -> None:
    """Removes parents that have become empty."""
    for holder, step in zip(reversed(above[:-1]), reversed(steps[:-1]), strict=True):
        if has(holder, step) and not holder[step]:
            holder.pop(step)


def values_in(value: Any) -> Iterator[Value]:
    """All source values inside a value, depth first."""
    if isinstance(value, dict):
        for item in value.values():
            yield from values_in(item)
    elif isinstance(value, list):
        for item in value:
            yield from values_in(item)
    elif isinstance(value, Value):
        yield value
