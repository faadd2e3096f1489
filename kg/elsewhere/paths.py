"""The ways from known things along a property path: what must be looked up, and where they end."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from typing import Any, NamedTuple

from pyoxigraph import BlankNode, NamedNode, Quad, Store, Triple
from rdflib.paths import AlternativePath, InvPath, MulPath, SequencePath
from rdflib.term import URIRef

from kg.store.protocol import Term

Terms = frozenset[Term]


class Lookup(NamedTuple):
    """All triples with this `value` as their subject (`s`) or object (`o`), or in this graph (`g`);
    of one predicate, or of any. Without a value, all of a predicate (`p`).
    """

    end: str
    value: Term | None
    predicate: str | None = None


Walk = Generator[set[Lookup], None, Terms]


def together(
    steps: Sequence[Generator[set[Lookup], None, Any]],
) -> Generator[set[Lookup], None, list[Any]]:
    """Several at once, each as far as it gets with what is there."""
    results: list[Any] = [None] * len(steps)
    running = dict(enumerate(steps))
    while running:
        wanted: set[Lookup] = set()
        for number, each in list(running.items()):
            try:
                wanted |= next(each)
            except StopIteration as done:
                results[number] = done.value
                del running[number]
        if wanted:
            yield wanted
    return results


class Ways:
    """What was looked up is in the store when the next step is asked for."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def walk(self, way: Any, start: Terms, forward: bool) -> Walk:
        """Where a way leads from all these; without a way, any one step. Backward it leads to where
        it begins.
        """
        if isinstance(way, InvPath):
            return (yield from self.walk(way.arg, start, not forward))
        if isinstance(way, SequencePath):
            for step in way.args if forward else reversed(way.args):
                start = yield from self.walk(step, start, forward)
            return start
        if isinstance(way, AlternativePath):
            ends = yield from together([self.walk(each, start, forward) for each in way.args])
            return frozenset().union(*ends)
        if isinstance(way, MulPath):
            return (yield from self.again(way, start, forward))
        predicate = (
            str(way) if isinstance(way, URIRef) else None
        )  # a negated set too: any step, and the query leaves out some
        yield {
            Lookup("s" if forward else "o", term, predicate)
            for term in start
            if not forward or isinstance(term, NamedNode)
        }
        return frozenset(end for term in start for end in self.ends(term, predicate, forward))

    def again(self, way: MulPath, start: Terms, forward: bool) -> Walk:
        """`*`, `+` and `?`: the same way again, until it leads to nothing new."""
        found = start if way.zero else frozenset()
        new = start
        while new:
            reached = yield from self.walk(way.path, new, forward)
            new, found = reached - found, found | reached
            if not way.more:
                break
        return found

    def all(
        self, way: Any, graphs: Terms | None
    ) -> Generator[set[Lookup], None, tuple[Terms, Terms]]:
        """Where a way may begin and end at all, within these graphs, which are there, or
        anywhere.
        """
        predicates = list(leaves(way))
        if graphs is None:
            yield {Lookup("p", None, predicate) for predicate in predicates}
        places: list[Any] = [None] if graphs is None else list(graphs)
        quads = [
            quad
            for place in places
            for predicate in predicates
            for quad in self.store.quads_for_pattern(
                None, NamedNode(predicate) if predicate else None, None, place
            )
        ]
        starts, ends = (
            frozenset(quad.subject for quad in quads),
            frozenset(end for quad in quads for end in object_of(quad)),
        )
        if isinstance(way, URIRef) or way is None:
            return starts, ends  # type: ignore[return-value]
        return starts | ends, starts | ends  # type: ignore[return-value]

    def ends(self, term: Term, predicate: str | None, forward: bool) -> Iterator[Term]:
        step = NamedNode(predicate) if predicate else None
        if not forward:
            yield from (
                quad.subject
                for quad in self.store.quads_for_pattern(None, step, term)
                if not isinstance(quad.subject, Triple)
            )
        elif isinstance(term, NamedNode | BlankNode):
            for quad in self.store.quads_for_pattern(term, step, None):
                yield from object_of(quad)


def object_of(quad: Quad) -> Iterator[Term]:
    if not isinstance(quad.object, Triple):
        yield quad.object


def leaves(way: Any) -> Iterator[str | None]:
    """The predicates in a way."""
    if isinstance(way, InvPath):
        yield from leaves(way.arg)
    elif isinstance(way, SequencePath | AlternativePath):
        for each in way.args:
            yield from leaves(each)
    elif isinstance(way, MulPath):
        yield from leaves(way.path)
    else:
        yield str(way) if isinstance(way, URIRef) else None
