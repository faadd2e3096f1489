"""Entities of a site as Python objects. An object holds an address and reads everything else from
the graph on access.

    person.name, person.url                     every entity
    person.publications[0].authors              people, works and roles have more
    person.properties["schema:knowsAbout"]      all statements, by property
    person.inverse["schema:author"]             all entities that refer to it, by property
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable
from functools import total_ordering
from html import escape
from typing import TypeAlias, TypeVar, Union
from urllib.parse import unquote

from pyoxigraph import BlankNode, Literal, NamedNode, Quad, Triple

from kg.settings import query
from kg.store.memory import Memory
from kg.vocab import PREFIXES, cv, foaf, rdf, schema, short, xsd

Term = NamedNode | BlankNode | Literal | Triple
Value: TypeAlias = Union[str, int, float, datetime.date, "Thing"]  # bool is an int
T = TypeVar("T", bound="Thing")
DOI = "https://doi.org/"
WHOLE = ("integer", "long", "int", "short", "byte", "nonNegativeInteger", "positiveInteger")
READERS: dict[str, Callable[[str], Value]] = {
    **{f"{xsd}{name}": int for name in WHOLE},
    **{f"{xsd}{name}": float for name in ("decimal", "double", "float")},
    xsd.boolean: lambda text: text in ("true", "1"),
    xsd.date: datetime.date.fromisoformat,
    f"{xsd}dateTime": datetime.datetime.fromisoformat,
}


@total_ordering
class Thing:
    """An entity of the site. Objects with the same address are equal."""

    def __init__(self, memory: Memory, iri: str, text: str = "") -> None:
        self._memory, self.iri, self._shown = memory, iri, text

    @property
    def name(self) -> str:
        """The name; for a role its title; otherwise the address."""
        _, name = self._memory.labels([self.iri]).get(self.iri, ((), None))
        return name or self._text(schema.roleName) or self.address

    @property
    def address(self) -> str:
        """The address relative to the site: `people/ada`, or `people/ada#work-osu` for a part of a
        page.
        """
        return self.url.removeprefix(self._memory.base)

    @property
    def url(self) -> str:
        """The address of its page."""
        return self.iri.removesuffix("#it")

    @property
    def classes(self) -> list[str]:
        """The classes, e.g. `["cv:Owner", "foaf:Person", "schema:Person"]`."""
        return sorted(self._short(each) for each in self._iris(rdf.type))

    @property
    def properties(self) -> dict[str, list[Value]]:
        """All statements by property: `{"schema:name": ["Ada Lindqvist"], …}`."""
        found: dict[str, list[Value]] = {}
        quads = self._memory.store.quads_for_pattern(
            NamedNode(self.iri), None, None, self._memory.place
        )
        for quad in sorted(quads, key=str):
            values = found.setdefault(self._short(quad.predicate.value), [])
            if (value := python_value(self._memory, quad.object)) not in values:
                values.append(value)
        return found

    @property
    def inverse(self) -> dict[str, list[Thing]]:
        """The entities that refer to this one, by property: `{"schema:author": [works …], …}`."""
        found: dict[str, dict[str, None]] = {}
        quads = self._memory.store.quads_for_pattern(
            None, None, NamedNode(self.iri), self._memory.place
        )
        for quad in sorted(quads, key=str):
            if isinstance(quad.subject, NamedNode):
                property_ = self._short(quad.predicate.value)
                found.setdefault(property_, {})[quad.subject.value] = None
        return {name: things(self._memory, iris) for name, iris in found.items()}

    @property
    def earliest(self) -> datetime.date | None:
        """The first day on which it can have begun, as a date: 2021-08-01 for `2021-08`."""
        return self._day(cv.earliest)

    @property
    def latest(self) -> datetime.date | None:
        """The last day on which it can have ended; None if that is unknown, or not over."""
        found = self._day(cv.latest)
        return None if found == datetime.date.max else found

    def __str__(self) -> str:
        return self._shown or self.name

    def __repr__(self) -> str:
        return f"<{self.address}: {self.name}>"

    def _repr_html_(self) -> str:
        """The name as a link, for notebooks."""
        return f'<a href="{escape(self.url)}">{escape(str(self))}</a>'

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Thing) and self.iri == other.iri

    def __hash__(self) -> int:
        return hash(self.iri)

    def __lt__(self, other: Thing) -> bool:
        return (self.name, self.iri) < (other.name, other.iri)

    def _short(self, iri: str) -> str:
        """The prefixed name, e.g. `schema:name`, if the site has a prefix for it."""
        return short(iri, PREFIXES)

    def _quads(self, *predicates: str) -> list[Quad]:
        pattern = self._memory.store.quads_for_pattern
        subject = NamedNode(self.iri)
        found = (pattern(subject, NamedNode(each), None) for each in predicates)
        return [quad for quads in found for quad in sorted(quads, key=str)]

    def _iris(self, *predicates: str) -> list[str]:
        objects = (quad.object for quad in self._quads(*predicates))
        return list(dict.fromkeys(each.value for each in objects if isinstance(each, NamedNode)))

    def _text(self, predicate: str) -> str | None:
        """The first text; texts without a language come before those with one."""
        objects = [quad.object for quad in self._quads(predicate)]
        texts = [each for each in objects if isinstance(each, Literal)]
        return min(texts, key=lambda each: each.language is not None).value if texts else None

    def _day(self, predicate: str) -> datetime.date | None:
        found = self._text(predicate)
        return datetime.date.fromisoformat(found) if found else None

    def _one(self, *predicates: str) -> Thing | None:
        return next(iter(things(self._memory, self._iris(*predicates))), None)


class PersonThing(Thing):
    """A person. Lists are ordered as on the person's page, the latest first."""

    @property
    def has_cv(self) -> bool:
        """Whether the site has a CV of this person."""
        return cv.Owner in self._iris(rdf.type)

    @property
    def email(self) -> str | None:
        """The address, if it is public."""
        found = self._iris(foaf.mbox)
        return unquote(found[0].removeprefix("mailto:")) if found else None

    @property
    def homepage(self) -> str | None:
        return next(iter(self._iris(foaf.homepage)), None)

    @property
    def summary(self) -> str | None:
        """The summary of the CV."""
        return self._text(schema.description)

    @property
    def works(self) -> list[WorkThing]:
        """All works that the person wrote, edited or translated, including patents."""
        return self._rows("site/written", "work", WorkThing)

    @property
    def publications(self) -> list[WorkThing]:
        return [each for each in self.works if each.address.startswith("publications/")]

    @property
    def jobs(self) -> list[RoleThing]:
        return self._rows("pages/positions", "role", RoleThing)

    @property
    def studies(self) -> list[RoleThing]:
        return self._rows("pages/studies", "role", RoleThing)

    @property
    def talks(self) -> list[Thing]:
        return self._rows("pages/talks", "event", Thing)

    @property
    def awards(self) -> list[Thing]:
        return self._rows("pages/awards", "award", Thing)

    @property
    def service(self) -> list[RoleThing]:
        """Reviewing, committees and volunteering, by venue; `at` is where."""
        return self._rows("pages/service", "role", RoleThing)

    @property
    def grants(self) -> list[Thing]:
        return self._rows("pages/grants", "item", Thing)

    @property
    def skills(self) -> list[Thing]:
        return self._rows("pages/skills", "item", Thing)

    @property
    def coauthors(self) -> list[PersonThing]:
        """The co-authors, those of most works first. Works with more than 100 authors are left
        out.
        """
        return self._rows("pages/coauthors", "item", PersonThing)

    @property
    def advisors(self) -> list[PersonThing]:
        """The people who are named as advisors of this person, by name."""
        return self._rows("site/advisors", "item", PersonThing)

    @property
    def mentees(self) -> list[PersonThing]:
        """The people who are named as mentees of this person, or whose advisor or mentor this
        person is, by name.
        """
        return self._rows("site/mentees", "item", PersonThing)

    def _rows(self, name: str, column: str, kind: type[T]) -> list[T]:
        """The entities in a column of a query about this person, each once."""
        rows = self._memory.select(query(name), thing=self.iri)
        found = things(
            self._memory, dict.fromkeys(row[column].value for row in rows if column in row)
        )
        return [each for each in found if isinstance(each, kind)]


