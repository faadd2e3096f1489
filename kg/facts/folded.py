"""An entry of a CV that describes a thing of a registry in its own fields: the grant beside the
part that its owner had in it.

    {title: Albedo of Thin Ice, funder: RCN, role: Principal investigator}
        ->  {grant: {title: Albedo of Thin Ice, funder: RCN}, role: Principal investigator}

What follows knows only the second form, which is that of any thing in place.
"""

from __future__ import annotations

from kg.facts.models import SECTIONS, Section
from kg.facts.models.base import Entry
from kg.facts.reading.rows import Row, Rows
from kg.facts.spread import ENDS
from kg.facts.values import dates

FOLDED = {name: section for name, section in SECTIONS.items() if section.thing}
UNSETTLED = ("pending", "declined")  # an application, which is its owner's own business


def fold_sections(cv: Row) -> None:
    """Folds the entries of a CV, where they stand."""
    for name, section in FOLDED.items():
        entries = cv.get(name)
        for entry in entries if isinstance(entries, Rows) else ():
            if isinstance(entry, Row):
                keep_unsettled(entry)
                fold(entry, section)


def fold(entry: Row, section: Section) -> None:
    if section.thing in entry:
        return
    thing = Row(entry.file, entry.spot)
    own = section.model.model_fields
    for key in section.fields_of_thing:
        if key in entry and key not in Entry.model_fields:
            thing.copy_keys(entry, [key])
            if key not in own:
                entry.drop(key)
    both = entry.get("dates")
    if isinstance(both, str) and ENDS[0] in section.fields_of_thing:
        for end, value in zip(ENDS, dates.split(both), strict=True):
            if dates.read(value):  # else reported with the part
                thing.put(end, value, entry.keys_at["dates"], entry.values_at["dates"])
    entry.put(section.thing, thing, entry.spot, entry.spot)


def keep_unsettled(row: Row) -> None:
    """An application is private, unless it says otherwise."""
    if row.get("status") in UNSETTLED and "visibility" not in row:
        row.put("visibility", "private", row.spot, row.spot)
