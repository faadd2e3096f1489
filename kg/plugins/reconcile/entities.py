"""Entities that can be reconciled (people, organisations, venues and works) and their
properties.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Set
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
    """A type of entities; `kinds` is the folders of their addresses."""

    id: str
    name: str
    kinds: tuple[str, ...]


class EntityProperty(NamedTuple):
    """A property. `identifies`: no two entities share a value. `target` is the type of its values,
    if they are entities.
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
        EntityProperty("currentAffiliation", "Affiliation now", ("Person",), "Organization"),
        EntityProperty("orcid", "ORCID iD", ("Person",), identifies=True),
        EntityProperty("position", "Current position", ("Person",)),
        EntityProperty("topic", "Topic", ("Person", "Work")),
        EntityProperty("author", "Author", ("Work",), "Person"),
        EntityProperty("venue", "Venue", ("Work",), "Venue"),
        EntityProperty("year", "Year", ("Work",)),
        EntityProperty("doi", "DOI", ("Work",), identifies=True),
        EntityProperty("arxiv", "arXiv id", ("Work",), identifies=True),
        EntityProperty("parent", "Part of", ("Organization",), "Organization"),
        EntityProperty("place", "Place", ("Person", "Organization")),
        EntityProperty("homepage", "Website", ALL, identifies=True),
        EntityProperty("sameAs", "Page or profile on another site", ALL, identifies=True),
        EntityProperty(ANY, "Any identifier", ALL, identifies=True),
        EntityProperty(OTHER_NAME, "Also known as", ALL),
    )
}


class EntityValue(NamedTuple):
    """A value of a property; `id` is set if it is an entity of this site."""

    text: str
    id: str = ""


@dataclass
class Entities:
    """All entities that can be matched, by id (their path, `people/ada`) and by name. `having` maps
    a property and a `value_key` to the ids of entities with that value.
    """

    base: str
    entries: dict[str, SearchEntry] = field(default_factory=dict)
    values: dict[str, dict[str, list[EntityValue]]] = field(default_factory=dict)
    having: dict[tuple[str, str], set[str]] = field(default_factory=lambda: defaultdict(set))
    indexes: dict[str, Index] = field(default_factory=dict)

    @classmethod
    def of(cls, store: Memory) -> Entities:
        return store.once("entities", lambda: read(store))

    def index(self, types: Collection[str]) -> Index:
        """The name index of one type, or of all types for several: an index of each combination
        would take too much memory.
        """
        wanted = next(iter(types)) if len(types) == 1 else ""
        if wanted not in self.indexes:
            entries = self.entries.values()
            found = [each for each in entries if wanted in ("", type_of(each.address).id)]
            self.indexes[wanted] = Index(found)
        return self.indexes[wanted]

    def find(self, text: str) -> str:
        """The id that a text is or whose address it is; empty if there is none."""
        path = text.strip().removeprefix(self.base).removesuffix("#it").strip("/")
        return path if path in self.entries else ""

    def known(self, id: str, property: str) -> list[EntityValue]:
        return self.values[id].get(property, [])

    def with_value(self, property: str, text: str, id: str = "") -> Set[str]:
        """The ids of entities with this value of a property: a text, or an entity by id or name."""
        place = self.find(id or text)
        found = self.having.get((property, place), set()) if place else set()
        key = "" if id else value_key(property, text)
        return found | self.having.get((property, key), set()) if key else found

    def identified(self, text: str) -> Set[str]:
        """The ids of entities with this identifier, of any kind."""
        return self.with_value(ANY, text)


def type_of(id: str) -> EntityType:
    return TYPE_OF[id.partition("/")[0]]


def read(store: Memory) -> Entities:
    """The entities of a graph, in list order."""
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
    """The keys that find entities with a value; if the value is an entity, also its id and all its
    names.
    """
    yield property, value_key(property, value.text)
    if PROPERTIES[property].identifies:
        yield ANY, value_key(ANY, value.text)
    if thing := entities.entries.get(value.id):
        yield property, thing.address
        for name in thing.others:
            yield property, value_key(property, name)


def names_of(property: str) -> tuple[str, ...]:
    """The properties that a value belongs to; identifiers of any scheme also count as
    `identifier`.
    """
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
    """An identifier in lower case without its URL prefix."""
    found = text.strip().lower()
    for start in ADDRESSES:
        found = found.removeprefix(start)
    return found.strip("/ ")


def value_key(property: str, text: str) -> str:
    """A value without case, accents and punctuation, or a bare identifier."""
    if property == ANY or PROPERTIES[property].identifies:
        return identifier(text)
    return fold_text(text).letters
