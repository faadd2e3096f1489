"""Places what works say about an edition of a conference - place, dates, editors - in the registry
of venues, so that all its works share it.
"""

from __future__ import annotations

from typing import Any

from kg.facts.values.text import address_slug
from kg.plugins.bibliography.venue_titles import PrintedTitle, read_title, without_distinction
from kg.plugins.exchange.draft import Draft, Value, without_empty
from kg.plugins.exchange.edits.joined_entries import Joining
from kg.plugins.exchange.invalid_values import values_in

EDITION = "edition"  # of a work in a draft: the fields of its edition
VENUES = {"conference": "conference", "venue": "workshop"}  # field -> kind of its series
KINDS = ("conference", "workshop", "poster", "abstract")
OTHER_YEAR = "of another year than the work"


def edition_fields(title: PrintedTitle, value: Value, year: str) -> dict[str, Any]:
    """The fields of an edition from its printed title."""
    days = (title.date, title.end)
    date, end = (
        value.with_text(each if each[:4].isdigit() else f"{year}-{each}") if each and year else None
        for each in days
    )
    host = {"venue": value.with_text(title.host), "year": value.with_text(year)}
    return without_empty(
        {
            "date": date,
            "endDate": end,
            "location": value.with_text(title.location) if title.location else None,
            "host": host if title.host and year else None,
        }
    )


def read_venue(work: dict[str, Any], name: str, value: Value) -> None:
    """Divides a printed title in a work of any format into series, edition and award."""
    _, award, remark = without_distinction(value)
    title = read_title(value)
    if work.get("kind") not in KINDS or title == PrintedTitle(value):
        return
    work[name] = value.with_text(title.name)
    if award:
        work.setdefault("awards", []).append(value.with_text(award))
    elif remark and "annotation" not in work:
        work["annotation"] = value.with_text(remark)
    if fields := edition_fields(title, value, year_of(work)):
        work[EDITION] = {**fields, **work.get(EDITION, {})}


def year_of(work: dict[str, Any]) -> str:
    return str(work.get("year") or work.get("date") or "")[:4]


def place_editions(draft: Draft) -> None:
    """Moves the editions of all works to the registry; lists those of another or no year."""
    joining = Joining()
    venues = draft.entries.setdefault("venues", {})
    for work in draft.cv.get("publications", ()):
        fields = work.pop(EDITION, None) if isinstance(work, dict) else None
        if not fields:
            continue
        name = next((each for each in VENUES if isinstance(work.get(each), Value)), "")
        year = year_of(work)
        if not (name and year and str(fields.get("date", year)).startswith(year)):
            draft.leave(values_in(fields), OTHER_YEAR if name and year else "no known edition")
            continue
        printed = work[name]
        entry = {
            "name": printed,
            "kind": printed.with_text(VENUES[name]),
            "editions": {year: fields},
        }
        key = address_slug(printed)
        venues[key] = joining.fields(venues[key], entry) if key in venues else entry
    draft.left += joining.unplaced()
    if not venues:
        del draft.entries["venues"]
