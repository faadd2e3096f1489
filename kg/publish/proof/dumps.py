"""The dumps: each form of the whole is the sum of the documents; and a packed copy is what it was
packed from.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator

from kg.errors import Problem
from kg.publish.formats.media import DUMP_SUFFIXES
from kg.publish.proof import graphs
from kg.publish.proof.faults import fault
from kg.publish.proof.graphs import Triples
from kg.publish.proof.listing import DUMP
from kg.publish.proof.source import Source

PACKED = ".gz"


def compared(source: Source, whole: Triples) -> Iterator[Problem]:
    """The dump of the documents apart is compared with each of them, and so is left out here."""
    for suffix, media_type in DUMP_SUFFIXES.items():
        path = f"dump{suffix}"
        if path == DUMP or media_type not in graphs.READERS:
            continue
        body = source.get(path)
        if body is None:
            yield fault(
                "missing",
                source.name(path),
                f"This form of the dump is missing: {source.why(path)}.",
            )
            continue
        try:
            found = graphs.triples(body, media_type)
        except SyntaxError as error:
            yield fault(
                "unreadable",
                source.name(path),
                f"The data cannot be read: {error.msg}.",
                error.lineno or 1,
            )
            continue
        if said := graphs.difference(found, whole):
            yield fault(
                "dump", source.name(path), f"This is not the sum of the documents: it {said}."
            )


def packed(source: Source, paths: Iterable[str]) -> Iterator[Problem]:
    """Copies that do not hold what they were packed from; `paths` are those of the copies."""
    for path in paths:
        copy, original = source.get(path), source.get(path.removesuffix(PACKED))
        if copy is None or original is None:
            continue  # what is missing is told elsewhere
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
