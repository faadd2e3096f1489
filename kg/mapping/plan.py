"""What a class of fact writes, worked out once: its constant triples as text, and its fields with
their joins.
"""

from __future__ import annotations

from dataclasses import dataclass

from kg.facts.models.base import Entry, Fact
from kg.facts.values.terms import Convert, Join, Kept, said_values
from kg.mapping import iris, ntriples
from kg.vocab import Iri, rdf


@dataclass(frozen=True, slots=True)
class Field:
    """A field or said value: how its items are joined. With no joins at all its parts are only
    walked.
    """

    name: str
    # the field as it stands in the file: a computed value leads to the one it was made from
    written: str
    joins: tuple[tuple[str, str, Convert | None], ...]  # way, predicate in brackets, conversion
    ordered: bool
    plain: bool  # whether the item itself is written, and not only what it converts to
    direct: tuple[str, ...]  # the predicates, where all joins are plain terms


@dataclass(frozen=True, slots=True)
class Plan:
    constants: tuple[str, ...]
    ends: tuple[
        tuple[str, str, bool], ...
    ]  # way, predicate, and whether to the enclosing fact or to what the document is about
    fields: tuple[
        tuple[str, tuple[str, ...], Field], ...
    ]  # name, direct predicates, all of it: the first two are looked at most
    said: tuple[Field, ...]


def make(model: type[Fact], base: str) -> Plan:
    def node(value: Iri | str) -> str:
        return (
            f"<{iris.resolve(base, value)}>" if isinstance(value, Iri) else ntriples.literal(value)
        )

    def field(name: str, written: str, joins: tuple[Join, ...]) -> Field:
        plain = tuple((join.way, node(join.predicate), join.as_) for join in joins)
        ordered, unconverted = (
            any(join.way == "ordered" for join in joins),
            not joins or any(join.as_ is None for join in joins),
        )
        direct = tuple(
            predicate for way, predicate, convert in plain if way == "term" and convert is None
        )
        return Field(
            name, written, plain, ordered, unconverted, direct if len(direct) == len(plain) else ()
        )

    constants = [f"{node(rdf.type)} {node(kind)}" for kind in model.types]
    constants += [f"{node(predicate)} {node(value)}" for predicate, value in model.fixed.items()]
    fields = [
        field(
            name,
            info.alias or name,
            tuple(mark for mark in info.metadata if isinstance(mark, Join)),
        )
        for name, info in model.model_fields.items()
        if walked(info.metadata, name)
    ]
    said = [
        field(name, value.field.partition(" ")[0], value.joins)
        for name, value in said_values(model).items()
    ]
    ends = [(join.way, node(join.predicate), False) for join in model.of]
    if model.within:
        ends.append((model.within.way, node(model.within.predicate), True))
    quick = tuple((each.name, each.direct, each) for each in fields)
    return Plan(tuple(constants), tuple(ends), quick, tuple(said))


def walked(metadata: list[object], name: str) -> bool:
    """A field without a join is a part that is only walked, unless it is kept back or one of those
    every entry may carry.
    """
    if any(isinstance(mark, Join) for mark in metadata):
        return True
    return name not in Entry.model_fields and not any(isinstance(mark, Kept) for mark in metadata)
