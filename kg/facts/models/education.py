"""Models of studies, degrees and certificates."""

from itertools import zip_longest
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from kg.facts.models.base import EMPTY, Dated, Entry, Identifier, Observation, Sourced
from kg.facts.models.careers import BECOMES_ROLE, Described, Relation, expected_end
from kg.facts.values.dates import SPAN_TERMS, Date, DaySpan, When, span
from kg.facts.values.languages import in_each
from kg.facts.values.prose import Prose, listed_prose
from kg.facts.values.references import (
    OrganizationRef,
    PersonRef,
    PlaceRef,
    TopicRef,
    UnitRef,
)
from kg.facts.values.study_names import is_school, is_visit
from kg.facts.values.terms import computed, inverse, term, unmapped
from kg.facts.values.text import Listed, Number, Text, WebAddress, require
from kg.facts.values.work_references import ThesisRef
from kg.vocab import Iri, cv, dcterms, rdf, schema

STUDY_KINDS: dict[str, Iri] = {
    "doctoral": cv.DoctoralStudy,
    "master": cv.MasterStudy,
    "bachelor": cv.BachelorStudy,
    "postdoctoral": cv.PostdoctoralStudy,
    "diploma": cv.DiplomaStudy,
    "school": cv.SchoolStudy,
}
LEVELS = {level: level.capitalize() for level in STUDY_KINDS}
WITHOUT_DEGREE = "set it to false if you left without a degree; ignored before `endDate`"
PRINTED_NAME = (
    "the printed name of the degree, if it is not 'studyType in area'; not published before "
    "`endDate`"
)


class GradePointAverage(Observation):
    """`3.96/4.0`: a grade and its scale."""

    fixed = {schema.variableMeasured: cv.gpa}
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
    """The degree of a completed study."""

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
    honors: Annotated[Text | None, term(schema.description)] = None

    @computed(*SPAN_TERMS)
    def span(self) -> DaySpan | None:
        return span(self.datePublished, self.datePublished)


