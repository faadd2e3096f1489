"""Judges core constraints by pyshacl.

A local shape depends on nothing but a node's own triples, so nodes are judged in portions, by
several processes where there are many. Any other shape is judged over all of the graph.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Event
from typing import NamedTuple

from pyoxigraph import NamedNode

from kg.check.prefilter import prefilter
from kg.check.pyshacl import validate
from kg.check.shapes import Finding, Shapes
from kg.graph.parallel.executor import Workers
from kg.graph.sorted_lines import next_line
from kg.mapping.ntriples import triple
from kg.memo import Memo
from kg.store.memory import Memory
from kg.vocab import rdfs

PORTION = 1 << 21  # bytes of lines judged at once; what a worker holds does not grow with the graph
WORTH_WORKERS = 1 << 26  # bytes of a graph; to start a process takes as long as to judge these
SUBCLASS = f" <{rdfs.subClassOf}> "


class Portion(NamedTuple):
    """Lines to judge, the shapes, the predicates they depend on, and the lines about subclasses."""

    lines: bytes
    shapes: bytes
    wanted: frozenset[str]
    classes: tuple[str, ...]

    def inputs(self) -> bytes:
        return b"\0".join(
            [
                self.lines,
                self.shapes,
                *sorted(map(str.encode, self.wanted)),
                *map(str.encode, self.classes),
            ]
        )


@contextmanager
def judging(
    shapes: Shapes, nquads: bytes, workers: Workers | None = None, memo: Memo | None = None
) -> Iterator[Callable[[], list[Finding]]]:
    """A function that gives what the local shapes find. Where there is much to judge, workers begin
    at once, and the function waits for them.
    """
    if workers is None or len(nquads) < WORTH_WORKERS:
        yield lambda: [found for portion in portions(shapes, nquads) for found in judge(portion)]
        return
    aside, enough = ThreadPoolExecutor(1), Event()
    try:
        yield aside.submit(all_judged, shapes, nquads, workers, enough, memo or Memo()).result
    finally:
        enough.set()
        aside.shutdown()


def all_judged(
    shapes: Shapes,
    nquads: bytes,
    workers: Workers,
    enough: Event,
    memo: Memo,
) -> list[Finding]:
    found, total = [], len(nquads) // PORTION + 1
    progress = workers.counting("parts judged")
    for number, some in enumerate(memo.map(judge, portions(shapes, nquads), workers.each), 1):
        if enough.is_set():  # nobody waits for it any more
            break
        found += some
        progress(min(number, total - 1), total)
    progress(total, total)
    return found


def judge(portion: Portion) -> list[Finding]:
    """What pyshacl finds, which is only shown the nodes that do not plainly conform."""
    screening = prefilter(portion.shapes)
    lines = (
        line
        for line in portion.lines.decode().split("\n")[:-1]
        if line.split(" ", 2)[1] in portion.wanted
    )
    suspects = list(screening.suspects(lines, portion.classes))
    if screening.sure and not suspects:
        return []
    return validate(portion.shapes, "".join([*portion.classes, *map(triple, suspects)]))


def portions(shapes: Shapes, nquads: bytes) -> Iterator[Portion]:
    wanted = frozenset(f"<{predicate}>" for predicate in shapes.predicates)
    classes = tuple(triple(line) for line in lines_with(SUBCLASS, nquads))
    text = shapes.ntriples(shapes.local)
    return (
        Portion(lines, text, wanted, classes) for lines in (cut(nquads) if shapes.local else ())
    )


def lines_with(words: str, nquads: bytes) -> Iterator[str]:
    """The few lines of a graph in which something stands."""
    at = nquads.find(words.encode())
    while at >= 0:
        end = next_line(nquads, at + 1)
        yield nquads[nquads.rfind(b"\n", 0, at) + 1 : end].decode().rstrip("\n")
        at = nquads.find(words.encode(), end)


def cut(nquads: bytes) -> Iterator[bytes]:
    """Portions of sorted lines; all lines of a subject are in one."""
    start = 0
    while start < len(nquads):
        last = next_line(nquads, min(start + PORTION, len(nquads)))
        subject = nquads[nquads.rfind(b"\n", 0, last - 1) + 1 : last].partition(b" ")[0] + b" "
        while nquads.startswith(subject, last):
            last = next_line(nquads, last + 1)
        yield nquads[start:last]
        start = last


def lines_of(memory: Memory, subjects: Iterable[str]) -> bytes:
    """The lines of these nodes, in the order of a graph, with what it says of classes."""
    patterns = [(NamedNode(subject), None) for subject in subjects] + [
        (None, NamedNode(rdfs.subClassOf))
    ]
    quads = {
        quad
        for subject, predicate in patterns
        for quad in memory.store.quads_for_pattern(subject, predicate, None)
    }
    return "".join(sorted(f"{quad} .\n" for quad in quads)).encode()


def find_other(shapes: Shapes, today: str, nquads: bytes) -> list[Finding]:
    """What the shapes find that are neither local nor dataset rules."""
    if not shapes.other:
        return []
    dated = shapes.on(today)
    return validate(
        dated.ntriples(dated.other), "".join(map(triple, str(nquads, "utf-8").split("\n")[:-1]))
    )
