"""Work and study: the roles between a person and an organisation, with what hangs on them."""

from __future__ import annotations

from itertools import zip_longest
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from kg.facts.models.base import EMPTY, Dated, Entry, Observation, Short, Sourced
from kg.facts.values.dates import SPAN_TERMS, DaySpan, When, span
from kg.facts.values.prose import Prose, listed_prose
from kg.facts.values.references import (
    OrganizationRef,
    PersonRef,
    PlaceRef,
    PublicationRef,
    Reference,
    SourceRef,
    TopicRef,
    UnitRef,
    WorkRef,
)
from kg.facts.values.terms import computed, inverse, term, unmapped
from kg.facts.values.text import Listed, Number, Text, require
from kg.vocab import Iri, cv, dcterms, measures, rdf, schema

POSITION_KINDS: dict[str, Iri] = {
    "employment": cv.Employment,
    "internship": cv.Internship,
    "assistantship": cv.Assistantship,
}
LEVELS = {"doctoral": "Doctoral", "master": "Master", "bachelor": "Bachelor"}
STUDY_KINDS: dict[str, Iri] = {
    "doctoral": cv.DoctoralStudy,
    "master": cv.MasterStudy,
    "bachelor": cv.BachelorStudy,
}
RELATION_KINDS: dict[str, Iri] = {
    "advisor": cv.Advisor,
    "committee": cv.CommitteeMember,
    "mentor": cv.Mentor,
}
PEOPLE_HERE = "a role of its own on `colleague`"
WITHOUT_DEGREE = "false: ended without a degree; says nothing before the study has ended"
PRINTED_NAME = (
    "the degree's printed name, where it is not 'studyType in area'; not published before the "
    "study has ended"
)


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


class Position(Dated, Described):
    """A job, assistantship or internship: one role for each title and uninterrupted period."""

    types = (schema.EmployeeRole, schema.Role)
    of = (inverse(schema.affiliation),)
    key = "work-{organization}-{position}"
    spread = ("positions", "dates")

    organization: Annotated[OrganizationRef, term(cv.employer)]
    unit: Annotated[UnitRef | None, unmapped("the smallest unit")] = None
    position: Annotated[Text, term(schema.roleName)]
    kind: Annotated[
        Literal["employment", "internship", "assistantship"],
        term(rdf.type, as_=POSITION_KINDS.get),
    ] = "employment"
    location: Annotated[PlaceRef | None, term(dcterms.spatial)] = None
    keywords: Annotated[list[TopicRef], Listed, term(dcterms.subject)] = EMPTY
    mentors: Annotated[list[PersonRef], Listed, unmapped(PEOPLE_HERE)] = EMPTY
    advisor: Annotated[list[PersonRef], Listed, unmapped(PEOPLE_HERE)] = EMPTY
    secondary: Annotated[bool, term(cv.secondary, as_=lambda beside: beside or None)] = False

    @computed(term(schema.affiliation), field="unit")
    def smallest_unit(self) -> OrganizationRef:
        return self.unit or self.organization

    @computed(field="mentors")
    def mentor_roles(self) -> list[Relation]:
        return Relation.of_each(self.mentors, "mentor", "Mentor", self.source)

    @computed(field="advisor")
    def advisor_roles(self) -> list[Relation]:
        return Relation.of_each(self.advisor, "advisor", "Advisor", self.source)


class GradePointAverage(Observation):
    """`3.96/4.0`: the grade and its scale, measured on the study."""

    fixed = {schema.variableMeasured: measures.gpa}
    key = "{within}-gpa"
    accepts_text = True

    value: Annotated[Number, term(schema.value)]
    scale: Annotated[Number | None, term(schema.maxValue)] = None

    @model_validator(mode="before")
    @classmethod
    def split(cls, value: Any) -> Any:
        if not isinstance(value, str):
            return value
        parts = [part.strip() for part in value.split("/", 1)]
        message = f"{value!r} is not a score. Write it with its scale, e.g. 3.96/4.0."
        require(all(parts), "bad-score", message)
        return dict(zip(("value", "scale"), parts, strict=False))


