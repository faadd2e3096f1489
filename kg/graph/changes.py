"""What two graphs differ in, and which nodes lie near the difference.

A graph is sorted lines, so the two are merged; long runs that are equal are skipped by comparing them as bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Set
from typing import NamedTuple

from pyoxigraph import NamedNode

from kg.engine.memory import Memory
from kg.vocab import dcterms, rdf, schema

TYPE = NamedNode(rdf.type)
LEAST, MOST = 1 << 8, 1 << 17  # bytes compared at once; more would not fit into the caches of a processor
ONE_WAY = frozenset({rdf.type, schema.additionalType, dcterms.source})  # a class, term or source is as it was, whoever points at it


def changes(old: bytes, new: bytes) -> list[str]:
    """The lines that only one of the two has."""
    found: list[bytes] = []
    here, there = 0, 0  # each at the beginning of a line
    while here < len(old) and there < len(new):
        same = equal_run(old, here, new, there)
        if same:
            here, there = here + same, there + same
            continue
        mine, other = line(old, here), line(new, there)
        if mine < other:
            found.append(mine)
            here += len(mine)
        else:
            found.append(other)
            there += len(other)
    found += old[here:].splitlines(keepends=True) + new[there:].splitlines(keepends=True)
    return [each.decode().rstrip("\n") for each in found]


def line(text: bytes, start: int) -> bytes:
    return text[start : text.find(b"\n", start) + 1]


def equal_run(old: bytes, here: int, new: bytes, there: int) -> int:
    """How many bytes are equal from here on, as far as whole lines."""
    run, step = 0, LEAST
    while step >= LEAST:
        ours = old[here + run : here + run + step]
        if ours and ours == new[there + run : there + run + step]:
            run += len(ours)
            step = min(step * 2, MOST)
        else:
            step //= 2
    whole = max(old.rfind(b"\n", here, here + run) + 1 - here, 0)  # back to the end of a line
    after = line(old, here + whole)
    return whole + len(after) if after == line(new, there + whole) else whole


class Change(NamedTuple):
    """A triple that only one of the two has; the value is empty where it is a text."""

    subject: str
    predicate: str
    value: str

    def concerns(self, names: Set[str] | None) -> bool:
        """Whether who looks at these predicates, or for these classes, sees it. None looks at everything."""
        return names is None or self.predicate in names or (self.predicate == TYPE.value and self.value in names)

    @property
    def nodes(self) -> set[str]:
        """Those it may change something for."""
        return {self.subject, self.value} - {""} if self.predicate not in ONE_WAY else {self.subject}


def read(lines: Iterable[str]) -> list[Change]:
    """The changes in lines. (There are no blank nodes among the subjects of a site.)"""
    found = []
    for each in lines:
        subject, predicate, rest = each.split(" ", 2)
        found.append(Change(subject[1:-1], predicate[1:-1], rest[1 : rest.index(">")] if rest[0] == "<" else ""))
    return found


class Neighbours:
    """Who is next to whom in a graph, looked up once."""

    def __init__(self, memory: Memory) -> None:
        self.store = memory.store
        self.known: dict[tuple[str, str | None], set[str]] = {}

    def near(self, nodes: set[str], along: Set[str] | None = None) -> set[str]:
        """The nodes and their neighbours in either direction, along these predicates or along all."""
        predicates = [None] if along is None else [*(along - ONE_WAY)]
        return nodes.union(*(self.of(node, predicate) for node in nodes for predicate in predicates))

    def of(self, node: str, predicate: str | None) -> set[str]:
        found = self.known.get((node, predicate))
        if found is None:
            this, along = NamedNode(node), NamedNode(predicate) if predicate else None
            out = {quad.object for quad in self.store.quads_for_pattern(this, along, None) if quad.predicate != TYPE}
            into = {quad.subject for quad in self.store.quads_for_pattern(None, along, this) if quad.predicate != TYPE}
            found = self.known[node, predicate] = {each.value for each in out | into if isinstance(each, NamedNode)}
        return found
