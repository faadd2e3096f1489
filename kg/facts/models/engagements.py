"""What people do for others: service at venues, volunteering, memberships, clubs."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from kg.facts.models.base import Dated, Entry
from kg.facts.models.venues import appearance
from kg.facts.values.dates import SPAN_TERMS, DaySpan, Year, span
from kg.facts.values.prose import Prose
from kg.facts.values.references import OrganizationRef, Reference, VenueRef
from kg.facts.values.terms import Mention, computed, inverse, term, unmapped
from kg.facts.values.text import Text
from kg.facts.values.venue_kinds import SeriesRef
from kg.vocab import Iri, cv, rdf, schema

SERVICE_KINDS: dict[str, Iri] = {
    "reviewing": cv.Reviewing,
    "program-committee": cv.ProgramCommittee,
    "chair": cv.Chairing,
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
    summary: Annotated[Prose | None, term(schema.description)] = None
