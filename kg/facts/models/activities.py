"""What people do beside work and study: service, volunteering, memberships, clubs, research
projects, systems, references.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from kg.facts.models.base import Dated, Entry, Visibility
from kg.facts.models.venues import appearance
from kg.facts.values.dates import Year
from kg.facts.values.references import (
    OrganizationRef,
    PersonRef,
    ProjectRef,
    Reference,
    SeriesRef,
    SystemRef,
    VenueRef,
)
from kg.facts.values.terms import Mention, computed, inverse, term, unmapped
from kg.facts.values.text import Text
from kg.vocab import Iri, cv, dcterms, schema

SERVICE_KINDS: dict[str, Iri] = {
    "reviewing": cv.Reviewing,
    "program-committee": cv.ProgramCommittee,
    "chair": cv.Chairing,
}


class AtAVenue(Entry):
    """A part taken in an edition of a venue, or in a journal."""

    types = (schema.Role,)
    of = (term(schema.contributor),)
    spread: ClassVar[tuple[str, ...]] = ("years",)

    venue: Annotated[
        VenueRef, unmapped("the edition or journal, which has this role as its contributor")
    ]
    year: Annotated[Year | None, term(schema.startDate), term(schema.endDate)] = None

    @computed(inverse(schema.contributor), field="venue")
    def event(self) -> Mention | Reference:
        return appearance(self.venue, self.year)


class Service(AtAVenue):
    """Reviewing, a seat on a committee, a chair."""

    key = "service-{venue}-{year}-{role}"

    role: Annotated[Text, term(schema.roleName)] = "Reviewer"
    kind: Annotated[
        Literal["reviewing", "program-committee", "chair"],
        term(schema.additionalType, as_=SERVICE_KINDS.get),
    ] = "reviewing"


class Volunteering(AtAVenue):
    """Help at an event, or a part in its student programmes."""

    fixed = {schema.additionalType: cv.Volunteering}
    key = "volunteer-{venue}-{year}-{role}"

    venue: Annotated[SeriesRef, unmapped("the edition, which has this role as its contributor")]
    role: Annotated[Text, term(schema.roleName)] = "Volunteer"


class Belonging(Dated):
    """A role in an organisation that is no employment."""

    types = (schema.OrganizationRole, schema.Role)
    of = (inverse(schema.affiliation),)


class Membership(Belonging):
    """Belonging to a society. Only one marked `endDate: present` makes its owner a member now."""

    fixed = {schema.additionalType: cv.Membership}
    key = "member-{organization}"

    organization: Annotated[OrganizationRef, term(schema.affiliation)]
    level: Annotated[Text, term(schema.roleName)] = "Member"


class Extracurricular(Belonging):
    """A part taken in a club or in campus life."""

    fixed = {schema.additionalType: cv.Extracurricular}
    key = "extra-{organization}-{position}"

    organization: Annotated[OrganizationRef, term(schema.affiliation)]
    position: Annotated[Text, term(schema.roleName)]
    summary: Annotated[Text | None, term(schema.description)] = None


class ProjectRole(Belonging):
    """A part in a research project."""

    fixed = {schema.additionalType: cv.Membership}
    key = "project-{project}-{position}"

    project: Annotated[ProjectRef, term(schema.affiliation)]
    position: Annotated[Text, term(schema.roleName)]
    organization: Annotated[OrganizationRef | None, term(dcterms.relation)] = None
    summary: Annotated[Text | None, term(schema.description)] = None


class Contribution(Dated):
    """A part in the making of a system: as what, and when. Rules make the owner a contributor of
    the system, and the system a current or past project of the owner.
    """

    types = (schema.Role,)
    of = (term(schema.contributor),)
    fixed = {schema.additionalType: cv.Contribution}
    key = "system-{software}-{startDate}"

    software: Annotated[SystemRef, inverse(schema.contributor)]
    role: Annotated[Text, term(schema.roleName)] = "Contributor"


class Referee(Entry):
    """Who speaks for the owner; private unless the entry says otherwise."""

    types = (schema.Role,)
    of = (inverse(schema.colleague),)
    fixed = {schema.additionalType: cv.Referee}
    key = "referee-{person}"

    visibility: Visibility | None = "private"
    person: Annotated[PersonRef, term(schema.colleague)]
    relation: Annotated[Text, term(schema.roleName)] = "Referee"
