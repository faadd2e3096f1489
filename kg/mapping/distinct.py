"""Distinct addresses for entries of one document whose keys are equal: two talks at one conference
in one year, one title in two departments.

The earliest keeps the plain address, for what is added later is mostly newer; of several that began
at one time, the first in the list. Another gets a word of a field in which it differs, or a number
where no field makes one. An `id` always holds.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from itertools import chain, count

from kg.facts.loaded import Loaded
from kg.facts.models.base import Entry, fields_with
from kg.facts.values.dates import When
from kg.facts.values.references import Reference
from kg.facts.values.terms import Fact, Unmapped, computed_values
from kg.mapping import iris

BEGINNINGS = ("startDate", "date", "year")
# Fields that tell one entry from another, the best first. An end is none of them: it changes when a
# job ends, and the address would, too.
TELLING = (
    *BEGINNINGS,
    *("title", "name", "unit", "role", "level", "position", "venue", "conference", "organization"),
    *("awarder", "issuer", "work", "area", "kind", "location"),
)
MOST_WORDS = 4  # of a field that becomes part of an address


def tell_apart(
    base: str,
    loaded: Iterable[Loaded],
    ids: frozenset[str],
    hidden: Collection[tuple[str, str]],
) -> dict[int, str]:
    """What joins the keys of entries so that their addresses differ from each other and from those
    that were chosen (`ids`), by the `id()` of each entry. Entries that say the same are left alike.
    No part of an address is made of `hidden` documents.
    """
    sharing: dict[str, list[Loaded]] = defaultdict(list)
    for each in loaded:
        if each.fact.types and each.fact.key != "it" and not own_id(each.fact):
            sharing[address_of(base, each)].append(each)
    taken = {*ids, *sharing}
    added: dict[int, str] = {}
    for address, group in sharing.items():
        if len(group) == 1 and address not in ids:  # as most are
            continue
        ordered = sorted(group, key=beginning)
        first, settled = ordered[0].fact, list[Loaded]()
        for each in ordered:
            same = next((one for one in settled if says_the_same(one.fact, each.fact)), None)
            if same:
                added[id(each)] = added.get(id(same), "")
                continue
            if settled or address in ids:
                words = chain(words_of(each.fact, first, hidden), map(str, count(2)))
                added[id(each)] = word = next(
                    word for word in words if address_of(base, each, word) not in taken
                )
                taken.add(address_of(base, each, word))
            settled.append(each)
    return added


def address_of(base: str, each: Loaded, *words: str) -> str:
    document = iris.document(base, each.kind, each.slug)
    return iris.of(each.fact, document, tokens=(each.row.token, *words))


def chosen_addresses(base: str, loaded: Iterable[Loaded]) -> frozenset[str]:
    """The addresses of entries, and of entries in them, that have an `id`."""
    found = set[str]()
    for each in loaded:
        document = iris.document(base, each.kind, each.slug)
        if own_id(each.fact):
            found.add(iris.of(each.fact, document, tokens=(each.row.token,)))
        found.update(iris.of(one, document) for one in entries_in(each.fact) if own_id(one))
    return frozenset(found)


def entries_in(fact: Fact) -> Iterator[Fact]:
    for field in fields_with(type(fact), Entry):
        items = fact.__dict__.get(field)
        yield from items if isinstance(items, list) else ()


def own_id(fact: Fact) -> str:
    return fact.__dict__.get("id") or ""


def beginning(each: Loaded) -> str:
    values = (each.fact.__dict__.get(field) for field in BEGINNINGS)
    return next((value.iso for value in values if isinstance(value, When)), "")


def words_of(fact: Fact, first: Fact, hidden: Collection[tuple[str, str]]) -> Iterator[str]:
    """The words in which a fact differs from the first."""
    for field in TELLING:
        value = fact.__dict__.get(field)
        is_hidden = isinstance(value, Reference) and (value.kind, value.slug) in hidden
        if value and not is_hidden and value != first.__dict__.get(field):
            word = iris.word(value)
            yield from filter(None, ["-".join(word.split("-")[:MOST_WORDS])])


def says_the_same(one: Fact, other: Fact) -> bool:
    """Whether the same is published of two facts, wherever they were taken from."""
    return type(one) is type(other) and all(
        getattr(one, name) == getattr(other, name) for name in published(type(one))
    )


@cache
def published(model: type[Fact]) -> tuple[str, ...]:
    """The fields and computed values of which triples are made."""
    fields = (
        name
        for name, info in model.model_fields.items()
        if name not in (*Entry.model_fields, *model.from_loader)
        and not any(isinstance(mark, Unmapped) for mark in info.metadata)
    )
    return (*fields, *computed_values(model))
