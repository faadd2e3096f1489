"""Large files, packed in pieces: each is packed by itself, so that one that has not changed is taken as it was packed before.

The result is one gzip member (RFC 1952), for browsers unpack no more than the first. Where a piece ends is told by the names of the
documents, not by sizes: otherwise one more line at the beginning would move all that comes after it.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterable, Iterator, Mapping

from kg.publish.dump_forms import Bytes

HEAD = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"  # without a time and a name, so that the same is packed the same
END = b"\x03\x00"  # an empty last block
ONE_IN = 32  # documents, about, are packed together
LEVEL = 6
Packed = tuple[str, Bytes]  # the digest of a piece, and the piece packed


def pieces(parts: Iterable[tuple[str, Bytes]]) -> Iterator[bytes]:
    waiting: list[Bytes] = []
    for document, body in parts:
        if document and waiting and hashlib.blake2b(document.encode(), digest_size=1).digest()[0] % ONE_IN == 0:
            yield b"".join(waiting)
            waiting = []
        waiting.append(body)
    yield b"".join(waiting)


def packed(parts: Iterable[tuple[str, Bytes]], known: Mapping[str, Bytes] | None = None) -> Iterator[Packed]:
    """The pieces of a packed file, in order. `known` are pieces by the digests of what they were packed from."""
    check, size = 0, 0
    yield "", HEAD
    for piece in pieces(parts):
        check, size = zlib.crc32(piece, check), size + len(piece)
        name = hashlib.blake2b(piece, digest_size=12).hexdigest()
        yield name, (known or {}).get(name) or deflated(piece)
    yield "", END + check.to_bytes(4, "little") + (size & 0xFFFFFFFF).to_bytes(4, "little")


def deflated(piece: bytes) -> bytes:
    """To be followed by others: it ends on a whole byte, and refers to nothing before it."""
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(piece) + packer.flush(zlib.Z_FULL_FLUSH)
