"""Bars over an axis of years, in lanes where none touches another, each with its words.

Periods are numbers: years with fractions. An inexact date is the range from the earliest to the
latest that it can be.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import ceil, floor

from markupsafe import Markup

from kg.publish.figures.drawing import NARROWEST, element, label, percent, web, width

# px: a bar, a line below it, between lanes, words in a bar, between neighbours
BAR, LINE, GAP, INSET, AIR = 17, 14, 5, 4, 10
SHORT = 12  # px of a bar that holds no words
FADE = 0.12  # of the width: how far a bar runs out whose end nobody says
MOST_YEARS = 7  # written below, at the narrowest
FINE = 1000.0  # units across of the lines through all
EXACT = 0.1  # years: a month is exact enough for a bar
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
class TimelineEntry:
    """A person or thing with its periods. Lines of `name` start in the bar, `more` is below them,
    `tooltip` says all in a sentence.
    """

    name: tuple[str, ...]
    more: tuple[str, ...]
    spans: tuple[Span, ...]
    tooltip: str
    href: str = ""

    @property
    def height(self) -> int:
        return BAR + LINE * (len(self.name) + len(self.more) - 1)


@dataclass(frozen=True)
class Axis:
    """The years from `low` to `high`; what goes on goes on until `now`."""

    low: int
    high: int
    now: float

    @classmethod
    def over(cls, entries: Iterable[TimelineEntry], now: float | None) -> Axis:
        """`now` is as much as the data knows of it: the day it was last changed. Without, it is
        after all else.
        """
        spans = [span for entry in entries for span in entry.spans]
        low = floor(min(span.first for span in spans))
        high = ceil(max(now or 0, *(span.last for span in spans)))
        is_tight = now is None and any(span.is_open and span.first > high - 1 for span in spans)
        high = max(high + is_tight, low + 1)
        return cls(low, high, now or high)

    def at(self, moment: float) -> float:
        return (moment - self.low) / (self.high - self.low)

    def ends(self, span: Span) -> float:
        """Where a bar ends, as a share of the width."""
        if span.is_open:
            return max(self.at(self.now), self.at(span.begun))
        return min(1, self.at(span.begun) + FADE) if span.is_vague else self.at(span.last)

    def extent(self, entry: TimelineEntry) -> tuple[float, float]:
        """Where the first bar of an entry begins and its last one ends."""
        return (
            min(self.at(span.first) for span in entry.spans),
            max(map(self.ends, entry.spans)),
        )

    def draw(self, height: float, is_tall: bool) -> Iterator[Markup]:
        """Lines through all of the picture, and their years below; in a tall one also above."""
        top = LINE + 2 if is_tall else 0
        step = next(step for step in STEPS if (self.high - self.low) / step <= MOST_YEARS)
        years = range(-(-self.low // step) * step, self.high + 1, step)
        lines = ((self.at(year) * FINE, self.at(year) * FINE + 1j, 0.0) for year in years)
        yield web(lines, FINE, 1, "grid", y=top, height=height - LINE - 2 - top)
        for year in years:
            share = self.at(year)
            anchor = None if share < 0.05 else "end" if share > 0.95 else "middle"
            for y in (height - 2, LINE - 3)[: 1 + is_tall]:
                yield element(
                    "text", str(year), x=percent(share), y=y, text_anchor=anchor, class_="year"
                )


@dataclass(frozen=True)
class PlacedEntry:
    """An entry with its words at a share of the width: their start, end or middle. `left` and
    `right` are the px that all of it needs.
    """

    entry: TimelineEntry
    anchor: str
    share: float
    left: float
    right: float


def place(entry: TimelineEntry, axis: Axis) -> PlacedEntry:
    """The words begin with the bar, or end with it, or have their middle there. At a bar too short
    to hold any they stand beside it.
    """
    first, last = axis.extent(entry)
    need = max(map(width, (*entry.name, *entry.more))) + 2 * INSET
    left, right = first * NARROWEST, last * NARROWEST
    before, after = (last, first) if right - left < SHORT else (first, last)
    middle = (left + right) / 2
    for anchor, share, start, end in (
        ("start", before, before * NARROWEST, before * NARROWEST + need),
        ("end", after, after * NARROWEST - need, after * NARROWEST),
        ("middle", (first + last) / 2, middle - need / 2, middle + need / 2),
    ):
        if start >= 0 and end <= NARROWEST:
            return PlacedEntry(entry, anchor, share, min(left, start), max(right, end))
    return PlacedEntry(entry, "start", 0, 0, max(right, need))


def lanes(entries: Iterable[TimelineEntry], axis: Axis) -> list[list[PlacedEntry]]:
    """Each entry in the first lane that has room for it."""
    found: list[list[PlacedEntry]] = []
    for one in (place(entry, axis) for entry in entries):
        for lane in found:
            if all(
                one.left >= other.right + AIR or other.left >= one.right + AIR for other in lane
            ):
                lane.append(one)
                break
        else:
            found.append([one])
    return found


def draw(one: PlacedEntry, axis: Axis, top: float, name: str) -> Markup:
    """An entry in its lane: darker where it surely was, paler where dates leave it open, fading
    where no end is known.
    """
    entry = one.entry
    parts = [element("title", entry.tooltip)]
    if len(entry.spans) > 1:  # a line joins what belongs to one
        x1, x2 = map(percent, axis.extent(entry))
        parts.append(element("line", x1=x1, x2=x2, y1=top + BAR, y2=top + BAR, class_="join"))
    parts += sorted(
        (bar for span in entry.spans for bar in bars_of(span, axis, top, name)),
        key=lambda bar: 'class="bar"' not in bar,
    )
    for place, line in enumerate((*entry.name, *entry.more)):
        y = top + (BAR - 5 if place == 0 else BAR + place * LINE - 2)
        kind = "more" if place >= len(entry.name) else None
        parts.append(label(line, percent(one.share), y, one.anchor, INSET, kind))
    return element("a", *parts, href=entry.href) if entry.href else element("g", *parts)


def bars_of(span: Span, axis: Axis, top: float, name: str) -> Iterator[Markup]:
    first, last = axis.at(span.first), axis.ends(span)
    begun = span.first if span.begun - span.first < EXACT else span.begun
    ends = axis.now if span.is_open else span.last if span.last - span.ends < EXACT else span.ends
    if span.is_vague:
        yield rect(first, last, top, None, f"url(#{name}-fade)")
    elif (begun, ends) != (span.first, span.last):
        yield rect(first, last, top, "bar")
    if begun < ends and not span.is_vague:
        yield rect(axis.at(begun), axis.at(ends), top, "sure")
    if span.is_open:
        tip = element("path", d=f"M0 0l6 {BAR / 2:g}l-6 {BAR / 2:g}z", class_="sure")
        yield element("svg", tip, x=percent(last), y=top, overflow="visible", width=6, height=BAR)


def rect(start: float, end: float, top: float, kind: str | None, fill: str | None = None) -> Markup:
    return element(
        "rect",
        x=percent(start),
        width=percent(max(end - start, 0.001)),
        y=top,
        height=BAR,
        class_=kind,
        fill=fill,
    )


def fade(name: str) -> Markup:
    """What a bar is filled with that fades."""
    stops = element("stop"), element("stop", offset="1", stop_opacity="0")
    return element("defs", element("linearGradient", *stops, id=f"{name}-fade"))
