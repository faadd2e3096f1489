"""Work: the roles between a person and an employer, work on one's own account, and the times
between.
"""

from typing import Annotated, Literal, Self

from kg.facts.models.base import EMPTY, Dated, Entry, Short, Sourced
from kg.facts.values.languages import Worded
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
# Those with an organisation that is not the employer.
GUESTS = ("visiting", "honorary", "self-employed")
FAMILIES = (schema.EmployeeRole, schema.OrganizationRole)
RELATION_KINDS: dict[str, Iri] = {
    "advisor": cv.Advisor,
    "committee": cv.CommitteeMember,
    "mentor": cv.Mentor,
}
PEOPLE_HERE = "a role of its own on `colleague`"


class Relation(Sourced):
    """What another person is to the owner, because of a job or a study: advisor, committee member,
    mentor.
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
    """One sentence about a job, and the works it speaks of."""

    short = "text"

    text: Annotated[Prose, unmapped("an item of the description")]
    works: Annotated[list[WorkRef], Listed, unmapped("relations of the role")] = EMPTY


class Described(Entry):
    """What was done, as a text and in lines, and the works these speak of."""

    summary: Annotated[Prose | None, unmapped("part of the description")] = None
    highlights: Annotated[list[Highlight], Listed, unmapped("part of the description")] = EMPTY

    @computed(term(schema.description), field="highlights")
    def description(self) -> str | None:
        return listed_prose(self.summary, (highlight.text for highlight in self.highlights))

    @computed(term(dcterms.relation), field="highlights")
    def works(self) -> list[Reference]:
        return list(
            dict.fromkeys(work for highlight in self.highlights for work in highlight.works)
        )


class Working(Dated, Described):
    """What all work has, be it for an employer or not."""

    location: Annotated[PlaceRef | None, "`Tromsø, Norway`", term(dcterms.spatial)] = None
    keywords: Annotated[
        list[TopicRef], Listed, "What the work was about.", term(dcterms.subject)
    ] = EMPTY
    url: Annotated[WebAddress | None, "A page about this work.", term(schema.url)] = None
    secondary: Annotated[
        bool,
        "true: held beside the main post.",
        term(cv.secondary, as_=lambda beside: beside or None),
    ] = False


class Position(Working):
    """A job, assistantship, internship or stay: one role for each title and uninterrupted period.
    Without an employer, write 'kind: self-employed'.
    """

    types = (schema.Role,)
    of = (inverse(schema.affiliation),)
    key = "work-{organization}-{position}"
    spread = ("positions", "dates")
    remedies = {"organization": ", or write 'kind: self-employed' if there is none"}

    organization: Annotated[OrganizationRef, "The employer.", term(cv.employer)]
    unit: Annotated[UnitRef | None, "The department or group.", unmapped("the smallest unit")] = (
        None
    )
    position: Annotated[Worded, "The title: Associate Professor.", term(schema.roleName)]
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
    mentors: Annotated[list[PersonRef], Listed, "Who guided you.", unmapped(PEOPLE_HERE)] = EMPTY
    advisor: Annotated[list[PersonRef], Listed, "Who advised you.", unmapped(PEOPLE_HERE)] = EMPTY

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
    """What somebody does who has no employer: where the role leads to."""

    types = (schema.Occupation,)
    key = "{within}-occupation"

    name: Annotated[Text, term(schema.name)]


class SelfEmployment(Working):
    """Work on one's own account, with no organisation."""

    types = (cv.SelfEmployment, schema.Role)
    of = (inverse(schema.hasOccupation),)
    key = "work-{position}"

    position: Annotated[Worded, "The title: Associate Professor.", term(schema.roleName)]
    kind: Annotated[Literal["self-employed"], unmapped("the class says it")]

    @computed(term(schema.hasOccupation), field="position")
    def occupation(self) -> Occupation:
        return Occupation.unchecked(name=self.position)


class CareerBreak(Dated):
    """A time away from work and study, such as parental leave, so that nobody wonders."""

    types = (cv.CareerBreak, schema.Role)
    of = (inverse(schema.hasOccupation),)
    key = "break-{reason}-{startDate}"

    reason: Annotated[Worded, "In a word or two: Parental leave.", term(schema.roleName)]
    summary: Annotated[Prose | None, term(schema.description)] = None

    @computed(term(schema.hasOccupation), field="reason")
    def occupation(self) -> Occupation:
        return Occupation.unchecked(name=self.reason)
