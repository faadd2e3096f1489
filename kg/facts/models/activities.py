"""What people do beside work and study: service, volunteering, memberships, clubs, research
projects, systems, references.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from kg.facts.models.base import EMPTY, Dated, Edtf, Entry, Statement, Visibility
from kg.facts.models.venues import appearance
from kg.facts.values.dates import Date, When, Year, period
from kg.facts.values.references import (
    OrganizationRef,
    PersonRef,
    ProjectRef,
    Reference,
    SeriesRef,
    SourceRef,
    SystemRef,
    VenueRef,
)
from kg.facts.values.terms import Mention, inverse, kept, said, term
from kg.facts.values.text import Listed, Text
from kg.vocab import Iri, cv, dcterms, foaf, rdf, schema

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
        VenueRef, kept("the edition or journal, which has this role as its contributor")
    ]
    year: Annotated[Year | None, term(schema.startDate), term(schema.endDate)] = None

    @said(inverse(schema.contributor), field="venue")
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

    venue: Annotated[SeriesRef, kept("the edition, which has this role as its contributor")]
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
    organization: Annotated[OrganizationRef | None, kept("the project says whose it is")] = None
    summary: Annotated[Text | None, term(schema.description)] = None


class ContributionStated(Statement):
    """That the owner contributed to a system: when, and who says so."""

    of = (term(rdf.object),)
    fixed = {rdf.predicate: schema.contributor}
    key = "system-{software}-{start}"

    software: Annotated[SystemRef, term(rdf.subject)]
    start: Annotated[When | None, kept("part of the key, for somebody may have come back")] = None
    period: Annotated[Edtf | None, term(dcterms.date)] = None


class Contribution(Dated):
    """A system the owner worked on. The system has a contributor, the person a project; a statement
    says when, and who says so.
    """

    software: Annotated[SystemRef, inverse(schema.contributor)]
    source: Annotated[list[SourceRef], Listed, kept("on the statement")] = EMPTY
    role: Annotated[Text | None, kept("on a system the contributor is the person, not a role")] = (
        None
    )
    startDate: Annotated[Date | None, kept("the period of the statement")] = None
    endDate: Annotated[
        When | None, kept("the period of the statement; decides between current and past")
    ] = None

    @said()
    def edtf(self) -> None:
        """The person has no date."""

    @said(field="software")
    def stated(self) -> ContributionStated | None:
        text = period(self.startDate, self.endDate)
        if not (text or self.source):
            return None
        when = Edtf(text) if text else None
        return ContributionStated.made(
            software=self.software, start=self.startDate, period=when, source=self.source
        )

    @said(term(foaf.currentProject), field="software")
    def current(self) -> SystemRef | None:
        return self.software if self.endDate and self.endDate.text == "present" else None

    @said(term(foaf.pastProject), field="software")
    def past(self) -> SystemRef | None:
        return self.software if self.endDate and self.endDate.text != "present" else None


class Referee(Entry):
    """Who speaks for the owner; private unless the entry says otherwise."""

    types = (schema.Role,)
    of = (inverse(schema.colleague),)
    fixed = {schema.additionalType: cv.Referee}
    key = "referee-{person}"

    visibility: Visibility | None = "private"
    person: Annotated[PersonRef, term(schema.colleague)]
    relation: Annotated[Text, term(schema.roleName)] = "Referee"
