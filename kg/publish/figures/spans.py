"""Periods as numbers: years with fractions. An inexact date is the range from the earliest to the
latest that it can be.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

DATE = re.compile(r"(\d{4})(?:-(\d\d))?(?:-(\d\d))?[?~%]?")
# The three months of a season, on the northern half: in years from the start of the one that is
# named.
SEASONS = {
    "21": (2 / 12, 5 / 12),
    "22": (5 / 12, 8 / 12),
    "23": (8 / 12, 11 / 12),
    "24": (0.0, 1.0),
}  # winter has two ends


@dataclass(frozen=True)
class Span:
    """It began between `first` and `begun`, and ended between `ends` and `last`.

    `is_open`: it goes on. `is_vague`: nobody says when it ended; both dates of the end are then
    those of the beginning.
    """

    first: float
    begun: float
    ends: float
    last: float
    is_open: bool = False
    is_vague: bool = False


def stretch(date: str) -> tuple[float, float] | None:
    """The earliest and the latest moment that a date can mean: all of 2019 for `2019`, a month for
    `2019-09`.
    """
    found = DATE.fullmatch(date)
    if not found:
        return None
    year, month, day = int(found[1]), found[2], found[3]
    if month in SEASONS:
        start, end = SEASONS[month]
        return year + start, year + end
    if not month or not 1 <= int(month) <= 12:
        return year, year + 1
    start = year + (int(month) - 1) / 12
    if not day:
        return start, start + 1 / 12
    return start + (int(day) - 1) / 372, start + int(day) / 372


def span(start: str, end: str, edtf: str) -> Span | None:
    """The period of typed dates, or of EDTF, which knows more; None where no date is known."""
    first, last = edtf.split("/", 1) if "/" in edtf else (edtf, edtf) if edtf else (start, end)
    begins, finishes = stretch(first), stretch(last)
    if begins is None:
        if finishes is None:
            return None
        return Span(
            finishes[0], finishes[1], finishes[0], finishes[1]
        )  # an end alone is drawn as the day it was
    if finishes is None:
        return Span(
            begins[0], begins[1], begins[0], begins[1], is_open=last == "..", is_vague=last != ".."
        )
    return Span(begins[0], begins[1], finishes[0], max(finishes[1], begins[1]))
