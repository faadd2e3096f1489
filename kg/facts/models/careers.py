"""Models of positions, self-employment and career breaks."""

from typing import Annotated, Literal, Self

from kg.facts.models.base import EMPTY, Dated, Entry, Short, Sourced
from kg.facts.values.dates import Date, When
from kg.facts.values.languages import Worded, in_each
from kg.facts.values.prose import Prose, listed_prose
from kg.facts.values.references import (
    OrganizationRef,
    PersonRef,
    PlaceRef,
    Reference,
    SourceRef,
    TopicRef,
    UnitRef,
    WorkRef,
)
from kg.facts.values.terms import Fact, computed, inverse, term, unmapped
from kg.facts.values.text import Listed, Text, WebAddress
from kg.text.dates import date
from kg.vocab import Iri, cv, dcterms, rdf, schema

POSITION_KINDS: dict[str, Iri] = {
    "employment": cv.Employment,
    "internship": cv.Internship,
    "assistantship": cv.Assistantship,
    "postdoc": cv.Postdoc,
    "founder": cv.Founder,
    "visiting": cv.Visiting,
    "honorary": cv.Honorary,
    "self-employed": cv.SelfEmployment,
}
# Kinds whose organisation is not the employer.
GUESTS = ("visiting", "honorary", "self-employed")
FAMILIES = (schema.EmployeeRole, schema.OrganizationRole)
RELATION_KINDS: dict[str, Iri] = {
    "advisor": cv.Advisor,
    "committee": cv.CommitteeMember,
    "mentor": cv.Mentor,
}
BECOMES_ROLE = "becomes a role on `colleague`"


class Relation(Sourced):
    """The relation of another person to the person of the CV, through a job or degree: advisor,
    committee member, mentor.
    """

    types = (schema.Role,)
    of = (inverse(schema.colleague),)
    within = term(dcterms.relation)
    key = "{kind}-{person}-{within}"

    kind: Annotated[str, term(rdf.type, as_=RELATION_KINDS.get)]
    person: Annotated[PersonRef, term(schema.colleague)]
    roleName: Annotated[Text, term(schema.roleName)]

    @classmethod
    def of_each(
        cls, people: list[PersonRef], kind: str, title: str, source: list[SourceRef]
    ) -> list[Self]:
        return [
            cls.unchecked(kind=kind, person=person, roleName=title, source=source)
            for person in people
        ]


class Highlight(Short):
    """A sentence about a job, and the works it mentions."""

    short = "text"

    text: Annotated[Prose, unmapped("becomes an item of the description")]
    works: Annotated[list[WorkRef], Listed, unmapped("become relations of the role")] = EMPTY


def expected_end(expected: When | None) -> str:
    return f"Expected {date(expected.edtf[: len('2021-09')])}" if expected else ""


class Described(Entry):
    """Adds a summary and highlights, and the works they mention."""

    summary: Annotated[Prose | None, unmapped("becomes part of the description")] = None
    highlights: Annotated[list[Highlight], Listed, unmapped("become part of the description")] = (
        EMPTY
    )

    @computed(term(schema.description), field="highlights")
    def description(self) -> str | None:
        return listed_prose(self.summary, (highlight.text for highlight in self.highlights))

    @computed(term(dcterms.relation), field="highlights")
    def works(self) -> list[Reference]:
        return list(
            dict.fromkeys(work for highlight in self.highlights for work in highlight.works)
        )


class Working(Dated, Described):
    """Fields that positions and self-employment share."""

    expected: Annotated[
        Date | None,
        "The expected end date; write `endDate: present`.",
        unmapped("becomes part of the description"),
    ] = None

    location: Annotated[PlaceRef | None, "The place: Tromsø, Norway.", term(dcterms.spatial)] = None
    keywords: Annotated[list[TopicRef], Listed, "Topics of the work.", term(dcterms.subject)] = (
        EMPTY
    )
    url: Annotated[WebAddress | None, "A page about this work.", term(schema.url)] = None
    secondary: Annotated[
        bool,
        "true for a position held beside the main one.",
        term(cv.secondary, as_=lambda beside: beside or None),
    ] = False

    @computed(term(schema.description), field="summary highlights expected")
    def description(self) -> str | None:
        lines = [expected_end(self.expected), self.summary]
        items = [highlight.text for highlight in self.highlights]
        return listed_prose(in_each("\n\n".join, [line for line in lines if line]), items)


class Position(Working):
    """A job, assistantship, internship or visit: one role for each title and uninterrupted period.
    Without an employer, write 'kind: self-employed'.
    """

    types = (schema.Role,)
    of = (inverse(schema.affiliation),)
    key = "work-{organization}-{position}"
    spread = ("positions", "dates")
    remedies = {"organization": ", or write 'kind: self-employed' if you had no employer"}

    organization: Annotated[OrganizationRef, "The employer.", term(cv.employer)]
    unit: Annotated[
        UnitRef | None, "The department or group.", unmapped("becomes the affiliation")
    ] = None
    position: Annotated[Worded, "Your title: Associate Professor.", term(schema.roleName)]
    kind: Annotated[
        Literal[
            "employment",
            "internship",
            "assistantship",
            "postdoc",
            "founder",
            "visiting",
            "honorary",
            "self-employed",
        ],
        term(rdf.type, as_=POSITION_KINDS.get),
        term(rdf.type, as_=lambda kind: FAMILIES[kind in GUESTS]),
    ] = "employment"
    mentors: Annotated[list[PersonRef], Listed, "Your mentors.", unmapped(BECOMES_ROLE)] = EMPTY
    advisor: Annotated[list[PersonRef], Listed, "Your advisors.", unmapped(BECOMES_ROLE)] = EMPTY

    @computed(term(schema.affiliation), field="unit")
    def smallest_unit(self) -> OrganizationRef:
        return self.unit or self.organization

    @computed(field="mentors")
    def mentor_roles(self) -> list[Relation]:
        return Relation.of_each(self.mentors, "mentor", "Mentor", self.source)

    @computed(field="advisor")
    def advisor_roles(self) -> list[Relation]:
        return Relation.of_each(self.advisor, "advisor", "Advisor", self.source)


class Occupation(Fact):
    """An occupation without an employer; the object of the role."""

    types = (schema.Occupation,)
    key = "{within}-occupation"

    name: Annotated[Text, term(schema.name)]


class SelfEmployment(Working):
    """Self-employment, without an organisation."""

    types = (cv.SelfEmployment, schema.Role)
    of = (inverse(schema.hasOccupation),)
    key = "work-{position}"

    position: Annotated[Worded, "Your title: Consultant.", term(schema.roleName)]
    kind: Annotated[Literal["self-employed"], unmapped("becomes the class")]

    @computed(term(schema.hasOccupation), field="position")
    def occupation(self) -> Occupation:
        return Occupation.unchecked(name=self.position)


class CareerBreak(Dated):
    """A period away from work and study, such as parental leave."""

    types = (cv.CareerBreak, schema.Role)
    of = (inverse(schema.hasOccupation),)
    key = "break-{reason}-{startDate}"

    reason: Annotated[Worded, "The reason in a word or two: Parental leave.", term(schema.roleName)]
    summary: Annotated[Prose | None, term(schema.description)] = None

    @computed(term(schema.hasOccupation), field="reason")
    def occupation(self) -> Occupation:
        return Occupation.unchecked(name=self.reason)
