"""Talks: where somebody spoke, about what, and who invited."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import model_validator

from kg.facts.models.base import EMPTY, Entry
from kg.facts.models.venues import appearance, edition_name
from kg.facts.values.dates import SPAN_TERMS, Date, DaySpan, Edtf, When, Year, span
from kg.facts.values.prose import Prose
from kg.facts.values.references import (
    OrganizationRef,
    PersonRef,
    PublicationRef,
    Reference,
    SubjectRef,
)
from kg.facts.values.terms import Mention, computed, term, unmapped
from kg.facts.values.text import Listed, Text, require
from kg.facts.values.venue_kinds import SeriesRef
from kg.vocab import Iri, cv, dcterms, rdf, schema

TALK_KINDS: dict[str, Iri] = {"invited": cv.InvitedTalk, "keynote": cv.Keynote}

TALKS = {
    "invited": "Invited talk",
    "presentation": "Presentation",
    "industry": "Industry talk",
    "keynote": "Invited keynote",
    "lecture": "Invited lecture",
}


class Talk(Entry):
    """A talk: invited somewhere, or a paper presented at a venue."""

    types = (cv.Talk, schema.EducationEvent, schema.Event)
    of = (term(schema.performer),)
    key = "talk-{at}-{venue}-{when}"

    title: Annotated[
        Text | None, unmapped("the name; taken from the work where it is left out")
    ] = None
    kind: Annotated[
        Literal["invited", "presentation", "industry", "keynote", "lecture"],
        term(rdf.type, as_=TALK_KINDS.get),
        term(schema.keywords, as_=TALKS.get),
    ] = "invited"
    at: Annotated[OrganizationRef | None, term(schema.organizer)] = None  # it is no place
    venue: Annotated[SeriesRef | None, unmapped("the event it was part of")] = None
    year: Annotated[Year | None, unmapped("the start, unless a fuller date is known")] = None
    date: Annotated[Date | None, unmapped("the start")] = None
    host: Annotated[list[PersonRef], Listed, term(schema.organizer)] = EMPTY
    about: Annotated[list[SubjectRef], Listed, term(schema.about)] = EMPTY
    summary: Annotated[Prose | None, term(schema.description)] = None
    work: Annotated[PublicationRef | None, term(schema.workFeatured)] = None

    @model_validator(mode="after")
    def says_something(self) -> Talk:
        message = "Which talk was this? Give 'title', 'work', 'at' or 'venue'."
        require(self.title or self.work or self.at or self.venue, "bad-talk", message)
        return self

    @computed(term(dcterms.date), field="date")
    def edtf(self) -> Edtf | None:
        return Edtf(self.date.edtf) if self.date and self.date.is_season else None

    @computed(term(schema.name), field="title")
    def name(self) -> str:
        if self.title:
            return self.title
        if self.work:
            return self.work.name
        if self.venue and self.year:
            return f"Talk at {edition_name(self.venue.row, self.year.iso)}"
        where = self.at or self.venue
        return f"Talk at {where.name}" if where else "Talk"  # where it was given may be private

    @computed(term(schema.startDate), field="date year")
    def when(self) -> When | None:
        return self.date or self.year

    @computed(*SPAN_TERMS, field="date year")
    def span(self) -> DaySpan | None:
        return span(self.when, self.when)

    @computed(term(schema.superEvent), field="venue")
    def event(self) -> Mention | Reference | None:
        return appearance(self.venue, self.year or self.date) if self.venue else None
