"""Sorted lines as one text: where a line stands in them, and the same with some fewer and some
more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set


def place(text: bytes, line: bytes, low: int = 0) -> int:
    """Where a line stands, or would stand; not before `low`, which is the beginning of one."""
    high = len(text)
    while low < high:
        middle = text.rfind(b"\n", low, (low + high) // 2) + 1 or low
        end = text.find(b"\n", middle) + 1
        if text[middle:end] < line:
            low = end
        else:
            high = middle
    return low


def holds(text: bytes, line: bytes) -> bool:
    return text.startswith(line, place(text, line))


def beginning(text: bytes, words: bytes) -> Iterator[bytes]:
    """The lines that begin so."""
    at = place(text, words)
    while at < len(text) and text.startswith(words, at):
        end = text.find(b"\n", at) + 1
        yield text[at:end]
        at = end


def spliced(text: bytes, gone: Set[bytes], come: Set[bytes]) -> bytes:
    """The text without the lines that are gone, which it has, and with those that have come, which
    it has not.
    """
    return b"".join(pieces(text, gone, come)) if gone or come else text


def pieces(text: bytes, gone: Set[bytes], come: Iterable[bytes]) -> Iterator[bytes | memoryview]:
    view, at = memoryview(text), 0  # whose parts are no copies
    for line in sorted({*gone, *come}):
        there = place(text, line, at)
        yield view[at:there]
        at = there
        if line in gone:
            at += len(line)
        else:
            yield line
    yield view[at:]
