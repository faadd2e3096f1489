"""Entries of free sections that also fit two other sections, and the author's answers.

`kg import --review` asks about each entry. The answers are kept by person, title and entry:

    ada-berg:
      Awards and certificates:
        Field safety: certificates
        Prize of the River Society: awards
        Boat race: sections             # stays where it is
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from kg.facts.yaml.rows import flow
from kg.plugins.exchange.draft import Draft, UnsureEntry, entry_label, values_in
from kg.plugins.exchange.edits.into_site import RECORDS
from kg.plugins.exchange.edits.splice import CannotSplice, compose
from kg.plugins.exchange.source_files import NotImported
from kg.plugins.exchange.unsaved import Steps, errors
from kg.plugins.exchange.yaml_text import block

ANSWERS_FILE = f"{RECORDS}/answers.yaml"
COMMENT = "# Your answers to kg import --review. Delete a line to be asked again.\n"
FREE = "sections"  # the answer that leaves an entry in its free section
Answers = dict[str, dict[str, str]]  # of one person: section by title and entry
Ask = Callable[[UnsureEntry], str]


def unanswered(_: UnsureEntry) -> str:
    return ""


def read_answers(site: Path) -> dict[str, Answers]:
    """The answers by person."""
    path = site / ANSWERS_FILE
    if not path.exists():
        return {}
    try:
        found = compose(path.read_text(encoding="utf-8")).plain or {}
        return {
            person: {title: dict(entries) for title, entries in titles.items()}
            for person, titles in found.items()
        }
    except (CannotSplice, ValueError, AttributeError, TypeError) as error:
        wrong = f"{path} cannot be read. Fix it, or delete it to be asked again."
        raise NotImported(wrong) from error


def answers_file(answers: dict[str, Answers]) -> dict[str, str]:
    """Path and text of the file of answers, if there are any."""
    return {ANSWERS_FILE: COMMENT + block(answers)}


def settle(draft: Draft, answers: Answers, ask: Ask) -> list[UnsureEntry]:
    """Moves entries into the sections that the author chose; returns those without an answer."""
    undecided = []
    for each in fitting_entries(draft):
        chosen = answers.get(each.title, {}).get(each.label) or ask(each)
        if not chosen:
            undecided.append(each)
            continue
        answers.setdefault(each.title, {})[each.label] = chosen
        if chosen in each.readings:
            move(draft, each, chosen)
    return undecided


def fitting_entries(draft: Draft) -> Iterator[UnsureEntry]:
    """The entries that have no errors in at least two sections."""
    if not draft.unsure:
        return
    trial = Draft({"basics": {"name": draft.name or "Ada Berg"}})
    places: dict[Steps, tuple[int, str]] = {}
    for number, each in enumerate(draft.unsure):
        for section, entry in each.readings.items():
            entries = trial.cv.setdefault(section, [])
            places[section, len(entries)] = number, section
            entries.append(entry)
    wrong = {places.get(fault.steps[1:3]) for fault in errors(trial, in_full=False)}
    for number, each in enumerate(draft.unsure):
        fitting = {
            section: entry
            for section, entry in each.readings.items()
            if (number, section) not in wrong
        }
        if len(fitting) > 1:
            yield each._replace(readings=fitting)


def move(draft: Draft, unsure: UnsureEntry, section: str) -> None:
    """Moves an entry from its free section into another one."""
    free = next(each for each in draft.cv[FREE] if each["title"] == unsure.title)
    labels = [entry_label(each) for each in free["entries"]]
    del free["entries"][labels.index(unsure.label)]
    if not free["entries"]:
        draft.cv[FREE].remove(free)
    if not draft.cv[FREE]:
        del draft.cv[FREE]
    draft.cv.setdefault(section, []).append(dict(unsure.readings[section]))
    if order := draft.cv.get("layout", {}).get("order"):
        if section not in order:
            order.insert(order.index(unsure.title) + 1, section)
        if not free["entries"]:
            order.remove(unsure.title)


def reading_lines(unsure: UnsureEntry) -> list[str]:
    """The entry as it would be written in each section: `awards: {title: Prize}`."""
    return [f"{section}: {flow(entry)}" for section, entry in unsure.readings.items()]


def where(unsure: UnsureEntry) -> str:
    """Place, title and name of an entry."""
    first = next(values_in(unsure.entry))
    return f'{first.place}  {unsure.title}  "{unsure.label}"'
