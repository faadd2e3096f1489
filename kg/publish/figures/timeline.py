"""What a person studied and did, over the years."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from markupsafe import Markup

from kg.publish.figures import letters
from kg.publish.figures.bars import GAP, LINE, Axis, Entry, drawn, fade, lanes
from kg.publish.figures.drawing import element, picture, text_of
from kg.publish.figures.spans import span, stretch
from kg.publish.links import Cell

NAME = "timeline"
HEADING = 20  # px
LONGEST = 170  # px of a line, so that it has room at any bar


def figure(rows: Iterable[Mapping[str, list[Cell]]], about: str) -> Markup:
    """Rows with `section`, `title`, `orgName`, `start`, `end`, `edtf` and `when`; those without a date are not drawn. `until` is how far
    the data knows. A section has lanes of its own, the earliest first."""
    sections: dict[str, list[Entry]] = {}
    known: list[float] = []
    for row in rows:
        said = {name: text_of(cells) for name, cells in row.items()}
        period = span(said.get("start", ""), said.get("end", ""), said.get("edtf", ""))
        if until := stretch(said.get("until", "")):
            known.append(until[1])
        if period:
            title, org = said["title"], said.get("org", "")
            told = f"{', '.join(filter(None, (title, org)))}: {said['when']}"
            entry = Entry(tuple(letters.wrapped(title, LONGEST)), tuple(letters.wrapped(org, LONGEST)), (period,), told)
            sections.setdefault(said["section"], []).append(entry)
    entries = [entry for section in sections.values() for entry in section]
    if not entries:
        return Markup()
    axis = Axis.over(entries, max(known, default=None))
    marks: list[Markup] = []
    height = 0.0
    for section, within in sections.items():
        marks.append(element("text", section, y=height + LINE - 2, class_="year"))
        height += HEADING
        within.sort(key=lambda entry: (entry.spans[0].first, entry.spans[0].last, entry.told))
        for lane in lanes(within, axis):
            marks += (drawn(one, axis, height, NAME) for one in lane)
            height += GAP + max(one.entry.height for one in lane)
        height += GAP
    height += LINE + GAP
    description = ". ".join(f"{section}: {'; '.join(entry.told for entry in within)}" for section, within in sections.items())
    title = f"{about}: studies and positions, {axis.low} to {axis.high}"
    return picture(NAME, title, f"{description}.", height, [fade(NAME), *axis.drawn(height, is_tall=False), *marks])
