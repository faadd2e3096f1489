"""What the answers of a query depend on: each of its patterns, with the steps that lead from a
triple of that pattern to the things whose answers it can change.

The steps go along patterns that hold together with it, so whoever is affected by a triple is found
by walking them from it. Alternatives (UNION) have a dependency each. Where no steps lead to the
thing, as by a FILTER only, the answers about anything may be affected.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from heapq import heappop, heappush
from itertools import count, product

from kg.check.impact.patterns import (
    TO_GRAPH,
    Beside,
    Branches,
    Edge,
    Element,
    Group,
    InGraph,
    Select,
    Triple,
    UnknownQuery,
    parse_query,
    variables_of,
)
from kg.vocab import dcterms, rdf, schema

MOST_ALTERNATIVES = 64
WIDE = 10
TO_INSTANCES = {(rdf.type, True), (schema.additionalType, True), (dcterms.source, True)}
Names = dict[str, str]


@dataclass(frozen=True)
class Pattern:
    """One step of a triple pattern. Its ends are `?variables`, `<addresses>`, or empty for
    literals.
    """

    subject: str
    edge: Edge
    object: str
    graph: str = ""

    @property
    def variables(self) -> set[str]:
        return {end for end in (self.subject, self.object, self.graph) if end.startswith("?")}


@dataclass(frozen=True)
class Dependency:
    """What a triple must be to be seen through a pattern, and the steps from there to the thing:
    from its subject, its object or its document (`start`). Without `steps`: to anything.
    """

    pattern: Pattern
    start: str
    steps: tuple[Edge, ...] | None


Together = frozenset[Pattern]  # what must hold at once


@lru_cache(maxsize=1024)
def dependencies(
    query: str, base: str, thing: str, is_bound: bool = True
) -> tuple[Dependency, ...] | None:
    """Those of the answers about what `?thing` stands for; None where they are unknown.

    `is_bound`: the query is only ever evaluated for given things. Otherwise for all, and then there
    are steps only where evaluating it for some things gives the answers about these.
    """
    name = f"?{thing}"
    try:
        select = parse_query(query, base)
        reader = Reader()
        reader.note(select.group, [frozenset()], {}, "", {name} if is_bound else set())
        visible = certain(select.group.elements) | ({name} if is_bound else set())
        for group in select.exists:
            reader.note_within(group, reader.must(select.group, {}, ""), {}, "", visible)
        found = dict.fromkeys(reader.found)
        for pattern, together in found:
            if pattern.edge.may_be_empty and not is_grounded(pattern, together, name, is_bound):
                return None
    except UnknownQuery:
        return None
    if not is_bound and not is_about_each(select, name):
        return tuple(Dependency(pattern, "subject", None) for pattern, _ in found)
    return tuple(dict.fromkeys(narrowest(pattern, together, name) for pattern, together in found))


def is_about_each(select: Select, thing: str) -> bool:
    """Whether the answers about a thing are the same when the query begins with that thing."""
    before: set[str] = set()
    for element in select.group.elements:
        if isinstance(element, Beside) and thing in variables_of(element) - before:
            return False
        before |= certain([element])
    return (
        thing in before
        and not select.is_limited
        and (select.projected is None or thing in select.projected)
        and thing not in select.computed
        and (select.keys is None or thing in select.keys)
    )


def is_grounded(pattern: Pattern, together: Together, thing: str, is_bound: bool) -> bool:
    """Whether one end of a path is a node by something else: a path of no steps is there wherever
    its node is, in whatever triple.
    """
    others = (each.variables for each in together if not each.edge.may_be_empty)
    known = set({thing} if is_bound else ()).union(*others)
    return not known.isdisjoint((pattern.subject, pattern.object))


class Reader:
    """Collects the patterns of a query, each with all those that must hold wherever it matters."""

    def __init__(self) -> None:
        self.found: list[tuple[Pattern, Together]] = []

    def must(self, group: Group, names: Names, graph: str) -> list[Together]:
        """The alternatives of what must hold in a group."""
        return joined(self.must_element(each, group, names, graph) for each in group.elements)

    def must_element(
        self, element: Element, group: Group, names: Names, graph: str
    ) -> list[Together]:
        match element:
            case Triple():
                return [frozenset(patterns(element, group, names, graph))]
            case Branches():
                return [each for one in element.groups for each in self.must(one, names, graph)]
            case InGraph():
                return self.must(element.group, names, renamed(element.term, names))
            case Select():
                return self.must(element.group, hidden(element, names), graph)
        return [frozenset()]

    def note(
        self, group: Group, around: list[Together], names: Names, graph: str, known: set[str]
    ) -> None:
        """Notes the patterns of a group; `around` are the alternatives of what holds beside it,
        `known` the variables that have values before it.
        """
        musts = [self.must_element(each, group, names, graph) for each in group.elements]
        beside = joined([around, *musts])
        for number, element in enumerate(group.elements):
            others = joined([around, *musts[:number], *musts[number + 1 :]])
            match element:
                case Triple():
                    own = patterns(element, group, names, graph)
                    self.found += [(each, together) for each in own for together in beside]
                case Branches():
                    for one in element.groups:
                        self.note(one, others, names, graph, set())
                case InGraph():
                    self.note(element.group, others, names, renamed(element.term, names), set())
                case Select():
                    self.note_select(element, others, names, graph)
                case Beside():
                    visible = known | certain(group.elements[:number])
                    self.note_within(element.group, beside, names, graph, visible)
        for inner in group.exists:
            self.note_within(inner, beside, names, graph, known | certain(group.elements))

    def note_within(
        self, group: Group, around: list[Together], names: Names, graph: str, visible: set[str]
    ) -> None:
        """A group of OPTIONAL, MINUS or EXISTS shares with what is around it only the variables
        that have values there.
        """
        own = {name: f"{name}.{group.number}" for name in group.variables() - visible}
        self.note(group, around, {**names, **own}, graph, set())

    def note_select(self, select: Select, around: list[Together], names: Names, graph: str) -> None:
        """Outside of a subquery only what it selects is known. With a LIMIT, what it gives for one
        thing depends on all others.
        """
        if select.is_limited:
            raise UnknownQuery
        names = hidden(select, names)
        self.note(select.group, around, names, graph, set())
        beside = joined([around, self.must(select.group, names, graph)])
        for inner in select.exists:
            self.note_within(inner, beside, names, graph, certain(select.group.elements))


def certain(elements: Iterable[Element]) -> set[str]:
    """The variables that have a value in every solution."""
    found: set[str] = set()
    for element in elements:
        match element:
            case Triple():
                found |= variables_of(element)
            case Branches():
                found |= set.intersection(*(certain(each.elements) for each in element.groups))
            case InGraph():
                found |= certain(element.group.elements)
            case Select():
                found |= {
                    name
                    for name in certain(element.group.elements)
                    if element.is_visible(name) and name not in element.computed
                }
    return found


def hidden(select: Select, names: Names) -> Names:
    """Names in a subquery: other ones for what it does not select."""
    number = select.group.number
    own = {
        name: f"{name}.{number}"
        for name in select.group.variables()
        if not select.is_visible(name) or name in select.computed
    }
    return {**names, **own}


def renamed(term: str, names: Names) -> str:
    return names.get(term, term)


def patterns(triple: Triple, group: Group, names: Names, graph: str) -> list[Pattern]:
    """A pattern for each step of a triple's path."""
    ends = [
        renamed(triple.subject, names),
        *(f"?{triple.number}.{step}" for step in range(1, len(triple.steps))),
        renamed(triple.object, names),
    ]
    steps = triple.steps
    if triple.predicate in group.listed and all(isinstance(x, Triple) for x in group.elements):
        steps = (Edge(frozenset((each, False) for each in group.listed[triple.predicate])),)
    return [
        Pattern(here, edge, there, graph)
        for here, edge, there in zip(ends, steps, ends[1:], strict=False)
    ]


