"""Tables of all kinds of entries: registries, sections of a CV, and the model of each."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, get_args, get_origin

from kg.facts.models.abilities import Interest, Skill, Spoken
from kg.facts.models.activities import (
    BESIDE_A_PROJECT,
    BESIDE_A_SYSTEM,
    Award,
    Contribution,
    News,
    ProjectRole,
    Referee,
)
from kg.facts.models.base import Entry, classes_in
from kg.facts.models.careers import CareerBreak, Position, SelfEmployment
from kg.facts.models.coverage import Press, PressListing
from kg.facts.models.education import Certificate, Study
from kg.facts.models.engagements import (
    Extracurricular,
    Membership,
    Office,
    Service,
    Volunteering,
    VolunteerPost,
)
from kg.facts.models.grants import Funding, Grant
from kg.facts.models.people import Person
from kg.facts.models.sections import FreeSection, KeyContribution
from kg.facts.models.talks import Talk
from kg.facts.models.teaching import (
    BESIDE_A_COURSE,
    Course,
    Mentoring,
    MentoringCount,
    Teaching,
    Tutorial,
    TutorialGiven,
)
from kg.facts.models.things import (
    GeographicPlace,
    Language,
    Organization,
    Project,
    Source,
    System,
    Topic,
)
from kg.facts.models.venues import Journal, Series
from kg.facts.models.works import (
    Book,
    CourseProject,
    Creation,
    Dataset,
    Paper,
    Patent,
    Release,
    Report,
    Thesis,
)
from kg.facts.values.references import Reference
from kg.facts.yaml.rows import flow

WORKS = (Book, Thesis, Report, Dataset, Release, Creation)


def kinds_of(model: type[Entry]) -> tuple[str, ...]:
    """The values that `kind` can have in this model."""
    return get_args(model.model_fields["kind"].annotation)


def by_kind(*models: type[Entry]) -> dict[str, type[Entry]]:
    return {kind: model for model in models for kind in kinds_of(model)}


@dataclass(frozen=True)
class Registry:
    """A registry: one file, or a folder of files, with entries by key. `by_kind` selects the model
    if it depends on `kind`.
    """

    file: str
    title: str
    model: type[Entry]
    by_kind: Mapping[str, type[Entry]] = field(default_factory=dict)
    key_field: str = ""  # the field that gets the key as its value

    @property
    def path(self) -> str:
        return f"data/{self.file}.yaml"

    def model_for(self, row: Mapping[str, Any]) -> type[Entry]:
        return self.by_kind.get(str(row.get("kind")), self.model)

    @property
    def models(self) -> list[type[Entry]]:
        """The models, each once."""
        return list(dict.fromkeys([self.model, *self.by_kind.values()]))

    def line(self, key: str, name: str = "…", **more: object) -> str:
        """The line to add to the registry file: `data/venues.yaml:  key: {name: …, kind: …}`."""
        model = self.model
        wanted = {each: info for each, info in model.model_fields.items() if info.is_required()}
        word = "name" if "name" in wanted else "title"
        rest: dict[str, object] = {
            each: ["…"] if get_origin(info.annotation) is list else "…"
            for each, info in wanted.items()
            if each not in (word, *model.from_loader)
        }
        if "kind" in rest and len(self.kinds) == 1:
            rest["kind"] = self.kinds[0]
        return f"{self.path}:  {key}: {flow({word: name, **rest, **more})}"

    @cached_property
    def kinds(self) -> list[str]:
        """The values that `kind` can have in any model."""
        return [kind for model in self.models for kind in kinds_of(model)]


@dataclass(frozen=True)
class Section:
    """A section of a CV: a list of entries.

    An entry uses `other` instead of `model` if it has the field `marked_by`, or if `is_other`
    returns true. `thing` is the field that refers to another entry, whose fields can be written in
    this one: all of them, or those in `beside` (name here -> name there).
    """

    model: type[Entry]
    marked_by: str = ""
    other: type[Entry] | None = None
    thing: str = ""
    is_other: Callable[[Mapping[str, Any]], bool] | None = None
    beside: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def holder(self) -> type[Entry] | None:
        """The model with the field `thing`."""
        models = [model for model in (self.model, self.other) if model]
        return next((model for model in models if self.thing in model.model_fields), None)

    @cached_property
    def model_of_thing(self) -> type[Entry]:
        references = classes_in((self.holder or self.model).model_fields[self.thing].annotation)
        kind = next(each.inline for each in references if issubclass(each, Reference))
        return REGISTRIES[kind].model

    @cached_property
    def fields_of_thing(self) -> tuple[str, ...]:
        return tuple(self.beside or self.model_of_thing.model_fields) if self.thing else ()

    def model_for(self, row: Mapping[str, Any]) -> type[Entry]:
        is_other = self.is_other(row) if self.is_other else self.marked_by in row
        return self.other if self.other and is_other else self.model


def has_no_employer(row: Mapping[str, Any]) -> bool:
    """Whether an entry is self-employment."""
    return row.get("kind") == "self-employed" and "organization" not in row


def is_shared_project(row: Mapping[str, Any]) -> bool:
    """Whether an entry is a project with its own page, not a course project."""
    marks = ("position", "organization", "highlights", "keywords", *BESIDE_A_PROJECT)
    is_more = any(mark in row for mark in marks) or row.get("endDate") == "present"
    return "project" in row or ("course" not in row and is_more)


# Keys are the folders of addresses (/orgs/osu), in the order of the home page.
REGISTRIES: dict[str, Registry] = {
    "people": Registry("people", "People", Person),
    "publications": Registry("publications", "Publications", Paper, by_kind(*WORKS)),
    "patents": Registry("patents", "Patents", Patent),
    "orgs": Registry("organizations", "Organisations", Organization),
    "venues": Registry("venues", "Venues", Series, {"journal": Journal}),
    "software": Registry("software", "Software", System),
    "projects": Registry("projects", "Projects", Project),
    "grants": Registry("grants", "Grants", Grant),
    "courses": Registry("courses", "Courses", Course),
    "tutorials": Registry("tutorials", "Tutorials", Tutorial),
    "press": Registry("press", "Press", Press),
    "topics": Registry("topics", "Topics", Topic),
    "places": Registry("places", "Places", GeographicPlace),
    "languages": Registry("languages", "Languages", Language, key_field="tag"),
    "sources": Registry("sources", "Sources", Source),
}

SECTIONS: dict[str, Section] = {
    "news": Section(News),
    "work": Section(Position, "kind: self-employed", SelfEmployment, is_other=has_no_employer),
    "breaks": Section(CareerBreak),
    "education": Section(Study),
    "certificates": Section(Certificate),
    "grants": Section(Funding, thing="grant"),
    "teaching": Section(Teaching, thing="course", beside=BESIDE_A_COURSE),
    "mentoring": Section(Mentoring, "count", MentoringCount),
    "memberships": Section(Membership),
    "service": Section(Service, "organization", Office),
    "tutorials": Section(TutorialGiven),
    "talks": Section(Talk),
    "volunteer": Section(Volunteering, "organization", VolunteerPost),
    "languages": Section(Spoken),
    "skills": Section(Skill),
    "interests": Section(Interest),
    "awards": Section(Award),
    "extracurricular": Section(Extracurricular),
    "projects": Section(
        CourseProject,
        "project",
        ProjectRole,
        thing="project",
        beside=BESIDE_A_PROJECT,
        is_other=is_shared_project,
    ),
    "systems": Section(Contribution, thing="software", beside=BESIDE_A_SYSTEM),
    "references": Section(Referee),
    "press": Section(PressListing, thing="item"),
    "contributions": Section(KeyContribution),
    "sections": Section(FreeSection),
}
