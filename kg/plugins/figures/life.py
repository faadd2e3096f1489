"""Timelines: a lane per employer, school or person, with its name on the left, never on a bar.

Positions are filled, studies outlined. A bar that goes on has an arrowhead at the date of the data;
one whose end is unknown fades. A long name has several lines. A heat map has squares in its lanes.
Each function takes the rows of a section and the subject of the page.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import accumulate
from textwrap import wrap

from markupsafe import Markup

from kg.errors import counted
from kg.plugins.figures.bars import Axis, Span, span, stretch
from kg.plugins.figures.drawing import Rows, element, percent, text_of
from kg.publish.figures import FigureMaker

LANE, BAR, SLIM = 20, 8, 6  # px: lane, single bar, one of two stacked bars
EDGE = 0.08  # of the width: minimum distance of a year label from the ends
MIN_LANES, MAX_LANES = 2, 40  # lanes: fewer need no figure; of more, the latest are drawn
MAX_LIFE = 8  # lanes of one person: more are confusing, so none is drawn
LETTERS, MAX_LINES = 19, 4  # of the name of a lane: letters on a line, lines


@dataclass(frozen=True)
class LifeBar:
    period: Span
    words: str
    is_study: bool


@dataclass
class Lane:
    name: str
    bars: list[LifeBar] = field(default_factory=list)

    @property
    def label(self) -> str:
        """The name; words in the middle are left out if it needs too many lines."""
        words = self.name.removeprefix("The ").split()
        for half in range(len(words) // 2, 0, -1):
            text = " ".join(words)
            if len(wrap(text, LETTERS)) <= MAX_LINES:
                break
            words = [*words[:half], "…", *words[-half:]]
        return " ".join(words)

    @property
    def lines(self) -> int:
        """The number of lines that the label needs."""
        return min(max(len(wrap(self.label, LETTERS)), 1), MAX_LINES)


def timeline(rows: Rows, about: str) -> Markup:
    """Studies and positions of a person by employer or school. Rows have `org`, `title`, `kind` and
    dates; undated rows are not drawn. A life with very many lanes has no figure.
    """
    found, now = lanes_of(rows, "org")
    lanes = [lane for lane in found if lane.bars]
    bars = [bar for lane in lanes for bar in lane.bars]
    if len(bars) < MIN_LANES or len(lanes) > MAX_LIFE:
        return Markup()
    axis = Axis.over((bar.period for bar in bars), now)
    what = f"Positions and studies of {about}, {axis.low} to {axis.high}, as listed below"
    return drawn("timeline", lanes, axis, what)


def presence(rows: Rows, about: str) -> Markup:
    """People at an organisation over the years. Rows have `person`, `title` and dates."""
    return over_time(rows, "person", f"People at {about}")


def over_time(rows: Rows, column: str, what: str) -> Markup:
    """A lane per value of a column. Rows have that column, `title` and dates."""
    lanes, now = lanes_of(rows, column)
    dated = [lane for lane in lanes if lane.bars]
    if len(dated) < MIN_LANES:
        return Markup()
    missing = {
        "who left earlier" if column == "person" else "from earlier years": len(dated[MAX_LANES:]),
        "without dates": len(lanes) - len(dated),
    }
    notes = " and ".join(f"{count} {words}" for words, count in missing.items() if count)
    shown = dated[:MAX_LANES]
    axis = Axis.over((bar.period for lane in shown for bar in lane.bars), now)
    nouns = ("person", "people") if column == "person" else ("line", "lines")
    lines = counted(len(shown), *nouns)
    described = f"{what}: {lines}, {axis.low} to {axis.high}, as listed below"
    return drawn("presence", shown, axis, described, f"Not shown: {notes}." if notes else "")


def heat_map(numbers: Mapping[tuple[str, int], float], what: str) -> Markup:
    """A lane per name and a square per year, the darker the larger its number; the names with the
    largest sums, in the order of their first years.
    """
    sums, first = defaultdict[str, float](float), dict[str, int]()
    for (name, year), number in numbers.items():
        sums[name] += number
        first[name] = min(year, first.get(name, year))
    most = [name for name, _ in sorted(sums.items(), key=lambda each: (-each[1], each[0]))]
    lanes = [Lane(name) for name in sorted(most[:MAX_LANES], key=lambda name: (first[name], name))]
    years = [year for name, year in numbers if name in most[:MAX_LANES]]
    if len(lanes) < MIN_LANES:
        return Markup()
    axis, darkest = Axis(min(years), max(years) + 1, 0), max(numbers.values()) or 1
    tops = dict(zip((lane.name for lane in lanes), lane_tops(lanes), strict=False))
    squares = [
        element(
            "rect",
            element("title", f"{name}, {year}: {number:,.4g}"),
            x=percent(axis.at(year)),
            width=percent(1 / (axis.high - axis.low) - 0.002),
            y=tops[name] + 2,
            height=LANE - 4,
            fill_opacity=f"{0.15 + 0.85 * number / darkest:.2f}",
        )
        for (name, year), number in sorted(numbers.items())
        if name in tops
    ]
    hidden = f"Not shown: {counted(len(most) - MAX_LANES, 'line')} with less. "
    note = f"{hidden if len(most) > MAX_LANES else ''}Darkest: {darkest:,.4g} in a year."
    described = f"{what}: {counted(len(lanes), 'line')}, {axis.low} to {axis.high - 1}"
    return framed("heat", lanes, axis, squares, described, [element("span", note)])


def lane_tops(lanes: list[Lane]) -> list[int]:
    return [*accumulate((lane.lines * LANE for lane in lanes), initial=0)]


def lanes_of(rows: Rows, column: str) -> tuple[list[Lane], float | None]:
    """A lane per value of a column, latest first; and the date of the data, from `until`."""
    lanes: dict[tuple[str, str], Lane] = {}
    known: list[float] = []
    for row in rows:
        texts = defaultdict(str, {name: text_of(cells) for name, cells in row.items()})
        key = texts[column], str(row.get(column))
        lane = lanes.setdefault(key, Lane(texts[column]))
        period = span(texts["start"], texts["end"], texts["edtf"])
        if period:
            words = f"{texts['title']}, {texts['when']}"
            lane.bars.append(LifeBar(period, words, texts["kind"] == "study"))
            known += (stretch(texts["until"]) or ())[1:]
    for lane in lanes.values():
        lane.bars.sort(key=lambda bar: (bar.period.first, bar.period.last, bar.words))
    open_bars = [bar for lane in lanes.values() for bar in lane.bars if bar.period.is_open]
    if known:  # what began later is present, too
        known += (bar.period.begun for bar in open_bars)
    return sorted(lanes.values(), key=latest_first), max(known, default=None)


def latest_first(lane: Lane) -> tuple[float, float, str]:
    return (
        -max(
            (float("inf") if bar.period.is_open else bar.period.last for bar in lane.bars),
            default=0,
        ),
        -max((bar.period.first for bar in lane.bars), default=0),
        lane.name,
    )


def drawn(name: str, lanes: list[Lane], axis: Axis, what: str, note: str = "") -> Markup:
    """The figure: names and bars as one picture with a text alternative, and a caption with the
    legend.
    """
    bars = (
        bar
        for lane, top in zip(lanes, lane_tops(lanes), strict=False)
        for bar in drawn_lane(lane, axis, top + (lane.lines - 1) * LANE / 2, name)
    )
    fade = element("defs", *(faded(f"{name}-{kind}", kind) for kind in ("fade", "study")))
    caption = [element("span", word, class_=kind) for word, kind in legend(lanes)]
    caption += [element("span", note)] if note else []
    return framed(name, lanes, axis, [fade, *bars], what, caption)


def framed(
    name: str, lanes: list[Lane], axis: Axis, marks: list[Markup], what: str, caption: list[Markup]
) -> Markup:
    """Marks between the names of the lanes and the axis of years."""
    height = lane_tops(lanes)[-1]
    lines = [
        element("line", x1=percent(axis.at(year)), x2=percent(axis.at(year)), y2=height)
        for year in axis.years
    ]
    years = (
        element("text", str(year), x=percent(axis.at(year)), y=height + 14, text_anchor="middle")
        for year in axis.years
        if EDGE <= axis.at(year) <= 1 - EDGE
    )
    names = (
        element("span", lane.label, title=lane.name, dir="auto", class_=f"lines-{lane.lines}")
        for lane in lanes
    )
    picture = element("svg", *lines, *marks, *years, class_=f"drawn {name}", height=height + LANE)
    image = element("div", element("div", *names), picture, role="img", aria_label=what)
    explained = [element("figcaption", *caption)] if caption else []
    return element("figure", image, *explained, class_="life")


def faded(name: str, kind: str) -> Markup:
    """The fill of bars that fade; that of studies is as light as they are."""
    stops = element("stop", offset=".4"), element("stop", offset="1", stop_opacity=".15")
    return element("linearGradient", *stops, id=name, class_=kind)


def drawn_lane(lane: Lane, axis: Axis, above: float, name: str) -> Iterator[Markup]:
    is_mixed = len({bar.is_study for bar in lane.bars}) > 1
    for number, bar in enumerate(lane.bars):
        start, end = axis.at(bar.period.first), axis.ends(bar.period)
        if bar.period.is_vague:  # until the next one begins, at the latest
            later = [
                axis.at(other.period.first)
                for other in lane.bars[number + 1 :]
                if other.is_study == bar.is_study and other.period.first > bar.period.first
            ]
            end = min([end, *later])
        top = (2 if bar.is_study else LANE - SLIM - 3) if is_mixed else (LANE - BAR) / 2
        yield element(
            "rect",
            element("title", bar.words),
            x=percent(start),
            width=percent(max(end - start, 0.008)),
            y=above + top,
            height=SLIM if is_mixed else BAR,
            rx=1.5,
            class_="study" if bar.is_study else None,
            fill=f"url(#{name}-{'study' if bar.is_study else 'fade'})"
            if bar.period.is_vague
            else None,
        )
        if bar.period.is_open:
            head = element("path", d="M-5-2 3 4-5 10z" if not is_mixed else "M-5-2 3 3-5 8z")
            yield element("svg", head, x=percent(end), y=above + top, class_="now")


def legend(lanes: Iterable[Lane]) -> Iterator[tuple[str, str]]:
    """The legend: words, and the CSS class of what they explain."""
    bars = [bar for lane in lanes for bar in lane.bars]
    if any(bar.is_study for bar in bars) and not all(bar.is_study for bar in bars):
        yield from (("position", "post"), ("study", "study"))
    if any(bar.period.is_open for bar in bars):
        yield "present", "now"
    if any(bar.period.is_vague for bar in bars):
        yield "end unknown", "open"


PRESENCE = FigureMaker(presence)
TIMELINE = FigureMaker(timeline)
