"""Bars over an axis of years, in lanes where none touches another, each with its words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import ceil, floor

from markupsafe import Markup

from kg.publish.figures import text_width
from kg.publish.figures.drawing import NARROWEST, element, percent, web
from kg.publish.figures.spans import Span

BAR, LINE, GAP, INSET, AIR = (
    17,
    14,
    5,
    4,
    10,
)  # px: a bar, a line below it, between lanes, words in a bar, between neighbours
SHORT = 12  # px of a bar that holds no words
FADE = 0.12  # of the width: how far a bar runs out whose end nobody says
MOST_YEARS = 7  # written below, at the narrowest
FINE = 1000.0  # units across of the lines through all
EXACT = 0.1  # years: a month is exact enough for a bar
STEPS = (1, 2, 5, 10, 20, 50, 100, 1000)


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
        latest = max(now or 0, *(span.last for span in spans))
        low, high = floor(min(span.first for span in spans)), ceil(latest)
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

    def years(self) -> Iterator[int]:
        step = next(step for step in STEPS if (self.high - self.low) / step <= MOST_YEARS)
        return iter(range(-(-self.low // step) * step, self.high + 1, step))

    def draw(self, height: float, is_tall: bool) -> Iterator[Markup]:
        """Lines through all of the picture, and their years below; in a tall one also above."""
        top = LINE + 2 if is_tall else 0
        lines = (
            ((self.at(year) * FINE, 0.0), (self.at(year) * FINE, 1.0), 0.0) for year in self.years()
        )
        yield web(lines, FINE, 1, "grid", y=top, height=height - LINE - 2 - top)
        for year in self.years():
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
    first = min(axis.at(span.first) for span in entry.spans)
    last = max(axis.ends(span) for span in entry.spans)
    need = max(text_width.width(line) for line in (*entry.name, *entry.more)) + 2 * INSET
    left, right = first * NARROWEST, last * NARROWEST
    before, after = (last, first) if right - left < SHORT else (first, last)
    if before * NARROWEST + need <= NARROWEST:
        return PlacedEntry(entry, "start", before, left, max(right, before * NARROWEST + need))
    if after * NARROWEST >= need:
        return PlacedEntry(entry, "end", after, min(left, after * NARROWEST - need), right)
    middle = (left + right) / 2
    if need / 2 <= middle <= NARROWEST - need / 2:
        return PlacedEntry(
            entry,
            "middle",
            (first + last) / 2,
            min(left, middle - need / 2),
            max(right, middle + need / 2),
        )
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
    bars = sorted(
        (bar for span in one.entry.spans for bar in bars_of(span, axis, top, name)),
        key=lambda bar: 'class="bar"' not in bar,
    )
    shift = {"start": INSET, "end": -INSET}.get(one.anchor)
    anchor = None if one.anchor == "start" else one.anchor
    words = []
    for place, line in enumerate((*one.entry.name, *one.entry.more)):
        y = top + (BAR - 5 if place == 0 else BAR + place * LINE - 2)
        kind = "more" if place >= len(one.entry.name) else None
        words.append(
            element(
                "text", line, x=percent(one.share), dx=shift, y=y, text_anchor=anchor, class_=kind
            )
        )
    if len(one.entry.spans) > 1:  # a line joins what belongs to one
        ends = [
            axis.at(min(span.first for span in one.entry.spans)),
            max(map(axis.ends, one.entry.spans)),
        ]
        bars.insert(
            0,
            element(
                "line",
                x1=percent(ends[0]),
                x2=percent(ends[1]),
                y1=top + BAR,
                y2=top + BAR,
                class_="join",
            ),
        )
    parts = [element("title", one.entry.tooltip), *bars, *words]
    return element("a", *parts, href=one.entry.href) if one.entry.href else element("g", *parts)


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
