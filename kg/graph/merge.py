"""Sorted lines: packed, and put together.

Most of a large graph stays packed, in a twentieth of the space; only some lines of each text at a time are objects of their own.
"""

from __future__ import annotations

import zlib
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from io import BytesIO
from itertools import pairwise

SPAN = 1 << 18  # bytes of a text that are packed together
Packed = tuple[bytes, ...]


def packed(lines: Iterable[str]) -> Packed:
    """The lines as one text, sorted, each once."""
    text, found, start = "".join(dict.fromkeys(sorted(lines))).encode(), [], 0
    while start < len(text):
        end = next_line(text, min(start + SPAN, len(text)))
        found.append(zlib.compress(text[start:end], 1))
        start = end
    return tuple(found)


def unpacked(text: Packed) -> bytes:
    return b"".join(map(zlib.decompress, text))


def merged(texts: Sequence[Packed], repeated: Counter[bytes] | None = None) -> bytes:
    """All texts as one, each line once; `repeated` counts how often it was there besides. What is held of a text is all that it has up to
    some line; so far all of them are put together."""
    waiting = [iter(text) for text in texts]
    held: list[list[bytes]] = [[] for _ in texts]
    found = BytesIO()  # which gives what it holds without a copy
    while True:
        for number, blocks in enumerate(waiting):
            if not held[number] and (block := next(blocks, None)) is not None:
                held[number] = zlib.decompress(block).splitlines(keepends=True)
        last = min((lines[-1] for lines in held if lines), default=None)
        if last is None:
            return found.getvalue()
        lines: list[bytes] = []
        for mine in held:
            end = bisect_right(mine, last)
            lines += mine[:end]
            del mine[:end]
        lines.sort()  # which finds that they are sorted in runs
        once = dict.fromkeys(lines)
        if repeated is not None and len(once) < len(lines):
            repeated.update(line for before, line in pairwise(lines) if before == line)
        found.write(b"".join(once))


def next_line(text: bytes, at: int) -> int:
    """Where the first line begins that does not begin before this."""
    if at == 0:
        return 0
    return text.find(b"\n", at - 1) + 1 or len(text)
