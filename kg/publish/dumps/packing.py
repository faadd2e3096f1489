"""Dumps in pieces: a large dump is in a temporary file that is mapped into memory; a compressed
dump is compressed piece by piece, so that unchanged pieces are reused.

A compressed file is one gzip member (RFC 1952), since browsers read only the first. The names of
documents decide where a piece ends, not sizes: otherwise one more line at the start would shift
everything after it.
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

# without time and name, so that equal input gives equal bytes
GZIP_HEADER = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
FINAL_BLOCK = b"\x03\x00"  # an empty last block
DOCUMENTS_PER_PIECE = 32  # documents per compressed piece, on average
COMPRESSION_LEVEL = 6
CHUNK_SIZE = 1 << 20  # bytes per chunk
Bytes = bytes | memoryview
DumpPlace = tuple[str, int, int, tuple[str, ...]]  # document, start, size and prefixes of a part


class Part(NamedTuple):
    """The part of a dump about one document, and the prefixes it uses. A part without a document,
    such as the head of a file, has no name; a compressed piece is named after its content. In
    sorted lines, a document can have several parts.
    """

    document: str
    body: Bytes
    used: tuple[str, ...] = ()


def places(parts: Iterable[Part]) -> Iterator[DumpPlace]:
    """The start and size of each part of a file."""
    start = 0
    for document, body, used in parts:
        if document:
            yield document, start, len(body), used
        start += len(body)


def pieces(parts: Iterable[Part]) -> Iterator[list[Part]]:
    """Groups of parts that are compressed together."""
    waiting: list[Part] = []
    for part in parts:
        name = part.document.encode()
        if (
            name
            and waiting
            and hashlib.blake2b(name, digest_size=1).digest()[0] % DOCUMENTS_PER_PIECE == 0
        ):
            yield waiting
            waiting = []
        waiting.append(part)
    yield waiting


def packed(
    parts: Iterable[Part],
    known: Mapping[str, Bytes] | None = None,
    fresh: Set[str] = frozenset(),
) -> Iterator[Part]:
    """The pieces of a compressed file, in order. `known` are pieces by name; they are reused unless
    one of their documents is `fresh`, that is, has changed.
    """
    check, size = 0, 0
    yield Part("", GZIP_HEADER)
    for piece in pieces(parts):
        for part in piece:
            check, size = zlib.crc32(part.body, check), size + len(part.body)
        name = name_of(piece)
        found = (known or {}).get(name) if fresh.isdisjoint(part[0] for part in piece) else None
        yield Part(name, found or deflated(b"".join(part.body for part in piece)))
    yield Part(
        "", FINAL_BLOCK + check.to_bytes(4, "little") + (size & 0xFFFFFFFF).to_bytes(4, "little")
    )


def name_of(piece: Iterable[Part]) -> str:
    """A name from the documents and their sizes; parts without a document count by content."""
    lines = (
        f"{document} {len(body)}".encode() if document else bytes(body)
        for document, body, _ in piece
    )
    return hashlib.blake2b(b"\n".join(lines), digest_size=12).hexdigest()


def deflated(piece: bytes) -> bytes:
    """A deflate block that can be concatenated: it ends on a byte boundary and does not refer to
    earlier data.
    """
    packer = zlib.compressobj(COMPRESSION_LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(piece) + packer.flush(zlib.Z_FULL_FLUSH)


def spooled(parts: Iterable[Part]) -> list[Part]:
    """The parts in an unnamed temporary file, which is deleted with the last of them."""
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
    """A large file in pieces."""

    def __init__(self, pieces: Sequence[Bytes]) -> None:
        self.pieces = pieces

    def __len__(self) -> int:
        return sum(map(len, self.pieces))

    def __iter__(self) -> Iterator[bytes]:
        """Chunks that are neither too many nor too large."""
        waiting = bytearray()
        for piece in self.pieces:
            for start in range(0, len(piece), CHUNK_SIZE):
                waiting += piece[start : start + CHUNK_SIZE]
                if len(waiting) >= CHUNK_SIZE:
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
    """Large files by path. Each is made once, on request, and only one at a time; requests for
    others are refused meanwhile.
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
        """Raises BlockingIOError while another file is being made."""
        if path not in self.cache:
            if not self.lock.acquire(blocking=False):
                raise BlockingIOError
            try:
                self.cache[path] = self.make(path)
            finally:
                self.lock.release()
        return self.cache[path]
