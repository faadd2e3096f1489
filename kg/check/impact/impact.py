"""Whose answers can a difference between two graphs touch? Walked from the triples that changed, as
`ways` says, in both graphs at once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Set
from functools import cached_property

from pyoxigraph import Literal, NamedNode, Quad, RdfFormat, parse

from kg.check.impact.dependencies import Edge, Pattern, Told, Way
from kg.check.impact.diff import Change, read
from kg.check.impact.patterns import names_in
from kg.mapping import iris
from kg.store.memory import Memory
from kg.vocab import rdf, schema

MOST = 5000  # nodes on a way; where there are more, it is no use to tell which
Term = NamedNode | Literal


class TooMany(Exception):
    """So many that all may be meant."""


class Difference:
    """What changed from an old graph to the one in memory; `lines` are those that only one of the
    two has.
    """

    def __init__(self, memory: Memory, lines: Iterable[str], told: Told) -> None:
        self.memory, self.told = memory, told
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
    def beside(self) -> dict[Term, list[Quad]]:
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
        names = names_in(query, self.memory.base)
        return any(change.concerns(names) for change in self.changes)

    def touched(self, query: str, thing: str) -> Set[str] | None:
        """The things for which a query about `?thing` may be answered otherwise now; None: all of
        them.
        """
        try:
            return self.known[query, thing]  # which is asked for every page
        except KeyError:
            self.known[query, thing] = (
                self.found(query, thing) if self.concerns(query) else frozenset()
            )
            return self.known[query, thing]

    def found(self, query: str, thing: str) -> frozenset[str] | None:
        told = self.told.of(query, self.memory.base, thing)
        if told is None:
            return None
        found: set[Term] = set()
        try:
            for way in told:
                begun = {
                    end
                    for quad in self.quads
                    if is_seen(quad, way.pattern)
                    for end in ends(way, quad)
                }
                if begun and way.steps is None:
                    return None
                found |= self.walk(begun, way)
        except TooMany:
            return None
        return frozenset(term.value for term in found)

    def walk(self, nodes: set[Term], way: Way) -> set[Term]:
        if (
            way.pattern.edge.is_closed
        ):  # the triple may be anywhere on a way of many steps, and these begin or end at the node
            edge = way.pattern.edge.turned() if way.begin == "subject" else way.pattern.edge
            nodes = self.to_the_end(nodes, edge)
        for step in way.steps or ():
            nodes = self.to_the_end(nodes, step) if step.is_closed else self.after(nodes, step)
        return nodes

    def to_the_end(self, nodes: set[Term], edge: Edge) -> set[Term]:
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
                raise TooMany
        return found

    def step(self, node: Term, edge: Edge) -> set[Term]:
        if edge.to_graph or edge.from_graph:
            if not isinstance(node, NamedNode):
                return set()
            if edge.to_graph:
                return {NamedNode(iris.document_of(node.value))}
            quads = [*self.memory.quads(node.value), *self.quads]
            return {
                quad.subject
                for quad in quads
                if isinstance(quad.subject, NamedNode) and document_of(quad) == node.value
            }
        found: set[Term] = set()
        links = edge.links if not edge.is_any else {("", bool(edge.links))}
        for predicate, inverse in links:
            along = NamedNode(predicate) if predicate else None
            here, there = (None, node) if inverse else (node, None)
            if here is None or isinstance(here, NamedNode):
                quads = [*self.memory.store.quads_for_pattern(here, along, there)]
                quads += [
                    quad
                    for quad in self.beside.get(node, [])
                    if along is None or quad.predicate == along
                ]
                ends = (quad.subject if inverse else quad.object for quad in quads)
                found |= {end for end in ends if isinstance(end, Term)}
        return found


def ends(way: Way, quad: Quad) -> set[Term]:
    """Where a way begins at a triple; at both its ends, where a property may be meant in either
    direction.
    """
    if way.begin == "graph":
        return {NamedNode(document_of(quad))}
    links, forward = way.pattern.edge.links, way.begin == "subject"
    turned = (
        {inverse for predicate, inverse in links if predicate == quad.predicate.value}
        if not way.pattern.edge.is_any
        else {False}
    )
    found = (quad.subject if forward != inverse else quad.object for inverse in turned)
    return {end for end in found if isinstance(end, Term)}


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


def fits(said: str, term: object) -> bool:
    """In doubt it does."""
    if said.startswith("<"):
        return isinstance(term, NamedNode) and term.value == said[1:-1]
    return said.startswith("?") or isinstance(term, Literal)
