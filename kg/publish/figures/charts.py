"""Charts of bars: the timeline of a person, the people of an organisation over the years, and the
acceptance rates of a venue.

Each takes the rows of a section and what the page is about.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from markupsafe import Markup

from kg.publish.figures.bars import (
    BAR,
    GAP,
    INSET,
    LINE,
    Axis,
    Span,
    TimelineEntry,
    draw,
    fade,
    lanes,
    span,
    stretch,
)
from kg.publish.figures.drawing import (
    NARROWEST,
    Rows,
    counted,
    element,
    href_of,
    percent,
    picture,
    shortened,
    text_of,
    wrapped,
)
from kg.publish.formats.urls import Cell

HEADING = 20  # px
LONGEST = 170  # px of a line, so that it has room at any bar
TIGHT = 3  # px between the lanes of people
TALL = 20  # lanes, from where on years are written above too
# people: one alone needs no figure, and of very many the latest are drawn
FEWEST, MOST = 2, 120


def timeline(rows: Rows, about: str) -> Markup:
    """Studies and positions of a person. Rows with `section`, `title`, `org` and dates; those
    without a date are not drawn. A section has lanes of its own, the earliest first.
    """
    sections: dict[str, list[TimelineEntry]] = defaultdict(list)
    known: list[float] = []
    for texts, period, until in dated(rows):
        if period:
            known += until
            name, more = (tuple(wrapped(texts[each], LONGEST)) for each in ("title", "org"))
            entry = TimelineEntry(name, more, (period,), texts["when"])
            sections[texts["section"]].append(entry)
    entries = [entry for section in sections.values() for entry in section]
    if not entries:
        return Markup()
    axis = Axis.over(entries, max(known, default=None))
    marks: list[Markup] = []
    height = 0.0
    for section, within in sections.items():
        marks.append(element("text", section, y=height + LINE - 2, class_="year"))
        height += HEADING
        within.sort(key=lambda entry: (entry.spans[0].first, entry.spans[0].last, entry.name))
        for lane in lanes(within, axis):
            marks += (draw(one, axis, height, "timeline") for one in lane)
            height += GAP + max(one.entry.height for one in lane)
        height += GAP
    height += LINE + GAP
    counts = ", ".join(f"{section}: {len(within)}" for section, within in sections.items())
    fading = [fade("timeline")] if any(entry.spans[0].is_vague for entry in entries) else []
    return picture(
        "timeline",
        f"{about}: studies and positions, {axis.low} to {axis.high}",
        f"A bar for each entry, by its dates. {counts}. The sections of the page list all of them.",
        height,
        [*fading, *axis.draw(height, is_tall=False), *marks],
    )


def presence(rows: Rows, about: str) -> Markup:
    """People at an organisation over the years: a bar for each, in lanes as close as words allow.
    Rows with `person`, `title` and dates.
    """
    people: dict[tuple[str, str], list[tuple[Span, str]]] = defaultdict(list)
    undated: set[tuple[str, str]] = set()
    known: list[float] = []
    for texts, period, until in dated(rows):
        person = texts["person"], texts["href"]
        if period:
            people[person].append((period, f"{texts['title']}, {texts['when']}"))
            known += until
        else:
            undated.add(person)
    if len(people) < FEWEST:
        return Markup()
    entries = [
        TimelineEntry(
            (shortened(name, NARROWEST - 2 * INSET),),
            (),
            tuple(period for period, _ in spans),
            f"{name}: "
            + "; ".join(
                words for _, words in sorted(spans, key=lambda one: (one[0].first, one[1]))
            ),
            href,
        )
        for (name, href), spans in people.items()
    ]
    axis = Axis.over(entries, max(known, default=None))
    latest = sorted(entries, key=lambda entry: (-axis.extent(entry)[1], entry.tooltip))[:MOST]
    latest.sort(key=lambda entry: (min(period.first for period in entry.spans), entry.tooltip))
    found = lanes(latest, axis)
    is_tall = len(found) > TALL
    above = LINE + TIGHT if is_tall else 0
    height = above + len(found) * (BAR + TIGHT) + LINE + TIGHT
    marks = [
        draw(one, axis, above + row * (BAR + TIGHT), "presence")
        for row, lane in enumerate(found)
        for one in lane
    ]
    missing = {
        "who left earlier": len(entries) - len(latest),
        "without dates": len(undated - set(people)),
    }
    notes = [f"{count} {words}" for words, count in missing.items() if count]
    return picture(
        "presence",
        f"{about}: who was there when",
        f"{counted(len(latest), 'person', 'people')}, {axis.low} to {axis.high}. The list names "
        "everybody with their dates.",
        height,
        [fade("presence"), *axis.draw(height, is_tall), *marks],
        is_group=True,
        note=f"Not drawn: {' and '.join(notes)}." if notes else "",
    )


def dated(rows: Rows) -> Iterator[tuple[dict[str, str], Span | None, list[float]]]:
    """The texts of each row, its period by `start`, `end` and `edtf`, and how far the data knows,
    by `until`.
    """
    for row in rows:
        texts = defaultdict(str, {name: text_of(cells) for name, cells in row.items()})
        texts["href"] = href_of(row.get("person", []))
        until = stretch(texts["until"])
        period = span(texts["start"], texts["end"], texts["edtf"])
        yield texts, period, [until[1]] if until else []


@dataclass(frozen=True)
class EditionRate:
    """`least` and `most` are the share that was accepted; they differ where only a range is
    known.
    """

    name: str
    submitted: float | None
    accepted: float | None
    least: float
    most: float

    @property
    def words(self) -> str:
        low, high = (f"{share * 100:.1f}".removesuffix(".0") for share in (self.least, self.most))
        rate = f"{low}%" if low == high else f"{low} to {high}%"
        counts = (
            f", {self.accepted:,.0f} of {self.submitted:,.0f}"
            if self.submitted and self.accepted is not None
            else ""
        )
        return f"{self.name}: {rate}{counts}"


def acceptance(rows: Rows, about: str) -> Markup:
    """Edition by edition a bar for the submissions, filled as far as they were accepted. Rows with
    `title`, and what is known of `submitted`, `accepted`, `rate`, `least` and `most`.
    """
    editions = [edition for row in rows if (edition := edition_rate(row))]
    if not editions:
        return Markup()
    sizes = [edition.submitted or 0 for edition in editions]
    marks: list[Markup] = []
    for place, edition in enumerate(editions):
        top = place * (BAR + LINE + GAP) + LINE
        # Where the submissions of all are known, the bars are as long as they are many; else each
        # is as long as the picture is wide.
        length = (edition.submitted or 0) / max(sizes) if all(sizes) else 1
        words = shortened(edition.words, NARROWEST - 2 * INSET)
        marks += [
            element("text", words, y=top - 3),
            rate_bar(0, length, top, "bar"),
            rate_bar(0, length * edition.least, top, "sure"),
        ]
        if edition.most > edition.least:
            marks.append(rate_bar(length * edition.least, length * edition.most, top, "maybe"))
    return picture(
        "acceptance",
        f"{about}: what share of submissions was accepted",
        f"{'; '.join(edition.words for edition in editions)}.",
        len(editions) * (BAR + LINE + GAP),
        marks,
    )


def edition_rate(row: Mapping[str, list[Cell]]) -> EditionRate | None:
    submitted, accepted, rate, least, most = (
        number(text_of(row.get(name, [])))
        for name in ("submitted", "accepted", "rate", "least", "most")
    )
    if rate is None and submitted and accepted is not None:
        rate = accepted / submitted
    if rate is not None:
        least = most = rate
    if least is None and most is None:
        return None
    bounds = 0.0 if least is None else least, 1.0 if most is None else most
    return EditionRate(text_of(row["title"]), submitted, accepted, *bounds)


def number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def rate_bar(start: float, end: float, top: float, kind: str) -> Markup:
    return element(
        "rect", x=percent(start), width=percent(end - start), y=top, height=BAR - 5, class_=kind
    )
