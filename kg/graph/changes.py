"""What two graphs differ in, and which nodes lie near the difference.

A graph is sorted lines, so the two are merged; long runs that are equal are skipped by comparing them as bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pyoxigraph import NamedNode

from kg.engine.memory import Memory
from kg.vocab import dcterms, rdf, schema

LEAST, MOST = 1 << 8, 1 << 20  # bytes compared at once
NOT_NEAR = frozenset({rdf.type, schema.additionalType, dcterms.source})  # classes, terms and sources have everybody as a neighbour


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


def ends(lines: Iterable[str]) -> tuple[set[str], set[str], set[str]]:
    """The subjects of lines, the nodes they point at, and their predicates; with `rdf:type` the class, for it says as much."""
    subjects, objects, predicates = set[str](), set[str](), set[str]()
    for each in lines:
        subject, predicate, rest = each.split(" ", 2)
        if subject[0] == "<":
            subjects.add(subject[1:-1])
        predicates.add(predicate[1:-1])
        if rest[0] == "<":
            target = rest[1 : rest.index(">")]
            (objects if predicate[1:-1] not in NOT_NEAR else predicates).add(target)
    return subjects, objects, predicates


def near(memory: Memory, nodes: set[str]) -> set[str]:
    """The nodes and their neighbours, in either direction."""
    return nodes.union(*(neighbours(memory, node) for node in nodes))


def neighbours(memory: Memory, node: str) -> Iterator[str]:
    this = NamedNode(node)
    for quad in memory.store.quads_for_pattern(this, None, None):
        if isinstance(quad.object, NamedNode) and quad.predicate.value not in NOT_NEAR:
            yield quad.object.value
    for quad in memory.store.quads_for_pattern(None, None, this):
        if isinstance(quad.subject, NamedNode) and quad.predicate.value not in NOT_NEAR:
            yield quad.subject.value