class Study(Dated, Described):
    """A course of study: the role between a person and a school."""

    types = (cv.Study, schema.OrganizationRole, schema.Role)
    of = (inverse(schema.affiliation),)
    key = "study-{institution}-{studyType}"

    institution: Annotated[OrganizationRef, "The school or university.", term(cv.institution)]
    unit: Annotated[
        UnitRef | None, "The faculty or department.", unmapped("becomes the affiliation")
    ] = None
    studyType: Annotated[
        list[Text],
        Listed,
        Field(min_length=1),
        "The abbreviation of the degree: Ph.D., M.Sc.",
        unmapped("becomes the names of the role and the degree"),
    ]
    level: Annotated[
        list[Literal["doctoral", "master", "bachelor", "postdoctoral", "diploma", "school"]],
        Listed,
        term(rdf.type, as_=STUDY_KINDS.get),
    ] = EMPTY
    area: Annotated[TopicRef | None, "The field: Atmospheric physics.", term(dcterms.subject)] = (
        None
    )
    degree: Annotated[Text | None, unmapped(PRINTED_NAME)] = None
    location: Annotated[PlaceRef | None, "The place: Tromsø, Norway.", term(dcterms.spatial)] = None
    advisor: Annotated[list[PersonRef], Listed, unmapped(BECOMES_ROLE)] = EMPTY
    committee: Annotated[
        list[PersonRef], Listed, "The members of the committee.", unmapped(BECOMES_ROLE)
    ] = EMPTY
    thesis: Annotated[
        list[ThesisRef],
        Listed,
        "Its title, or the key of the work, or fields: `{title, url, doi}`.",
        term(dcterms.relation),
    ] = EMPTY
    score: Annotated[GradePointAverage | None, "The grade and its scale: 3.96/4.0."] = None
    honors: Annotated[
        Text | None,
        "Honours: with distinction, magna cum laude.",
        unmapped("becomes the description of the degree"),
    ] = None
    courses: Annotated[
        list[Prose], Listed, "Selected courses.", unmapped("becomes part of the description")
    ] = EMPTY
    expected: Annotated[
        Date | None,
        "The expected end date; write `endDate: present`.",
        unmapped("becomes part of the description"),
    ] = None
    url: Annotated[WebAddress | None, "The page of the programme.", term(schema.url)] = None
    completed: Annotated[bool, unmapped(WITHOUT_DEGREE)] = True

    @model_validator(mode="after")
    def one_level_each(self) -> "Study":
        types, levels = len(self.studyType), len(self.level)
        require(
            levels in (0, types),
            "bad-level",
            f"{types} studyTypes need {types} levels, not {levels}. Write one level for each.",
            "level",
        )
        require(
            not self.degree or types == 1,
            "bad-degree",
            "'degree' is one name, but there are several studyTypes. Remove it.",
            "degree",
        )
        return self

    @computed(term(schema.affiliation), field="institution")
    def smallest_unit(self) -> OrganizationRef:
        return self.unit or self.institution

    @property
    def has_degree(self) -> bool:
        is_over = self.endDate and not self.endDate.is_open
        return bool(is_over and self.completed and not self.is_without_degree)

    @property
    def is_without_degree(self) -> bool:
        """Whether this is a visit or time at a school, which lead to no degree."""
        names = [str(each) for each in self.studyType]
        return self.level == ["school"] or all(is_visit(each) or is_school(each) for each in names)

    @computed(term(schema.description), field="summary highlights courses expected honors")
    def description(self) -> str | None:
        """Includes honours only if there is no degree."""
        lines = [
            expected_end(self.expected),
            "" if self.has_degree else self.honors,
            self.summary,
        ]
        items = [highlight.text for highlight in self.highlights]
        if self.courses:
            items.append(f"Courses: {', '.join(self.courses)}")
        return listed_prose(in_each("\n\n".join, [line for line in lines if line]), items)

    @computed(term(schema.roleName), field="studyType")
    def role_name(self) -> str:
        named = " and ".join(self.studyType)
        is_whole = self.is_without_degree or named.casefold().endswith("student")
        return named if is_whole else f"{named} student"

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
        """Empty until the study has ended, or if it ended without a degree."""
        if self.endDate is None or not self.has_degree:
            return []
        return [
            Degree.unchecked(
                name=self.degree
                or (
                    f"{kind}, {self.area.name}"
                    if self.area and self.area.name.casefold() not in kind.casefold()
                    else kind
                ),
                studyType=kind,
                educationalLevel=LEVELS[level] if level else None,
                recognizedBy=self.institution,
                about=self.area,
                datePublished=self.endDate,
                honors=self.honors,
                source=self.source,
            )
            for kind, level in zip_longest(self.studyType, self.level)
        ]


class CertificateNumber(Identifier):
    key = "{within}-number"

    @classmethod
    def of_certificate(cls, number: str) -> Self:
        return cls.unchecked(scheme="number", propertyID="certificate-number", value=number)


class Certificate(Entry):
    """A certificate or licence, current or expired."""

    types = (schema.EducationalOccupationalCredential, schema.CreativeWork)
    of = (inverse(schema.hasCredential),)
    key = "certificate-{name}-{date}"

    name: Annotated[Text, term(schema.name)]
    kind: Annotated[Literal["certificate", "licence"], term(schema.credentialCategory)] = (
        "certificate"
    )
    issuer: Annotated[
        OrganizationRef | None, "The issuing organisation.", term(schema.recognizedBy)
    ] = None
    date: Annotated[Date | None, "The date of issue.", term(schema.datePublished)] = None
    endDate: Annotated[
        When | None,
        "The expiry date, if any.",
        term(schema.expires, as_=lambda end: None if end.is_open else end),
    ] = None
    number: Annotated[Text | None, "Its number.", unmapped("becomes an identifier node")] = None
    url: Annotated[WebAddress | None, "A page to verify it.", term(schema.url)] = None
    summary: Annotated[Prose | None, term(schema.description)] = None

    @computed(*SPAN_TERMS, field="endDate date")
    def span(self) -> DaySpan | None:
        return span(self.date, self.endDate or self.date)

    @computed(term(schema.identifier), field="number")
    def numbered(self) -> CertificateNumber | None:
        return CertificateNumber.of_certificate(self.number) if self.number else None
