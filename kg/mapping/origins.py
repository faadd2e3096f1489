"""Maps nodes of the graph back to the lines that they come from.

The walker records model, row and steps of every IRI. Only for a problem are the steps followed: to
the field whose term is the path of the problem, and to the position of its value.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from kg.errors import Place, Problem
from kg.facts.models.people import Person
from kg.facts.values.terms import Fact, Join, computed_values
from kg.facts.yaml.rows import Row

Steps = tuple[str | int, ...]
Key = str | int | None  # index or key of an item; None for a single value


class Origin(NamedTuple):
    """Where a node comes from: its model, its row, and the steps from the row to it."""

    model: type[Fact]
    row: Row
    steps: Steps

    def then(self, model: type[Fact], fields: tuple[str, ...], key: Key) -> Origin:
        """The origin of an item in a field; of several fields, the first one written."""
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
        """The name of the entry in messages: `work[2]`, `jain-2020-gems`."""
        return self.row.path

    def fields_for(self, base: str, predicate: str) -> list[str]:
        """The fields of this model that are written and map to the predicate."""
        written = row_at(self)
        found = [
            info.alias or name
            for name, info in self.model.model_fields.items()
            if any(isinstance(mark, Join) and mark.predicate == predicate for mark in info.metadata)
        ]
        for value in computed_values(self.model).values():
            if any(join.predicate == predicate for join in value.joins):
                found += value.field.split()
        return [field for field in dict.fromkeys(found) if field in written]


class RemoteOrigin(NamedTuple):
    """Place and label of an origin in a file that another process has read."""

    place: Place
    label: str


def locate(
    origins: Mapping[str, list[Origin]],
    base: str,
    focus: str,
    path: str | None = None,
    value: str | None = None,
) -> tuple[Place, str] | None:
    """Place and label for a problem of a node: of the property, else of the value, else of the
    node.
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
    """Where a property of a node is written: its value as text or as an item, else the field. If
    several files describe the node, the one with the value.
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
    """Where a value of a node is written, in the fields of the path or in any: as text, as part of
    a text, or as the item it was made from.
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
    """The error for two facts with one IRI: equal ids, or equal content."""
    has_ids = all("id" in row_at(each) for each in (first, second))
    field = "id" if has_ids else differing(second.row, first.row)
    place, other = (
        each.row.at(*each.steps, field) if field else each.place for each in (second, first)
    )
    message = (
        f"{second.label}: this has the same 'id' ({iri.partition('#')[2]}) as {first.label} in "
        f"{other}. Change one of them."
        if has_ids
        else (
            f"{second.label}: duplicate of {first.label} in {other}. Remove one of them. If both "
            "are correct, add a field that differs, or an 'id'."
        )
    )
    return Problem(place, "error", message, "same-address", (other,))


def differing(second: Row, first: Row) -> str | None:
    """The field in which two rows of one entry differ: a year, a date."""
    is_one = second.place == first.place
    return next((name for name in second if is_one and second.at(name) != first.at(name)), None)


def contradiction(
    known: Fact, first: Origin, other: Fact, second: Origin | RemoteOrigin
) -> Problem:
    """The problem of two contradicting mentions of one entity. People share an address only if
    nobody lists their names.
    """
    if isinstance(known, Person) and isinstance(other, Person):
        message = (
            f"{second.label}: {other.name!r} and {known.name!r} would get the same address. Add "
            "both to data/people.yaml."
        )
        return Problem(second.place, "error", message, "unknown-name")
    message = (
        f"{second.label}: this contradicts {first.label} in {first.place} about the same entity. "
        "Correct one of them."
    )
    return Problem(second.place, "warning", message, "contradiction")


def steps_to(written: object, value: str, part: bool = False) -> Steps | None:
    """The steps to a value in a field: as text, as part of a text, or as the key of its address."""
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
    """The mapping at the steps; empty if there is short notation instead."""
    here: object = origin.row
    for step in origin.steps:
        if isinstance(here, Row) and step in here:
            here = here[str(step)]
        elif isinstance(here, list) and isinstance(step, int) and step < len(here):
            here = here[step]
        else:
            return {}
    return here if isinstance(here, Row) else {}
