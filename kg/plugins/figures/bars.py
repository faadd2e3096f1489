"""Periods of time, and the axis of years they are drawn on.

Moments are numbers: years with fractions. An inexact date is the range from its earliest to its
latest moment.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, floor

FADE_WIDTH = 0.12  # of the width: the fading end of a bar without a known end
VAGUE_YEARS = 0.5  # years: a less exact date is drawn at its middle
MAX_YEAR_LABELS = 5  # labels at the narrowest width
STEPS = (1, 2, 5, 10, 20, 50, 100, 1000)
DATE = re.compile(r"(\d{4})(?:-(\d\d))?(?:-(\d\d))?[?~%]?")
# Spring to autumn in the northern hemisphere, as fractions of the named year. Winter spans two
# years, so it counts as the whole year.
CODES = {"spring": 21, "summer": 22, "autumn": 23, "winter": 24}
SEASONS = {21: (2 / 12, 5 / 12), 22: (5 / 12, 8 / 12), 23: (8 / 12, 11 / 12)}


@dataclass(frozen=True)
class Span:
    """Began between `first` and `begun`, ended between `ends` and `last`.

    `is_open`: ongoing. `is_vague`: the end is unknown; both dates of the end are then those of the
    start.
    """

    first: float
    begun: float
    ends: float
    last: float
    is_open: bool = False
    is_vague: bool = False


def stretch(date: str) -> tuple[float, float] | None:
    """The earliest and latest moment of a date: all of 2019 for `2019`, a month for `2019-09`,
    and three months for `Spring 2019`.
    """
    season, _, named = date.lower().partition(" ")
    found = DATE.fullmatch(f"{named}-{CODES[season]}" if season in CODES else date)
    if not found:
        return None
    year, month, day = (int(part or 0) for part in found.groups())
    if not 1 <= month <= 12:
        start, end = SEASONS.get(month, (0, 1))
        return year + start, year + end
    begun = year + (month - 1) / 12
    return (begun + (day - 1) / 372, begun + day / 372) if day else (begun, begun + 1 / 12)


def span(start: str, end: str, edtf: str) -> Span | None:
    """The period of typed dates, or of EDTF, which is more precise; None without any date. An end
    without a start is drawn as a single day.
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
    """The years from `low` to `high`; ongoing periods end at `now`."""

    low: int
    high: int
    now: float

    @classmethod
    def over(cls, spans: Iterable[Span], now: float | None) -> Axis:
        """`now` is the day of the last change to the data. Without it, `now` is after everything
        else.
        """
        drawn = list(spans)
        low = floor(min(span.first for span in drawn))
        high = ceil(max(now or 0, *(span.last for span in drawn)))
        is_tight = now is None and any(span.is_open and span.first > high - 1 for span in drawn)
        high = max(high + is_tight, low + 1)
        return cls(low, high, now or high)

    def at(self, moment: float) -> float:
        """The position of a moment, as a share of the width."""
        return (moment - self.low) / (self.high - self.low)

    def ends(self, span: Span) -> float:
        """The end of a bar, as a share of the width."""
        if span.is_open:
            return max(self.at(self.now), self.at(span.begun))
        if span.is_vague:
            return min(1, self.at(span.begun) + FADE_WIDTH)
        is_exact = span.last - span.ends < VAGUE_YEARS or span.ends == span.first
        return self.at(span.last if is_exact else (span.ends + span.last) / 2)

    @property
    def years(self) -> range:
        """The labelled years."""
        step = next(step for step in STEPS if (self.high - self.low) / step <= MAX_YEAR_LABELS)
        return range(-(-self.low // step) * step, self.high + 1, step)
