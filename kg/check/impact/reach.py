"""How far a rule looks from a node, and so which nodes can see a change.

A rule's way is walked from its other end: from the triple that changed to the nodes that the rule
may be asked about.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass
from enum import Enum

from pyoxigraph import NamedNode

from kg.check.impact.diff import ONE_WAY, TYPE, Change
from kg.store.memory import Memory

MOST = 2000  # nodes; where more of them can see a change, it is no use to tell which


class Way(Enum):
    """Along the properties, against them, or both."""

    ALONG, AGAINST, EITHER = range(3)


@dataclass(frozen=True, slots=True)
class Reach:
    """At most so many steps in either direction; or so many `back`, against the properties, and
    then so many `forth`, along them, to look there at the triples that begin where it has come, and
    no others.
    """

    either: int | None = None
    back: int = 0
    forth: int = 0


class Neighbours:
    """Who is next to whom in a graph, looked up once."""

    def __init__(self, memory: Memory) -> None:
        self.store = memory.store
        self.known: dict[tuple[str, str | None, Way], frozenset[str]] = {}

    def around(
        self, changes: list[Change], reach: Reach, names: Set[str] | None, followed: Set[str]
    ) -> set[str]:
        """The nodes that can see a change: along what a rule names, and what it follows to the
        end.
        """
        ends = {node for change in changes for node in change.nodes}
        if reach.either is not None:
            return self.walked(ends, reach.either, Way.EITHER, names, followed)
        # What is followed may be so in either direction, and is seen from both its ends.
        begun = {
            node
            for change in changes
            for node in (change.nodes if change.predicate in followed else {change.subject})
        }
        found = self.walked(begun, reach.forth, Way.AGAINST, names, followed)
        # The change may be a step back that can no longer be gone, so who stands at its end has
        # seen it too.
        return (
            self.walked(found | ends, reach.back, Way.ALONG, names, followed)
            if reach.back
            else found
        )

    def walked(
        self, nodes: set[str], steps: int, way: Way, names: Set[str] | None, followed: Set[str]
    ) -> set[str]:
        found = self.to_the_end(nodes, followed)
        for _ in range(steps):
            found = self.to_the_end(self.near(found, names, way), followed)
        return found

    def to_the_end(self, nodes: set[str], along: Set[str]) -> set[str]:
        while along and len(nodes) <= MOST and len(further := self.near(nodes, along)) > len(nodes):
            nodes = further
        return nodes

    def near(
        self, nodes: set[str], along: Set[str] | None = None, way: Way = Way.EITHER
    ) -> set[str]:
        """The nodes and their neighbours, along these predicates or along all."""
        predicates = [None] if along is None else [*(along - ONE_WAY)]
        return nodes.union(
            *(self.of(node, predicate, way) for node in nodes for predicate in predicates)
        )

    def of(self, node: str, predicate: str | None, way: Way) -> frozenset[str]:
        found = self.known.get((node, predicate, way))
        if found is None:
            if way is Way.EITHER:
                found = self.of(node, predicate, Way.ALONG) | self.of(node, predicate, Way.AGAINST)
            else:
                found = frozenset(
                    self.looked_up(
                        NamedNode(node), NamedNode(predicate) if predicate else None, way
                    )
                )
            self.known[node, predicate, way] = found
        return found

    def looked_up(self, node: NamedNode, along: NamedNode | None, way: Way) -> Iterator[str]:
        here, there = (node, None) if way is Way.ALONG else (None, node)
        for quad in self.store.quads_for_pattern(here, along, there):
            other = quad.object if way is Way.ALONG else quad.subject
            if isinstance(other, NamedNode) and quad.predicate != TYPE:
                yield other.value
