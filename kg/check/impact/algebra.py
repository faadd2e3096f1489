"""Reads the ways of a query, from rdflib's algebra of it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import count, product
from typing import Any

from rdflib import URIRef, Variable
from rdflib.paths import AlternativePath, InvPath, MulPath, SequencePath
from rdflib.plugins.sparql import prepareQuery
from rdflib.plugins.sparql.algebra import translateGroupGraphPattern, traverse
from rdflib.plugins.sparql.parserutils import CompValue
from rdflib.term import Node

from kg.check.impact.dependencies import ALONG_ANY, TO_GRAPH, Edge, Pattern, Way
from kg.vocab import prefixes

MOST = 64  # alternatives
Names = dict[str, str]


class Unknown(Exception):
    """A query of which this cannot be told."""


Together = frozenset[Pattern]


def ways(query: str, base: str, thing: str) -> tuple[Way, ...] | None:
    """The ways of all patterns to what `?thing` stands for; None where they cannot be told."""
    try:
        algebra = prepareQuery(query, initNs=prefixes(base), base=base).algebra
        if algebra.get("datasetClause"):
            return None
        reader = Reader()
        reader.read(algebra.p, [frozenset()], {}, "")
    except (Unknown, AttributeError, KeyError, NotImplementedError):
        return None
    return tuple(
        way(pattern, together, f"?{thing}") for pattern, together in dict.fromkeys(reader.found)
    )


class Reader:
    """Collects the patterns of a query, each with all those that must hold wherever it matters."""

    def __init__(self) -> None:
        self.found: list[tuple[Pattern, Together]] = []
        self.fresh = count()
        self.only: dict[
            Node, list[Any]
        ] = {}  # variables of the next patterns, and what a FILTER lets them stand for

    def read(  # noqa: PLR0911  one for each kind of part
        self, node: CompValue, around: list[Together], names: Names, graph: str
    ) -> list[Together]:
        """Notes the patterns of a part; `around` are the alternatives of what holds beside it.
        Gives those of what holds in it.
        """
        match node.name:
            case "BGP":
                own = frozenset(
                    each for triple in node.triples for each in self.patterns(triple, names, graph)
                )
                self.found += [(pattern, own | beside) for pattern in own for beside in around]
                return [own]
            case "Join":
                first, second = (
                    self.quietly(node.p1, names, graph),
                    self.quietly(node.p2, names, graph),
                )
                self.read(node.p1, both(around, second), names, graph)
                self.read(node.p2, both(around, first), names, graph)
                return both(first, second)
            case "LeftJoin" | "Minus":
                first = self.read(node.p1, around, names, graph)
                second = self.read(node.p2, both(around, first), names, graph)
                self.exists(node.get("expr"), both(both(around, first), second), names, graph)
                return first
            case "Union":
                return self.read(node.p1, around, names, graph) + self.read(
                    node.p2, around, names, graph
                )
            case "Filter" | "Extend":
                self.only = listed(node.expr) if node.p.name == "BGP" else {}
                inner = self.read(node.p, around, names, graph)
                self.only = {}
                self.exists(node.expr, both(around, inner), names, graph)
                return inner
            case "Graph":
                return self.read(node.p, around, names, named(node.term, names))
            case "ToMultiSet" if "res" in node.p or node.p.name == "values":
                return [frozenset()]
            case "ToMultiSet":
                return self.selected(node.p, around, names, graph)
            case (
                "Project" | "OrderBy" | "Distinct" | "Reduced" | "Group" | "AggregateJoin" | "Slice"
            ):
                return self.read(node.p, around, names, graph)
            case "values":
                return [frozenset()]
        raise Unknown(node.name)

    def quietly(self, node: CompValue, names: Names, graph: str) -> list[Together]:
        kept, self.found = self.found, []
        found = self.read(node, [frozenset()], names, graph)
        self.found = kept
        return found

    def selected(
        self, node: CompValue, around: list[Together], names: Names, graph: str
    ) -> list[Together]:
        """A query in the query: only what it gives is known outside. With a LIMIT, what it gives
        for one hangs on all others.
        """
        shown = node
        while shown.name != "Project":
            if shown.name == "Slice":
                raise Unknown
            shown = shown.p
        number = next(self.fresh)
        hidden = {f"?{each}": f"?{each}.{number}" for each in node["_vars"] if each not in shown.PV}
        return self.read(shown.p, around, {**names, **hidden}, graph)

    def exists(self, expression: Any, around: list[Together], names: Names, graph: str) -> None:
        """The patterns of EXISTS and NOT EXISTS in an expression."""
        groups: list[CompValue] = []

        def note(part: Any) -> None:
            if isinstance(part, CompValue) and part.name in ("Builtin_EXISTS", "Builtin_NOTEXISTS"):
                groups.append(part.graph)

        if expression is not None:
            traverse(expression, visitPre=note)
        for group in groups:
            inner = (
                translateGroupGraphPattern(group) if group.name == "GroupGraphPatternSub" else group
            )
            self.read(inner, around, names, graph)

    def patterns(
        self, triple: tuple[Node, Any, Node], names: Names, graph: str
    ) -> Iterator[Pattern]:
        subject, value = named(triple[0], names), named(triple[2], names)
        steps = list(triple[1].args) if isinstance(triple[1], SequencePath) else [triple[1]]
        if triple[1] in self.only:
            steps = [AlternativePath(*self.only[triple[1]])]
        for number, step in enumerate(steps, 1):
            after = value if number == len(steps) else f"?{subject}.{triple[1]}.{value}.{number}"
            yield Pattern(subject, edge(step), after, graph)
            subject = after


def listed(expression: Any) -> dict[Node, list[Any]]:
    """Which addresses a variable is one of, if that is all a FILTER says."""
    is_list = (
        isinstance(expression, CompValue)
        and expression.name == "RelationalExpression"
        and expression.op == "IN"
    )
    if (
        is_list
        and isinstance(expression.expr, Variable)
        and all(isinstance(each, URIRef) for each in expression.other)
    ):
        return {expression.expr: list(expression.other)}
    return {}


def named(term: Node, names: Names) -> str:
    if isinstance(term, Variable):
        return names.get(f"?{term}", f"?{term}")
    return f"<{term}>" if isinstance(term, URIRef) else ""


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


def way(pattern: Pattern, together: Together, thing: str) -> Way:
    """The shortest way from a pattern to the thing, over variables only."""
    after: dict[str, list[tuple[str, Edge]]] = {}
    for each in together | {pattern}:
        for here, step, there in (
            (each.subject, each.edge, each.object),
            (each.subject, TO_GRAPH, each.graph),
        ):
            if here.startswith("?") and there.startswith("?"):
                after.setdefault(here, []).append((there, step))
                after.setdefault(there, []).append((here, step.turned()))
    ends = (("subject", pattern.subject), ("object", pattern.object), ("graph", pattern.graph))
    waiting: deque[tuple[str, str, tuple[Edge, ...]]] = deque(
        (node, begin, ()) for begin, node in ends if node.startswith("?")
    )
    seen = {node for node, _, _ in waiting}
    while waiting:
        node, begin, steps = waiting.popleft()
        if node == thing:
            return Way(pattern, begin, steps)
        for there, step in sorted(after.get(node, []), key=str):
            if there not in seen:
                seen.add(there)
                waiting.append((there, begin, (*steps, step)))
    return Way(pattern, "subject", None)