def joined(parts: Iterable[list[Together]]) -> list[Together]:
    found: list[Together] = [frozenset()]
    for part in parts:
        if len(found) * len(part) > MOST_ALTERNATIVES:
            raise UnknownQuery
        found = [one | other for one, other in product(found, part)]
    return found


def narrowest(pattern: Pattern, together: Together, thing: str) -> Dependency:
    """The steps from a pattern to the thing, over variables only, that lead to the fewest nodes by
    guess.
    """
    after: dict[str, list[tuple[str, Edge]]] = {}
    for each in together | {pattern}:
        for here, step, there in (
            (each.subject, each.edge, each.object),
            (each.subject, TO_GRAPH, each.graph),
        ):
            if here.startswith("?") and there.startswith("?"):
                after.setdefault(here, []).append((there, step))
                after.setdefault(there, []).append((here, step.reversed()))
    ends = (("subject", pattern.subject), ("object", pattern.object), ("graph", pattern.graph))
    order = count()  # decides between equals
    waiting: list[tuple[int, int, str, str, tuple[Edge, ...]]] = [
        (0, next(order), node, start, ()) for start, node in ends if node.startswith("?")
    ]
    seen: set[str] = set()
    while waiting:
        cost, _, node, start, steps = heappop(waiting)
        if node == thing:
            return Dependency(pattern, start, steps)
        if node not in seen:
            seen.add(node)
            for there, step in sorted(after.get(node, []), key=str):
                further = (cost + width(step), next(order), there, start, (*steps, step))
                heappush(waiting, further)
    return Dependency(pattern, "subject", None)


def width(step: Edge) -> int:
    """Against `rdf:type` a step leads from a class to all of its instances."""
    return WIDE if step.is_any or any(link in TO_INSTANCES for link in step.links) else 1
