"""The dumps: each form is the sum of the documents; and a packed copy unpacks to its original."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator

from pyoxigraph import DefaultGraph, NamedNode

from kg.errors import Problem
from kg.publish.formats.media import DUMP_SUFFIXES, TRIG
from kg.publish.proof import graphs
from kg.publish.proof.faults import fault
from kg.publish.proof.graphs import Triples
from kg.publish.proof.listing import DUMP
from kg.publish.proof.source import Source

PACKED = ".gz"


def compared(source: Source, graph: Triples) -> Iterator[Problem]:
    """The dumps that are not the sum of the documents. (The N-Quads were compared with each of
    them.)
    """
    for suffix, media_type in DUMP_SUFFIXES.items():
        path = f"dump{suffix}"
        if path == DUMP or media_type not in graphs.READERS or source.is_proved(path):
            continue
        body = source.get(path)
        if body is None:
            message = f"This form of the dump is missing: {source.why(path)}."
            yield fault("missing", source.name(path), message)
        else:
            yield from judged(source.name(path), media_type, body, graph)


def judged(name: str, media_type: str, body: bytes, graph: Triples) -> Iterator[Problem]:
    """What is wrong with a dump, or a part of one, that should be this graph."""
    try:
        quads = graphs.quads(body, media_type)
    except SyntaxError as error:
        message = f"The data cannot be read: {error.msg}."
        yield fault("unreadable", name, message, error.lineno or 1)
        return
    for quad in quads if media_type == TRIG else ():
        document = graphs.document_of(quad.triple)
        if quad.graph_name not in (NamedNode(document), DefaultGraph()):
            yield fault("dump", name, f"This is not in the graph of {document}: {quad.triple}.")
    if said := graphs.difference(frozenset(quad.triple for quad in quads), graph):
        yield fault("dump", name, f"This is not the sum of the documents: it {said}.")


def packed(source: Source, paths: Iterable[str]) -> Iterator[Problem]:
    """Copies that do not hold what they were packed from; `paths` are those of the copies."""
    for path in paths:
        if source.is_proved(path):
            continue
        copy, original = source.get(path), source.get(path.removesuffix(PACKED))
        if copy is None or original is None:
            continue  # which is reported elsewhere
        if not unpacks_to(copy, original):
            yield not_packed(source, path)


def not_packed(source: Source, path: str) -> Problem:
    return fault(
        "packed",
        source.name(path),
        f"This is not {path.rpartition('/')[2].removesuffix(PACKED)}, packed.",
    )


def unpacks_to(copy: bytes, original: bytes) -> bool:
    """Unpacks no more than is needed to tell, whatever it would become."""
    packer = zlib.decompressobj(wbits=31)
    try:
        return packer.decompress(copy, len(original) + 1) == original and not packer.unconsumed_tail
    except zlib.error:
        return False
