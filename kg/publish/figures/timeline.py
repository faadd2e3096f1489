"""Studies and positions of a person over the years."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from markupsafe import Markup

from kg.publish.figures import text_width
from kg.publish.figures.bars import GAP, LINE, Axis, TimelineEntry, draw, fade, lanes
from kg.publish.figures.drawing import element, picture, text_of
from kg.publish.figures.spans import span, stretch
from kg.publish.formats.urls import Cell

NAME = "timeline"
HEADING = 20  # px
LONGEST = 170  # px of a line, so that it has room at any bar


def figure(rows: Iterable[Mapping[str, list[Cell]]], about: str) -> Markup:
    """Rows with `section`, `title`, `orgName`, `start`, `end`, `edtf` and `when`; those without a
    date are not drawn. `until` is how far the data knows. A section has lanes of its own, the
    earliest first.
    """
    sections: dict[str, list[TimelineEntry]] = {}
    known: list[float] = []
    for row in rows:
        texts = {name: text_of(cells) for name, cells in row.items()}
        period = span(texts.get("start", ""), texts.get("end", ""), texts.get("edtf", ""))
        if until := stretch(texts.get("until", "")):
            known.append(until[1])
        if period:
            title, org = texts["title"], texts.get("org", "")
            entry = TimelineEntry(
                tuple(text_width.wrapped(title, LONGEST)),
                tuple(text_width.wrapped(org, LONGEST)),
                (period,),
                texts["when"],
            )
            sections.setdefault(texts["section"], []).append(entry)
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
            marks += (draw(one, axis, height, NAME) for one in lane)
            height += GAP + max(one.entry.height for one in lane)
        height += GAP
    height += LINE + GAP
    drawn_are = ", ".join(f"{section}: {len(within)}" for section, within in sections.items())
    description = (
        f"A bar for each entry, by its dates. {drawn_are}. The sections of the page list all of "
        "them."
    )
    fading = [fade(NAME)] if any(entry.spans[0].is_vague for entry in entries) else []
    title = f"{about}: studies and positions, {axis.low} to {axis.high}"
    return picture(
        NAME, title, description, height, [*fading, *axis.draw(height, is_tall=False), *marks]
    )
