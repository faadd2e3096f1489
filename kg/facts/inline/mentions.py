"""Where the files of a site name things: each text or set of fields that stands in the place of a
key.

The models say which fields refer to what. Each file can be read by itself; where all others were
read before, what is a key there is passed over.
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
from kg.facts.values.references import WHOLES, AuthorRef, ProgrammeRef, Reference, UnitRef, VenueRef
from kg.facts.values.work_references import VENUE_KINDS, BookRef, ThesisRef
from kg.facts.yaml.rows import Row, Rows, Spot, place_of

Steps = tuple[str | int, ...]
# what a field says of the thing that is named in it
FIELD_KINDS = {**VENUE_KINDS, ProgrammeRef: "programme", BookRef: "book", ThesisRef: "thesis"}
NOTHING: Mapping[str, Any] = {}
# what the kind of a work says of its venue
VENUES = {
    **dict.fromkeys(("journal", "editorial", "review", "special-issue"), "journal"),
    **dict.fromkeys(("magazine", "newspaper", "blog"), "journal"),
    **dict.fromkeys(("conference", "poster", "abstract", "proceedings"), "conference"),
    "workshop": "workshop",
}


class Naming(NamedTuple):
    """A place where something is named. `whole` is the organisation of a unit, as it is written,
    `kind` what the field or the work says of a venue or a programme,
    `known` what else the entry tells of it. Whether the entry is private
    may depend on what the site says of its `section`.
    """

    reference: type[Reference]
    name: str
    fields: Row | None
    file: str
    spot: Spot
    entry: str  # its path
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
        """Who wrote it, by key or name, where that tells things of one name apart."""
        if not self.known:
            return ""
        author = self.known["authors"][0]
        return str(author.get("person") or author["as"])

    @property
    def path(self) -> str:
        return path_below(self.entry, self.steps)

    def hidden(self, sections: Mapping[str, str]) -> bool:
        """Whether the entry around it is private, by itself or by its section."""
        stated = sections.get(self.section, "")
        return stated == "private" or (self.is_private and not (self.section and stated))


class Around(NamedTuple):
    """What is known of the entry in which something is named."""

    row: Row
    path: str
    section: str = ""
    is_private: bool = False
    owner: Row | None = None  # of the CV, as an author


class FieldOf(NamedTuple):
    """A field that may name things, as it is called in the file, and the class of its values."""

    key: str
    each: type[Any]
    is_mapping: bool  # of parts
    is_printed: bool
    is_reference: bool


class Settled(dict[type, frozenset[str]]):
    """The texts of which it is known what they mean, by the class of the field: keys of entries,
    and names that somebody has. These name nothing in place.
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
def fields_of(model: type[BaseModel]) -> tuple[FieldOf, ...]:
    """The fields that hold references to what may be in place, or parts that do."""
    return tuple(
        FieldOf(
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


class NamingFinder:
    """Gathers the namings of a file, but for texts that are `settled`."""

    def __init__(self, settled: Settled) -> None:
        self.settled = settled
        self.found: list[Naming] = []

    def cv(self, row: Row, owner: str) -> None:
        """Those in a CV; one that is private as a whole names nothing."""
        basics = row.row("basics")
        if basics.get("visibility") == "private":
            return
        self.fields(Owner, Around(basics, "basics"))
        self.fields(Cv, Around(row, ""))
        own, signer = row.row("visibility"), author(row, owner)
        for section in [each for each in SECTIONS if each in row]:
            kinds, stated = SECTIONS[section], own.get(section)
            by_site = "" if stated == "private" else section
            for number, entry in enumerate(row.rows(section)):
                if isinstance(entry, Row):
                    model, path = kinds.model_for(entry), entry.path or f"{section}[{number}]"
                    closed = stated == "private" or (not stated and model is Referee)
                    self.entry(model, Around(entry, path, by_site, closed, signer))

    def entry(self, model: type[Entry], around: Around, shared: Row | None = None) -> None:
        """Those in an entry, and in each of its positions; what these say themselves holds."""
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
        """Those in an entry of a registry."""
        self.fields(REGISTRIES[kind].model_for(row), Around(row, row.path or slug))

    def fields(self, model: type[BaseModel], around: Around, shared: Row | None = None) -> None:
        """Those in the fields of a row; `shared` has more fields of it."""
        row = around.row
        if row.get("visibility") == "private":
            around = around._replace(section="", is_private=True)
        for field in fields_of(model):
            if row.get(field.key) is None:  # as most are
                continue
            settled = self.settled[field.each]
            for item, steps, spot in items_of(row, field):
                if not isinstance(item, str) or item not in settled:
                    self.item(field, item, model, around, shared or row, steps, spot)

    def item(
        self,
        field: FieldOf,
        item: Any,
        model: type[BaseModel],
        around: Around,
        shared: Row,
        steps: Steps,
        spot: Spot,
    ) -> None:
        """What one item of a field names: itself, or things in its own fields."""
        row, each = around.row, field.each
        here = (row.file, spot, around.path, steps)
        if field.is_printed and (printed := printed_name(item)):
            naming = Naming(
                AuthorRef,
                printed,
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
            naming = Naming(
                each, name, fields, *here, whole, kind, around.section, around.is_private, known
            )
            self.found.append(naming)
            if fields is not None:
                fields.path = path_below(around.path, steps)
                below = around._replace(row=fields, path=fields.path)
                self.fields(REGISTRIES[each.inline].model_for(fields), below)
        elif isinstance(item, Row):
            below = around._replace(row=item, path=path_below(around.path, steps))
            self.fields(each, below)
        elif isinstance(item, str) and issubclass(each, Short):  # the text of one of its fields
            for short in fields_of(each):
                if short.key == each.short and item not in self.settled[short.each]:
                    self.item(short, item, each, around, shared, steps, spot)


def items_of(row: Row, field: FieldOf) -> Iterator[tuple[Any, Steps, Spot]]:
    """What stands in a field, one by one: each with the steps to it, and its spot."""
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
    """The name of an author, unless the entry says who it is."""
    printed = item.get("as") if isinstance(item, Row) and "person" not in item else item
    return printed if isinstance(printed, str) else ""


def whole_of(row: Row) -> str:
    """The organisation that an entry names, by key or name."""
    found = next((row[field] for field in WHOLES if field in row), "")
    name = name_in(found) if isinstance(found, Row) else found
    return name if isinstance(name, str) else ""
