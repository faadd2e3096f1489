"""Per-file summaries for rules that compare entries of several files; summaries add up.

Facts stay in the process that read them; summaries are sent to the others. The summaries of all
parts of a site, added in order, equal that of the whole site.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

from pydantic import BaseModel

from kg.errors import Place, Problem
from kg.facts import secrets
from kg.facts.loaded import Key, Loaded
from kg.facts.models.activities import Award
from kg.facts.models.base import Entry, Main, fields_with
from kg.facts.models.education import Study
from kg.facts.models.people import Cv, Owner
from kg.facts.models.publications import Publication, Published
from kg.facts.models.teaching import Mentoring
from kg.facts.models.works import Contained
from kg.facts.secrets import PublicTexts, Secret, Secrets
from kg.facts.values.dates import When
from kg.facts.values.references import Reference
from kg.facts.values.terms import Fact
from kg.facts.yaml.rows import Row
from kg.text.markdown import plain_title
from kg.text.normalize import letters


class Work(NamedTuple):
    """A publication or patent: authors, comparable titles, date and venue. `first_year` is the year
    of its preprint, if any.
    """

    place: Place
    signed_at: Place
    authors: frozenset[str]
    titles: dict[str, Place]
    distinct: tuple[tuple[Key, Place], ...]
    based_on: dict[Key, Place]
    version_of: dict[Key, Place]
    kind: str
    venue: str
    year: int | None
    first_year: int | None


class NamedThesis(NamedTuple):
    """A thesis named in a CV, by the person or someone they mentored, with the years of the
    study.
    """

    owner: str
    author: str
    label: str
    place: Place
    work: Key
    start: int | None
    end: int | None


class Honour(NamedTuple):
    """An award for a work: its place, the work, and the venue and year of the award."""

    owner: str
    label: str
    place: Place
    work: Key
    venue: str
    year: int | None


class DocumentAddress(NamedTuple):
    """A document: its place, its name in messages, and its former addresses."""

    place: Place
    label: str
    was: tuple[tuple[str, Place], ...]


class AcceptedRule(NamedTuple):
    """A rule whose warnings an author accepts for one entry, with a reason:

        {organization: uni, position: Lecturer, endDate: present,
         accept: {two-employers: a joint appointment}}

    It applies from the start to the end of the entry, and to pairs of entries that include it.
    """

    rule: str
    place: Place
    label: str
    start: Place
    end: Place

    def holds(self, problem: Problem) -> bool:
        return any(self.start <= place <= self.end for place in (problem.place, *problem.others))


@dataclass
class Notes:
    works: dict[Key, Work] = field(default_factory=dict)
    listed: dict[str, list[tuple[Key, Place]]] = field(default_factory=dict)  # by CV
    theses: list[NamedThesis] = field(default_factory=list)
    owners: dict[str, Place] = field(default_factory=dict)
    awards: list[Honour] = field(default_factory=list)
    named: set[Key] = field(default_factory=set)  # keys of referenced entries
    addresses: dict[Key, DocumentAddress] = field(default_factory=dict)
    accepted: set[AcceptedRule] = field(default_factory=set)
    hidden: list[Secret] = field(default_factory=list)
    shown: PublicTexts = field(default_factory=PublicTexts)

    def add(self, other: Notes) -> None:
        for each in fields(self):
            mine, more = getattr(self, each.name), getattr(other, each.name)
            if isinstance(mine, list):
                mine += more
            else:
                mine.update(more)

    def secrets(self, ours: Iterable[str] = (), addresses: Sequence[str] = ()) -> Secrets:
        """The values that must not be published. `ours` are texts that every site contains,
        `addresses` those that were published before.
        """
        if not self.hidden:
            return Secrets((), self.shown, addresses)
        shown = PublicTexts({*ours, *secrets.constants(Fact)})
        shown.update(self.shown)
        return Secrets(self.hidden, shown, addresses)


def notes_of(loaded: Sequence[Loaded]) -> Notes:
    """Summarizes these facts, which must be complete documents."""
    hidden, shown = secrets.texts_of(loaded)
    notes = Notes(hidden=hidden, shown=PublicTexts(shown))
    for each in loaded:
        note(notes, each)
        notes.named.update(references_in(each.fact))
        notes.accepted.update(acceptances(each))
    return notes


def note(notes: Notes, each: Loaded) -> None:
    fact, row, key = each.fact, each.row, (each.kind, each.slug)
    if isinstance(fact, Main):
        was = tuple((str(iri), row.at("was", number)) for number, iri in enumerate(fact.was))
        notes.addresses[key] = DocumentAddress(row.place, row.path, was)
    if isinstance(fact, Publication):
        distinct = tuple(
            ((other.kind, other.slug), row.at("distinctFrom", number))
            for number, other in enumerate(fact.distinctFrom)
        )
        notes.works[key] = Work(
            row.place,
            signed_at=row.at("authors"),
            authors=frozenset(fact.signers),
            titles=places_of_titles(fact, row),
            distinct=distinct,
            based_on={
                (other.kind, other.slug): row.at("basedOn", number)
                for number, other in enumerate(fact.basedOn)
            },
            version_of={
                (other.kind, other.slug): row.at("versionOf") for other in fact.versions_of
            },
            kind=fact.kind if isinstance(fact, Published) else "",
            venue=fact.where.slug if isinstance(fact, Contained) and fact.where else "",
            year=year_of(fact.published),
            first_year=min(filter(None, map(year_of, fact.dates)), default=None),
        )
    elif isinstance(fact, Owner):
        notes.owners[each.slug] = row.place
    elif isinstance(fact, Cv):
        notes.listed[each.slug] = [
            ((kind, work.slug), row.at(kind, number))
            for kind, works in fact.works.items()
            for number, work in enumerate(works)
        ]
    elif isinstance(fact, Study | Mentoring):
        author = each.slug if isinstance(fact, Study) else fact.person.slug
        notes.theses += [
            NamedThesis(
                each.slug,
                author,
                row.path,
                row.at("thesis", number),
                (work.kind, work.slug),
                year_of(fact.startDate),
                year_of(fact.endDate),
            )
            for number, work in enumerate(fact.thesis)
        ]
    elif isinstance(fact, Award) and fact.work:
        notes.awards.append(
            Honour(
                each.slug,
                row.path,
                row.at("work"),
                (fact.work.kind, fact.work.slug),
                fact.venue.slug if fact.venue else "",
                year_of(fact.given),
            )
        )


def year_of(when: When | None) -> int | None:
    return int(when.iso[:4]) if when and when.iso else None


def comparable(title: str) -> str:
    """A title without tags, case, accents, punctuation and spaces."""
    return letters(plain_title(title))


def places_of_titles(work: Publication, row: Row) -> dict[str, Place]:
    """comparable title -> first place"""
    found = {
        comparable(title): row.at("alternateTitles", number)
        for number, title in reversed([*enumerate(work.alternateTitles)])
    }
    found[comparable(work.title)] = row.at("title")
    return {title: place for title, place in found.items() if title}


def references_in(value: Any) -> Iterator[Key]:
    """The entries that a value refers to."""
    if isinstance(value, Reference):
        yield value.kind, value.slug
    elif isinstance(value, BaseModel):
        for name in fields_with(type(value), Reference, BaseModel):
            yield from references_in(getattr(value, name))
    elif isinstance(value, list | dict):
        for item in value.values() if isinstance(value, dict) else value:
            yield from references_in(item)


def acceptances(loaded: Loaded) -> Iterator[AcceptedRule]:
    """Accepted rules of an entry and of nested entries. One that encloses several positions is
    found with each.
    """
    for entry, row, label in entries(loaded.fact, loaded.row, loaded.row.path):
        for written in (row.written or (row,)) if entry.accept else ():
            for rule in written.row("accept"):
                place = written.at("accept", rule, key=True)
                yield AcceptedRule(rule, place, written.path or label, *written.extent)


def entries(fact: Any, row: Any, label: str) -> Iterator[tuple[Entry, Row, str]]:
    """A fact and the entries in its fields, each with its row."""
    if not isinstance(fact, Entry) or not isinstance(row, Row):
        return
    yield fact, row, label
    for name in fields_with(type(fact), Entry):
        value, inner = getattr(fact, name), row.get(name)
        if isinstance(value, dict) and isinstance(inner, Row):
            for key, item in value.items():
                yield from entries(item, inner.get(key), f"{label}.{name}.{key}")
        elif isinstance(value, list) and isinstance(inner, list):
            for number, (item, below) in enumerate(zip(value, inner, strict=False)):
                yield from entries(item, below, f"{label}.{name}[{number}]")
