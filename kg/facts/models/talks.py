"""Model of talks."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from kg.facts.models.base import EMPTY, Entry
from kg.facts.models.links import Slides, Video
from kg.facts.models.venues import appearance, edition_name
from kg.facts.values.dates import SPAN_TERMS, Date, DaySpan, Edtf, When, Year, span
from kg.facts.values.languages import Worded
from kg.facts.values.prose import Prose
from kg.facts.values.references import (
    LanguageRef,
    OrganizationRef,
    PersonRef,
    PlaceRef,
    PublicationRef,
    Reference,
    SubjectRef,
    VenueRef,
)
from kg.facts.values.terms import Mention, computed, term, unmapped
from kg.facts.values.text import Listed, WebAddress, require
from kg.facts.values.work_references import SeriesRef
from kg.vocab import Iri, cv, dcterms, rdf, schema

TALK_KINDS: dict[str, Iri] = {"invited": cv.InvitedTalk, "keynote": cv.Keynote}

TALKS = {
    "invited": "Invited talk",
    "presentation": "Presentation",
    "industry": "Industry talk",
    "keynote": "Keynote",
    "lecture": "Lecture",
    "seminar": "Seminar",
    "panel": "Panel",
    "poster": "Poster",
    "outreach": "Outreach talk",
}


class Talk(Entry):
    """A talk; only `kind: invited` says that you were invited."""

    types = (cv.Talk, schema.EducationEvent, schema.Event)
    of = (term(schema.performer),)
    key = "talk-{at}-{series}-{town}-{when}"

    title: Annotated[Worded | None, unmapped("becomes the name (default: the title of `work`)")] = (
        None
    )
    kind: Annotated[
        Literal[
            "invited",
            "presentation",
            "industry",
            "keynote",
            "lecture",
            "seminar",
            "panel",
            "poster",
            "outreach",
        ]
        | None,
        term(rdf.type, as_=TALK_KINDS.get),
        term(schema.keywords, as_=TALKS.get),
    ] = None
    at: Annotated[  # an organisation, not a place
        OrganizationRef | None, "The organisation where you spoke.", term(schema.organizer)
    ] = None
    venue: Annotated[SeriesRef | None, unmapped("becomes the event that it was part of")] = None
    conference: Annotated[
        SeriesRef | None,
        "The conference; 'venue' is an alias.",
        unmapped("becomes the event that it was part of"),
    ] = None
    location: Annotated[PlaceRef | None, "The town: Tromsø, Norway.", term(schema.location)] = None
    year: Annotated[Year | None, unmapped("becomes the start, unless `date` is given")] = None
    date: Annotated[Date | None, unmapped("becomes the start")] = None
    host: Annotated[
        list[PersonRef], Listed, "The person who invited you.", term(schema.organizer)
    ] = EMPTY
    speakers: Annotated[
        list[PersonRef],
        Listed,
        Field(alias="with"),
        "Other speakers or panel members.",
        term(schema.performer),
    ] = EMPTY
    about: Annotated[list[SubjectRef], Listed, "Its topics.", term(schema.about)] = EMPTY
    summary: Annotated[Prose | None, "A short description.", term(schema.description)] = None
    work: Annotated[
        PublicationRef | None, "The work that you presented.", term(schema.workFeatured)
    ] = None
    language: Annotated[LanguageRef | None, "Its tag or English name.", term(schema.inLanguage)] = (
        None
    )
    slides: Annotated[Slides | None, "The address of the slides.", term(schema.subjectOf)] = None
    video: Annotated[Video | None, "The address of a recording.", term(schema.recordedIn)] = None
    url: Annotated[WebAddress | None, "A page about it.", term(schema.url)] = None

    @model_validator(mode="after")
    def says_something(self) -> "Talk":
        message = "nothing identifies this talk. Add 'title', 'work', 'at' or 'conference'."
        require(self.title or self.work or self.at or self.series, "bad-talk", message)
        is_one = not (self.venue and self.conference)
        require(is_one, "bad-value", "'venue' and 'conference' mean the same. Remove one.", "venue")
        return self

    @property
    def series(self) -> VenueRef | None:
        return self.conference or self.venue

    @property
    def town(self) -> PlaceRef | None:
        """Distinguishes talks on the same day if nothing else does."""
        return None if self.at or self.series else self.location

    @computed(term(dcterms.date), field="date")
    def edtf(self) -> Edtf | None:
        return Edtf(self.date.edtf) if self.date and self.date.is_season else None

    @computed(term(schema.name), field="title")
    def name(self) -> str:
        if self.title:
            return self.title
        if self.work:
            return self.work.name
        if self.series and self.year:
            return f"Talk at {edition_name(self.series.row, self.year.iso)}"
        where = self.at or self.series
        return f"Talk at {where.name}" if where else "Talk"  # it may be private

    @computed(term(schema.startDate), field="date year")
    def when(self) -> When | None:
        return self.date or self.year

    @computed(*SPAN_TERMS, field="date year")
    def span(self) -> DaySpan | None:
        return span(self.when, self.when)

    @computed(term(schema.superEvent), field="venue conference")
    def event(self) -> Mention | Reference | None:
        return appearance(self.series, self.year or self.date) if self.series else None
