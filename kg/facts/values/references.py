"""Reference types: fields that point to an entry by key or name, or describe an inline entity.

A reference is resolved against the registries in the validation context and keeps the raw row it
found. A name without an entry becomes an inline entity.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar, Protocol

from pydantic import GetCoreSchemaHandler, ValidationInfo
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from kg.advice.several_names import names_in, refuse_several
from kg.errors import Fix, Place, fix
from kg.facts.values.languages import is_language_name, language_tag
from kg.facts.values.naming import (
    TITLED,
    WORDS,
    Registries,
    ThingsByName,
    address_of,
    an,
    known_of,
    name_in,
)
from kg.facts.values.terms import Mention
from kg.facts.values.text import SLUG, require
from kg.facts.yaml.rows import Row, flow, texts
from kg.text.normalize import letters, name_key, squeeze
from kg.text.person_names import ARTICLE, is_group

# A name or title alone is not enough for these.
ONLY_BY_KEY = ("publications", "patents")
# fields with the organisation that a unit belongs to
PARENT_FIELDS = ("organization", "institution", "funder")
INLINE_SCHEMA = core_schema.typed_dict_schema(
    {"name": core_schema.typed_dict_field(core_schema.str_schema(), required=False)},
    extra_behavior="allow",
)

# Kinds whose names are never names of people, unlike topics and sources.
UNLIKE_PEOPLE = ("orgs", "venues", "places", "projects", "courses")
# The reference may be valid: its registry file could not be read, which is reported there.
UNREAD = "unread"


class Names(Protocol):
    """Finds people by printed name; implemented by `kg.facts.identity.PeopleByName`."""

    @property
    def people(self) -> Mapping[str, Mapping[str, Any]]: ...

    @property
    def former(self) -> Mapping[str, str]: ...

    @property
    def orcids(self) -> Mapping[str, str]: ...

    def person(self, printed: str, owners: tuple[str, ...] = ()) -> PersonRef | Mention: ...

    def is_claimed(self, name: str) -> bool: ...

    def present_name(self, printed: Any) -> Any: ...


@dataclass
class Context:
    """Validation context: all registries as raw rows, and the names of people."""

    rows: Registries
    names: Names | None = None
    owners: tuple[str, ...] = ()
    unread: frozenset[str] = frozenset()  # kinds with an unreadable file
    # withdrawn address -> place of its declaration
    withdrawn: Mapping[str, Place] = field(default_factory=dict)
    kind: str = ""  # of the entry being validated
    index: ThingsByName | None = None  # of all names; built from `rows` by default
    languages: tuple[str, ...] = ()  # preferred languages of plain text, in order
    # ambiguous key -> keys of the works that would get it
    contested: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def known(self) -> ThingsByName:
        self.index = self.index or ThingsByName(self.rows)
        return self.index


@dataclass(eq=False, slots=True)
class Reference:
    """A pointer to an entry of a registry."""

    kinds: ClassVar[tuple[str, ...]] = ()
    inline: ClassVar[str] = ""  # kind of the inline entity that a name creates; empty: none
    otherwise: ClassVar[str] = ""  # advice if the value is unknown
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
        """The first other name; for a venue, its acronym."""
        return next(iter(texts(self.row, "alternateNames")), self.name)

    @classmethod
    def check(cls, value: object, info: ValidationInfo) -> Reference:
        context = info.context or Context({})
        if not isinstance(value, str):
            if cls.inline and isinstance(value, Mapping):
                return cls.with_fields(value, context, info)
            wanted = "a name or a key" if cls.inline else "a key"
            shape = "a list" if cls.inline else "fields or a list"
            raise PydanticCustomError("bad-value", f"this must be {wanted}, not {shape}.")
        for kind in cls.kinds:
            if kind in context.rows and (row := context.rows[kind].get(value)) is not None:
                if kind == "publications" and value in context.contested:
                    raise contested_key(value, context)
                return cls(kind, value, row)
        require(value.strip(), "empty-value", "this is empty. Write a key, or remove the field.")
        if found := cls.by_name(value, context, info):
            return found
        known = context.unread.isdisjoint(cls.kinds)
        require(known, UNREAD, "this may refer to a file that could not be read.")
        if cls.is_name(value, context):
            return cls.new_inline(known_of(cls.inline, value), context, info)
        raise unknown_reference(cls, value, context, cls.hint(value, context))

    @classmethod
    def with_fields(
        cls, fields: Mapping[str, Any], context: Context, info: ValidationInfo
    ) -> Reference:
        """Resolves an inline mapping; its fields are validated with all inline entities."""
        name = name_in(fields)
        word = TITLED.get(cls.inline, "name")
        require(name, "missing-field", f"'{word}' is missing. Add it, or write the {word} alone.")
        return cls.by_name(name, context, info) or cls.new_inline(fields, context, info)

    @classmethod
    def by_name(cls, name: str, context: Context, info: ValidationInfo) -> Reference | None:
        """Finds the entry with this name, in the first kind that has one."""
        for kind in cls.kinds:
            slugs = cls.claimants(kind, name, context, info) if cls.has_names(kind) else []
            if len(slugs) == 1:
                return cls(kind, slugs[0], context.known.row(kind, slugs[0]))
            if slugs:
                raise PydanticCustomError(
                    "ambiguous-name",
                    f"{name!r} is ambiguous: {' or '.join(sorted(slugs))}. Write the key of the "
                    "one you mean.",
                    {"fix": fix(name, *sorted(slugs))},
                )
        return None

    @classmethod
    def has_names(cls, kind: str) -> bool:
        """Whether entries of a kind can be found by name."""
        return kind not in ONLY_BY_KEY or kind == cls.inline

    @classmethod
    def claimants(cls, kind: str, name: str, context: Context, info: ValidationInfo) -> list[str]:
        return context.known.find(kind, name)

    @classmethod
    def is_name(cls, text: str, context: Context) -> bool:
        """Whether an unknown text can be the name of a new inline entity."""
        withdrawn = any(f"{kind}/{text}" in context.withdrawn for kind in cls.kinds)
        is_free = not withdrawn and not context.known.is_mistyped_key(cls.kinds, text)
        return bool(cls.inline) and is_free and not kind_in_other_registry(cls, text, context)

    @classmethod
    def meant_by(cls, name: str) -> tuple[type[Reference], str]:
        """The type of reference, and the name, that a name without an entry stands for."""
        return cls, name

    @classmethod
    def new_inline(
        cls, fields: Mapping[str, Any], context: Context, info: ValidationInfo
    ) -> Reference:
        slug = address_of(cls.inline, fields, context.known)
        return cls(cls.inline, slug, fields)

    @classmethod
    def hint(cls, value: str, context: Context) -> str:
        """Advice for an unknown key: its new key, that it was withdrawn, or the key for a title.
        Otherwise general advice; empty if adding an entry would be right.
        """
        known = context.known.keys_of(cls.kinds)
        if value in known.former:
            return f"Its key is now {known.former[value]}."
        for kind in cls.kinds:
            if place := context.withdrawn.get(f"{kind}/{value}"):
                return f"It was withdrawn ({place}). Remove this reference."
        if key := known.called.get(squeeze(value).lower()):
            return f"Write its key: {key}."
        near = ", ".join(known.nearest(value)) if cls.otherwise else ""
        return f"Closest: {near}. {cls.otherwise}" if near else cls.otherwise

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        text = core_schema.str_schema()
        return core_schema.with_info_plain_validator_function(
            cls.check,
            json_schema_input_schema=core_schema.union_schema([text, INLINE_SCHEMA])
            if cls.inline
            else text,
        )


class PersonRef(Reference):
    """A person by key or name. A key has no capitals and no spaces."""

    kinds: ClassVar[tuple[str, ...]] = ("people",)
    inline = "people"

    @classmethod
    def check(cls, value: object, info: ValidationInfo) -> Any:
        context = info.context or Context({})
        if isinstance(value, str):
            refuse_several(value, partial(context.known.find, "people"), "name")
        return super().check(value, info)

    @property
    def has_cv(self) -> bool:
        """Whether the person has a CV on this site."""
        return isinstance(self.row, Row) and self.row.path == "basics"

    @classmethod
    def is_name(cls, text: str, context: Context) -> bool:
        if SLUG.fullmatch(text) or kind_in_other_registry(cls, text, context):
            return False
        return not names_in(text, partial(context.known.find, "people"))


class OrganizationRef(Reference):
    kinds = ("orgs",)
    inline = "orgs"


class AuthorRef(PersonRef):
    """An author by key or printed name: a person, or an organisation with an entry or with a word
    such as 'Collaboration' in its name.
    """

    kinds = ("people", "orgs")

    @classmethod
    def check(cls, value: object, info: ValidationInfo) -> Any:
        context = info.context or Context({})
        if isinstance(value, str) and context.names and not SLUG.fullmatch(value):
            if not context.names.is_claimed(value):
                reference, name = cls.meant_by(value)
                if context.known.find("orgs", value):
                    return OrganizationRef.check(value, info)
                if reference is OrganizationRef:
                    return reference.check(name, info)
            return context.names.person(value, context.owners)
        if isinstance(value, (Reference, Mention)):  # already resolved
            return value
        return super().check(value, info)

    @classmethod
    def is_name(cls, text: str, context: Context) -> bool:
        return not SLUG.fullmatch(text)

    @classmethod
    def meant_by(cls, name: str) -> tuple[type[Reference], str]:
        return (OrganizationRef, ARTICLE.sub("", name, count=1)) if is_group(name) else (cls, name)


class UnitRef(OrganizationRef):
    """A unit of the organisation that the same entry names."""

    @classmethod
    def claimants(cls, kind: str, name: str, context: Context, info: ValidationInfo) -> list[str]:
        return context.known.find_unit(name, cls.whole(info))

    @classmethod
    def new_inline(
        cls, fields: Mapping[str, Any], context: Context, info: ValidationInfo
    ) -> Reference:
        slug = address_of("orgs", fields, context.known, cls.whole(info))
        return cls("orgs", slug, fields)

    @staticmethod
    def whole(info: ValidationInfo) -> str:
        """The slug of the organisation; empty if it is missing or invalid."""
        found = next((info.data[name] for name in PARENT_FIELDS if name in (info.data or {})), None)
        return found.slug if isinstance(found, Reference) else ""


class ProgrammeRef(UnitRef):
    """A programme of the funder that the same entry names."""


class PlaceRef(Reference):
    kinds = ("places",)
    inline = "places"


class TopicRef(Reference):
    """A topic; for skills and interests also a system."""

    kinds = ("topics", "software")
    inline = "topics"


class LanguageRef(Reference):
    """A language by tag or English name."""

    kinds = ("languages",)
    inline = "languages"
    otherwise = "Write its tag or its English name."

    @classmethod
    def claimants(cls, kind: str, name: str, context: Context, info: ValidationInfo) -> list[str]:
        return super().claimants(kind, name, context, info) or context.known.find(
            kind, language_tag(name)
        )

    @classmethod
    def is_name(cls, text: str, context: Context) -> bool:
        return bool(language_tag(text)) or is_language_name(text)


class VenueRef(Reference):
    kinds = ("venues",)
    inline = "venues"


class PublicationRef(Reference):
    kinds = ("publications",)


class WorkRef(Reference):
    """A publication or a system."""

    kinds = ("publications", "software")


class SourceRef(Reference):
    kinds = ("sources",)
    inline = "sources"


class SubjectRef(Reference):
    """The subject of a talk or an article."""

    kinds = ("software", "topics", "publications", "projects")
    inline = "topics"


class CoverageRef(Reference):
    """The subject of press coverage."""

    kinds = ("software", "topics", "publications", "projects", "people")
    inline = "topics"


class SystemRef(Reference):
    kinds = ("software",)
    inline = "software"


class TitledRef(Reference):
    """An entry that can share its title with others; the address distinguishes them."""

    @classmethod
    def with_fields(
        cls, fields: Mapping[str, Any], context: Context, info: ValidationInfo
    ) -> Reference:
        word = TITLED.get(cls.inline, "name")
        require(name_in(fields), "missing-field", f"'{word}' is missing. Add it.")
        slug = address_of(cls.inline, fields, context.known)
        known = context.known.inline.rows.get(cls.inline, {}).get(slug)
        if known is not None and name_key(name_in(known)) == name_key(name_in(fields)):
            return cls(cls.inline, slug, known)
        return super().with_fields(fields, context, info)


class CourseRef(TitledRef):
    kinds = ("courses",)
    inline = "courses"


class TutorialRef(Reference):
    kinds = ("tutorials",)
    inline = "tutorials"


class ProjectRef(Reference):
    kinds = ("projects",)
    inline = "projects"


class GrantRef(TitledRef):
    kinds = ("grants",)
    inline = "grants"


class PatentRef(Reference):
    kinds = ("patents",)


class PressRef(TitledRef):
    kinds = ("press",)
    inline = "press"

    @classmethod
    def is_name(cls, text: str, context: Context) -> bool:
        """A title alone is not enough for an inline item."""
        return False


def as_name(key: str) -> str:
    """`sea-ice` -> `Sea ice`; text with a capital letter is not a key."""
    return key.replace("-", " ").capitalize()


def kind_in_other_registry(reference: type[Reference], text: str, context: Context) -> str:
    """The kind of another registry that has this key. By name, only people are distinguished from
    other kinds: a journal can have the name of its publisher.
    """
    rows, kinds = context.rows, reference.kinds
    by_key = (kind for kind in rows if kind not in kinds and text in rows[kind])
    others = UNLIKE_PEOPLE if "people" in kinds else ("people",)
    by_name = (
        kind
        for kind in (others if reference.inline in ("people", *UNLIKE_PEOPLE) else ())
        if kind in rows and any(slug in rows[kind] for slug in context.known.find(kind, text))
    )
    return next(by_key, "") or next(by_name, "")


def unknown_reference(
    reference: type[Reference], text: str, context: Context, hint: str
) -> PydanticCustomError:
    """The error for an unknown reference. Without a hint, it carries what is needed to suggest a
    new registry entry.
    """
    kinds, kind = reference.kinds, reference.inline or reference.kinds[0]
    if other := kind_in_other_registry(reference, text, context):
        message = f"{text!r} is {an(other)}, not {either([*map(an, kinds)])}. "
        remedy = f"Write the key{' or name' if reference.inline else ''} of one"
        if text not in context.rows[other]:
            remedy += f", or {flow({'name': text})} if that is its name"
        elif kind != "people" and reference.is_name(as_name(text), context):
            remedy += f", or '{as_name(text)}' if that is its name"
        return PydanticCustomError("unknown-reference", f"{message}{remedy}.")
    missed = f"{text!r} is not among the {either([WORDS[kind] for kind in kinds])}."
    found = {"fix": key_fix(text, kinds, context)}
    if hint:
        return PydanticCustomError("unknown-reference", f"{missed} {hint}", found)
    by_name = reference.inline not in ("", "press")  # a title alone is not enough for press items
    near = ", ".join(context.known.keys_of(kinds).nearest(text))
    new = {"kind": kind, "named": text, "is_near": bool(near), "by_name": by_name}
    message = f"{missed} Closest: {near}." if near else missed
    return PydanticCustomError("unknown-reference", message, {**found, "new": new})


def key_fix(text: str, kinds: tuple[str, ...], context: Context) -> Fix | None:
    """The key that is meant. It is certain for a former key, a title and the same letters; a
    similar key may be another entry.
    """
    known = context.known.keys_of(kinds)
    if text in known.former:
        return fix(text, known.former[text])
    same = [key for key in known.keys if letters(key) == letters(text)]
    same += [key for kind in kinds for key in context.known.find(kind, text)]
    return fix(text, *same) if same else fix(text, *known.nearest(text), certain=False)


def either(words: list[str]) -> str:
    """`a, b or c`"""
    return " or ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def contested_key(key: str, context: Context) -> PydanticCustomError:
    """The error for a key that several works would get."""
    works = context.rows["publications"]
    titles = [f"'{works[each].get('title')}'" for each in context.contested[key]]
    others = " or ".join(f"'{each}'" for each in context.contested[key][1:])
    message = (
        f"'{key}' is ambiguous: {' or '.join(titles)}. Write {others} for the second work, or "
        f"add 'key: {key}' to the first."
    )
    return PydanticCustomError("ambiguous-name", message)
