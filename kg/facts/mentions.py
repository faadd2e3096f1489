"""Where the files of a site name things: each text or set of fields that stands in the place of a
key.

The models say which fields refer to what. Nothing is looked up here, so that each file can be read
by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple, get_origin

from pydantic import BaseModel

from kg.errors import Place
from kg.facts.explain import dotted
from kg.facts.folded import author, thesis_of
from kg.facts.models import REGISTRIES, SECTIONS
from kg.facts.models.activities import Referee
from kg.facts.models.base import Entry, FileSources, classes_in
from kg.facts.models.people import Cv, Owner
from kg.facts.models.publishing.signatures import PrintedName
from kg.facts.models.teaching import Mentoring
from kg.facts.models.works import Contained
from kg.facts.reading.rows import Row, Rows, Spot
from kg.facts.values.naming import name_in
from kg.facts.values.references import WHOLES, AuthorRef, ProgrammeRef, Reference, UnitRef, VenueRef
from kg.facts.values.venue_kinds import VENUE_KINDS
from kg.facts.values.work_references import BookRef, ThesisRef

Steps = tuple[str | int, ...]
NESTED = ("positions", "given")  # fields whose items share the fields around them
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
        line, column = self.spot
        return Place(self.file, line + 1, column + 1)

    @property
    def author(self) -> str:
        """The key of the owner of the CV, where that tells things of one name apart."""
        return str([*self.known["authors"][0].values()][-1]) if self.known else ""

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


@cache
def fields_of(model: type[BaseModel]) -> tuple[tuple[str, type[Any], bool], ...]:
    """The fields that hold references or parts: the key in the file, the class, and whether it is a
    mapping of parts.
    """
    return tuple(
        (info.alias or name, each, get_origin(info.annotation) is dict)
        for name, info in model.model_fields.items()
        for each in dict.fromkeys(classes_in(info.annotation))
        if issubclass(each, (Reference, BaseModel))
    )


def namings_in_cv(row: Row, owner: str) -> Iterator[Naming]:
    """Those in a CV; one that is private as a whole names nothing."""
    basics = row.get("basics")
    if isinstance(basics, Row):
        if basics.get("visibility") == "private":
            return
        yield from namings(Owner, Around(basics, "basics"))
    yield from namings(Cv, Around(row, ""))
    own, signer = row.get("visibility"), author(row, owner)
    for section, kinds in SECTIONS.items():
        stated = own.get(section) if isinstance(own, Row) else None
        entries = row.get(section)
        for number, entry in enumerate(entries if isinstance(entries, Rows) else ()):
            if isinstance(entry, Row):
                model, path = kinds.model_for(entry), entry.path or f"{section}[{number}]"
                closed = stated == "private" or (not stated and model is Referee)
                by_site = "" if stated == "private" else section
                yield from in_an_entry(model, Around(entry, path, by_site, closed, signer))


def in_an_entry(model: type[Entry], around: Around, shared: Row | None = None) -> Iterator[Naming]:
    """Those in an entry, and in each of its positions; what these say themselves holds."""
    row = around.row
    stated = row.get("visibility", shared.get("visibility") if shared else None)
    here = around._replace(section="", is_private=stated == "private") if stated else around
    yield from namings(model, here, shared)
    for key in NESTED:
        inner = row.get(key) if key in model.spread else None
        for number, item in enumerate(inner if isinstance(inner, Rows) else ()):
            if isinstance(item, Row):
                below = around._replace(row=item, path=f"{around.path}.{key}[{number}]")
                yield from in_an_entry(model, below, row)


def namings_in_entry(kind: str, slug: str, row: Row) -> Iterator[Naming]:
    """Those in an entry of a registry."""
    yield from namings(REGISTRIES[kind].model_for(row), Around(row, row.path or slug))


def namings_in_sources(row: Row) -> Iterator[Naming]:
    """Those in what a registry file says of all its entries."""
    yield from namings(FileSources, Around(row, ""))


def namings(model: type[BaseModel], around: Around, shared: Row | None = None) -> Iterator[Naming]:
    """Those in the fields of a row; `shared` has more fields of it."""
    row = around.row
    if row.get("visibility") == "private":
        around = around._replace(section="", is_private=True)
    for key, each, is_mapping in fields_of(model):
        value = row.get(key)
        if value is None:  # as most are
            continue
        items: list[tuple[Steps, Spot, Any]] = [((key,), row.values_at[key], value)]
        if row.folds(key):
            items = [((), row.spot, value)]
        elif is_mapping and isinstance(value, Row):
            items = [((key, name), value.values_at[name], value[name]) for name in value]
        elif isinstance(value, Rows):
            items = [((key, at), value.spots[at], item) for at, item in enumerate(value)]
        for steps, spot, item in items:
            yield from named(each, item, model, around, shared or row, steps, spot)


def named(
    each: type[Any],
    item: Any,
    model: type[BaseModel],
    around: Around,
    shared: Row,
    steps: Steps,
    spot: Spot,
) -> Iterator[Naming]:
    """What one item of a field names: itself, or things in its own fields."""
    row = around.row
    here = (row.file, spot, around.path, steps)
    if issubclass(each, PrintedName) and (printed := printed_name(item)):
        yield Naming(AuthorRef, printed, None, *here, "", "", *around[2:4])
    elif issubclass(each, Reference) and each.in_place:
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
        yield Naming(each, name, fields, *here, whole, kind, *around[2:4], known)
        if fields is not None:
            fields.path = path_below(around.path, steps)
            registry = REGISTRIES[each.in_place]
            below = around._replace(row=fields, path=fields.path)
            yield from namings(registry.model_for(fields), below)
    elif issubclass(each, BaseModel) and isinstance(item, Row):
        below = around._replace(row=item, path=path_below(around.path, steps))
        yield from namings(each, below)


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