class Degree(Sourced):
    """What a finished study led to."""

    types = (schema.EducationalOccupationalCredential, schema.CreativeWork)
    of = (inverse(schema.hasCredential),)
    within = term(dcterms.relation)
    fixed = {schema.credentialCategory: "degree"}
    key = "degree-{recognizedBy}-{studyType}"

    name: Annotated[Text, term(schema.name)]
    studyType: Annotated[Text, unmapped("part of the key")]
    educationalLevel: Annotated[Text | None, term(schema.educationalLevel)] = None
    recognizedBy: Annotated[OrganizationRef, term(schema.recognizedBy)]
    about: Annotated[TopicRef | None, term(schema.about)] = None
    datePublished: Annotated[When, term(schema.datePublished)]

    @computed(*SPAN_TERMS)
    def span(self) -> DaySpan | None:
        return span(self.datePublished, self.datePublished)


class Study(Dated):
    """A course of study: the role standing between a person and a school."""

    types = (cv.Study, schema.OrganizationRole, schema.Role)
    of = (inverse(schema.affiliation),)
    key = "study-{institution}-{studyType}"

    institution: Annotated[OrganizationRef, term(cv.institution)]
    unit: Annotated[UnitRef | None, unmapped("the smallest unit")] = None
    studyType: Annotated[
        list[Text], Listed, Field(min_length=1), unmapped("the role's name, and the degree's")
    ]
    level: Annotated[
        list[Literal["doctoral", "master", "bachelor"]],
        Listed,
        term(rdf.type, as_=STUDY_KINDS.get),
    ] = EMPTY
    area: Annotated[TopicRef | None, term(dcterms.subject)] = None
    degree: Annotated[Text | None, unmapped(PRINTED_NAME)] = None
    location: Annotated[PlaceRef | None, term(dcterms.spatial)] = None
    advisor: Annotated[list[PersonRef], Listed, unmapped(PEOPLE_HERE)] = EMPTY
    committee: Annotated[list[PersonRef], Listed, unmapped(PEOPLE_HERE)] = EMPTY
    thesis: Annotated[list[PublicationRef], Listed, term(dcterms.relation)] = EMPTY
    score: GradePointAverage | None = None
    completed: Annotated[bool, unmapped(WITHOUT_DEGREE)] = True

    @model_validator(mode="after")
    def one_level_each(self) -> Study:
        types, levels = len(self.studyType), len(self.level)
        require(
            levels in (0, types),
            "bad-level",
            f"There are {types} studyTypes and {levels} levels. Give one for each.",
            "level",
        )
        require(
            not self.degree or types == 1,
            "bad-degree",
            "'degree' names one degree, and there are several studyTypes. Remove it.",
            "degree",
        )
        return self

    @computed(term(schema.affiliation), field="institution")
    def smallest_unit(self) -> OrganizationRef:
        return self.unit or self.institution

    @computed(term(schema.roleName), field="studyType")
    def role_name(self) -> str:
        return f"{' and '.join(self.studyType)} student"

    @computed(field="advisor")
    def advisors(self) -> list[Relation]:
        title = f"{LEVELS[self.level[-1]]} advisor" if self.level else "Advisor"
        return Relation.of_each(self.advisor, "advisor", title, self.source)

    @computed(field="committee")
    def committee_members(self) -> list[Relation]:
        work = "Dissertation" if self.level == ["doctoral"] else "Thesis"
        title = f"{work} committee member"
        return Relation.of_each(self.committee, "committee", title, self.source)

    @computed(field="studyType")
    def degrees(self) -> list[Degree]:
        """None until the study has ended, and none where it ended without."""
        if self.endDate is None or self.endDate.is_open or not self.completed:
            return []
        return [
            Degree.unchecked(
                name=self.degree or (f"{kind} in {self.area.name}" if self.area else kind),
                studyType=kind,
                educationalLevel=LEVELS[level] if level else None,
                recognizedBy=self.institution,
                about=self.area,
                datePublished=self.endDate,
                source=self.source,
            )
            for kind, level in zip_longest(self.studyType, self.level)
        ]
