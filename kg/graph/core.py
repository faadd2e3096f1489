"""Core constraints, judged by pyshacl.

A local shape looks at nothing but a node's own triples, so nodes are judged in portions, each with only its own triples before it,
by several processes where there are many. Any other shape is judged with the whole graph before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import NamedTuple

from pyoxigraph import NamedNode

from kg.engine.memory import Memory
from kg.graph.executor import Workers
from kg.graph.findings import Finding
from kg.graph.shapes import Shapes
from kg.graph.validate import validate
from kg.mapping.text import triple
from kg.vocab import rdfs

PORTION = 1 << 20  # bytes of triples judged at once; what a worker holds does not grow with the graph
WORTH_WORKERS = 1 << 24  # bytes of a graph
SUBCLASS = f" <{rdfs.subClassOf}> "


class Portion(NamedTuple):
    """Triples to judge, and by which shapes."""

    shapes: bytes
    data: str


@contextmanager
def judged(shapes: Shapes, nquads: bytes, workers: Workers) -> Iterator[Callable[[], list[Finding]]]:
    """What the local shapes find. Where there is much to judge, workers begin at once, and what they have found is waited for when it is
    asked for."""
    work = partial(portions, shapes, nquads)
    if len(nquads) < WORTH_WORKERS:
        yield lambda: [found for portion in work() for found in judge(portion)]
        return
    aside = ThreadPoolExecutor(1)
    try:
        begun = aside.submit(lambda: [found for some in workers.each(judge, work()) for found in some])
        yield begun.result
    finally:
        aside.shutdown()


def judge(portion: Portion) -> list[Finding]:
    return validate(portion.shapes, portion.data)


def portions(shapes: Shapes, nquads: bytes) -> Iterator[Portion]:
    wanted = {f"<{predicate}>" for predicate in shapes.predicates}
    lines = [line for line in nquads.decode().split("\n")[:-1] if line.split(" ", 2)[1] in wanted] if shapes.local else []
    text, classes = shapes.ntriples(shapes.local), [triple(line) for line in lines if SUBCLASS in line]
    return (Portion(text, "".join([*classes, *portion])) for portion in cut(lines))


def lines_of(memory: Memory, subjects: Iterable[str]) -> bytes:
    """The lines of these nodes, in the order of a graph, with what it says of classes."""
    patterns = [(NamedNode(subject), None) for subject in subjects] + [(None, NamedNode(rdfs.subClassOf))]
    quads = {quad for subject, predicate in patterns for quad in memory.store.quads_for_pattern(subject, predicate, None)}
    return "".join(sorted(f"{quad} .\n" for quad in quads)).encode()


def cut(lines: list[str]) -> Iterator[list[str]]:
    """Portions of sorted lines, as triples; all lines of a subject are in one."""
    portion: list[str] = []
    size, subject = 0, ""
    for line in lines:
        mine = line[: line.index(" ")]
        if size > PORTION and mine != subject:
            yield portion
            portion, size = [], 0
        subject = mine
        portion.append(triple(line))
        size += len(line)
    if portion:
        yield portion


def whole(shapes: Shapes, today: str, nquads: bytes) -> list[Finding]:
    """What the shapes find that need the whole graph."""
    if not shapes.whole:
        return []
    told = shapes.on(today)
    return validate(told.ntriples(told.whole), "".join(map(triple, nquads.decode().split("\n")[:-1])))
