"""The way back: from a node of the graph to the line that says it.

The walker keeps, for every IRI, the class, the row and the steps to it. Only when there is a
problem are the steps followed: to the field of that class whose term is the problem's path, and
from there to the place of its value.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from kg.errors import Place, Problem
from kg.facts.models.base import Entry
from kg.facts.models.people import Person
from kg.facts.values.terms import Fact, Join, computed_values
from kg.facts.yaml.rows import Row
from kg.mapping import iris

Steps = tuple[str | int, ...]
Key = str | int | None  # of an item of a list or mapping; None where there is but one value

LONGEST_END = 60  # characters behind the `#` of an address that need no hint


class Origin(NamedTuple):
    """Where a node came from: its class, the row, and the fields and numbers on the way from the
    row to it.
    """

    model: type[Fact]
    row: Row
    steps: Steps

    def then(self, model: type[Fact], fields: tuple[str, ...], key: Key) -> Origin:
        """Where the item with that key of that field came from; of several fields, the first that
        is written.
        """
        field = fields[0]
        if len(fields) > 1:
            written = row_at(self) if self.steps else self.row
            field = next((name for name in fields if name in written), field)
        steps = (*self.steps, field) if key is None else (*self.steps, field, key)
        return Origin(model, self.row, steps)

    @property
    def place(self) -> Place:
        return self.row.at(*self.steps)

    @property
    def label(self) -> str:
        """How the author would name it: `work[2]`, `jain-2020-gems`."""
        return self.row.path

    def fields_for(self, base: str, predicate: str) -> list[str]:
        """The fields of this class that the predicate comes from, and that are written."""
        written = row_at(self)
        found = [
            info.alias or name
            for name, info in self.model.model_fields.items()
            if any(
                isinstance(mark, Join) and iris.resolve(base, mark.predicate) == predicate
                for mark in info.metadata
            )
        ]
        for value in computed_values(self.model).values():
            if any(iris.resolve(base, join.predicate) == predicate for join in value.joins):
                found += value.field.split()
        return [field for field in dict.fromkeys(found) if field in written]


class Remark(NamedTuple):
    """The place and the label of an origin in a file that another process has read."""

    place: Place
    label: str


def locate(
    origins: Mapping[str, list[Origin]],
    base: str,
    focus: str,
    path: str | None = None,
    value: str | None = None,
) -> tuple[Place, str] | None:
    """The place and the label for a finding about a node: of what it says there, else of the value
    itself, else of the node.
    """
    if path and (found := locate_property(origins, base, focus, path, value)):
        return found
    known = origins.get(value or "", []) if path else []
    return next(
        ((origin.place, origin.label) for origin in (*known, *origins.get(focus, []))), None
    )


def locate_property(
    origins: Mapping[str, list[Origin]], base: str, focus: str, path: str, value: str | None = None
) -> tuple[Place, str] | None:
    """Where a node's property is written: the value in its field, be it as text or as the item that
    it was made of, else the field. Several files may speak of one node; the one that says the value
    is shown.
    """
    if value and (found := locate_value(origins, base, focus, value, path)):
        return found
    return next(
        (
            (origin.row.at(*origin.steps, field), origin.label)
            for origin in origins.get(focus, [])
            for field in origin.fields_for(base, path)[:1]
        ),
        None,
    )


def locate_value(
    origins: Mapping[str, list[Origin]],
    base: str,
    focus: str,
    value: str,
    path: str | None = None,
    part: bool = False,
) -> tuple[Place, str] | None:
    """Where a node's value is written, in the fields of the path or in any: as text, as a part of
    one, or as the item that the value was made of.
    """
    for origin in origins.get(focus, []):
        fields = origin.fields_for(base, path) if path else row_at(origin)
        for field in fields:
            before = (*origin.steps, field)
            if (steps := steps_to(row_at(origin)[field], value, part)) is not None:
                return origin.row.at(*before, *steps), origin.label
            for made in origins.get(value, []):
                if made.row.place == origin.row.place and made.steps[: len(before)] == before:
                    return made.place, origin.label
    return None


def same_address(iri: str, first: Origin, second: Origin) -> Problem:
    """Two facts that would get one IRI: their ids are equal, or they say the same."""
    has_ids = all("id" in row_at(each) for each in (first, second))
    field = "id" if has_ids else differing(second.row, first.row)
    place, other = (
        each.row.at(*each.steps, field) if field else each.place for each in (second, first)
    )
    message = (
        f"{second.label}: this has the same 'id' ({iri.partition('#')[2]}) as {first.label} in "
        f"{other}. Write another 'id' in one of them."
        if has_ids
        else f"{second.label}: this says the same as {first.label} in {other}. Remove one of them. "
        "If both are true, add what tells them apart, or an 'id'."
    )
    return Problem(place, "error", message, "same-address", (other,))


def differing(second: Row, first: Row) -> str | None:
    """The field in which two rows differ that were made of one entry: a year, a date."""
    is_one = second.place == first.place
    return next((name for name in second if is_one and second.at(name) != first.at(name)), None)


def long_address(iri: str, origin: Origin) -> Problem | None:
    """A hint for an entry whose address nobody would copy by hand; only entries have an `id`."""
    length = len(iri) - iri.find("#") - 1
    if length <= LONGEST_END or not issubclass(origin.model, Entry):
        return None
    place = origin.row.at("id") if "id" in origin.row else origin.place
    message = (
        f"{origin.label}: the end of this address has {length} characters. Give it a short 'id' "
        "before it is published."
    )
    return Problem(place, "info", message, "long-address")


def contradiction(known: Fact, first: Origin, other: Fact, second: Origin | Remark) -> Problem:
    """Two mentions of one thing that contradict each other. People have an address in common only
    where nobody lists their names.
    """
    if isinstance(known, Person) and isinstance(other, Person):
        message = (
            f"{second.label}: Who is {other.name!r}? Nobody lists this name, and {known.name!r} "
            "would get the same address. Register both."
        )
        return Problem(second.place, "error", message, "unknown-name")
    message = (
        f"{second.label}: this contradicts {first.label} in {first.place}, which speaks of the "
        "same. Correct one of them."
    )
    return Problem(second.place, "warning", message, "contradiction")


def steps_to(written: object, value: str, part: bool = False) -> Steps | None:
    """Where in a field a value stands: as text, as a part of a text, or as the key of what it is
    the address of.
    """
    if isinstance(written, str):
        text = written.strip()
        ends = (f"/{text}", f"/{text}#it")  # of a profile or file, and of an entry
        is_it = text == value or (part and value in text) or (text and value.endswith(ends))
        return () if is_it else None
    items = (
        written.items()
        if isinstance(written, dict)
        else enumerate(written)
        if isinstance(written, list)
        else ()
    )
    found = ((key, steps_to(item, value, part)) for key, item in items)
    return next(((key, *steps) for key, steps in found if steps is not None), None)


def row_at(origin: Origin) -> Mapping[str, object]:
    """The mapping the steps lead to; empty where a short form stands instead."""
    here: object = origin.row
    for step in origin.steps:
        if isinstance(here, Row) and step in here:
            here = here[str(step)]
        elif isinstance(here, list) and isinstance(step, int) and step < len(here):
            here = here[step]
        else:
            return {}
    return here if isinstance(here, Row) else {}
