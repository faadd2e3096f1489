"""Finds the places in a file where entities are named: each text or mapping in a reference field.

The models define which fields are references. Each file is scanned on its own; if all others were
read before, keys of their entries are skipped.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple, get_origin

from pydantic import BaseModel

from kg.advice.explain import dotted
from kg.errors import Place
from kg.facts.expand import NESTED
from kg.facts.folded import author, thesis_of
from kg.facts.models import REGISTRIES, SECTIONS
from kg.facts.models.activities import Referee
from kg.facts.models.base import Entry, Short, classes_in
from kg.facts.models.people import Cv, Owner
from kg.facts.models.signatures import PrintedName
from kg.facts.models.teaching import Mentoring
from kg.facts.models.works import Contained
from kg.facts.values.naming import Registries, name_in, names_of
from kg.facts.values.references import (
    PARENT_FIELDS,
    AuthorRef,
    ProgrammeRef,
    Reference,
    UnitRef,
    VenueRef,
)
from kg.facts.values.work_references import VENUE_KINDS, BookRef, ThesisRef
from kg.facts.yaml.rows import Row, Rows, Spot, place_of

Steps = tuple[str | int, ...]
# The kind of an inline entity, by the reference type of its field.
FIELD_KINDS = {**VENUE_KINDS, ProgrammeRef: "programme", BookRef: "book", ThesisRef: "thesis"}
NOTHING: Mapping[str, Any] = {}
# kind of a work -> kind of its venue
VENUES = {
    **dict.fromkeys(("journal", "editorial", "review", "special-issue"), "journal"),
    **dict.fromkeys(("magazine", "newspaper", "blog"), "journal"),
    **dict.fromkeys(("conference", "poster", "abstract", "proceedings"), "conference"),
    "workshop": "workshop",
}


class NameMention(NamedTuple):
    """A place where an entity is named.

    `whole` is the organisation of a unit as written, `kind` the kind that the field or work
    implies, `known` other fields that follow from the entry. Whether the entry is private can
    depend on the site's visibility of its `section`.
    """

    reference: type[Reference]
    name: str
    fields: Row | None
    file: str
    spot: Spot
    entry: str  # path of the entry
    steps: Steps
    whole: str = ""
    kind: str = ""
    section: str = ""
    is_private: bool = False
    known: Mapping[str, Any] = NOTHING

    @property
    def place(self) -> Place:
        return place_of(self.file, self.spot)

    @property
    def author(self) -> str:
        """The author by key or name, if it distinguishes entities with the same name."""
        if not self.known:
            return ""
        author = self.known["authors"][0]
        return str(author.get("person") or author["as"])

    @property
    def path(self) -> str:
        return path_below(self.entry, self.steps)

    def hidden(self, sections: Mapping[str, str]) -> bool:
        """Whether the surrounding entry is private, itself or through its section."""
        stated = sections.get(self.section, "")
        return stated == "private" or (self.is_private and not (self.section and stated))


class EntryContext(NamedTuple):
    """The entry that contains the name."""

    row: Row
    path: str
    section: str = ""
    is_private: bool = False
    owner: Row | None = None  # person of the CV, as an author


class ReferenceField(NamedTuple):
    """A reference field: its key in the file, and the class of its values."""

    key: str
    each: type[Any]
    is_mapping: bool  # a mapping of parts
    is_printed: bool
    is_reference: bool


class ResolvedTexts(dict[type, frozenset[str]]):
    """Texts that are already resolved, by class of the field: keys of entries, and names of people.
    They are not inline.
    """

    def __init__(self, entries: Registries) -> None:
        super().__init__()
        self.texts = {kind: set(rows) for kind, rows in entries.items()}
        for row in entries.get("people", {}).values():
            self.texts["people"].update(names_of(row))

    def __missing__(self, each: type[Any]) -> frozenset[str]:
        kinds = AuthorRef.kinds if issubclass(each, PrintedName) else getattr(each, "kinds", ())
        self[each] = frozenset[str]().union(*(self.texts.get(kind, ()) for kind in kinds))
        return self[each]


@cache
def fields_of(model: type[BaseModel]) -> tuple[ReferenceField, ...]:
    """The fields that hold references to possible inline entities, or parts with such fields."""
    return tuple(
        ReferenceField(
            info.alias or name,
            each,
            get_origin(info.annotation) is dict,
            issubclass(each, PrintedName),
            issubclass(each, Reference),
        )
        for name, info in model.model_fields.items()
        for each in dict.fromkeys(classes_in(info.annotation))
        if (issubclass(each, Reference) and each.inline)
        or (issubclass(each, BaseModel) and (issubclass(each, PrintedName) or fields_of(each)))
    )


class MentionFinder:
    """Collects the names in a file; texts in `settled` are skipped."""

    def __init__(self, settled: ResolvedTexts) -> None:
        self.settled = settled
        self.found: list[NameMention] = []

    def cv(self, row: Row, owner: str) -> None:
        """Scans a CV; a private one is skipped."""
        basics = row.row("basics")
        if basics.get("visibility") == "private":
            return
        self.fields(Owner, EntryContext(basics, "basics"))
        self.fields(Cv, EntryContext(row, ""))
        own, signer = row.row("visibility"), author(row, owner)
        for section in [each for each in SECTIONS if each in row]:
            kinds, stated = SECTIONS[section], own.get(section)
            by_site = "" if stated == "private" else section
            for number, entry in enumerate(row.rows(section)):
                if isinstance(entry, Row):
                    model, path = kinds.model_for(entry), entry.path or f"{section}[{number}]"
                    closed = stated == "private" or (not stated and model is Referee)
                    self.entry(model, EntryContext(entry, path, by_site, closed, signer))

    def entry(self, model: type[Entry], around: EntryContext, shared: Row | None = None) -> None:
        """Scans an entry and each of its positions, whose own visibility counts."""
        row = around.row
        stated = row.get("visibility", shared.get("visibility") if shared else None)
        here = around._replace(section="", is_private=stated == "private") if stated else around
        self.fields(model, here, shared)
        for key in [each for each in NESTED if each in model.spread]:
            for number, item in enumerate(row.rows(key)):
                if isinstance(item, Row):
                    below = around._replace(row=item, path=f"{around.path}.{key}[{number}]")
                    self.entry(model, below, row)

    def registered(self, kind: str, slug: str, row: Row) -> None:
        """Scans a registry entry."""
        self.fields(REGISTRIES[kind].model_for(row), EntryContext(row, row.path or slug))

    def fields(
        self, model: type[BaseModel], around: EntryContext, shared: Row | None = None
    ) -> None:
        """Scans the fields of a row; `shared` is the enclosing entry."""
        row = around.row
        if row.get("visibility") == "private":
            around = around._replace(section="", is_private=True)
        for field in fields_of(model):
            if row.get(field.key) is None:  # the usual case
                continue
            settled = self.settled[field.each]
            for item, steps, spot in items_of(row, field):
                if not isinstance(item, str) or item not in settled:
                    self.item(field, item, model, around, shared or row, steps, spot)

    def item(
        self,
        field: ReferenceField,
        item: Any,
        model: type[BaseModel],
        around: EntryContext,
        shared: Row,
        steps: Steps,
        spot: Spot,
    ) -> None:
        """Adds the name in one item of a field, and scans its own fields."""
        row, each = around.row, field.each
        here = (row.file, spot, around.path, steps)
        if field.is_printed and (printed := printed_name(item)):
            reference, name = AuthorRef.meant_by(printed)
            naming = NameMention(
                reference,
                name,
                None,
                *here,
                section=around.section,
                is_private=around.is_private,
            )
            self.found.append(naming)
        elif field.is_reference:
            fields = item if isinstance(item, Row) else None
            name = name_in(fields) if fields is not None else item
            if not isinstance(name, str) or not name.strip():
                return
            whole = whole_of(row) or whole_of(shared) if issubclass(each, UnitRef) else ""
            kind = FIELD_KINDS.get(each, "")
            if not kind and issubclass(model, Contained) and issubclass(each, VenueRef):
                kind = VENUES.get(str(row.get("kind")), "")
            signer = None if issubclass(model, Mentoring) else around.owner
            known = thesis_of(row, signer) if issubclass(each, ThesisRef) else {}
            reference, name = each.meant_by(name) if fields is None else (each, name)
            naming = NameMention(
                reference,
                name,
                fields,
                *here,
                whole,
                kind,
                around.section,
                around.is_private,
                known,
            )
            self.found.append(naming)
            if fields is not None:
                fields.path = path_below(around.path, steps)
                below = around._replace(row=fields, path=fields.path)
                self.fields(REGISTRIES[each.inline].model_for(fields), below)
        elif isinstance(item, Row):
            below = around._replace(row=item, path=path_below(around.path, steps))
            self.fields(each, below)
        elif isinstance(item, str) and issubclass(each, Short):  # text stands for one of its fields
            for short in fields_of(each):
                if short.key == each.short and item not in self.settled[short.each]:
                    self.item(short, item, each, around, shared, steps, spot)


def items_of(row: Row, field: ReferenceField) -> Iterator[tuple[Any, Steps, Spot]]:
    """The items of a field, with the steps to each and its spot."""
    key, value = field.key, row[field.key]
    if isinstance(value, Rows):
        for number, item in enumerate(value):
            yield item, (key, number), value.spots[number]
    elif row.folds(key):
        yield value, (), row.spot
    elif field.is_mapping and isinstance(value, Row):
        for name, item in value.items():
            yield item, (key, name), value.values_at[name]
    else:
        yield value, (key,), row.values_at[key]


def path_below(entry: str, steps: Steps) -> str:
    return ".".join(filter(None, [entry, dotted(steps)]))


def printed_name(item: Any) -> str:
    """The printed name of an author; empty if the entry identifies them."""
    is_named = isinstance(item, Row) and not item.keys() & {"person", "organization"}
    printed = item.get("as") if is_named else item
    return printed if isinstance(printed, str) else ""


def whole_of(row: Row) -> str:
    """The organisation that an entry names, by key or name."""
    found = next((row[field] for field in PARENT_FIELDS if field in row), "")
    name = name_in(found) if isinstance(found, Row) else found
    return name if isinstance(name, str) else ""
