"""Whose answers can a difference between two graphs change? Walks from the changed triples to the
things that depend on them, in both graphs at once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property

from pyoxigraph import Literal, NamedNode, Quad, RdfFormat, parse

from kg.check.impact.dependencies import Dependency, dependencies
from kg.check.impact.patterns import ANY, DOCUMENT, Edge
from kg.mapping import iris
from kg.store.memory import Memory
from kg.vocab import rdf, schema

MOST = 2000  # nodes; to ask about more takes as long as to ask about all
Term = NamedNode | Literal


class AnyThing(Exception):
    """Everything may depend on a change: too many nodes do, or a blank node leads on."""


class Difference:
    """What changed from an old graph to the one in memory; `lines` are those that only one of the
    two has.
    """

    def __init__(self, memory: Memory, lines: Iterable[str]) -> None:
        self.memory = memory
        self.quads = list(parse("\n".join(lines), format=RdfFormat.N_QUADS, lenient=True))
        self.known: dict[tuple[str, str, bool], frozenset[str] | None] = {}
        self.walked: dict[tuple[Term, Edge], set[Term]] = {}
        self.by_predicate: dict[str, list[Quad]] = defaultdict(list, {ANY: self.quads})
        # By both their ends: triples that are gone can be walked only here.
        self.by_end: dict[object, list[Quad]] = defaultdict(list)
        for quad in self.quads:
            self.by_predicate[quad.predicate.value].append(quad)
            for end in {quad.subject, quad.object}:
                self.by_end[end].append(quad)

    @cached_property
    def subjects(self) -> frozenset[str]:
        """The things of which something else is said now."""
        return frozenset(subjects_of(self.quads))

    @cached_property
    def documents(self) -> frozenset[str]:
        return frozenset(map(iris.document_of, self.subjects))

    @cached_property
    def named(self) -> frozenset[str]:
        """The things whose class or name is another now."""
        return frozenset(
            subjects_of([*self.by_predicate[rdf.type], *self.by_predicate[schema.name]])
        )

    def concerns(self, query: str) -> bool:
        """Whether the query can have another answer now."""
        found = dependencies(query, self.memory.base, "")
        return found is None or any(map(self.beginnings, found))

    def affected(self, query: str, thing: str, is_bound: bool = True) -> frozenset[str] | None:
        """The things for which a query about `?thing` can have another answer now; None: any."""
        key = query, thing, is_bound
        if key not in self.known:  # which is looked up for every page
            try:
                self.known[key] = frozenset(self.walk_all(*key))
            except AnyThing:
                self.known[key] = None
        return self.known[key]

    def walk_all(self, query: str, thing: str, is_bound: bool) -> set[str]:
        found = dependencies(query, self.memory.base, thing, is_bound)
        if found is None:
            raise AnyThing
        affected: set[Term] = set()
        for each in found:
            begun = self.beginnings(each)
            if begun and each.steps is None:
                raise AnyThing
            affected |= self.walk(terms(begun), each)
        if not is_bound and any(isinstance(each, Literal) for each in affected):
            raise AnyThing  # for a text cannot be given to a query
        return {each.value for each in affected}

    def beginnings(self, dependency: Dependency) -> set[object]:
        """Where the steps begin at the changed triples that fit the pattern."""
        pattern, found = dependency.pattern, set[object]()
        pattern_ends = pattern.subject, pattern.object
        for predicate, inverse in pattern.edge.links:
            for quad in self.by_predicate.get(predicate, ()):
                ends = (quad.object, quad.subject) if inverse else (quad.subject, quad.object)
                if pattern.edge.is_closed or all(map(fits, pattern_ends, ends)):
                    starts = {"subject": ends[0], "object": ends[1], "graph": document_of(quad)}
                    found.add(starts[dependency.start])
        return found

    def walk(self, nodes: set[Term], dependency: Dependency) -> set[Term]:
        edge = dependency.pattern.edge
        if edge.is_closed:  # the triple may be anywhere on a path of many steps
            nodes = self.after(nodes, edge.reversed() if dependency.start == "subject" else edge)
        for step in dependency.steps or ():
            nodes = self.after(nodes, step)
        return nodes

    def after(self, nodes: set[Term], edge: Edge) -> set[Term]:
        found = set(nodes) if edge.is_closed else set()
        while nodes:
            new: set[Term] = set()
            for node in nodes:
                if (node, edge) not in self.walked:
                    self.walked[node, edge] = self.step(node, edge)
                new |= self.walked[node, edge]
                if len(new) > MOST:
                    raise AnyThing
            nodes = new - found if edge.is_closed else set()
            found |= new
        return found

    def step(self, node: Term, edge: Edge) -> set[Term]:
        found: set[Term] = set()
        for predicate, inverse in edge.links:
            if isinstance(node, Literal) and not (inverse and predicate != DOCUMENT):
                continue  # a text is no subject, and no document
            if predicate == DOCUMENT and not inverse:
                found.add(NamedNode(iris.document_of(node.value)))
                continue
            if predicate == DOCUMENT:
                quads = [*self.memory.quads(node.value), *self.quads]
                quads = [quad for quad in quads if document_of(quad) == node]
            else:
                named = NamedNode(predicate) if predicate else None
                pattern = (None, named, node) if inverse else (node, named, None)
                quads = [*self.memory.store.quads_for_pattern(*pattern)]
                quads += [each for each in self.by_end[node] if named in (None, each.predicate)]
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


def subjects_of(quads: Iterable[Quad]) -> Iterator[str]:
    return (quad.subject.value for quad in quads if isinstance(quad.subject, NamedNode))


def document_of(quad: Quad) -> object:
    subject = quad.subject
    return NamedNode(iris.document_of(subject.value)) if isinstance(subject, NamedNode) else subject


def fits(end: str, term: object) -> bool:
    """Whether a term can be at the end of a pattern; in doubt it can."""
    if end.startswith("<"):
        return str(term) == end
    return end.startswith("?") or isinstance(term, Literal)
