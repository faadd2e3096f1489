"""The dumps of a build: the parts of documents that say what they said are taken from the dumps of
the build before.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator, Set
from pathlib import Path
from typing import NamedTuple

from kg.errors import Problem
from kg.facts.secrets import Secrets
from kg.graph.build import Publishable
from kg.graph.parallel.executor import FEWEST, map_forked
from kg.publish.dumps.dump import Dump, Part, in_parts
from kg.publish.dumps.packing import Piece, inflated, is_member, packed, pieces
from kg.publish.dumps.spool import Bytes
from kg.publish.export.folder import Folder, stamp_of
from kg.publish.export.trace import Place, Trace
from kg.publish.formats.media import NQUADS
from kg.publish.proof import dumps
from kg.publish.proof.dumps import PACKED
from kg.publish.proof.graphs import Triples
from kg.publish.proof.listing import Listing
from kg.publish.proof.private import search

PORTION = 100  # documents that are proved at once


class Before(NamedTuple):
    """The trace of a dump that was written before, and the documents that say something else
    now.
    """

    trace: Trace
    changed: Set[str]


class DumpFiles:
    """Writes a dump and its packed copy, and proves what is new in them."""

    def __init__(
        self, graph: Publishable, folder: Folder, listing: Listing, is_proved: bool, jobs: int
    ) -> None:
        self.graph, self.folder, self.listing = graph, folder, listing
        self.is_proved, self.jobs = is_proved, jobs

    def write(
        self, trace: Trace, path: str, media_type: str, before: Before | None
    ) -> tuple[list[Problem], list[Problem]]:
        """What is wrong with the files, and what of them is private."""
        old = dict(self.parts_before(path, before))
        known = {
            name: Part(name, body, used)
            for name, (body, used) in old.items()
            if before and name not in before.changed
        }
        dump = in_parts(self.graph, media_type, known)
        fresh = frozenset(part.document for part in dump.parts) - known.keys()
        self.folder.stream(path, (body for _, body in dump.pieces()))
        trace.parts[path] = list(dump.places())
        old = dict(self.parts_before(path + PACKED, before))
        gzip = list(packed(dump.pieces(), {name: body for name, (body, _) in old.items()}, fresh))
        self.folder.stream(path + PACKED, (piece.body for piece in gzip))
        trace.parts[path + PACKED] = list(places(gzip))
        trace.files = {each: self.folder.stamp(each) for each in (path, path + PACKED)}
        problems = self.unpacked(path + PACKED, dump, gzip)
        if self.is_proved and media_type != NQUADS:
            problems += self.proved(dump, fresh, path, media_type)
        secrets: Secrets = self.graph.secrets
        new = (part for part in dump.parts if part.document in fresh)
        return problems, [
            found for part in new for found in search(path, bytes(part.body), secrets)
        ]

    def parts_before(
        self, path: str, before: Before | None
    ) -> Iterator[tuple[str, tuple[Bytes, tuple[str, ...]]]]:
        """The parts of a file of the build before, if it is still as it was written."""
        file = self.folder.target / path
        if before and stamp_of(file) == before.trace.files.get(path):
            view = mapped(file)
            for name, start, size, used in before.trace.parts[path]:
                yield name, (view[start : start + size], used)

    def unpacked(self, path: str, dump: Dump, gzip: list[Piece]) -> list[Problem]:
        """Whether the new pieces of a packed copy hold what they were packed from."""
        pairs = zip(gzip[1:-1], pieces(dump.pieces()), strict=True)
        wrong = any(
            inflated(piece.body) != b"".join(body for _, body in parts)
            for piece, parts in pairs
            if not piece.is_known
        ) or not (any(piece.is_known for piece in gzip) or is_member(gzip))
        return [dumps.not_packed(self.listing.source, path)] if wrong else []

    def proved(
        self, dump: Dump, fresh: frozenset[str], path: str, media_type: str
    ) -> list[Problem]:
        name, documents = self.listing.source.name(path), sorted(fresh)

        def judge(portion: list[str]) -> list[Problem]:
            body = bytes(dump.only(frozenset(portion)))
            return list(dumps.judged(name, media_type, body, self.graph_of(portion)))

        portions = [documents[at : at + PORTION] for at in range(0, len(documents), PORTION)]
        jobs = self.jobs if len(documents) > FEWEST else 1
        return [found for each in map_forked(judge, portions, jobs) for found in each]

    def graph_of(self, documents: list[str]) -> Triples:
        dump = self.listing.dump
        assert dump is not None  # noqa: S101
        return frozenset().union(*(dump.of(document) for document in documents))


def places(gzip: list[Piece]) -> Iterator[Place]:
    start = 0
    for name, body, _ in gzip:
        yield name, start, len(body), ()
        start += len(body)


def mapped(file: Path) -> memoryview:
    """The bytes of a file, read as they are needed."""
    with file.open("rb") as opened:
        return memoryview(mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ))
