"""Core constraints, judged by pyshacl.

A local shape looks at nothing but a node's own triples, so nodes are judged in portions, each with only its own triples before it,
by several processes where there are many. Any other shape is judged with the whole graph before it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache
from itertools import repeat
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any

from pyoxigraph import NamedNode

from kg.engine.memory import Memory
from kg.errors import KgError
from kg.graph.findings import Finding, local
from kg.graph.shapes import Shapes
from kg.mapping.text import triple
from kg.vocab import rdfs

if TYPE_CHECKING:
    import rdflib

PORTION = 1 << 20  # bytes of triples judged at once; what a worker holds does not grow with the graph
WORTH_WORKERS = 1 << 24  # bytes of a graph
SUBCLASS = f" <{rdfs.subClassOf}> "


def judge(shapes: Shapes, nquads: bytes) -> Iterator[list[Finding]]:
    """What the local shapes find, portion by portion. Where there is much to judge, it is begun at once in other processes."""
    wanted = {f"<{predicate}>" for predicate in shapes.predicates}
    lines = [line for line in nquads.decode().split("\n")[:-1] if line.split(" ", 2)[1] in wanted]
    if not shapes.local or not lines:
        return iter(())
    text, classes = shapes.ntriples(shapes.local), [triple(line) for line in lines if SUBCLASS in line]
    work = ("".join([*classes, *portion]) for portion in cut(lines))
    if len(nquads) < WORTH_WORKERS:
        return (validate(text, portion) for portion in work)
    pool = ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn"))
    found = pool.map(validate, repeat(text), work)
    pool.shutdown(wait=False)
    return found


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


def whole(shapes: Shapes, nquads: bytes) -> list[Finding]:
    """What the shapes find that need the whole graph."""
    if not shapes.whole:
        return []
    return validate(shapes.ntriples(shapes.whole), "".join(map(triple, nquads.decode().split("\n")[:-1])))


def validate(shapes: bytes, data: str) -> list[Finding]:
    """pyshacl's findings, in a form that travels between processes."""
    from pyshacl import validate  # noqa: PLC0415
    from pyshacl.errors import ReportableRuntimeError  # noqa: PLC0415
    from rdflib import Graph  # noqa: PLC0415

    graph = Graph()
    graph.parse(data=data, format="nt")
    try:
        _, report, text = validate(graph, shacl_graph=parsed(shapes), inplace=True)
    except ReportableRuntimeError as error:
        raise KgError(f"The shapes cannot be used: {error}") from error
    if not isinstance(report, Graph):
        raise KgError(f"The shapes cannot be used: {text}")
    return list(results(report, parsed(shapes)))


@lru_cache(maxsize=4)
def parsed(shapes: bytes) -> rdflib.Graph:
    from rdflib import Graph  # noqa: PLC0415

    graph = Graph()
    graph.parse(data=shapes, format="nt")
    return graph


def results(report: rdflib.Graph, shapes: rdflib.Graph) -> Iterator[Finding]:
    from rdflib.namespace import SH  # noqa: PLC0415

    names = ("focusNode", "resultPath", "value", "resultSeverity", "resultMessage")
    for result in report.objects(None, SH.result):
        said: Iterable[Any] = (report.value(result, SH[name]) for name in names)
        focus, path, value, severity, message = (None if term is None else str(term) for term in said)
        rule = named(shapes, report.value(result, SH.sourceShape))
        yield Finding(focus or "", path, value, local(rule), local(severity), message or "")


def named(shapes: rdflib.Graph, shape: Any) -> str:
    """The address of a shape; of one without, that of the shape it is part of: blank nodes are called otherwise each time."""
    from rdflib import BNode  # noqa: PLC0415

    while isinstance(shape, BNode):
        shape = min(shapes.subjects(None, shape), key=str, default=None)
    return str(shape or "")
