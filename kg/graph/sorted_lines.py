"""Sorted lines, compressed and merged.

Most of a large graph stays packed, in a twentieth of the space; only some lines of each text at a
time are objects of their own.
"""

from __future__ import annotations

import zlib
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

AT_ONCE = 1 << 17  # lines
SPAN = 1 << 18  # bytes of a text that are packed together
Packed = tuple[bytes, ...]


def pack(lines: Iterable[str]) -> Packed:
    """The lines as one text, sorted, each once; where there are many, some are sorted at a time."""
    waiting, texts = iter(lines), []
    while some := list(islice(waiting, AT_ONCE)):
        texts.append(in_blocks(["".join(dict.fromkeys(sorted(some))).encode()]))
    return texts[0] if len(texts) == 1 else in_blocks(merge_runs(texts))


def in_blocks(parts: Iterable[bytes]) -> Packed:
    found, left = [], b""
    for part in parts:
        text, start = left + part, 0
        while len(text) - start > SPAN:
            end = next_line(text, start + SPAN)
            found.append(zlib.compress(text[start:end], 1))
            start = end
        left = text[start:]
    return (*found, zlib.compress(left, 1)) if left else tuple(found)


def unpack(text: Packed) -> Iterator[bytes]:
    """A text in parts of whole lines."""
    return map(zlib.decompress, text)


def merge(texts: Sequence[Packed]) -> bytes:
    """All texts as one, each line once."""
    return b"".join(merge_runs(texts))


def merge_runs(texts: Sequence[Packed]) -> Iterator[bytes]:
    """One run of merged lines after the other. Of each text one block is unpacked; all of them are
    merged as far as the block that ends first.
    """
    waiting = [iter(text) for text in texts]
    open_lines: list[list[bytes]] = [[] for _ in texts]
    while True:
        for number, blocks in enumerate(waiting):
            if not open_lines[number] and (block := next(blocks, None)) is not None:
                open_lines[number] = zlib.decompress(block).splitlines(keepends=True)
        last = min((lines[-1] for lines in open_lines if lines), default=None)
        if last is None:
            return
        lines: list[bytes] = []
        for mine in open_lines:
            end = bisect_right(mine, last)
            lines += mine[:end]
            del mine[:end]
        lines.sort()  # which finds that they are sorted in runs
        yield b"".join(dict.fromkeys(lines))


def next_line(text: bytes, at: int) -> int:
    """Where the first line begins that does not begin before this."""
    if at == 0:
        return 0
    return text.find(b"\n", at - 1) + 1 or len(text)
