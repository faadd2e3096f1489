"""References by which works speak of other things: the book a chapter is in, a work that is
reviewed or translated, the topics among the keywords; and to venues by fields that say what the
venue is, an event or a journal, so that a name in such a field needs no more to be known for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationInfo

from kg.facts.values.references import Context, Reference, VenueRef
from kg.facts.values.text import require
from kg.text.normalize import squeeze


class BookRef(Reference):
    """A work by key or title, or fields with its title; one that is named in place is a book."""

    kinds = ("publications",)
    inline = "publications"


class ThesisRef(BookRef):
    """The thesis of a study. Of several with one title, that of the owner of the CV is meant."""

    @classmethod
    def claimants(cls, kind: str, name: str, context: Context, info: ValidationInfo) -> list[str]:
        found = super().claimants(kind, name, context, info)
        inline = context.known.inline.rows.get(kind, {})
        own = [slug for slug in found if signers(inline.get(slug, {})) & {*context.owners}]
        return own or found


def signers(work: Mapping[str, Any]) -> set[str]:
    """The keys of the authors of whom a work says who they are."""
    authors = work.get("authors")
    return {
        str(each["person"])
        for each in (authors if isinstance(authors, list) else ())
        if isinstance(each, Mapping) and "person" in each
    }


class Keyword(Reference):
    """A keyword: a text, which may be the key or the name of a topic."""

    kinds = ("topics",)

    @classmethod
    def check(cls, value: object, info: ValidationInfo) -> Any:
        good = isinstance(value, str) and value.strip()
        require(good, "bad-value", "a keyword is expected here, as a text.")
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
