"""What the answers of a query depend on: each of its patterns, with the steps that lead from a
triple of that pattern to the things whose answers it can change.

The steps go along patterns that hold together with it, so whoever is affected by a triple is found
by walking them from it. Alternatives (UNION) have a dependency each. Where no steps lead to the
thing, as by a FILTER only, the answers about anything may be affected.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from kg.check.impact.patterns import (
    DOCUMENT,
    Alternatives,
    Edge,
    Pattern,
    PatternParser,
    UnknownQuery,
    along,
    certain,
)
from kg.vocab import dcterms, rdf, schema

WIDE = 10
TO_INSTANCES = {(rdf.type, True), (schema.additionalType, True), (dcterms.source, True)}
Together = frozenset[Pattern]  # what must hold at once


@dataclass(frozen=True)
class Dependency:
    """What a triple must be to be seen through a pattern, and the steps from there to the thing:
    from its subject, its object or its document (`start`). Without `steps`: to anything.
    """

    pattern: Pattern
    start: str
    steps: tuple[Edge, ...] | None


@lru_cache(maxsize=1024)
def dependencies(
    query: str, base: str, thing: str, is_bound: bool = True
) -> tuple[Dependency, ...] | None:
    """Those of the answers about what `?thing` stands for; None where they are unknown.

    `is_bound`: the query is only ever evaluated for given things. Otherwise for all, and then there
    are steps only where evaluating it for some things gives the answers about these.
    """
    name = f"?{thing}"
    bound = frozenset({name} if is_bound else ())
    parser = PatternParser(query, base, bound)
    try:
        group = parser.query()
    except UnknownQuery:
        return None
    found = list(dict.fromkeys(patterns(group)))
    if not all(is_grounded(pattern, together, bound) for pattern, together in found):
        return None
    is_about_each = name in certain(group) and name not in parser.late and not parser.is_limited
    if not is_bound and not is_about_each:
        return tuple(Dependency(pattern, "subject", None) for pattern, _ in found)
    return tuple(dict.fromkeys(narrowest(pattern, together, name) for pattern, together in found))


def patterns(
    group: Alternatives, around: Together = frozenset()
) -> Iterator[tuple[Pattern, Together]]:
    """The patterns of a group, each with all those that must hold wherever it matters."""
    for each in group:
        together = around.union(each.patterns)
        yield from ((pattern, together) for pattern in each.patterns)
        for inner in each.beside:
            yield from patterns(inner, together)


def is_grounded(pattern: Pattern, together: Together, bound: frozenset[str]) -> bool:
    """Whether one end of a path is a node by something else: a path of no steps is there wherever
    its node is, in whatever triple.
    """
    others = (each.variables for each in together if not each.edge.may_be_empty)
    return not pattern.edge.may_be_empty or not {pattern.subject, pattern.object}.isdisjoint(
        bound.union(*others)
    )


def narrowest(pattern: Pattern, together: Together, thing: str) -> Dependency:
    """The steps from a pattern to the thing, over variables only, that lead to the fewest nodes by
    guess.
    """
    links = []
    for each in sorted(together, key=str):
        for there, edge in ((each.object, each.edge), (each.graph, along(DOCUMENT))):
            if each.subject.startswith("?") and there.startswith("?"):
                links += [(each.subject, edge, there), (there, edge.reversed(), each.subject)]
    ends = {pattern.graph: "graph", pattern.object: "object", pattern.subject: "subject"}
    best: dict[str, tuple[int, Dependency]] = {
        node: (0, Dependency(pattern, start, ()))
        for node, start in ends.items()
        if node.startswith("?")
    }
    is_shorter = True
    while is_shorter:
        is_shorter = False
        for here, edge, there in links:
            if here in best:
                cost, way = best[here]
                cost += width(edge)
                if there not in best or cost < best[there][0]:
                    steps = (*(way.steps or ()), edge)
                    best[there] = cost, Dependency(pattern, way.start, steps)
                    is_shorter = True
    return best[thing][1] if thing in best else Dependency(pattern, "subject", None)


def width(edge: Edge) -> int:
    """Against `rdf:type` a step leads from a class to all of its instances."""
    return WIDE if edge.is_any or not TO_INSTANCES.isdisjoint(edge.links) else 1
