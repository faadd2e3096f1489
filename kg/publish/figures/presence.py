"""People at an organisation over the years: a bar for each, in rows as close as words allow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from markupsafe import Markup

from kg.publish.figures import text_width
from kg.publish.figures.bars import BAR, INSET, LINE, Axis, TimelineEntry, draw, fade, lanes
from kg.publish.figures.drawing import NARROWEST, counted, element, href_of, picture, text_of
from kg.publish.figures.spans import Span, span, stretch
from kg.publish.formats.urls import Cell

NAME = "presence"
TIGHT = 3  # px between lanes
TALL = 20  # lanes, from where on years are written above too
FEWEST, MOST = (
    2,
    120,
)  # people: one alone needs no figure, and of very many the latest are drawn


def figure(rows: Iterable[Mapping[str, list[Cell]]], about: str) -> Markup:
    """Rows with `person`, `title`, `start`, `end`, `edtf`, `when`, and `until`: how far the data
    knows.
    """
    people: dict[tuple[str, str], list[tuple[Span, str]]] = {}
    undated: set[tuple[str, str]] = set()
    known: list[float] = []
    for row in rows:
        texts = {name: text_of(cells) for name, cells in row.items()}
        person = texts["person"], href_of(row["person"])
        period = span(texts.get("start", ""), texts.get("end", ""), texts.get("edtf", ""))
        if period:
            people.setdefault(person, []).append((period, f"{texts['title']}, {texts['when']}"))
            known += [until[1]] if (until := stretch(texts.get("until", ""))) else []
        else:
            undated.add(person)
    if len(people) < FEWEST:
        return Markup()
    entries = [
        TimelineEntry(
            (text_width.shortened(name, NARROWEST - 2 * INSET),),
            (),
            tuple(period for period, _ in spans),
            tooltip(name, spans),
            href,
        )
        for (name, href), spans in people.items()
    ]
    axis = Axis.over(entries, max(known, default=None))
    latest = sorted(entries, key=lambda entry: (-max(map(axis.ends, entry.spans)), entry.tooltip))[
        :MOST
    ]
    latest.sort(key=lambda entry: (min(period.first for period in entry.spans), entry.tooltip))
    rows_drawn = lanes(latest, axis)
    is_tall = len(rows_drawn) > TALL
    above = LINE + TIGHT if is_tall else 0
    height = above + len(rows_drawn) * (BAR + TIGHT) + LINE + TIGHT
    marks = [
        draw(one, axis, above + row * (BAR + TIGHT), NAME)
        for row, lane in enumerate(rows_drawn)
        for one in lane
    ]
    left = len(entries) - len(latest), len(undated - set(people))
    notes = [f"{left[0]} who left earlier"] * bool(left[0]) + [f"{left[1]} without dates"] * bool(
        left[1]
    )
    note = f" Not drawn: {' and '.join(notes)}." if notes else ""
    description = (
        f"{counted(len(latest), 'person', 'people')}, {axis.low} to {axis.high}. The list names "
        f"everybody with their dates.{note}"
    )
    drawing = picture(
        NAME,
        f"{about}: who was there when",
        description,
        height,
        [fade(NAME), *axis.draw(height, is_tall), *marks],
        True,
    )
    return drawing + element("p", note.strip(), class_="note") if note else drawing


def tooltip(name: str, spans: list[tuple[Span, str]]) -> str:
    ordered = sorted(spans, key=lambda one: (one[0].first, one[1]))
    return f"{name}: {'; '.join(words for _, words in ordered)}"
