"""What people do and receive beside work and study: service, volunteering, memberships, clubs,
projects, systems, references, awards, talks, skills.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import model_validator

from kg.facts.models.base import EMPTY, Dated, Entry, Sourced, Visibility
from kg.facts.models.venues import appearance, edition_name
from kg.facts.values.dates import SPAN_TERMS, Date, DaySpan, Edtf, When, Year, period, span
from kg.facts.values.references import (
    OrganizationRef,
    PersonRef,
    ProjectRef,
    PublicationRef,
    Reference,
    SeriesRef,
    SourceRef,
    SubjectRef,
    SystemRef,
    TopicRef,
    VenueRef,
)
from kg.facts.values.terms import Mention, computed, inverse, term, unmapped
from kg.facts.values.text import Listed, Text, require
from kg.vocab import Iri, cv, dcterms, rdf, schema

SERVICE_KINDS: dict[str, Iri] = {
    "reviewing": cv.Reviewing,
    "program-committee": cv.ProgramCommittee,
    "chair": cv.Chairing,
}
TALK_KINDS: dict[str, Iri] = {"invited": cv.InvitedTalk, "keynote": cv.Keynote}


TALKS = {
    "invited": "Invited talk",
    "presentation": "Presentation",
    "industry": "Industry talk",
    "keynote": "Invited keynote",
    "lecture": "Invited lecture",
}


class AtAVenue(Entry):
    """A part taken in an edition of a venue, or in a journal."""

    of = (term(schema.contributor),)
    spread: ClassVar[tuple[str, ...]] = ("years",)

    venue: Annotated[
        VenueRef, unmapped("the edition or journal, which has this role as its contributor")
    ]
    year: Annotated[Year | None, term(schema.startDate), term(schema.endDate)] = None

    @computed(inverse(schema.contributor), field="venue")
    def event(self) -> Mention | Reference:
        return appearance(self.venue, self.year)

    @computed(*SPAN_TERMS, field="year")
    def span(self) -> DaySpan | None:
        return span(self.year, self.year)


class Service(AtAVenue):
    """Reviewing, a seat on a committee, a chair."""

    types = (cv.Service, schema.Role)
    key = "service-{venue}-{year}-{role}"

    role: Annotated[Text, term(schema.roleName)] = "Reviewer"
    kind: Annotated[
        Literal["reviewing", "program-committee", "chair"],
        term(rdf.type, as_=SERVICE_KINDS.get),
    ] = "reviewing"


class Volunteering(AtAVenue):
    """Help at an event, or a part in its student programmes."""

    types = (cv.Volunteering, schema.Role)
    key = "volunteer-{venue}-{year}-{role}"

    venue: Annotated[SeriesRef, unmapped("the edition, which has this role as its contributor")]
    role: Annotated[Text, term(schema.roleName)] = "Volunteer"


class Belonging(Dated):
    """A role in an organisation that is no employment."""

    of = (inverse(schema.affiliation),)


class Membership(Belonging):
    """Belonging to a society. Only one marked `endDate: present` makes its owner a member now."""

    types = (cv.Membership, schema.OrganizationRole, schema.Role)
    key = "member-{organization}"

    organization: Annotated[OrganizationRef, term(schema.affiliation)]
    level: Annotated[Text, term(schema.roleName)] = "Member"


class Extracurricular(Belonging):
    """A part taken in a club or in campus life."""

    types = (cv.Extracurricular, schema.OrganizationRole, schema.Role)
    key = "extra-{organization}-{position}"

    organization: Annotated[OrganizationRef, term(schema.affiliation)]
    position: Annotated[Text, term(schema.roleName)]
    summary: Annotated[Text | None, term(schema.description)] = None


class ProjectRole(Belonging):
    """A part in a research project."""

    types = (cv.Membership, schema.OrganizationRole, schema.Role)
    key = "project-{project}-{position}"

    project: Annotated[ProjectRef, term(schema.affiliation)]
    position: Annotated[Text, term(schema.roleName)]
    organization: Annotated[OrganizationRef | None, term(dcterms.relation)] = None
    summary: Annotated[Text | None, term(schema.description)] = None


class Contribution(Dated):
    """A part in the making of a system: as what, and when. Rules make the owner a contributor of
    the system, and the system a current or past project of the owner.
    """

    types = (cv.Contribution, schema.Role)
    of = (term(schema.contributor),)
    key = "system-{software}-{startDate}"

    software: Annotated[SystemRef, inverse(schema.contributor)]
    role: Annotated[Text, term(schema.roleName)] = "Contributor"


class Referee(Entry):
    """Who speaks for the owner; private unless the entry says otherwise."""

    types = (cv.Referee, schema.Role)
    of = (inverse(schema.colleague),)
    key = "referee-{person}"

    visibility: Visibility | None = "private"
    person: Annotated[PersonRef, term(schema.colleague)]
    relation: Annotated[Text, term(schema.roleName)] = "Referee"


class Award(Dated):
    """An award, fellowship, medal or rank. One that came in several years is a fact for each."""

    types = (schema.EducationalOccupationalCredential, schema.CreativeWork)
    of = (inverse(schema.hasCredential),)
    key = "award-{title}-{venue}-{when}"

    title: Annotated[Text, unmapped("the name, with the venue where it has one")]
    kind: Annotated[
        Literal["award", "fellowship", "scholarship", "medal", "finalist", "rank", "distinction"],
        term(schema.credentialCategory),
    ] = "award"
    awarder: Annotated[OrganizationRef | None, term(schema.recognizedBy)] = None
    date: Annotated[Date | None, unmapped("the date it was given")] = None
    venue: Annotated[VenueRef | None, unmapped("part of the name")] = None
    year: Annotated[Year | None, unmapped("the date it was given")] = None
    work: Annotated[PublicationRef | None, term(schema.about)] = None
    startDate: Annotated[
        Date | None, unmapped("the date it was given, or the start of its period")
    ] = None
    endDate: Annotated[When | None, unmapped("the end of its period")] = None

    @property
    def when(self) -> When | None:
        """The day, month or year it was given; its key needs no date where the row was spread by
        one.
        """
        return self.date or self.year

    @computed(term(schema.name), field="title")
    def name(self) -> str:
        if not self.venue:
            return self.title
        return (
            f"{self.title}, "
            f"{edition_name(self.venue.row, self.year.iso) if self.year else self.venue.short}"
        )

    @computed(term(schema.datePublished), field="date year")
    def given(self) -> When | None:
        if self.when or not (self.startDate and self.endDate):
            return self.when or self.startDate or self.endDate
        return self.startDate if self.startDate == self.endDate else None

    @computed(*SPAN_TERMS, field="endDate startDate date year")
    def span(self) -> DaySpan | None:
        return span(self.startDate or self.given, self.endDate or self.given)

    @computed(term(dcterms.date), field="dates")
    def edtf(self) -> Edtf | None:
        start, end = self.startDate or self.when, self.endDate or self.when
        if not (start and end) or start == end:
            only = start or end
            return Edtf(only.edtf) if only and only.is_season else None
        return period(start, end)

    @computed(term(dcterms.relation), field="venue")
    def event(self) -> Mention | Reference | None:
        return appearance(self.venue, self.year) if self.venue else None


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
    summary: Annotated[Text | None, term(schema.description)] = None
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


class Level(Sourced):
    """How well a skill is mastered."""

    types = (cv.Skill, schema.Role)
    key = "skill-{topic}"

    topic: Annotated[TopicRef, term(schema.skills)]
    roleName: Annotated[Text, term(schema.roleName)]


class Knowledge(Sourced):
    """That the owner knows about something, at no stated level: the triple of a skill, as a node
    that can say where it was taken from.
    """

    types = (rdf.Statement,)
    of = (term(rdf.subject),)
    fixed = {rdf.predicate: schema.knowsAbout}
    key = "skill-{topic}"

    topic: Annotated[TopicRef, term(rdf.object)]


class Skill(Entry):
    """Something the owner knows about. A stated level is a role on `skills`; without one only the
    source needs a node.
    """

    name: Annotated[TopicRef, term(schema.knowsAbout)]
    level: Annotated[
        Literal["beginner", "intermediate", "advanced", "expert"] | None,
        unmapped("a role of its own on `skills`"),
    ] = None
    source: Annotated[list[SourceRef], Listed, unmapped("on the role, or on the statement")] = EMPTY

    @computed(term(schema.skills), field="level")
    def mastery(self) -> Level | None:
        return (
            Level.unchecked(topic=self.name, roleName=self.level.capitalize(), source=self.source)
            if self.level
            else None
        )

    @computed(field="name")
    def knowledge(self) -> Knowledge | None:
        return (
            Knowledge.unchecked(topic=self.name, source=self.source)
            if self.source and not self.level
            else None
        )
