"""Teaching and mentoring: courses and their runs, the people who were guided, tutorials and where
they were given.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, ClassVar, Literal

from pydantic import model_validator

from kg.facts.models.base import EMPTY, Dated, Entry, Main, Observation, Sourced
from kg.facts.models.careers import LEVELS, STUDY_KINDS, Relation
from kg.facts.models.venues import appearance, edition_name
from kg.facts.values.dates import SPAN_TERMS, DaySpan, Edtf, When, Year, interval, span
from kg.facts.values.prose import Prose
from kg.facts.values.references import (
    CourseRef,
    OrganizationRef,
    PersonRef,
    Reference,
    SourceRef,
    TutorialRef,
    VenueRef,
    WorkRef,
)
from kg.facts.values.terms import Mention, computed, inverse, term, unmapped
from kg.facts.values.text import Listed, Text, WebAddress, require
from kg.facts.values.venue_kinds import SeriesRef
from kg.vocab import cv, dcterms, foaf, measures, rdf, schema

STUDENTS = {
    "doctoral": "Ph.D.",
    "master": "Master's",
    "bachelor": "Bachelor's",
    "graduate": "Graduate",
    "undergraduate": "Undergraduate",
}


class Course(Main):
    """A course as a school offers it; its runs come from who taught in them."""

    types = (schema.Course, schema.CreativeWork)

    name: Annotated[Text, term(schema.name)]
    codes: Annotated[list[Text], Listed, term(schema.courseCode)] = EMPTY
    provider: Annotated[OrganizationRef | None, term(schema.provider)] = None
    summary: Annotated[Prose | None, term(schema.description)] = None
    url: Annotated[WebAddress | None, term(schema.url)] = None


class CourseRun(Sourced):
    types = (schema.CourseInstance, schema.Event)
    of = (inverse(schema.hasCourseInstance),)
    key = "{start}"

    name: Annotated[Text, term(schema.name)]
    start: Annotated[When, term(schema.startDate)]
    end: Annotated[When | None, term(schema.endDate)] = None

    @computed(term(dcterms.date))
    def edtf(self) -> Edtf | None:
        return interval(self.start, self.end)

    @computed(*SPAN_TERMS)
    def span(self) -> DaySpan | None:
        return span(self.start, self.end or self.start)


class Teaching(Dated):
    """A part in a run of a course: instructor, assistant, grader. The run belongs to the course's
    document.
    """

    types = (cv.Teaching, schema.Role)
    of = (term(schema.contributor),)
    key = "teaching-{course}-{role}"

    course: Annotated[CourseRef, unmapped("the run, which has this role as its contributor")]
    role: Annotated[Text, term(schema.roleName)]
    supervisors: Annotated[
        list[PersonRef], Listed, unmapped("a role of its own on `colleague`")
    ] = EMPTY
    summary: Annotated[Prose | None, term(schema.description)] = None

    @computed(inverse(schema.contributor), field="course")
    def run(self) -> Mention | CourseRef:
        if self.startDate is None:
            return self.course
        words = self.startDate.text[:1].upper() + self.startDate.text[1:]
        fact = CourseRun.unchecked(
            name=f"{self.course.name}, {words}",
            start=self.startDate,
            end=self.endDate,
            source=self.source,
        )
        return Mention(self.course.kind, self.course.slug, fact)

    @computed(field="supervisors")
    def supervision(self) -> list[Relation]:
        title = "Supervisor of the course"
        return Relation.of_each(self.supervisors, "mentor", title, self.source)


class StudentStudy(Sourced):
    """Where a mentee studied, as far as the mentor says; only for students without a CV here."""

    types = (cv.Study, schema.OrganizationRole, schema.Role)
    of = (inverse(schema.affiliation),)
    key = "study-{institution}-{level}"

    institution: Annotated[OrganizationRef, term(schema.affiliation)]
    level: Annotated[Text, term(rdf.type, as_=STUDY_KINDS.get)]
    roleName: Annotated[Text, term(schema.roleName)]


class Mentoring(Dated):
    """Somebody the owner guided: the mentee's part in the owner's life. The same student in two
    periods is two roles.
    """

    types = (cv.Mentee, schema.Role)
    of = (inverse(schema.colleague),)
    key = "mentee-{person}-{level}-{course}"

    person: Annotated[PersonRef, term(schema.colleague)]
    level: Annotated[
        Literal["doctoral", "master", "bachelor", "graduate", "undergraduate"] | None,
        unmapped("the role's name"),
    ] = None
    organization: Annotated[
        OrganizationRef | None,
        unmapped("the student's study; a relation of the role where no level is given"),
    ] = None
    course: Annotated[CourseRef | None, term(dcterms.relation)] = None
    coAdvisors: Annotated[
        list[PersonRef], Listed, unmapped("roles of their own on the student")
    ] = EMPTY
    topic: Annotated[Text | None, term(schema.description)] = None
    works: Annotated[list[WorkRef], Listed, term(dcterms.relation)] = EMPTY

    @property
    def student(self) -> str:
        return f"{STUDENTS[self.level]} student" if self.level else "Student"

    @computed(term(schema.roleName), field="level")
    def role_name(self) -> str:
        return f"{self.student} mentee"

    @computed(term(dcterms.relation), field="organization")
    def place(self) -> Mention | OrganizationRef | None:
        """The study, or the school where no study can be told: students with a CV tell theirs."""
        return self.study or self.organization

    @property
    def study(self) -> Mention | None:
        if self.organization is None or self.level is None or self.person.has_cv:
            return None
        fact = StudentStudy.unchecked(
            institution=self.organization,
            level=self.level,
            roleName=self.student,
            source=self.source,
        )
        return Mention("people", self.person.slug, fact)

    @computed(term(dcterms.relation), field="coAdvisors")
    def beside(self) -> list[PersonRef]:
        """Who else guided a student whose own CV is here."""
        return self.coAdvisors if self.person.has_cv else []

    @computed(field="coAdvisors")
    def advisors(self) -> list[Mention]:
        title = f"{LEVELS.get(self.level or '', '')} co-advisor".strip().capitalize()
        return [
            Mention("people", self.person.slug, fact, within=self.study)
            for fact in Relation.of_each(self.coAdvisors, "advisor", title, self.source)
            if not self.person.has_cv
        ]


class Attendance(Observation):
    """How many came: `85`, or `100+` where only a lower bound is known."""

    fixed = {schema.variableMeasured: measures.attendance}
    key = "{within}-attendance"
    accepts_text = True

    value: Annotated[int | None, term(schema.value)] = None
    least: Annotated[int | None, term(schema.minValue)] = None

    @model_validator(mode="before")
    @classmethod
    def count(cls, value: Any) -> Any:
        if not isinstance(value, str):
            return value
        require(
            re.fullmatch(r"[1-9]\d{0,6}\+?", value),
            "bad-attendance",
            f"{value!r} is not an attendance. Write 85, or 100+ where it is a lower bound.",
        )
        return {"least": int(value[:-1])} if value.endswith("+") else {"value": int(value)}


class Tutorial(Main):
    """A tutorial; where it was given comes from who gave it."""

    types = (schema.LearningResource, schema.CreativeWork, foaf.Document)

    title: Annotated[Text, term(schema.name)]
    summary: Annotated[Prose | None, term(schema.description)] = None
    url: Annotated[WebAddress | None, term(schema.url)] = None


class TutorialRun(Sourced):
    """A tutorial given at a venue; it belongs to the tutorial's document, whoever gave it."""

    types = (schema.EducationEvent, schema.Event)
    of = (term(schema.workFeatured),)
    key = "{venue}-{year}"

    name: Annotated[Text, term(schema.name)]
    venue: Annotated[VenueRef, unmapped("the edition")]
    year: Annotated[When | None, term(schema.startDate)] = None
    attendance: Attendance | None = None

    @computed(*SPAN_TERMS)
    def span(self) -> DaySpan | None:
        return span(self.year, self.year)

    @computed(term(schema.superEvent))
    def event(self) -> Mention | Reference:
        return appearance(self.venue, self.year)


class TutorialGiven(Entry):
    """That the owner gave a tutorial somewhere. It has no node of its own: the person performs in
    the run.
    """

    spread: ClassVar[tuple[str, ...]] = ("given",)

    tutorial: Annotated[TutorialRef, unmapped("the run's document")]
    venue: Annotated[SeriesRef, unmapped("the run's event")]
    year: Annotated[Year | None, unmapped("the run's date")] = None
    attendees: Annotated[Attendance | None, unmapped("measured on the run")] = None
    source: Annotated[list[SourceRef], Listed, unmapped("on the run")] = EMPTY

    @computed(term(schema.performerIn), field="venue")
    def run(self) -> Mention:
        where = edition_name(self.venue.row, self.year.iso) if self.year else self.venue.short
        fact = TutorialRun.unchecked(
            name=f"{self.tutorial.name}, {where}",
            venue=self.venue,
            year=self.year,
            source=self.source,
            attendance=self.attendees,
        )
        return Mention(self.tutorial.kind, self.tutorial.slug, fact)
