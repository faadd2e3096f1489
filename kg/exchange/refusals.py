"""What the check refuses of a draft: it is taken out and listed with the reason, and what could not
stand without it goes into a free section. So whatever is imported checks without errors.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from kg.check.check import check
from kg.drafts import scratch_folder
from kg.errors import Problem
from kg.exchange.draft import Draft, Left, Value, as_one, filled
from kg.exchange.fields import titled
from kg.exchange.yaml_text import file_text
from kg.facts.models import REGISTRIES
from kg.facts.reading.rows import Row, Rows, Spot
from kg.facts.reading.yaml import read

SITE = "base: https://trial.example/\ntitle: Trial\n"
OWNER = "data/cv/owner.yaml"
MOST_ROUNDS = 20
NAMING = ("position", "studyType", "title", "name", "role", "organization", "institution")
Steps = tuple[str | int, ...]
Spots = dict[Spot, list[Steps]]


def refuse(draft: Draft) -> None:
    """Moves out of a draft whatever makes an error, until nothing does."""
    with scratch_folder() as folder:
        for _ in range(MOST_ROUNDS):
            if not (problems := errors(draft, folder)):
                return
            spots = {file: spots_of(file, text.encode()) for file, text in texts_of(draft).items()}
            found = {steps_to(each, spots): each for each in problems}
            for steps in sorted(found, reverse=True):  # so that items of a list stay where they are
                drop(draft, steps, found[steps].message)


def texts_of(draft: Draft) -> dict[str, str]:
    """The files of a site that has nothing but this draft."""
    files = {
        REGISTRIES[kind].path: file_text(REGISTRIES[kind].file, entries)
        for kind, entries in draft.entries.items()
        if entries
    }
    return {OWNER: file_text("cv", draft.cv), **files}


def errors(draft: Draft, folder: Path) -> list[Problem]:
    (folder / "data/cv").mkdir(parents=True, exist_ok=True)
    (folder / "data/site.yaml").write_text(SITE, encoding="utf-8")
    for file, text in texts_of(draft).items():
        (folder / file).write_text(text, encoding="utf-8")
    return [each for each in check(folder).problems if each.severity == "error"]


def spots_of(file: str, data: bytes) -> Spots:
    """Which values of a file begin where, the outermost first; a key stands for its value."""
    row, _ = read(file, data)
    spots: Spots = defaultdict(list)
    for spot, steps in walked(row, (), (0, 0)):
        spots[spot].append(steps)
    return spots


def walked(value: Any, steps: Steps, spot: Spot) -> Iterator[tuple[Spot, Steps]]:
    yield spot, steps
    if isinstance(value, Row):
        for name, item in value.items():
            yield value.keys_at[name], (*steps, name)
            yield from walked(item, (*steps, name), value.values_at[name])
    elif isinstance(value, Rows):
        for number, (item, at) in enumerate(zip(value, value.spots, strict=True)):
            yield from walked(item, (*steps, number), at)


def steps_to(problem: Problem, files: Mapping[str, Spots]) -> Steps:
    """The way to the value that a problem is about, or to the one before its place; it begins with
    the file. Where an entry begins its first field does, too; the entry is meant, but where a field
    is not known.
    """
    place = problem.place
    spots, spot = files.get(place.file, {}), (place.line - 1, place.column - 1)
    if not spots:
        return ()
    there = spots[max((each for each in spots if each <= spot), default=min(spots))]
    longer = [steps for steps in there if steps]
    inner = problem.rule == "unknown-field"
    return (place.file, *(longer[-1 if inner else 0] if longer else ()))


def drop(draft: Draft, steps: Steps, message: str) -> None:
    """Takes a value out; an entry that lacks something goes into a free section."""
    if not steps:
        return
    file, *rest = steps
    kind = next((kind for kind in REGISTRIES if file == REGISTRIES[kind].path), "")
    top: Any = draft.entries[kind] if kind else draft.cv
    above = [top]
    for step in rest[:-1]:
        if not has(above[-1], step):
            return  # gone with what was around it
        above.append(above[-1][step])
    if not rest or not has(above[-1], rest[-1]):
        return
    value = above[-1].pop(rest[-1])
    is_entry = len(rest) == 2 and isinstance(value, dict) and rest[0] not in ("sections", "basics")
    title = titled(str(rest[0])) if is_entry and not kind else ""
    draft.left += [Left(each, message, title) for each in values_in(value)]
    if title:
        draft.put_free(title, free_entry(value))
    prune(above, rest)


def free_entry(entry: Mapping[str, Any]) -> dict[str, Any]:
    """An entry of a section as one of a free section: its names, dates and address, and the rest as
    text.
    """
    found = {name: entry[name] for name in ("startDate", "endDate", "url") if name in entry}
    date = entry.get("date") or entry.get("year")
    found |= {"date": date} if date and not {"startDate", "endDate"} & {*found} else {}
    rest = [each for name, value in entry.items() for each in values_in(value) if name not in found]
    names = [each for each in rest if each in [entry.get(name) for name in NAMING]] or rest[:1]
    others = [each for each in rest if each not in names]
    found["name"] = as_one(names, ", ")
    found["summary"] = as_one(others)
    return filled(found)


def has(above: Any, step: str | int) -> bool:
    if isinstance(above, dict):
        return step in above
    return isinstance(above, list) and isinstance(step, int) and step < len(above)


def prune(above: list[Any], steps: list[str | int]) -> None:
    """Removes what is empty now."""
    for holder, step in zip(reversed(above[:-1]), reversed(steps[:-1]), strict=True):
        if has(holder, step) and not holder[step]:
            holder.pop(step)


def values_in(value: Any) -> Iterator[Value]:
    """The texts in a value that come from the source."""
    if isinstance(value, dict):
        for item in value.values():
            yield from values_in(item)
    elif isinstance(value, list):
        for item in value:
            yield from values_in(item)
    elif isinstance(value, Value):
        yield value
