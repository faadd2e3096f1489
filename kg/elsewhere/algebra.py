"""The parts of a query, as rdflib reads it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pyoxigraph import BlankNode, Literal, NamedNode
from rdflib.plugins.sparql.algebra import translateGroupGraphPattern
from rdflib.plugins.sparql.parserutils import CompValue
from rdflib.term import Literal as RdflibLiteral
from rdflib.term import Node, URIRef, Variable

from kg.store.protocol import Term
from kg.vocab import rdf

TYPE = URIRef(rdf.type)


def effort(pattern: Any) -> int:
    """How much there is to begin with where nothing is known: least with one object, most with all
    of a predicate.
    """
    _, way, object = pattern
    if isinstance(object, Variable):
        return 3
    return 2 if isinstance(object, RdflibLiteral) else 1 if way == TYPE else 0


def term_of(node: Node) -> Term:
    if isinstance(node, URIRef):
        return NamedNode(str(node))
    if isinstance(node, RdflibLiteral):
        if node.language:
            return Literal(str(node), language=node.language)
        return (
            Literal(str(node), datatype=NamedNode(str(node.datatype)))
            if node.datatype
            else Literal(str(node))
        )
    return BlankNode(str(node))


def joined(part: CompValue) -> Iterator[CompValue]:
    if part.name != "Join":
        yield part
    else:
        yield from joined(part.p1)
        yield from joined(part.p2)


def children(value: Any) -> Iterator[CompValue]:
    """The parts directly within a part."""
    for each in (
        value.values()
        if isinstance(value, CompValue)
        else value
        if isinstance(value, list | tuple)
        else ()
    ):
        if isinstance(each, CompValue):
            yield each
        elif isinstance(each, list | tuple):
            yield from (inner for inner in each if isinstance(inner, CompValue))


def patterns_in(part: CompValue) -> Iterator[Any]:
    if part.name == "BGP":
        yield from part.triples
    for each in children(part):
        yield from patterns_in(each)


def subjects_in(part: CompValue) -> set[str]:
    return {str(subject) for subject, *_ in patterns_in(part) if isinstance(subject, Variable)}


def groups_in(expression: Any) -> Iterator[CompValue]:
    if not isinstance(expression, CompValue):
        return
    if expression.name in ("Builtin_EXISTS", "Builtin_NOTEXISTS"):
        group = expression.graph
        yield (
            translateGroupGraphPattern(group)
            if group.name.startswith("GroupGraphPattern")
            else group
        )
    for each in children(expression):
        yield from groups_in(each)


def narrowed(part: CompValue) -> set[str]:
    """The variables of a query within that may be narrowed from outside without changing what it
    says of the rest.
    """
    names, inner = set(map(str, part.PV)) if "PV" in part else set(), part
    while isinstance(inner, CompValue):
        if inner.name == "Slice":
            return set()
        if inner.name == "Project":
            names = set(map(str, inner.PV))
        if inner.name == "Group":
            return names & {str(each) for each in inner.expr or () if isinstance(each, Variable)}
        inner = inner.get("p")
    return names
