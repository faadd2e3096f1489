"""References to venues by fields that say what the venue is: an event or a journal.

A name that stands in such a field needs no more to be known for what it is.
"""

from __future__ import annotations

from pydantic import ValidationInfo

from kg.facts.values.references import Reference, VenueRef
from kg.facts.values.text import require


class SeriesRef(VenueRef):
    """A venue that takes place: no journal."""

    @classmethod
    def check(cls, value: object, info: ValidationInfo) -> Reference:
        found = super().check(value, info)
        require(
            found.row.get("kind") != "journal",
            "not-an-event",
            f"{value!r} is a journal, and no event. Give the conference or meeting, or leave it "
            "out.",
        )
        return found


class JournalRef(VenueRef):
    """A venue that appears: no event."""

    @classmethod
    def check(cls, value: object, info: ValidationInfo) -> Reference:
        found = super().check(value, info)
        kind = found.row.get("kind", "journal")
        message = f"{value!r} is a {kind}, and no journal. Write 'conference' instead of 'journal'."
        require(kind == "journal", "not-a-journal", message)
        return found


# What a field says of a venue that is named in it.
VENUE_KINDS: dict[type[Reference], str] = {SeriesRef: "conference", JournalRef: "journal"}
