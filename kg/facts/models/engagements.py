"""Models of service, volunteering, memberships and clubs."""

from typing import Annotated, ClassVar, Literal, Self

from pydantic import model_validator

from kg.facts.models.base import Dated
from kg.facts.models.careers import Described
from kg.facts.models.venues import Count, Figure, appearance
from kg.facts.values.dates import SPAN_TERMS, DaySpan, Year, span
from kg.facts.values.languages import Worded
from kg.facts.values.prose import Prose
from kg.facts.values.references import OrganizationRef, Reference, UnitRef, VenueRef
from kg.facts.values.terms import Mention, computed, inverse, term, unmapped
from kg.facts.values.text import WebAddress, require
from kg.facts.values.work_references import JournalRef, SeriesRef
from kg.vocab import Iri, cv, rdf, schema

SERVICE_KINDS: dict[str, Iri] = {
    "reviewing": cv.Reviewing,
    "editor": cv.Editing,
    "program-committee": cv.ProgramCommittee,
    "chair": cv.Chairing,
    "organizer": cv.Organizing,
    "committee": cv.Committee,
    "panel": cv.Panel,
    "board": cv.Board,
    "examiner": cv.Examination,
    "outreach": cv.Outreach,
}
# Default role names.
SERVICE_TITLES = {
    "reviewing": "Reviewer",
    "editor": "Editor",
    "program-committee": "Program committee member",
    "chair": "Chair",
    "organizer": "Organizer",
    "committee": "Committee member",
    "panel": "Panel member",
    "board": "Board member",
    "examiner": "Examiner",
    "outreach": "Outreach",
}
ServiceKind = Literal[
    "reviewing",
    "editor",
    "program-committee",
    "chair",
    "organizer",
    "committee",
    "panel",
    "board",
    "examiner",
    "outreach",
]
AT_A_VENUE = unmapped("becomes the edition or journal that has this role as contributor")
SUMMARY = "A sentence or two about what you did."
PAGE = "A page about it."


class Engagement(Dated):
    """An activity in a year or over a period."""

    spread: ClassVar[tuple[str, ...]] = ("years", "dates")

    year: Annotated[
        Year | None,
        "The year; for a longer period use 'startDate' and 'endDate'.",
        term(schema.startDate),
        term(schema.endDate),
    ] = None
    summary: Annotated[Prose | None, SUMMARY, term(schema.description)] = None
    url: Annotated[WebAddress | None, PAGE, term(schema.url)] = None

    @model_validator(mode="after")
    def dated_once(self) -> Self:
        is_dated_once = not self.year or not (self.startDate or self.endDate)
        message = "'year' and 'startDate' or 'endDate' are both set. Remove one of them."
        require(is_dated_once, "dates-twice", message, "year")
        return self

    @computed(*SPAN_TERMS, field="endDate startDate year")
    def span(self) -> DaySpan | None:
        return span(self.startDate or self.year, self.endDate or self.year)


class Serving(Engagement):
    """Service with a role and a kind."""

    role: Annotated[
        Worded | None,
        "Your role: 'Associate editor', 'Panel member'.",
        unmapped("becomes the name of the role; the default depends on the kind"),
    ] = None
    kind: Annotated[ServiceKind | None, term(rdf.type, as_=SERVICE_KINDS.get)] = None
    count: Annotated[Count | None, "The number of reviews.", unmapped("becomes an observation")] = (
        None
    )

    @computed(term(schema.roleName), field="role")
    def title(self) -> str:
        return self.role or SERVICE_TITLES.get(self.kind or "", "Service")

    @computed(field="count")
    def reviews(self) -> Figure | None:
        if self.count is None:
            return None
        return Figure.unchecked(word="reviews", variable=cv.reviews, value=int(self.count))


