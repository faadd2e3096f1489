"""What can be matched with the rows of other people's tables: people, organisations, venues and
works, with the properties by which one is told from another.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass, field
from typing import NamedTuple

from pyoxigraph import NamedNode

from kg.mapping import iris
from kg.publish.search.index import entry, findable
from kg.publish.search.matching import Index, SearchEntry
from kg.settings import query
from kg.store.memory import Memory
from kg.store.protocol import Solution
from kg.text.normalize import fold_text

OTHER_NAME, ANY = "alternateName", "identifier"
ADDRESSES = ("https://", "http://", "doi.org/", "dx.doi.org/", "orcid.org/", "doi:", "orcid:")


class EntityType(NamedTuple):
    """A category of things; `kinds` are the folders that their addresses begin with."""

    id: str
    name: str
    kinds: tuple[str, ...]


class EntityProperty(NamedTuple):
    """A property of things. One that identifies has a value that no other thing has; `target` is
    the type of the things that are its values.
    """

    id: str
    name: str
    types: tuple[str, ...]
    target: str = ""
    identifies: bool = False


TYPES = {
    each.id: each
    for each in (
        EntityType("Person", "Person", ("people",)),
        EntityType("Organization", "Organisation", ("orgs",)),
        EntityType("Venue", "Venue: a series of events, or a journal", ("venues",)),
        EntityType("Work", "Work: a publication or a patent", ("publications", "patents")),
    )
}
ALL = tuple(TYPES)
TYPE_OF = {kind: each for each in TYPES.values() for kind in each.kinds}
PROPERTIES = {
    each.id: each
    for each in (
        EntityProperty("affiliation", "Affiliation", ("Person",), "Organization"),
        EntityProperty("orcid", "ORCID iD", ("Person",), identifies=True),
        EntityProperty("position", "Position held now", ("Person",)),
        EntityProperty("topic", "Topic", ("Person", "Work")),
        EntityProperty("author", "Author", ("Work",), "Person"),
        EntityProperty("venue", "Venue", ("Work",), "Venue"),
        EntityProperty("year", "Year", ("Work",)),
        EntityProperty("doi", "DOI", ("Work",), identifies=True),
        EntityProperty("arxiv", "arXiv number", ("Work",), identifies=True),
        EntityProperty("parent", "Part of", ("Organization",), "Organization"),
        EntityProperty("place", "Place", ("Person", "Organization")),
        EntityProperty("homepage", "Website", ALL, identifies=True),
        EntityProperty("sameAs", "Page or profile elsewhere", ALL, identifies=True),
        EntityProperty(ANY, "Any identifier", ALL, identifies=True),
        EntityProperty(OTHER_NAME, "Also known as", ALL),
    )
}


class EntityValue(NamedTuple):
    """A value of a property; `id` is that of a thing, where it is one of ours."""

    text: str
    id: str = ""


@dataclass
class Entities:
    """All that can be matched: by id, which is its address (`people/ada`), and by name. `having`
    are those with a value of a property, in the form of `value_key`.
    """

    base: str
    entries: dict[str, SearchEntry] = field(default_factory=dict)
    values: dict[str, dict[str, list[EntityValue]]] = field(default_factory=dict)
    having: dict[tuple[str, str], set[str]] = field(default_factory=lambda: defaultdict(set))
    indexes: dict[tuple[str, ...], Index] = field(default_factory=dict)

    @classmethod
    def of(cls, store: Memory) -> Entities:
        return store.once("entities", lambda: read(store))

    def index(self, types: Iterable[str]) -> Index:
        """Those of some types, by name."""
        wanted = tuple(sorted({*types}))
        if wanted not in self.indexes:
            found = [each for each in self.entries.values() if type_of(each.address).id in wanted]
            self.indexes[wanted] = Index(found)
        return self.indexes[wanted]

    def find(self, text: str) -> str:
        """The id that a text is, as such or as an address; empty where it is none."""
        path = text.strip().removeprefix(self.base).removesuffix("#it").strip("/")
        return path if path in self.entries else ""

    def known(self, id: str, property: str) -> list[EntityValue]:
        return self.values[id].get(property, [])

    def with_value(self, property: str, text: str, id: str = "") -> Set[str]:
        """The ids of things whose property has a value: a text, or a thing by its id or a name."""
        place = self.find(id or text)
        found = self.having.get((property, place), set()) if place else set()
        key = "" if id else value_key(property, text)
        return found | self.having.get((property, key), set()) if key else found

    def identified(self, text: str) -> Set[str]:
        """The ids of things that have an identifier of any kind."""
        return self.with_value(ANY, text)


def type_of(id: str) -> EntityType:
    return TYPE_OF[id.partition("/")[0]]


def read(store: Memory) -> Entities:
    """What a graph has of them, in the order of lists."""
    found = Entities(store.base)
    values: dict[str, dict[str, list[EntityValue]]] = defaultdict(lambda: defaultdict(list))
    for row in store.select(query("site/entities")):
        id = iris.path_of(store.base, row["item"].value) or ""
        if id.partition("/")[0] in TYPE_OF and row["item"].value.endswith("#it"):
            for property in names_of(row["property"].value):
                if (value := value_of(store.base, row)) not in values[id][property]:
                    values[id][property].append(value)
    for kind, rows in findable(store, store.base, TYPE_OF).items():
        for row in rows:
            id = iris.path_of(store.base, row["item"].value) or ""
            others = [value.text for value in values[id][OTHER_NAME]]
            found.entries[id] = entry(store.base, kind, row, others)
    found.values = {id: dict(values[id]) for id in found.entries}
    for id, known in found.values.items():
        for property, those in known.items():
            for value in those:
                for key in keys(found, property, value):
                    found.having[key].add(id)
    return found


def keys(entities: Entities, property: str, value: EntityValue) -> Iterator[tuple[str, str]]:
    """By which the things with a value are found; if it is a thing, by its id and all its names."""
    yield property, value_key(property, value.text)
    if PROPERTIES[property].identifies:
        yield ANY, value_key(ANY, value.text)
    if thing := entities.entries.get(value.id):
        yield property, thing.address
        for name in thing.others:
            yield property, value_key(property, name)


def names_of(property: str) -> tuple[str, ...]:
    """The properties that a value is of; one of any scheme is an identifier, too."""
    if property not in PROPERTIES:
        return (ANY,)
    return (property, ANY) if property in ("orcid", "doi", "arxiv") else (property,)


def value_of(base: str, row: Solution) -> EntityValue:
    term = row["value"]
    if not isinstance(term, NamedNode) or "valueName" not in row:
        return EntityValue(term.value)
    path = iris.path_of(base, term.value) or ""
    is_ours = path.partition("/")[0] in TYPE_OF
    return EntityValue(row["valueName"].value, path if is_ours else "")


def identifier(text: str) -> str:
    """An identifier without the address that it often stands in, in small letters."""
    found = text.strip().lower()
    for start in ADDRESSES:
        found = found.removeprefix(start)
    return found.strip("/ ")


def value_key(property: str, text: str) -> str:
    """A value without case, accents and signs, or an identifier without what is around it."""
    if property == ANY or PROPERTIES[property].identifies:
        return identifier(text)
    return fold_text(text).letters
