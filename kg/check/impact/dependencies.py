"""What the answers of a query depend on: each of its patterns, with the steps that lead from a
triple of that pattern to the things whose answers it can change.

The steps go along patterns that hold together with it, so whoever is affected by a triple is found
by walking them from it. Alternatives (UNION) have a dependency each. Where no steps lead to the
thing, as by a FILTER only, the answers about anything may be affected.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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
FAR = (1 << 20, None)  # no steps lead there
TO_INSTANCES = {(rdf.type, True), (schema.additionalType, True), (dcterms.source, True)}
Patterns = tuple[Pattern, ...]
Ways = Mapping[str, tuple[int, tuple[Edge, ...]]]  # variable -> cost and steps to the thing


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
    found = list(alternatives(group))
    if not all(is_grounded(each, together, bound) for own, together in found for each in own):
        return None
    is_about_each = name in certain(group) and name not in parser.late and not parser.is_limited
    if not is_bound and not is_about_each:
        return tuple(Dependency(each, "subject", None) for own, _ in found for each in own)
    led = ((own, ways_to(name, together)) for own, together in found)
    return tuple(dict.fromkeys(narrowest(each, ways) for own, ways in led for each in own))


def alternatives(group: Alternatives, around: Patterns = ()) -> Iterator[tuple[Patterns, Patterns]]:
    """The patterns of each alternative, and with them all that must hold wherever they matter."""
    for each in group:
        together = around + each.patterns
        yield each.patterns, together
        for inner in each.beside:
            yield from alternatives(inner, together)


def is_grounded(pattern: Pattern, together: Patterns, bound: frozenset[str]) -> bool:
    """Whether one end of a path is a node by something else: a path of no steps is there wherever
    its node is, in whatever triple.
    """
    others = (each.variables for each in together if not each.edge.may_be_empty)
    return not pattern.edge.may_be_empty or not {pattern.subject, pattern.object}.isdisjoint(
        bound.union(*others)
    )


def ways_to(thing: str, together: Patterns) -> Ways:
    """The steps from each variable to the thing, over variables only, that lead to the fewest nodes
    by guess.
    """
    links = []
    for each in dict.fromkeys(together):
        for there, edge in ((each.object, each.edge), (each.graph, along(DOCUMENT))):
            if each.subject.startswith("?") and there.startswith("?"):
                back = edge.reversed()
                links.append((each.subject, edge, there, width(edge)))
                links.append((there, back, each.subject, width(back)))
    best: dict[str, tuple[int, tuple[Edge, ...]]] = {thing: (0, ())}
    is_shorter = True
    while is_shorter:
        is_shorter = False
        for here, edge, there, cost in links:
            if there in best and (here not in best or best[there][0] + cost < best[here][0]):
                best[here] = best[there][0] + cost, (edge, *best[there][1])
                is_shorter = True
    return best


def narrowest(pattern: Pattern, ways: Ways) -> Dependency:
    """The best of the ways from the ends of a pattern."""
    ends = {"subject": pattern.subject, "object": pattern.object, "graph": pattern.graph}
    start = min(ends, key=lambda end: ways.get(ends[end], FAR)[0])
    return Dependency(pattern, start, ways.get(ends[start], FAR)[1])


def width(edge: Edge) -> int:
    """Against `rdf:type` a step leads from a class to all of its instances."""
    return WIDE if edge.is_any or not TO_INSTANCES.isdisjoint(edge.links) else 1