class AtAVenue(Engagement):
    """An activity at an edition of a venue, or for a journal. Over several years it belongs to the
    series.
    """

    of = (term(schema.contributor),)
    essential = ("venue", "conference", "journal")
    wanted: ClassVar[str] = "the event is missing. Add 'conference' or 'venue'."

    venue: Annotated[VenueRef | None, "A conference or a journal.", AT_A_VENUE] = None
    conference: Annotated[SeriesRef | None, "The name of a conference.", AT_A_VENUE] = None

    @property
    def venues(self) -> list[VenueRef]:
        return [venue for venue in (self.venue, self.conference) if venue]

    @model_validator(mode="after")
    def at_one_venue(self) -> Self:
        require(self.venues, "missing-field", self.wanted)
        require(
            len(self.venues) == 1, "bad-value", "this has two venues. Write one entry for each."
        )
        return self

    @property
    def where(self) -> VenueRef:
        return self.venues[0]

    @computed(inverse(schema.contributor), field="venue conference journal")
    def event(self) -> Mention | Reference:
        is_once = self.startDate == self.endDate
        return appearance(self.where, self.year or (self.startDate if is_once else None))


class Service(Serving, AtAVenue):
    """Service for a journal or conference: reviewing, editing, committees, chairing."""

    types = (cv.Service, schema.Role)
    key = "service-{where}-{year}-{title}"
    wanted = (
        "the organisation or event is missing. Add 'journal', 'conference', 'venue' or "
        "'organization'."
    )

    journal: Annotated[JournalRef | None, "The name of a journal.", AT_A_VENUE] = None
    kind: Annotated[ServiceKind, term(rdf.type, as_=SERVICE_KINDS.get)] = "reviewing"

    @property
    def venues(self) -> list[VenueRef]:
        return [venue for venue in (self.venue, self.conference, self.journal) if venue]


class Office(Serving):
    """Service for an organisation: panels, boards, committees, outreach."""

    types = (cv.Service, schema.OrganizationRole, schema.Role)
    of = (inverse(schema.affiliation),)
    key = "service-{smallest_unit}-{title}-{year}"

    organization: Annotated[
        OrganizationRef, "Its name.", unmapped("becomes the affiliation, unless there is a unit")
    ]
    unit: Annotated[UnitRef | None, "A unit of it.", unmapped("becomes the affiliation")] = None

    @computed(term(schema.affiliation), field="unit organization")
    def smallest_unit(self) -> OrganizationRef:
        return self.unit or self.organization


class Volunteering(AtAVenue):
    """Volunteering at an event or in its student programme."""

    types = (cv.Volunteering, schema.Role)
    key = "volunteer-{where}-{year}-{role}"
    wanted = "the organisation or event is missing. Add 'organization', 'conference' or 'venue'."

    venue: Annotated[SeriesRef | None, AT_A_VENUE] = None
    role: Annotated[Worded, term(schema.roleName)] = "Volunteer"


class VolunteerPost(Described, Engagement):
    """Unpaid work for an organisation."""

    types = (cv.Volunteering, schema.OrganizationRole, schema.Role)
    of = (inverse(schema.affiliation),)
    key = "volunteer-{organization}-{position}-{year}"

    organization: Annotated[OrganizationRef, term(schema.affiliation)]
    position: Annotated[Worded, term(schema.roleName)] = "Volunteer"


class Belonging(Dated):
    """A role in an organisation that is not employment."""

    of = (inverse(schema.affiliation),)

    organization: Annotated[OrganizationRef, term(schema.affiliation)]
    url: Annotated[WebAddress | None, PAGE, term(schema.url)] = None
    summary: Annotated[Prose | None, SUMMARY, term(schema.description)] = None


class Membership(Belonging):
    """Membership in a society. Only `endDate: present` means current."""

    types = (cv.Membership, schema.OrganizationRole, schema.Role)
    key = "member-{organization}"

    level: Annotated[Worded, term(schema.roleName)] = "Member"


class Extracurricular(Belonging):
    """A role in a club or in campus life."""

    types = (cv.Extracurricular, schema.OrganizationRole, schema.Role)
    key = "extra-{organization}-{position}"

    position: Annotated[Worded, term(schema.roleName)]
