"""References that works make: to books, reviewed works, keyword topics, and venues.

The field name tells whether a venue is an event or a journal, so an inline name needs no `kind`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationInfo

from kg.facts.values.references import Context, Reference, VenueRef
from kg.facts.values.text import require
from kg.text.normalize import squeeze


class BookRef(Reference):
    """A work by key or title, or fields with its title. An inline one becomes a book."""

    kinds = ("publications",)
    inline = "publications"


class ThesisRef(BookRef):
    """The thesis of a degree. If several have this title, the one by the person of the CV."""

    @classmethod
    def claimants(cls, kind: str, name: str, context: Context, info: ValidationInfo) -> list[str]:
        found = super().claimants(kind, name, context, info)
        inline = context.known.inline.rows.get(kind, {})
        own = [slug for slug in found if signers(inline.get(slug, {})) & {*context.owners}]
        return own or found


def signers(work: Mapping[str, Any]) -> set[str]:
    """Keys of the authors that a work identifies with `person`."""
    authors = work.get("authors")
    return {
        str(each["person"])
        for each in (authors if isinstance(authors, list) else ())
        if isinstance(each, Mapping) and "person" in each
    }


class Keyword(Reference):
    """A keyword; refers to the topic of that key or name, if there is one."""

    kinds = ("topics",)

    @classmethod
    def check(cls, value: object, info: ValidationInfo) -> Any:
        good = isinstance(value, str) and value.strip()
        require(good, "bad-value", "a keyword must be text.")
        context, text = info.context or Context({}), squeeze(str(value))
        known = context.rows.get("topics", {})
        slugs = [text] if text in known else context.known.find("topics", text)
        if len(slugs) != 1:
            return cls("", "", {"name": text})
        return cls("topics", slugs[0], context.known.row("topics", slugs[0]))

    @property
    def topic(self) -> Reference | None:
        return self if self.slug else None


class SeriesRef(VenueRef):
    """A venue that takes place, not a journal."""

    @classmethod
    def check(cls, value: object, info: ValidationInfo) -> Reference:
        found = super().check(value, info)
        require(
            found.row.get("kind") != "journal",
            "not-an-event",
            f"{value!r} is a journal, not an event. Give the conference or meeting, or remove "
            "the field.",
        )
        return found


class JournalRef(VenueRef):
    """A venue that is published, not an event."""

    @classmethod
    def check(cls, value: object, info: ValidationInfo) -> Reference:
        found = super().check(value, info)
        kind = found.row.get("kind", "journal")
        message = f"{value!r} is a {kind}, not a journal. Write 'conference' instead of 'journal'."
        require(kind == "journal", "not-a-journal", message)
        return found


# The kind that an inline venue gets from its field.
VENUE_KINDS: dict[type[Reference], str] = {SeriesRef: "conference", JournalRef: "journal"}
