"""Models of courses, teaching, mentoring and tutorials."""

import re
from decimal import Decimal
from typing import Annotated, Any, ClassVar, Literal

from pydantic import model_validator

from kg.facts.models.base import EMPTY, Dated, Entry, Main, Observation, Sourced
from kg.facts.models.careers import Relation
from kg.facts.models.education import LEVELS, STUDY_KINDS
from kg.facts.models.venues import Count, Figure, appearance, edition_name
from kg.facts.values.dates import SPAN_TERMS, DaySpan, Edtf, When, Year, interval, span
from kg.facts.values.languages import Worded
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
from kg.facts.values.text import COUNT, Listed, Number, Text, WebAddress, number_hint, require
from kg.facts.values.work_references import SeriesRef, ThesisRef
from kg.vocab import Iri, cv, dcterms, foaf, rdf, schema

STUDENTS = {
    "doctoral": "Ph.D. student",
    "master": "Master's student",
    "bachelor": "Bachelor's student",
    "graduate": "Graduate student",
    "undergraduate": "Undergraduate student",
}
OTHERS = {  # mentees who are not students
    "postdoc": "Postdoc",
    "intern": "Intern",
    "visitor": "Visitor",
    "staff": "Staff member",
    "school": "School student",
}
GUIDED = {
    "supervisor": "supervised",
    "co-supervisor": "co-supervised",
    "mentor": "mentored",
    "examiner": "examined",
}
MenteeLevel = Literal[
    "doctoral",
    "master",
    "bachelor",
    "graduate",
    "undergraduate",
    "postdoc",
    "intern",
    "visitor",
    "staff",
    "school",
]
# name beside a course -> field of the course
BESIDE_A_COURSE = {
    "code": "codes",
    "organization": "provider",
    "url": "url",
    "level": "level",
    "credits": "credits",
}


def as_count(number: Decimal) -> int | Decimal:
    return int(number) if number == int(number) else number


class Course(Main):
    """A course offered by a school. Its runs come from teaching entries."""

    types = (schema.Course, schema.CreativeWork)

    name: Annotated[Text, term(schema.name)]
    codes: Annotated[list[Text], Listed, term(schema.courseCode)] = EMPTY
    provider: Annotated[OrganizationRef | None, term(schema.provider)] = None
    summary: Annotated[Prose | None, term(schema.description)] = None
    url: Annotated[WebAddress | None, term(schema.url)] = None
    level: Annotated[
        Text | None,
        "The level of the students: Master, Doctoral, Bachelor.",
        term(schema.educationalLevel),
    ] = None
    credits: Annotated[
        Number | None, "The number of credits.", term(schema.numberOfCredits, as_=as_count)
    ] = None


class CourseRun(Sourced):
    types = (schema.CourseInstance, schema.Event)
    of = (inverse(schema.hasCourseInstance),)
    key = "{start}"

    name: Annotated[Text, term(schema.name)]
    start: Annotated[When, term(schema.startDate)]
    end: Annotated[When | None, term(schema.endDate)] = None
    enrolment: Figure | None = None

    @computed(term(dcterms.date))
    def edtf(self) -> Edtf | None:
        return interval(self.start, self.end)

    @computed(*SPAN_TERMS)
    def span(self) -> DaySpan | None:
        return span(self.start, self.end or self.start)


class Teaching(Dated):
    """A role in a course: instructor, assistant, grader. The run is part of the course's
    document.
    """

    types = (cv.Teaching, schema.Role)
    of = (term(schema.contributor),)
    key = "teaching-{course}-{role}"

    course: Annotated[
        CourseRef,
        "The name of the course. You can add its code, organization, url, level and credits here.",
        unmapped("becomes the run that has this role as contributor"),
    ]
    role: Annotated[Worded, term(schema.roleName)]
    students: Annotated[
        Count | None, "The number of students.", unmapped("becomes the enrolment of the run")
    ] = None
    supervisors: Annotated[
        list[PersonRef], Listed, unmapped("each becomes a role on `colleague`")
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
            enrolment=self.enrolment,
        )
        return Mention(self.course.kind, self.course.slug, fact)

    @property
    def enrolment(self) -> Figure | None:
        if self.students is None:
            return None
        count = int(self.students)
        return Figure.unchecked(word="enrolment", variable=cv.enrolment, value=count)

    @computed(field="students")
    def undated(self) -> Figure | None:
        """The enrolment, if there is no run to measure it on."""
        return None if self.startDate else self.enrolment

    @computed(field="supervisors")
    def supervision(self) -> list[Relation]:
        title = "Supervisor of the course"
        return Relation.of_each(self.supervisors, "mentor", title, self.source)


class StudentStudy(Sourced):
    """A mentee's study as stated by the mentor; only for students without a CV here."""

    types = (cv.Study, schema.OrganizationRole, schema.Role)
    of = (inverse(schema.affiliation),)
    key = "study-{institution}-{level}"

    institution: Annotated[OrganizationRef, term(schema.affiliation)]
    level: Annotated[Text, term(rdf.type, as_=STUDY_KINDS.get)]
    roleName: Annotated[Text, term(schema.roleName)]


