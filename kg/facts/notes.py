"""What documents say to each other, in small: what the rules need that compare entries of several
files.

Facts stay in the process that read them; notes travel. Those of several parts of a site add up to
those of the whole, in the same order.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, get_args

from pydantic import BaseModel

from kg.errors import Place
from kg.facts import secrets
from kg.facts.acceptances import Acceptance, acceptances
from kg.facts.models.base import Fact, Main
from kg.facts.models.careers import Study
from kg.facts.models.honours import Award
from kg.facts.models.people import Cv, Owner
from kg.facts.models.works import Publication
from kg.facts.reading.rows import Row
from kg.facts.secrets import Secret, Secrets, Shown
from kg.facts.values.letters import LETTERS
from kg.facts.values.references import Reference

if TYPE_CHECKING:
    from kg.facts.load import Loaded

Key = tuple[str, str]  # kind and slug


class Work(NamedTuple):
    """A publication or patent: who signs it, and by which titles others would take it for the
    same.
    """

    place: Place
    signed_at: Place
    authors: frozenset[str]
    titles: dict[str, Place]
    distinct: tuple[tuple[Key, Place], ...]
    based_on: tuple[Key, ...]


class Honour(NamedTuple):
    """An award for a work: whose, how the author would name it, where the work is named, and which
    it is.
    """

    owner: str
    label: str
    place: Place
    work: Key


class Address(NamedTuple):
    """What has an address of its own, how the author would name it, where it is written; and its
    addresses of before, with their places.
    """

    place: Place
    label: str
    was: tuple[tuple[str, Place], ...]


@dataclass
class Notes:
    works: dict[Key, Work] = field(default_factory=dict)
    listed: dict[str, list[tuple[Key, Place]]] = field(default_factory=dict)  # by each CV
    theses: dict[str, set[Key]] = field(default_factory=dict)  # by each CV, with its studies
    owners: dict[str, Place] = field(default_factory=dict)
    awards: list[Honour] = field(default_factory=list)
    named: set[str] = field(default_factory=set)  # the people somebody refers to
    addresses: dict[Key, Address] = field(default_factory=dict)
    accepted: set[Acceptance] = field(default_factory=set)
    hidden: list[Secret] = field(default_factory=list)
    shown: Shown = field(default_factory=Shown)

    def add(self, other: Notes) -> None:
        for each in fields(self):
            mine, more = getattr(self, each.name), getattr(other, each.name)
            if isinstance(mine, list):
                mine += more
            elif isinstance(mine, Shown):
                mine.add(more)
            else:
                mine.update(more)

    def secrets(self, ours: Iterable[str] = ()) -> Secrets:
        """What must not be published; `ours` are the texts that every site has."""
        shown = Shown({*ours, *secrets.constants(Fact)})
        shown.add(self.shown)
        return Secrets(self.hidden, shown)


def noted(loaded: Sequence[Loaded]) -> Notes:
    """The notes on these facts, which are all of some documents."""
    hidden, shown = secrets.texts_of(loaded)
    notes = Notes(hidden=hidden, shown=Shown(shown))
    for each in loaded:
        note(notes, each)
        notes.named.update(people_in(each.fact))
        notes.accepted.update(acceptances(each))
    return notes


def note(notes: Notes, each: Loaded) -> None:
    fact, row, key = each.fact, each.row, (each.kind, each.slug)
    if isinstance(fact, Main):
        was = tuple((str(iri), row.at("was", number)) for number, iri in enumerate(fact.was))
        notes.addresses[key] = Address(row.place, row.path, was)
    if isinstance(fact, Publication):
        distinct = tuple(
            ((other.kind, other.slug), row.at("distinctFrom", number))
            for number, other in enumerate(fact.distinctFrom)
        )
        based_on = tuple((other.kind, other.slug) for other in fact.basedOn)
        authors = frozenset(fact.author_slugs)
        notes.works[key] = Work(
            row.place, row.at("authors"), authors, places_of_titles(fact, row), distinct, based_on
        )
    elif isinstance(fact, Owner):
        notes.owners[each.slug] = row.place
    elif isinstance(fact, Cv):
        numbers: dict[str, int] = {}
        for work in fact.works:
            number = numbers[work.kind] = numbers.get(work.kind, -1) + 1
            notes.listed.setdefault(each.slug, []).append(
                ((work.kind, work.slug), row.at(work.kind, number))
            )
        notes.listed.setdefault(each.slug, [])
    elif isinstance(fact, Study):
        notes.theses.setdefault(each.slug, set()).update(
            (work.kind, work.slug) for work in fact.thesis
        )
    elif isinstance(fact, Award) and fact.work:
        notes.awards.append(
            Honour(each.slug, row.path, row.at("work"), (fact.work.kind, fact.work.slug))
        )


@lru_cache(maxsize=65536)
def plain(title: str) -> str:
    """A title without case, accents, punctuation and spaces, as titles are compared."""
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKD", title.casefold().translate(LETTERS)))


def places_of_titles(work: Publication, row: Row) -> dict[str, Place]:
    """Each title as it is compared, and where it is written first."""
    found: dict[str, Place] = {}
    for number, title in reversed([*enumerate(work.alternateTitles)]):
        found[plain(title)] = row.at("alternateTitles", number)
    found[plain(work.title)] = row.at("title")
    return {title: place for title, place in found.items() if title}


def people_in(value: Any) -> Iterator[str]:
    """Whom a value refers to, by key."""
    if isinstance(value, Reference) and value.kind == "people":
        yield value.slug
    elif isinstance(value, BaseModel):
        for name in fields_with_people(type(value)):
            yield from people_in(getattr(value, name))
    elif isinstance(value, list):
        for item in value:
            yield from people_in(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from people_in(item)


@cache
def fields_with_people(model: type[BaseModel]) -> tuple[str, ...]:
    return tuple(
        name for name, field in model.model_fields.items() if may_name_people(field.annotation)
    )


def may_name_people(annotation: Any) -> bool:
    if isinstance(annotation, type) and issubclass(annotation, Reference):
        return "people" in annotation.kinds
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return bool(fields_with_people(annotation))
    return any(may_name_people(argument) for argument in get_args(annotation))
