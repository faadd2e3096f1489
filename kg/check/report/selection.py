"""Selects the problems that a report shows, by file and severity."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from kg.check.report.extents import Edit, certain_edits
from kg.errors import SEVERITIES, Place, Problem, Severity, count_severities

# A place in a message, e.g. data/cv/ada.yaml:12:5
PLACE = re.compile(r"(?<![^\s()'\",;])(?P<file>[^\s()'\":,;]+\.\w+):(?P<line>\d+):(?P<column>\d+)")


@dataclass(frozen=True)
class Selection:
    """The problems of a report: `all` of the site, `problems` shown, `elsewhere` in other files.
    `folder` is the site's, as the user wrote it.
    """

    folder: Path
    problems: list[Problem]
    all: list[Problem]
    elsewhere: list[Problem]
    publishable: bool

    @property
    def milder(self) -> list[Problem]:
        """Problems of the selected files that are below the chosen severity."""
        others = {*self.problems, *self.elsewhere}
        return [problem for problem in self.all if problem not in others]

    @cached_property
    def edits(self) -> dict[Problem, Edit]:
        """What `kg check --fix` writes for the problems."""
        return certain_edits(self.folder, self.problems)

    @cached_property
    def fixable(self) -> set[Problem]:
        """The problems that `kg check --fix` fixes."""
        moved = (each for each in self.problems if each.fix and each.fix.is_moved)
        return {*self.edits, *(each for each in moved if each.fix and each.fix.is_certain)}

    @property
    def counts(self) -> dict[str, int]:
        """The number of problems of the site by severity."""
        return count_severities(self.all)


@dataclass(frozen=True)
class ReportFormat:
    """A plugin for `kg check --format`: the lines of a report. `is_for_people` adds the summary on
    stderr. The one named `terminal` replaces the text on a terminal.
    """

    lines: Callable[[Selection], Iterable[str]]
    is_for_people: bool = False


def select(
    problems: Iterable[Problem],
    folder: Path,
    publishable: bool = False,
    least: Severity = "info",
    files: Collection[str] = (),
) -> Selection:
    """Selects problems. `files` are relative to the site's folder; if empty, all are selected."""
    found = list(problems)
    near = [
        problem
        for problem in found
        if not files or any(place.file in files for place in (problem.place, *problem.others))
    ]
    elsewhere = sorted({*found} - {*near})
    return Selection(
        folder,
        [problem for problem in near if is_severe_enough(problem, least)],
        found,
        elsewhere,
        publishable,
    )


def is_severe_enough(problem: Problem, least: Severity) -> bool:
    return SEVERITIES.index(problem.severity) <= SEVERITIES.index(least)


def from_here(folder: Path, file: str) -> str:
    """The path of a file relative to the current folder; absolute if the site's folder is."""
    if "://" in file:  # a page of a server
        return file
    path = folder / file
    return os.path.normpath(path) if path.is_absolute() else os.path.relpath(path)


def message_from_here(folder: Path, message: str) -> str:
    """The message with places relative to the current folder, so that terminals and editors can
    link them.
    """
    return PLACE.sub(
        lambda place: f"{from_here(folder, place['file'])}:{place['line']}:{place['column']}",
        message,
    )


def mentioned(problem: Problem) -> list[Place]:
    """The related places of a problem, each once: its own, and those named in the message."""
    places = [*problem.others, *map(named, PLACE.finditer(problem.message))]
    return [place for place in dict.fromkeys(places) if place != problem.place]


def named(place: re.Match[str]) -> Place:
    return Place(place["file"], int(place["line"]), int(place["column"]))
