"""References from one fact to another: types of their own, so that a slug never leaves as text.

A reference knows the kinds it may point to, looks the key up in the registries (the validation
context), and keeps the raw row it found, from which a mentioned edition or course run is named.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from pydantic import AfterValidator, GetCoreSchemaHandler, ValidationInfo
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from kg.errors import Place
from kg.facts.reading.rows import Row, texts
from kg.facts.values.text import SLUG, closest, require
from kg.vocab import Iri

if TYPE_CHECKING:
    from kg.facts.identity import PeopleByName

# Kinds are the folders of the site's addresses; the words are the author's.
WORDS = {
    "people": "people",
    "orgs": "organisations",
    "places": "places",
    "topics": "topics",
    "languages": "languages",
    "software": "software",
    "venues": "venues",
    "publications": "publications",
    "sources": "sources",
    "courses": "courses",
    "tutorials": "tutorials",
    "projects": "projects",
    "patents": "patents",
    "press": "press items",
}


# a reference that may be right: the file it points into could not be read, which is reported there
UNREAD = "unread"


def nearest(word: str, registries: Iterable[Mapping[str, Mapping[str, Any]]]) -> list[str]:
    """The keys nearest to a word, by themselves or by what their entries are called."""
    keys: dict[str, str] = {}
    for rows in registries:
        for slug, row in rows.items():
            for name in (row.get("name"), row.get("title"), *texts(row, "alternateNames")):
                if isinstance(name, str):
                    keys.setdefault(name.lower(), slug)
            keys[slug] = slug
    return list(dict.fromkeys(keys[name] for name in closest(word.lower(), keys, most=6)))[:3]


@dataclass
class Context:
    """What a fact is checked against: all registries as raw rows, and the names of people."""

    rows: Mapping[str, Mapping[str, Mapping[str, Any]]]
    names: PeopleByName | None = None
    owners: tuple[str, ...] = ()
    unread: frozenset[str] = frozenset()  # kinds of which a file could not be read
    # addresses, and the places that say so
    withdrawn: Mapping[str, Place] = field(default_factory=dict)
    kind: str = ""  # of the entry that is checked


@dataclass(eq=False, slots=True)
class Reference:
    """A pointer to an entry of a registry."""

    kinds: ClassVar[tuple[str, ...]] = ()
    kind: str
    slug: str
    row: Mapping[str, Any] = field(default_factory=dict, repr=False)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reference) and (self.kind, self.slug) == (other.kind, other.slug)

    def __hash__(self) -> int:
        return hash((self.kind, self.slug))

    @property
    def name(self) -> str:
        return str(self.row.get("name") or self.row.get("title") or self.slug)

    @property
    def short(self) -> str:
        """The first of the other names, which for a venue is its acronym."""
        return next(iter(texts(self.row, "alternateNames")), self.name)

    @classmethod
    def check(cls, value: object, info: ValidationInfo) -> Reference:
        context = info.context or Context({})
        if not isinstance(value, str):
            raise PydanticCustomError("bad-value", "a key is expected here, not fields or a list.")
        for kind in cls.kinds:
            if (row := context.rows.get(kind, {}).get(value)) is not None:
                return cls(kind, value, row)
        require(value.strip(), "empty-value", "this is empty. Write a key, or remove the field.")
        known = context.unread.isdisjoint(cls.kinds)
        require(known, UNREAD, "this may stand in a file that could not be read.")
        missed = f"{value!r} is not among the {' or '.join(WORDS[kind] for kind in cls.kinds)}"
        raise PydanticCustomError("unknown-reference", f"{missed}. {cls.hint(value, context)}")

    @classmethod
    def hint(cls, value: str, context: Context) -> str:
        """What may be meant by a key that is not there: the new name of what was called so, or one
        that is written alike.
        """
        for kind in cls.kinds:
            for key, row in context.rows.get(kind, {}).items():
                if {value, f"{kind}/{value}"} & {*texts(row, "was")}:
                    return f"It is called {key} now."
            if place := context.withdrawn.get(f"{kind}/{value}"):
                return f"It was withdrawn ({place}). Remove what refers to it."
        near = ", ".join(nearest(value, [context.rows.get(kind, {}) for kind in cls.kinds]))
        return f"Closest: {near}." if near else "Add it to the registry, or correct the key."

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.with_info_plain_validator_function(
            cls.check, json_schema_input_schema=core_schema.str_schema()
        )


class PersonRef(Reference):
    kinds = ("people",)

    @property
    def has_cv(self) -> bool:
        """Whether the person has a CV here, and so speaks for themselves."""
        return isinstance(self.row, Row) and self.row.path == "basics"


class AuthorRef(PersonRef):
    """A person by key, or by the name that is printed: a key has no capitals and no spaces."""

    @classmethod
    def check(cls, value: object, info: ValidationInfo) -> Any:
        context = info.context or Context({})
        if isinstance(value, str) and context.names and not SLUG.fullmatch(value):
            return context.names.person(value, context.owners)
        return super().check(value, info)


class OrganizationRef(Reference):
    kinds = ("orgs",)


class PlaceRef(Reference):
    kinds = ("places",)


class TopicRef(Reference):
    """A topic, or a system where a skill or an interest is one."""

    kinds = ("topics", "software")


class LanguageRef(Reference):
    kinds = ("languages",)


class VenueRef(Reference):
    kinds = ("venues",)


class SeriesRef(VenueRef):
    """A venue that takes place: no journal."""

    @classmethod
    def check(cls, value: object, info: ValidationInfo) -> Reference:
        found = super().check(value, info)
        require(
            found.row.get("kind") != "journal",
            "not-an-event",
            f"{value!r} is a journal, and no event. Give the conference or meeting, or leave it "
            "out.",
        )
        return found


class PublicationRef(Reference):
    kinds = ("publications",)


class WorkRef(Reference):
    """Something made: a publication or a system."""

    kinds = ("publications", "software")


class SourceRef(Reference):
    kinds = ("sources",)


class SubjectRef(Reference):
    """What a talk or an article is about."""

    kinds = ("software", "topics", "publications", "projects")


class CoverageRef(Reference):
    """What the press writes about."""

    kinds = ("software", "topics", "publications", "projects", "people")


class SystemRef(Reference):
    kinds = ("software",)


class CourseRef(Reference):
    kinds = ("courses",)


class TutorialRef(Reference):
    kinds = ("tutorials",)


class ProjectRef(Reference):
    kinds = ("projects",)


class PatentRef(Reference):
    kinds = ("patents",)


class PressRef(Reference):
    kinds = ("press",)


def check_address(text: str) -> str:
    """`people/ada`: one of the folders, and a slug."""
    kind, _, slug = text.partition("/")
    require(
        kind in WORDS and SLUG.fullmatch(slug),
        "bad-slug",
        f"{text!r} was never an address here. Write its folder and its slug, e.g. "
        f"people/ada-lovelace. Folders: {', '.join(WORDS)}.",
    )
    return text


def former(text: str, info: ValidationInfo) -> Iri:
    """The thing that was there: `ada` in the folder of the entry that says so, `people/ada` where
    it was another one.
    """
    kind = (info.context or Context({})).kind
    return Iri(f"{check_address(text if '/' in text else f'{kind}/{text}')}#it")


Former = Annotated[str, AfterValidator(former)]
