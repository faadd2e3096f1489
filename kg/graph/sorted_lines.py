"""Sorted lines: compression, merging and search.

Most of a large graph stays compressed, in a twentieth of the space; only a few lines of each text
are unpacked at a time.
"""

from __future__ import annotations

import zlib
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from kg.vocab import apart

RUN_SIZE = 1 << 17  # lines sorted at once
BLOCK_SIZE = 1 << 11  # lines compressed together
Packed = tuple[bytes, ...]


def pack(lines: Iterable[str]) -> Packed:
    """The lines sorted, without duplicates and compressed; large inputs are sorted in runs and
    merged.
    """
    waiting, texts = iter(lines), []
    while some := list(islice(waiting, RUN_SIZE)):
        texts.append(in_blocks(line.encode() for line in dict.fromkeys(sorted(some))))
    return texts[0] if len(texts) == 1 else in_blocks(merged(texts))


def in_blocks(lines: Iterator[bytes]) -> Packed:
    blocks = iter(lambda: b"".join(islice(lines, BLOCK_SIZE)), b"")
    return tuple(zlib.compress(block, 1) for block in blocks)


def unpack(text: Packed) -> Iterator[bytes]:
    """The blocks of a text, each of whole lines."""
    return map(zlib.decompress, text)


def merge(texts: Sequence[Packed]) -> bytes:
    """All texts as one, without duplicate lines."""
    return b"".join(merged(texts))


def merged(texts: Sequence[Packed]) -> Iterator[bytes]:
    """The lines of all texts, sorted. One block of each text is unpacked; all are merged up to the
    block that ends first.
    """
    waiting = [unpack(text) for text in texts]
    open_lines: list[list[bytes]] = [[] for _ in texts]
    while True:
        for number, blocks in enumerate(waiting):
            open_lines[number] = open_lines[number] or next(blocks, b"").splitlines(keepends=True)
        last = min((lines[-1] for lines in open_lines if lines), default=None)
        if last is None:
            return
        lines: list[bytes] = []
        for mine in open_lines:
            end = bisect_right(mine, last)
            lines += mine[:end]
            del mine[:end]
        lines.sort()  # fast, because it consists of sorted runs
        yield from dict.fromkeys(lines)


def divided(nquads: bytes, base: str) -> tuple[bytes, bytes]:
    """The lines of facts of a site, and those of all other graphs."""
    ends = tuple(f" <{name}> .".encode() for name in apart(base))
    facts, rest = list[bytes](), list[bytes]()
    for line in nquads.splitlines(keepends=True):
        (rest if line.rstrip().endswith(ends) else facts).append(line)
    return b"".join(facts), b"".join(rest)


def compare(old: bytes, new: bytes) -> tuple[list[str], list[str]]:
    """The removed lines and the added lines."""
    before, after = ({*text.split(b"\n")[:-1]} for text in (old, new))
    return tuple(  # type: ignore[return-value]
        [line.decode() for line in sorted(lines)] for lines in (before - after, after - before)
    )


def beginning_with(text: bytes, prefix: bytes) -> list[bytes]:
    """The lines of a sorted text that start with a prefix."""
    low, high = 0, len(text)  # always at the start of a line
    while low < high:
        middle = (low + high) // 2
        start = text.rfind(b"\n", low, middle) + 1 or low
        if text[start : start + len(prefix)] < prefix:
            low = text.index(b"\n", middle) + 1
        else:
            high = start
    found = []
    while low < len(text) and text.startswith(prefix, low):
        end = text.index(b"\n", low) + 1
        found.append(text[low:end])
        low = end
    return found