class WorkThing(Thing):
    """A publication, a patent, software or a course."""

    @property
    def title(self) -> str:
        return self.name

    @property
    def date(self) -> str | None:
        """The date as precisely as it is known: `2022`, `2022-05` or `2022-05-30`."""
        return self._text(schema.datePublished)

    @property
    def year(self) -> int | None:
        found = self._text(cv.year)
        return int(found) if found else None

    @property
    def authors(self) -> list[Thing]:
        """The authors, people and organisations, in their printed order."""
        signatures = things(self._memory, self._iris(schema.creator))
        signatures.sort(key=lambda each: int(each._text(schema.position) or 0))
        signed = [person for each in signatures for person in each._iris(schema.creator)]
        return things(self._memory, dict.fromkeys([*signed, *self._iris(schema.author)]))

    @property
    def venue(self) -> Thing | None:
        """The journal or conference series; otherwise the book or volume."""
        return self._one(cv.venue, schema.isPartOf)

    @property
    def doi(self) -> str | None:
        """The DOI, e.g. `10.1007/978-3-031-07312-0_6`."""
        found = (each for each in self._iris(schema.sameAs) if each.startswith(DOI))
        return next((unquote(each.removeprefix(DOI)) for each in found), None)


class RoleThing(Thing):
    """A role of a person: a job, a study, a membership. Its name is its title."""

    @property
    def organization(self) -> Thing | None:
        """The organisation as the CV names it; the unit is `properties["schema:affiliation"]`."""
        return self._one(cv.employer, cv.institution, schema.affiliation)

    @property
    def at(self) -> Thing | None:
        """The organisation; for service, the journal, conference or edition."""
        return self.organization or next(iter(self.inverse.get("schema:contributor", ())), None)

    @property
    def start(self) -> str | None:
        """The start date as precisely as it is known: `2021`, `2021-08` or `2021-08-15`."""
        return self._text(schema.startDate)

    @property
    def end(self) -> str | None:
        return self._text(schema.endDate)

    @property
    def is_current(self) -> bool:
        return self._text(cv.ongoing) == "true"


CLASSES: dict[str, type[Thing]] = {
    schema.Person: PersonThing,
    schema.CreativeWork: WorkThing,
    schema.Role: RoleThing,
}


def thing(memory: Memory, iri: str, text: str = "") -> Thing:
    """The entity with this address, as an object of the matching class, shown as this text."""
    types = memory.store.quads_for_pattern(NamedNode(iri), NamedNode(rdf.type), None)
    found = {quad.object.value for quad in types if isinstance(quad.object, NamedNode)}
    fitting = (kind for name, kind in CLASSES.items() if name in found)
    return next(fitting, Thing)(memory, iri, text)


def things(memory: Memory, iris: Iterable[str]) -> list[Thing]:
    return [thing(memory, iri) for iri in iris]


def python_value(memory: Memory, term: Term) -> Value:
    """A term as a Python value: number, date, bool, text, an entity of the site, or the address of
    anything else. Incomplete dates stay text.
    """
    match term:
        case NamedNode(value=iri):
            return thing(memory, iri) if iri.startswith(memory.base) else iri
        case Literal(value=text, datatype=datatype):
            try:
                return READERS.get(datatype.value, str)(text)
            except ValueError:  # invalid for its datatype
                return text
    return str(term)
