"""Selects the problems that a report shows: those of some files that are grave enough."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path

from kg.errors import SEVERITIES, Place, Problem, Severity, count_severities

# A place in a message, as places are written: data/cv/ada.yaml:12:5
PLACE = re.compile(r"(?<![\w/.:-])(?P<file>[^\s()'\":,;]+\.\w+):(?P<line>\d+):(?P<column>\d+)")


@dataclass(frozen=True)
class Selection:
    """`all` are the problems of the site, `problems` those that are shown, `elsewhere` those of
    other files; `folder` is the site's, as it was named.
    """

    folder: Path
    problems: list[Problem]
    all: list[Problem]
    elsewhere: list[Problem]
    publishable: bool

    @property
    def milder(self) -> list[Problem]:
        """Those of the files that are not grave enough to be shown."""
        others = {*self.problems, *self.elsewhere}
        return [problem for problem in self.all if problem not in others]

    @property
    def counts(self) -> dict[str, int]:
        """How many of each severity the site has."""
        return count_severities(self.all)


def select(
    problems: Iterable[Problem],
    folder: Path,
    publishable: bool = False,
    least: Severity = "info",
    files: Collection[str] = (),
) -> Selection:
    """`files` are named from the site's folder; without any, all are shown."""
    found = list(problems)
    near = [
        problem
        for problem in found
        if not files or any(place.file in files for place in (problem.place, *problem.others))
    ]
    elsewhere = sorted({*found} - {*near})
    return Selection(
        folder,
        [problem for problem in near if is_grave(problem, least)],
        found,
        elsewhere,
        publishable,
    )


def is_grave(problem: Problem, least: Severity) -> bool:
    return SEVERITIES.index(problem.severity) <= SEVERITIES.index(least)


def from_here(folder: Path, file: str) -> str:
    """A file of the site as it is named from where we are; from anywhere, where the site is named
    so.
    """
    if "://" in file:  # a page of a server
        return file
    path = folder / file
    return os.path.normpath(path) if path.is_absolute() else os.path.relpath(path)


def message_from_here(folder: Path, message: str) -> str:
    """A message whose places are named from where we are, as the problem's own is: links, where a
    terminal or an editor makes links of them.
    """
    return PLACE.sub(
        lambda place: f"{from_here(folder, place['file'])}:{place['line']}:{place['column']}",
        message,
    )


def mentioned(problem: Problem) -> list[Place]:
    """The other places a problem is about, each once: those it has, and those its message names."""
    places = [*problem.others, *map(named, PLACE.finditer(problem.message))]
    return [place for place in dict.fromkeys(places) if place != problem.place]


def named(place: re.Match[str]) -> Place:
    return Place(place["file"], int(place["line"]), int(place["column"]))
