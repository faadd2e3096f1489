"""Moves problems of a part of a text to the line and column of that part."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path

from kg.errors import Problem, offset_of, place_at, tidy


def narrowed(problems: Iterable[Problem], folder: Path) -> list[Problem]:
    """The problems, each at the first occurrence of its part behind its place. A part that is
    written otherwise, with escapes or over two lines, is not found.
    """

    @cache
    def text_of(file: str) -> str:
        path = folder / file
        return path.read_text(encoding="utf-8-sig", errors="replace") if path.is_file() else ""

    def moved(problem: Problem) -> Problem:
        text, place = text_of(problem.place.file), problem.place
        at = text.find(problem.part, offset_of(text, place.line, place.column))
        return problem if at < 0 else replace(problem, place=place_at(place.file, text, at))

    return tidy(moved(each) if each.part else each for each in problems)
