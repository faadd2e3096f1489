"""Dumps in pieces: those of a large one are in a temporary file, which is mapped into memory, and a
packed one is packed piece by piece, so that what has not changed is taken as it was before.

A packed file is one gzip member (RFC 1952), for browsers unpack no more than the first. Where a
piece ends is decided by the names of the documents, not by sizes: otherwise one more line at the
beginning would move all that comes after it.
"""

from __future__ import annotations

import hashlib
import mmap
import tempfile
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from threading import Lock
from typing import NamedTuple

# without a time and a name, so that the same is packed the same
HEAD = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
END = b"\x03\x00"  # an empty last block
ONE_IN = 32  # documents, about, are packed together
LEVEL = 6
AT_ONCE = 1 << 20  # bytes, or one piece
Bytes = bytes | memoryview
DumpPlace = tuple[str, int, int, tuple[str, ...]]  # document, start, size and prefixes of a part


class Part(NamedTuple):
    """What a dump says of one document, and the prefixes that it uses. What is of no document, such
    as the head of a file, has no name; a packed piece is named after all that is in it. Where lines
    are sorted, a document may have several parts.
    """

    document: str
    body: Bytes
    used: tuple[str, ...] = ()


def places(parts: Iterable[Part]) -> Iterator[DumpPlace]:
    """Where each part of a file begins and how long it is."""
    start = 0
    for document, body, used in parts:
        if document:
            yield document, start, len(body), used
        start += len(body)


def pieces(parts: Iterable[Part]) -> Iterator[list[Part]]:
    """The parts that are packed together."""
    waiting: list[Part] = []
    for part in parts:
        name = part.document.encode()
        if name and waiting and hashlib.blake2b(name, digest_size=1).digest()[0] % ONE_IN == 0:
            yield waiting
            waiting = []
        waiting.append(part)
    yield waiting


def packed(
    parts: Iterable[Part],
    known: Mapping[str, Bytes] | None = None,
    fresh: Set[str] = frozenset(),
) -> Iterator[Part]:
    """The pieces of a packed file, in order. `known` are pieces by their names, which can be taken
    where no document is `fresh`: one that says something else than it did then.
    """
    check, size = 0, 0
    yield Part("", HEAD)
    for piece in pieces(parts):
        for part in piece:
            check, size = zlib.crc32(part.body, check), size + len(part.body)
        name = name_of(piece)
        found = (known or {}).get(name) if fresh.isdisjoint(part[0] for part in piece) else None
        yield Part(name, found or deflated(b"".join(part.body for part in piece)))
    yield Part("", END + check.to_bytes(4, "little") + (size & 0xFFFFFFFF).to_bytes(4, "little"))


def name_of(piece: Iterable[Part]) -> str:
    """By the documents and their sizes; what is of no document is named by itself."""
    lines = (
        f"{document} {len(body)}".encode() if document else bytes(body)
        for document, body, _ in piece
    )
    return hashlib.blake2b(b"\n".join(lines), digest_size=12).hexdigest()


def deflated(piece: bytes) -> bytes:
    """To be followed by others: it ends on a whole byte, and refers to nothing before it."""
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(piece) + packer.flush(zlib.Z_FULL_FLUSH)


def spooled(parts: Iterable[Part]) -> list[Part]:
    """The parts, in a file without a name, which is gone with the last of them."""
    found, start = [], 0
    with tempfile.TemporaryFile() as file:
        sizes = [(part.document, file.write(part.body), part.used) for part in parts]
        file.flush()
        is_empty = not file.tell()
        view = memoryview(b"" if is_empty else mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    for document, size, used in sizes:
        found.append(Part(document, view[start : start + size], used))
        start += size
    return found


class Large:
    """A file in pieces."""

    def __init__(self, pieces: Sequence[Bytes]) -> None:
        self.pieces = pieces

    def __len__(self) -> int:
        return sum(map(len, self.pieces))

    def __iter__(self) -> Iterator[bytes]:
        """Neither very many parts, nor very large ones."""
        waiting = bytearray()
        for piece in self.pieces:
            for start in range(0, len(piece), AT_ONCE):
                waiting += piece[start : start + AT_ONCE]
                if len(waiting) >= AT_ONCE:
                    yield bytes(waiting)
                    waiting.clear()
        if waiting:
            yield bytes(waiting)

    @cached_property
    def tag(self) -> str:
        content = hashlib.sha256()
        for piece in self.pieces:
            content.update(piece)
        return content.hexdigest()[:32]


class LargeFiles(Mapping[str, Large]):
    """Such files, by their paths. Each is made once, when it is requested, and only one at a time:
    meanwhile a request for another is refused.
    """

    def __init__(self, make: Callable[[str], Large], paths: Collection[str]) -> None:
        self.make, self.paths = make, frozenset(paths)
        self.cache: dict[str, Large] = {}
        self.lock = Lock()

    def __contains__(self, path: object) -> bool:
        return path in self.paths

    def __iter__(self) -> Iterator[str]:
        return iter(self.paths)

    def __len__(self) -> int:
        return len(self.paths)

    def __getitem__(self, path: str) -> Large:
        """Raises BlockingIOError where one is being made."""
        if path not in self.cache:
            if not self.lock.acquire(blocking=False):
                raise BlockingIOError
            try:
                self.cache[path] = self.make(path)
            finally:
                self.lock.release()
        return self.cache[path]
