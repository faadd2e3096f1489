"""Whose answers can a difference between two graphs change? Walks from the changed triples to the
things that depend on them, in both graphs at once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Set
from functools import cached_property

from pyoxigraph import Literal, NamedNode, Quad, RdfFormat, parse

from kg.check.impact.dependencies import Dependency, Pattern, dependencies
from kg.check.impact.diff import Change, read
from kg.check.impact.patterns import Edge
from kg.mapping import iris
from kg.store.memory import Memory
from kg.vocab import rdf, schema

MOST = 5000  # nodes; where more depend on a change, they are not listed
Term = NamedNode | Literal


class AnyThing(Exception):
    """Everything may depend on a change: too many nodes do, or a blank node leads on."""


class Difference:
    """What changed from an old graph to the one in memory; `lines` are those that only one of the
    two has.
    """

    def __init__(self, memory: Memory, lines: Iterable[str]) -> None:
        self.memory = memory
        self.lines = list(lines)
        self.known: dict[tuple[str, str], frozenset[str] | None] = {}
        self.walked: dict[tuple[Term, Edge], frozenset[Term]] = {}

    @cached_property
    def changes(self) -> list[Change]:
        return read(self.lines)

    @cached_property
    def quads(self) -> list[Quad]:
        return list(parse("\n".join(self.lines), format=RdfFormat.N_QUADS, lenient=True))

    @cached_property
    def by_predicate(self) -> dict[str, list[Quad]]:
        found: dict[str, list[Quad]] = defaultdict(list)
        for quad in self.quads:
            found[quad.predicate.value].append(quad)
        return found

    @cached_property
    def by_end(self) -> dict[Term, list[Quad]]:
        """The changed triples by both their ends; those that are gone can be walked only here."""
        found: dict[Term, list[Quad]] = defaultdict(list)
        for quad in self.quads:
            for end in {quad.subject, quad.object}:
                if isinstance(end, Term):
                    found[end].append(quad)
        return found

    @cached_property
    def documents(self) -> frozenset[str]:
        """The documents that say something else now."""
        return frozenset(iris.document_of(change.subject) for change in self.changes)

    @cached_property
    def named(self) -> frozenset[str]:
        """The things whose class or name is another now."""
        return frozenset(
            change.subject for change in self.changes if change.predicate in (rdf.type, schema.name)
        )

    def concerns(self, query: str) -> bool:
        """Whether the query can have another answer now."""
        found = dependencies(query, self.memory.base, "")
        return found is None or any(next(self.seen(each.pattern), None) for each in found)

    def touched(self, query: str, thing: str) -> Set[str] | None:
        """The things for which a query about `?thing` can have another answer now; None: all."""
        try:
            return self.known[query, thing]  # which is looked up for every page
        except KeyError:
            found = self.affected(query, thing)
            self.known[query, thing] = (
                found if found is None else frozenset(term.value for term in found)
            )
            return self.known[query, thing]

    def affected(self, query: str, thing: str, is_bound: bool = True) -> set[Term] | None:
        found = dependencies(query, self.memory.base, thing, is_bound)
        if found is None:
            return None
        affected: set[Term] = set()
        try:
            for each in found:
                begun = {end for quad in self.seen(each.pattern) for end in ends(each, quad)}
                if begun and each.steps is None:
                    return None
                affected |= self.walk(begun, each)
        except AnyThing:
            return None
        return affected

    def seen(self, pattern: Pattern) -> Iterator[Quad]:
        """The changed triples that fit a pattern."""
        if pattern.edge.is_any:
            return (quad for quad in self.quads if is_seen(quad, pattern))
        predicates = {predicate for predicate, _ in pattern.edge.links}
        return (
            quad
            for predicate in predicates
            for quad in self.by_predicate.get(predicate, ())
            if is_seen(quad, pattern)
        )

    def walk(self, nodes: set[Term], dependency: Dependency) -> set[Term]:
        edge = dependency.pattern.edge
        if edge.is_closed:  # the triple may be anywhere on a path of many steps
            nodes = self.closure(nodes, edge.reversed() if dependency.start == "subject" else edge)
        for step in dependency.steps or ():
            nodes = self.closure(nodes, step) if step.is_closed else self.after(nodes, step)
        return nodes

    def closure(self, nodes: set[Term], edge: Edge) -> set[Term]:
        found, new = set(nodes), nodes
        while new:
            new = self.after(new, edge) - found
            found |= new
        return found

    def after(self, nodes: set[Term], edge: Edge) -> set[Term]:
        found: set[Term] = set()
        for node in nodes:
            if (node, edge) not in self.walked:
                self.walked[node, edge] = frozenset(self.step(node, edge))
            found |= self.walked[node, edge]
            if len(found) > MOST:
                raise AnyThing
        return found

    def step(self, node: Term, edge: Edge) -> set[Term]:
        if edge.to_graph or edge.from_graph:
            if not isinstance(node, NamedNode):
                return set()
            if edge.to_graph:
                return {NamedNode(iris.document_of(node.value))}
            quads = [*self.memory.quads(node.value), *self.quads]
            return terms(quad.subject for quad in quads if document_of(quad) == node.value)
        found: set[Term] = set()
        links = edge.links if not edge.is_any else {("", bool(edge.links))}
        for predicate, inverse in links:
            along = NamedNode(predicate) if predicate else None
            here, there = (None, node) if inverse else (node, None)
            if here is None or isinstance(here, NamedNode):
                quads = [*self.memory.store.quads_for_pattern(here, along, there)]
                quads += [
                    quad
                    for quad in self.by_end.get(node, [])
                    if along is None or quad.predicate == along
                ]
                found |= terms(quad.subject if inverse else quad.object for quad in quads)
        return found


def terms(found: Iterable[object]) -> set[Term]:
    """Blank nodes have other names in another graph, so where they lead is unknown."""
    result: set[Term] = set()
    for term in found:
        if not isinstance(term, Term):
            raise AnyThing
        result.add(term)
    return result


def ends(dependency: Dependency, quad: Quad) -> set[Term]:
    """Where the steps begin at a triple; at both its ends, where a property may be meant in either
    direction.
    """
    if dependency.start == "graph":
        return {NamedNode(document_of(quad))}
    edge, is_forward = dependency.pattern.edge, dependency.start == "subject"
    directions = (
        {False}
        if edge.is_any
        else {inverse for predicate, inverse in edge.links if predicate == quad.predicate.value}
    )
    return terms(quad.subject if is_forward != each else quad.object for each in directions)


def document_of(quad: Quad) -> str:
    return iris.document_of(quad.subject.value) if isinstance(quad.subject, NamedNode) else ""


def is_seen(quad: Quad, pattern: Pattern) -> bool:
    """Whether a triple fits a pattern, whatever its variables stand for."""
    edge = pattern.edge
    if edge.is_any:
        return fits(pattern.subject, quad.subject) and fits(pattern.object, quad.object)
    for predicate, inverse in edge.links:
        if predicate == quad.predicate.value:
            here, there = (quad.object, quad.subject) if inverse else (quad.subject, quad.object)
            if edge.is_closed or (fits(pattern.subject, here) and fits(pattern.object, there)):
                return True
    return False


def fits(end: str, term: object) -> bool:
    """In doubt it does."""
    if end.startswith("<"):
        return isinstance(term, NamedNode) and term.value == end[1:-1]
    return end.startswith("?") or isinstance(term, Literal)
