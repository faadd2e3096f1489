"""Models of projects, contributions to software, references, awards and news."""

from typing import Annotated, Literal

from kg.facts.models.base import EMPTY, Dated, Entry, Visibility
from kg.facts.models.careers import Described
from kg.facts.models.grants import Share
from kg.facts.models.venues import appearance, edition_name
from kg.facts.values.dates import SPAN_TERMS, Date, DaySpan, Edtf, When, Year, period, span
from kg.facts.values.languages import Worded, in_each
from kg.facts.values.prose import Prose
from kg.facts.values.references import (
    OrganizationRef,
    PersonRef,
    ProjectRef,
    PublicationRef,
    Reference,
    SystemRef,
    TopicRef,
    VenueRef,
)
from kg.facts.values.terms import Mention, computed, inverse, term, unmapped, withheld
from kg.facts.values.text import Listed, Text, WebAddress
from kg.text.markdown import plain_prose
from kg.vocab import cv, dcterms, schema

MAX_WORDS = 6  # of a sentence, in an address
CONTACT = "contact details for your own use, even if the entry is public"


# Fields of a project or system that can be written beside its name.
BESIDE_A_PROJECT = {name: name for name in ("url", "funder", "grant")}
BESIDE_A_SYSTEM = {
    name: name
    for name in ("url", "repository", "summary", "version", "license", "doi", "languages")
}


class ProjectRole(Described, Dated):
    """A role in a project that other people also work on."""

    types = (cv.Membership, schema.OrganizationRole, schema.Role)
    of = (inverse(schema.affiliation),)
    key = "project-{project}-{position}"

    project: Annotated[
        ProjectRef,
        "The project; `name` is an alias. You can add its url, funder and grant here.",
        term(schema.affiliation),
    ]
    position: Annotated[Worded, "Your role: 'Lead', 'Developer'.", term(schema.roleName)] = (
        "Participant"
    )
    organization: Annotated[
        OrganizationRef | None, "Where you worked on it.", term(dcterms.relation)
    ] = None
    keywords: Annotated[list[TopicRef], Listed, "Topics of the project.", term(dcterms.subject)] = (
        EMPTY
    )


class Contribution(Dated):
    """A contribution to a system. Rules add the person to the system's contributors, and the system
    to the person's current or past projects.
    """

    types = (cv.Contribution, schema.Role)
    of = (term(schema.contributor),)
    key = "system-{software}-{startDate}"

    software: Annotated[
        SystemRef,
        "The system; `name` is an alias. You can add its own fields here.",
        inverse(schema.contributor),
    ]
    role: Annotated[Worded, term(schema.roleName)] = "Contributor"


class Referee(Entry):
    """A referee; private by default."""

    types = (cv.Referee, schema.Role)
    of = (inverse(schema.colleague),)
    key = "referee-{person}"

    visibility: Visibility | None = "private"
    person: Annotated[PersonRef, "The referee.", term(schema.colleague)]
    relation: Annotated[Worded, term(schema.roleName)] = "Referee"
    text: Annotated[
        Prose | None, "Their statement, or what they can comment on.", term(schema.description)
    ] = None
    email: Annotated[Text | None, withheld(CONTACT)] = None
    phone: Annotated[Text | None, withheld(CONTACT)] = None


class AwardAmount(Share):
    """`5000 EUR`: the amount of an award."""

    fixed = {schema.variableMeasured: cv.amount}
    key = "{within}-amount"


class Award(Dated):
    """An award, fellowship, medal or rank. If it was received in several years, each is one
    fact.
    """

    types = (schema.EducationalOccupationalCredential, schema.CreativeWork)
    of = (inverse(schema.hasCredential),)
    key = "award-{title}-{venue}-{when}"

    title: Annotated[Worded, unmapped("becomes the name, followed by the venue, if any")]
    kind: Annotated[
        Literal["award", "fellowship", "scholarship", "medal", "finalist", "rank", "distinction"],
        term(schema.credentialCategory),
    ] = "award"
    awarder: Annotated[
        OrganizationRef | None, "The organisation that gave it.", term(schema.recognizedBy)
    ] = None
    date: Annotated[Date | None, unmapped("the date of the award")] = None
    venue: Annotated[
        VenueRef | None, "The conference where it was given.", unmapped("becomes part of the name")
    ] = None
    year: Annotated[Year | None, unmapped("the date of the award")] = None
    work: Annotated[
        PublicationRef | None, "The work that it was given for.", term(schema.about)
    ] = None
    startDate: Annotated[
        Date | None, unmapped("the date of the award, or the start of its period")
    ] = None
    endDate: Annotated[When | None, unmapped("the end of its period")] = None
    summary: Annotated[Prose | None, "The reason for it.", term(schema.description)] = None
    url: Annotated[WebAddress | None, "A page about it.", term(schema.url)] = None
    amount: Annotated[AwardAmount | None, "The prize money: 5000 EUR."] = None

    @property
    def when(self) -> When | None:
        """The date or year; not part of the key if the row was spread by date."""
        return self.date or self.year

    @computed(term(schema.name), field="title")
    def name(self) -> str:
        if not self.venue:
            return self.title
        venue = edition_name(self.venue.row, self.year.iso) if self.year else self.venue.short
        return in_each(", ".join, [self.title, venue])

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


class News(Entry):
    """A news item in a sentence or two: `2026-03: Our paper is out.`, or with fields. The page
    shows the latest.
    """

    types = (cv.News, schema.CreativeWork)
    of = (term(schema.about),)
    key = "news-{date}-{called}"
    accepts_date = True

    date: Annotated[Date, "The date of the news: 2026-03.", term(schema.datePublished)]
    text: Annotated[Prose, "Markdown; links are allowed.", term(schema.description)]

    @property
    def called(self) -> str:
        return " ".join(plain_prose(self.text).split()[:MAX_WORDS])

    @computed(*SPAN_TERMS, field="date")
    def span(self) -> DaySpan | None:
        return span(self.date, self.date)
