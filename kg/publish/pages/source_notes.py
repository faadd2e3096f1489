"""Sources of a page as notes: most entries have the same, which is stated once, at its foot. An
entry with others has a number that leads to the note that names them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from kg.publish.formats.urls import Cell, Link
from kg.publish.pages.rows import PageSection


class SourceNotes(NamedTuple):
    """`main` are the sources of all rows without a number, `notes` those of the others."""

    main: list[Cell]
    notes: list[list[Cell]]


def number_sources(sections: Sequence[PageSection], has_works: bool) -> SourceNotes:
    """Puts a link to its note in the place of a row's sources. Without `has_works`, things that
    have pages of their own have their sources there.
    """
    rows = [row for section in sections for row in section.rows]
    for row in rows:
        if not row["anchor"] and not has_works:
            row["source"] = []
    counts = Counter(tuple(row["source"]) for row in rows if row["source"])
    if not counts:
        return SourceNotes([], [])
    main = counts.most_common(1)[0][0]
    notes = list(dict.fromkeys(found for row in rows if (found := tuple(row["source"]))))
    notes.remove(main)
    numbers = {found: number for number, found in enumerate(notes, 1)}
    for row in rows:
        number = numbers.get(tuple(row["source"]))
        row["source"] = [Link(str(number), f"#source-{number}")] if number else []
    return SourceNotes(list(main), [list(found) for found in notes])