class Mentoring(Dated):
    """A person you mentored: their role towards you. The same student in two periods is two
    roles.
    """

    types = (schema.Role,)
    of = (inverse(schema.colleague),)
    key = "mentee-{person}-{level}-{course}"

    person: Annotated[PersonRef, "The person you mentored.", term(schema.colleague)]
    level: Annotated[
        MenteeLevel | None, "Their level.", unmapped("becomes the name of the role")
    ] = None
    role: Annotated[
        Literal["supervisor", "co-supervisor", "mentor", "examiner"] | None,
        "Your role.",
        unmapped(
            "becomes part of the role's name; an examiner's role is an examination, which is "
            "service"
        ),
    ] = None
    organization: Annotated[
        OrganizationRef | None,
        unmapped("becomes the student's study, or a relation of the role if there is no level"),
    ] = None
    course: Annotated[CourseRef | None, "The course, if any.", term(dcterms.relation)] = None
    coAdvisors: Annotated[
        list[PersonRef], Listed, unmapped("each becomes a role of the student")
    ] = EMPTY
    topic: Annotated[Prose | None, "Their topic.", unmapped("becomes part of the description")] = (
        None
    )
    now: Annotated[
        Prose | None, "Their current position.", unmapped("becomes part of the description")
    ] = None
    works: Annotated[list[WorkRef], Listed, "The resulting works.", term(dcterms.relation)] = EMPTY
    thesis: Annotated[
        list[ThesisRef],
        Listed,
        "Its title, or the key of the work, or fields: `{title, url, doi}`.",
        term(dcterms.relation),
    ] = EMPTY

    @property
    def student(self) -> str:
        return STUDENTS.get(self.level or "", "Student")

    @computed(term(rdf.type), field="role")
    def kinds(self) -> list[Iri]:
        return [cv.Examination, cv.Service] if self.role == "examiner" else [cv.Mentee]

    @computed(term(schema.roleName), field="level")
    def role_name(self) -> str:
        name = OTHERS.get(self.level or "", self.student)
        if self.role:
            return f"{name}, {GUIDED[self.role]}"
        return name if self.level in OTHERS else f"{name} mentee"

    @computed(term(schema.description), field="topic now")
    def description(self) -> str | None:
        lines = [self.topic, self.now and f"Now: {self.now}"]
        return "\n\n".join(filter(None, lines)) or None

    @computed(term(dcterms.relation), field="organization")
    def place(self) -> Mention | OrganizationRef | None:
        """The study, or the school if there is none; students with a CV state their own."""
        return self.study or self.organization

    @property
    def study(self) -> Mention | None:
        if self.organization is None or self.level not in STUDENTS or self.person.has_cv:
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
        """Other advisors of a student with a CV here."""
        return self.coAdvisors if self.person.has_cv else []

    @computed(field="coAdvisors")
    def advisors(self) -> list[Mention]:
        title = f"{LEVELS.get(self.level or '', '')} co-advisor".strip().capitalize()
        return [
            Mention("people", self.person.slug, fact, within=self.study)
            for fact in Relation.of_each(self.coAdvisors, "advisor", title, self.source)
            if not self.person.has_cv
        ]


class MentoringCount(Entry):
    """The number of unnamed people you mentored at one level: `{level: master, count: 12}`."""

    types = (schema.Observation,)
    of = (term(schema.observationAbout),)
    fixed = {schema.variableMeasured: cv.students}
    key = "mentored-{level}"

    level: Annotated[MenteeLevel, "Their level.", unmapped("becomes the name of the count")]
    count: Annotated[Count, "The number of people.", term(schema.value, as_=int)]

    @computed(term(schema.name), field="level")
    def name(self) -> str:
        return f"{STUDENTS.get(self.level) or OTHERS[self.level]}s"


class Attendance(Observation):
    """The number of attendees: `85`, or `100+` for at least 100."""

    fixed = {schema.variableMeasured: cv.attendance}
    key = "{within}-attendance"
    accepts_text = True

    value: Annotated[int | None, term(schema.value)] = None
    least: Annotated[int | None, term(schema.minValue)] = None

    @model_validator(mode="before")
    @classmethod
    def count(cls, value: Any) -> Any:
        if not isinstance(value, str):
            return value
        meant = number_hint(value, COUNT)
        message = f"{value!r} is not an attendance. {meant}Write 85, or 100+ for at least 100."
        require(re.fullmatch(rf"{COUNT}\+?", value), "bad-attendance", message)
        return {"least": int(value[:-1])} if value.endswith("+") else {"value": int(value)}


class Tutorial(Main):
    """A tutorial. Where it was given comes from the entries of CVs."""

    types = (schema.LearningResource, schema.CreativeWork, foaf.Document)

    title: Annotated[Text, term(schema.name)]
    summary: Annotated[Prose | None, term(schema.description)] = None
    url: Annotated[WebAddress | None, term(schema.url)] = None


class TutorialRun(Sourced):
    """A tutorial given at a venue. It is part of the tutorial's document, whoever gave it."""

    types = (schema.EducationEvent, schema.Event)
    of = (term(schema.workFeatured),)
    key = "{venue}-{year}"

    name: Annotated[Text, term(schema.name)]
    venue: Annotated[VenueRef, unmapped("becomes the edition")]
    year: Annotated[When | None, term(schema.startDate)] = None
    attendance: Attendance | None = None

    @computed(*SPAN_TERMS)
    def span(self) -> DaySpan | None:
        return span(self.year, self.year)

    @computed(term(schema.superEvent))
    def event(self) -> Mention | Reference:
        return appearance(self.venue, self.year)


class TutorialGiven(Entry):
    """A tutorial that you gave. It has no node: the person is a performer of the run."""

    spread: ClassVar[tuple[str, ...]] = ("given",)

    tutorial: Annotated[TutorialRef, unmapped("becomes the document of the run")]
    venue: Annotated[SeriesRef, unmapped("becomes the event of the run")]
    year: Annotated[Year | None, unmapped("becomes the date of the run")] = None
    attendees: Annotated[Attendance | None, unmapped("becomes the attendance of the run")] = None
    source: Annotated[list[SourceRef], Listed, unmapped("becomes the source of the run")] = EMPTY

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
