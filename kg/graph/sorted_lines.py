"""Sorted lines: compressed, merged, and searched.

Most of a large graph stays packed, in a twentieth of the space; only some lines of each text at a
time are objects of their own.
"""

from __future__ import annotations

import zlib
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

AT_ONCE = 1 << 17  # lines that are sorted together
SPAN = 1 << 11  # lines that are packed together
Packed = tuple[bytes, ...]


def pack(lines: Iterable[str]) -> Packed:
    """The lines as one text, sorted, each once; where there are many, some are sorted at a time."""
    waiting, texts = iter(lines), []
    while some := list(islice(waiting, AT_ONCE)):
        texts.append(in_blocks(line.encode() for line in dict.fromkeys(sorted(some))))
    return texts[0] if len(texts) == 1 else in_blocks(merged(texts))


def in_blocks(lines: Iterator[bytes]) -> Packed:
    blocks = iter(lambda: b"".join(islice(lines, SPAN)), b"")
    return tuple(zlib.compress(block, 1) for block in blocks)


def unpack(text: Packed) -> Iterator[bytes]:
    """A text in parts of whole lines."""
    return map(zlib.decompress, text)


def merge(texts: Sequence[Packed]) -> bytes:
    """All texts as one, each line once."""
    return b"".join(merged(texts))


def merged(texts: Sequence[Packed]) -> Iterator[bytes]:
    """The lines of all texts. Of each text one block is unpacked; all of them are merged as far as
    the block that ends first.
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
        lines.sort()  # which finds that they are sorted in runs
        yield from dict.fromkeys(lines)


def beginning_with(text: bytes, prefix: bytes) -> list[bytes]:
    """The lines of a sorted text that begin so."""
    low, high = 0, len(text)  # each at the beginning of a line
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
