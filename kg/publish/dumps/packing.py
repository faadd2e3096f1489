"""Large files, packed in pieces: each is packed by itself, so that one that has not changed is
taken as it was packed before.

The result is one gzip member (RFC 1952), for browsers unpack no more than the first. Where a piece
ends is decided by the names of the documents, not by sizes: otherwise one more line at the
beginning would move all that comes after it.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterable, Iterator, Mapping, Set
from typing import NamedTuple

from kg.publish.dumps.spool import Bytes

# without a time and a name, so that the same is packed the same
HEAD = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
END = b"\x03\x00"  # an empty last block
ONE_IN = 32  # documents, about, are packed together
LEVEL = 6


class Piece(NamedTuple):
    """Packed: what it is called, after the documents in it and their sizes; and whether it was
    taken as it was.
    """

    name: str
    body: Bytes
    is_known: bool = False


def pieces(parts: Iterable[tuple[str, Bytes]]) -> Iterator[list[tuple[str, Bytes]]]:
    waiting: list[tuple[str, Bytes]] = []
    for document, body in parts:
        if (
            document
            and waiting
            and hashlib.blake2b(document.encode(), digest_size=1).digest()[0] % ONE_IN == 0
        ):
            yield waiting
            waiting = []
        waiting.append((document, body))
    yield waiting


def packed(
    parts: Iterable[tuple[str, Bytes]],
    known: Mapping[str, Bytes] | None = None,
    fresh: Set[str] = frozenset(),
) -> Iterator[Piece]:
    """The pieces of a packed file, in order. `known` are pieces by their names, which can be taken
    where no document is `fresh`: one that says something else than it did then.
    """
    check, size = 0, 0
    yield Piece("", HEAD)
    for piece in pieces(parts):
        for _, body in piece:
            check, size = zlib.crc32(body, check), size + len(body)
        name, documents = name_of(piece), {document for document, _ in piece}
        found = (known or {}).get(name) if documents.isdisjoint(fresh) else None
        yield Piece(name, found or deflated(b"".join(body for _, body in piece)), found is not None)
    yield Piece("", END + check.to_bytes(4, "little") + (size & 0xFFFFFFFF).to_bytes(4, "little"))


def name_of(piece: Iterable[tuple[str, Bytes]]) -> str:
    """What is of no document, the head of a file, is named by itself."""
    said = (
        f"{document} {len(body)}".encode() if document else bytes(body) for document, body in piece
    )
    return hashlib.blake2b(b"\n".join(said), digest_size=12).hexdigest()


def deflated(piece: bytes) -> bytes:
    """To be followed by others: it ends on a whole byte, and refers to nothing before it."""
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(piece) + packer.flush(zlib.Z_FULL_FLUSH)


def inflated(piece: Bytes) -> bytes:
    return zlib.decompressobj(-zlib.MAX_WBITS).decompress(piece)


def is_member(gzip: Iterable[Piece]) -> bool:
    """Whether the pieces are one member of gzip together, with the right check sum."""
    unpacker = zlib.decompressobj(wbits=31)
    try:
        for piece in gzip:
            unpacker.decompress(piece.body)
    except zlib.error:
        return False
    return unpacker.eof and not unpacker.unused_data
