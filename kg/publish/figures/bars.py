"""Periods of time, and the axis of years that they are drawn over.

Periods are numbers: years with fractions. An inexact date is the range from the earliest to the
latest that it can be.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, floor

FADE = 0.12  # of the width: how far a bar runs out whose end nobody says
VAGUE = 0.5  # years: a date less exact than that is drawn at its middle
MOST_YEARS = 5  # written below, at the narrowest
STEPS = (1, 2, 5, 10, 20, 50, 100, 1000)
DATE = re.compile(r"(\d{4})(?:-(\d\d))?(?:-(\d\d))?[?~%]?")
# Spring to autumn, on the northern half: in years from the start of the one that is named. Winter
# has two ends, so it is all of the year.
SEASONS = {21: (2 / 12, 5 / 12), 22: (5 / 12, 8 / 12), 23: (8 / 12, 11 / 12)}


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
    year, month, day = (int(part or 0) for part in found.groups())
    if not 1 <= month <= 12:
        start, end = SEASONS.get(month, (0, 1))
        return year + start, year + end
    begun = year + (month - 1) / 12
    return (begun + (day - 1) / 372, begun + day / 372) if day else (begun, begun + 1 / 12)


def span(start: str, end: str, edtf: str) -> Span | None:
    """The period of typed dates, or of EDTF, which knows more; None where no date is known. An end
    alone is drawn as the day it was.
    """
    first, last = edtf.split("/", 1) if "/" in edtf else (edtf, edtf) if edtf else (start, end)
    begins, finishes = stretch(first), stretch(last)
    known = begins or finishes
    if begins and finishes:
        return Span(*begins, finishes[0], max(finishes[1], begins[1]))
    is_open = last == ".."
    return Span(*known, *known, is_open, bool(begins) and not is_open) if known else None


@dataclass(frozen=True)
class Axis:
    """The years from `low` to `high`; what goes on goes on until `now`."""

    low: int
    high: int
    now: float

    @classmethod
    def over(cls, spans: Iterable[Span], now: float | None) -> Axis:
        """`now` is as much as the data knows of it: the day it was last changed. Without, it is
        after all else.
        """
        drawn = list(spans)
        low = floor(min(span.first for span in drawn))
        high = ceil(max(now or 0, *(span.last for span in drawn)))
        is_tight = now is None and any(span.is_open and span.first > high - 1 for span in drawn)
        high = max(high + is_tight, low + 1)
        return cls(low, high, now or high)

    def at(self, moment: float) -> float:
        """A moment as a share of the width."""
        return (moment - self.low) / (self.high - self.low)

    def ends(self, span: Span) -> float:
        """Where a bar ends, as a share of the width."""
        if span.is_open:
            return max(self.at(self.now), self.at(span.begun))
        if span.is_vague:
            return min(1, self.at(span.begun) + FADE)
        is_exact = span.last - span.ends < VAGUE or span.ends == span.first
        return self.at(span.last if is_exact else (span.ends + span.last) / 2)

    @property
    def years(self) -> range:
        """The years that are written."""
        step = next(step for step in STEPS if (self.high - self.low) / step <= MOST_YEARS)
        return range(-(-self.low // step) * step, self.high + 1, step)
