"""From a triple of a query's patterns to the thing that the query is about: the way that leads there, pattern by pattern.

Each way is made of patterns that hold together, so whoever's answer can be touched by a triple is found by going that way from it.
Alternatives (UNION) have a way each. Where there is none, as by a FILTER only, anybody's answer may be touched.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import count, product
from typing import Any, TypeAlias

from rdflib import URIRef, Variable
from rdflib.paths import AlternativePath, InvPath, MulPath, SequencePath
from rdflib.plugins.sparql import prepareQuery
from rdflib.plugins.sparql.algebra import translateGroupGraphPattern, traverse
from rdflib.plugins.sparql.parserutils import CompValue
from rdflib.term import Node

from kg.vocab import prefixes

MOST = 64  # alternatives
Steps: TypeAlias = "tuple[Edge, ...]"


class Unknown(Exception):
    """A query of which this cannot be told."""


@dataclass(frozen=True)
class Edge:
    """From one node to the next: along properties, against those that are `inverse`; any property where there are none. `is_closed`:
    any number of times. `to_graph` and `from_graph` are the steps between a thing and its document."""

    links: frozenset[tuple[str, bool]] = frozenset()
    is_any: bool = False
    is_closed: bool = False
    to_graph: bool = False
    from_graph: bool = False

    def turned(self) -> Edge:
        links = frozenset((predicate, not inverse) for predicate, inverse in self.links)
        return Edge(links, self.is_any, self.is_closed, self.from_graph, self.to_graph) if not self.is_any else AGAINST_ANY


ALONG_ANY, AGAINST_ANY = Edge(is_any=True), Edge(frozenset({("", True)}), is_any=True)
TO_GRAPH = Edge(to_graph=True)


@dataclass(frozen=True)
class Pattern:
    subject: Node
    edge: Edge
    object: Node
    graph: Node | None = None


@dataclass(frozen=True)
class Way:
    """What a triple must be to be seen through a pattern, and how to come from it to the thing: beginning at its subject, its object or
    its document. No `steps`: to anything."""

    pattern: Pattern
    begin: str
    steps: Steps | None


Together = frozenset[Pattern]


@cache
def ways(query: str, base: str, thing: str) -> tuple[Way, ...] | None:
    """The ways of all patterns to what `?thing` stands for; None where they cannot be told."""
    try:
        algebra = prepareQuery(query, initNs=prefixes(base), base=base).algebra
        if algebra.get("datasetClause"):
            return None
        reader = Reader()
        reader.read(algebra.p, [frozenset()], {}, None)
    except (Unknown, AttributeError, KeyError, NotImplementedError):
        return None
    return tuple(way(pattern, together, Variable(thing)) for pattern, together in dict.fromkeys(reader.found))


class Reader:
    """Collects the patterns of a query, each with all those that must hold wherever it matters."""

    def __init__(self) -> None:
        self.found: list[tuple[Pattern, Together]] = []
        self.fresh = count()

    def read(self, node: CompValue, around: list[Together], names: dict[Node, Node], graph: Node | None) -> list[Together]:
        """Notes the patterns of a part; `around` are the alternatives of what holds beside it. Gives those of what holds in it."""
        match node.name:
            case "BGP":
                own = frozenset(each for triple in node.triples for each in self.patterns(triple, names, graph))
                self.found += [(pattern, own | beside) for pattern in own for beside in around]
                return [own]
            case "Join":
                first, second = self.quietly(node.p1, names, graph), self.quietly(node.p2, names, graph)
                self.read(node.p1, both(around, second), names, graph)
                self.read(node.p2, both(around, first), names, graph)
                return both(first, second)
            case "LeftJoin" | "Minus":
                first = self.read(node.p1, around, names, graph)
                second = self.read(node.p2, both(around, first), names, graph)
                self.exists(node.get("expr"), both(both(around, first), second), names, graph)
                return first
            case "Union":
                return self.read(node.p1, around, names, graph) + self.read(node.p2, around, names, graph)
            case "Filter" | "Extend":
                inner = self.read(node.p, around, names, graph)
                self.exists(node.expr, both(around, inner), names, graph)
                return inner
            case "Graph":
                return self.read(node.p, around, names, names.get(node.term, node.term))
            case "ToMultiSet" if "res" in node.p or node.p.name == "values":
                return [frozenset()]
            case "ToMultiSet":
                return self.selected(node.p, around, names, graph)
            case "Project" | "OrderBy" | "Distinct" | "Reduced" | "Group" | "AggregateJoin" | "Slice":
                return self.read(node.p, around, names, graph)
            case "values":
                return [frozenset()]
        raise Unknown(node.name)

    def quietly(self, node: CompValue, names: dict[Node, Node], graph: Node | None) -> list[Together]:
        kept, self.found = self.found, []
        found = self.read(node, [frozenset()], names, graph)
        self.found = kept
        return found

    def selected(self, node: CompValue, around: list[Together], names: dict[Node, Node], graph: Node | None) -> list[Together]:
        """A query in the query: only what it gives is known outside. With a LIMIT, what it gives for one hangs on all others."""
        shown = node
        while shown.name != "Project":
            if shown.name == "Slice":
                raise Unknown
            shown = shown.p
        number = next(self.fresh)
        hidden = {each: Variable(f"{each}.{number}") for each in node.get("_vars", ()) if each not in shown.PV}
        return self.read(shown.p, around, {**names, **hidden}, graph)

    def exists(self, expression: Any, around: list[Together], names: dict[Node, Node], graph: Node | None) -> None:
        """The patterns of EXISTS and NOT EXISTS in an expression."""
        groups: list[CompValue] = []

        def note(part: Any) -> None:
            if isinstance(part, CompValue) and part.name in ("Builtin_EXISTS", "Builtin_NOTEXISTS"):
                groups.append(part.graph)

        if expression is not None:
            traverse(expression, visitPre=note)
        for group in groups:
            inner = translateGroupGraphPattern(group) if group.name == "GroupGraphPatternSub" else group
            self.read(inner, around, names, graph)

    def patterns(self, triple: tuple[Node, Any, Node], names: dict[Node, Node], graph: Node | None) -> Iterator[Pattern]:
        subject, predicate, value = (names.get(term, term) for term in triple)
        steps = list(predicate.args) if isinstance(predicate, SequencePath) else [predicate]
        for number, step in enumerate(steps, 1):
            after = value if number == len(steps) else Variable(f".{subject}.{predicate}.{value}.{number}")
            yield Pattern(subject, edge(step), after, graph)
            subject = after


def both(one: list[Together], other: list[Together]) -> list[Together]:
    if len(one) * len(other) > MOST:
        raise Unknown
    return [first | second for first, second in product(one, other)]


def edge(predicate: Any) -> Edge:
    if isinstance(predicate, Variable):
        return ALONG_ANY
    if isinstance(predicate, MulPath):
        inner = edge(predicate.path)
        if inner.is_any or inner.is_closed:
            raise Unknown
        return Edge(inner.links, is_closed=True)
    return Edge(frozenset(links(predicate)))


def links(predicate: Any) -> Iterator[tuple[str, bool]]:
    match predicate:
        case AlternativePath():
            for each in predicate.args:
                yield from links(each)
        case InvPath():
            yield from ((name, not inverse) for name, inverse in links(predicate.arg))
        case URIRef():
            yield str(predicate), False
        case _:
            raise Unknown


def way(pattern: Pattern, together: Together, thing: Variable) -> Way:
    """The shortest way from a pattern to the thing, over variables only."""
    after: dict[Node, list[tuple[Node, Edge]]] = {}
    for each in together | {pattern}:
        steps = [(each.subject, each.edge, each.object)] + ([(each.subject, TO_GRAPH, each.graph)] if each.graph is not None else [])
        for here, step, there in steps:
            if isinstance(here, Variable) and isinstance(there, Variable):
                after.setdefault(here, []).append((there, step))
                after.setdefault(there, []).append((here, step.turned()))
    ends = [("subject", pattern.subject), ("object", pattern.object), ("graph", pattern.graph)]
    waiting = deque((node, begin, ()) for begin, node in ends if isinstance(node, Variable))
    seen = {node for node, _, _ in waiting}
    while waiting:
        node, begin, steps_so_far = waiting.popleft()
        if node == thing:
            return Way(pattern, begin, steps_so_far)
        for there, step in sorted(after.get(node, []), key=str):
            if there not in seen:
                seen.add(there)
                waiting.append((there, begin, (*steps_so_far, step)))
    return Way(pattern, "subject", None)
