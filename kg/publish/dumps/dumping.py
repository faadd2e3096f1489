"""Writes the dumps of a build: parts of documents that say what they said are taken from the dumps
before.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator, Mapping, Set
from functools import lru_cache
from pathlib import Path

from kg.errors import Problem
from kg.publish.dumps.dump import Dump, Run, in_parts, runs
from kg.publish.dumps.dump_forms import Part
from kg.publish.dumps.packing import Piece, inflated, packed
from kg.publish.dumps.packing import pieces as parts_of
from kg.publish.dumps.spooled import Bytes
from kg.publish.export import crew
from kg.publish.export.folder import Folder
from kg.publish.export.leaks import search
from kg.publish.export.on_disk import stamp_of
from kg.publish.export.trace import Made
from kg.publish.formats.media import NQUADS, NTRIPLES
from kg.publish.proof import dumps, parts
from kg.publish.proof.built import Built
from kg.publish.proof.dumps import PACKED
from kg.publish.proof.listing import DUMP
from kg.publish.site import Documents

PORTION = 100  # documents that are proved at once


class Dumping:
    """`moved` are the documents that say something else than when the dumps `before` were written;
    None where that is not known.
    """

    def __init__(
        self,
        documents: Documents,
        folder: Folder,
        built: Built,
        before: Mapping[str, Made],
        moved: frozenset[str] | None,
        is_whole: bool,
    ) -> None:
        self.documents, self.folder, self.built = documents, folder, built
        self.before, self.moved, self.is_whole = before, moved, is_whole
        self.dump = lru_cache(maxsize=1)(self.in_parts)  # for the packed one, which comes next

    def write(self, path: str, jobs: int) -> tuple[Made, bool, list[Problem], list[Problem]]:
        """What was made, whether it is another than before, what is wrong with it, and what of it
        is private.
        """
        made, secrets = Made(f"={path}"), self.documents.graph.secrets
        origin, media_type = self.documents.files[path]
        if origin == "dump":
            dump, fresh = self.dump(path, media_type)
            is_new = self.folder.stream(path, (body for _, body in dump.pieces()))
            made.parts = list(dump.places())
            problems = (
                self.proved(dump, fresh, path, media_type, jobs)
                if self.is_whole and media_type != NQUADS
                else []
            )
            leaks = [
                found
                for part in dump.parts
                if part.document in fresh
                for found in search(path, bytes(part.body), secrets)
            ]
        else:
            dump, fresh = self.dump(
                path.removesuffix(PACKED), self.documents.files[path.removesuffix(PACKED)][1]
            )
            pieces = list(packed(dump.pieces(), self.packed_before(path), fresh))
            is_new = self.folder.stream(path, (piece.body for piece in pieces))
            made.parts = list(placed(pieces))
            problems, leaks = self.unpacked(path, dump, pieces), []
        made.files[path] = self.folder.stamp(path)
        return made, is_new, problems, leaks

    def in_parts(self, path: str, media_type: str) -> tuple[Dump, frozenset[str]]:
        """A dump, and the documents whose parts are new in it."""
        known = {
            document: Part(document, body, tuple(used))
            for (document, start, size, used), body in self.old(path)
            if self.moved is not None and document not in self.moved
        }
        triples = dict(self.old_runs(path, known.keys())) if media_type == NTRIPLES else {}
        dump = in_parts(self.documents.graph, media_type, known, self.built.dumped.text, triples)
        fresh = frozenset(part.document for part in dump.parts) - known.keys()
        return dump, fresh

    def old_runs(self, path: str, known: Set[str]) -> Iterator[tuple[Run, Bytes]]:
        """The parts of N-Triples before, by the lines they were made from."""
        made, bodies = self.before.get(f"={DUMP}"), [body for _, body in self.old(path)]
        if made and len(made.parts) == len(bodies):
            for run, body in zip(
                runs((document, size) for document, _, size, _ in made.parts), bodies, strict=True
            ):
                if run[0] in known:
                    yield run, body

    def unpacked(self, path: str, dump: Dump, pieces: list[Piece]) -> list[Problem]:
        """Whether a copy holds what it was packed from: all of it, or only that which was not taken
        from one that did.
        """
        if not any(piece.is_known for piece in pieces):
            return list(dumps.packed(self.built.source, [path]))
        named = zip(pieces[1:-1], parts_of(dump.pieces()), strict=True)
        wrong = (
            piece
            for piece, parts in named
            if not piece.is_known and inflated(piece.body) != b"".join(body for _, body in parts)
        )
        return [dumps.not_packed(self.built.source, path) for _ in wrong][:1]

    def packed_before(self, path: str) -> dict[str, Bytes]:
        return {name: body for (name, _, _, _), body in self.old(path) if name}

    def old(self, path: str) -> Iterator[tuple[tuple[str, int, int, tuple[str, ...]], Bytes]]:
        """The parts of a file before, if it is still as it was written."""
        made = self.before.get(f"={path}")
        if made and made.parts and stamp_of(self.folder.target / path) == made.files.get(path):
            view = seen(self.folder.target / path)
            for name, start, size, used in made.parts:
                yield (name, start, size, used), view[start : start + size]

    def proved(
        self, dump: Dump, fresh: frozenset[str], path: str, media_type: str, jobs: int
    ) -> list[Problem]:
        documents = sorted(fresh)
        portions = [
            frozenset(documents[start : start + PORTION])
            for start in range(0, len(documents), PORTION)
        ]

        def judge(portion: frozenset[str]) -> list[Problem]:
            return list(parts.compared(self.built, path, media_type, dump.only(portion), portion))

        return [
            found
            for each in crew.mapped(judge, portions, jobs if len(documents) > crew.FEWEST else 1)
            for found in each
        ]


def placed(pieces: list[Piece]) -> Iterator[tuple[str, int, int, tuple[str, ...]]]:
    start = 0
    for name, body, _ in pieces:
        yield name, start, len(body), ()
        start += len(body)


def seen(path: Path) -> memoryview:
    """The bytes of a file, read as they are needed."""
    with path.open("rb") as file:
        return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
