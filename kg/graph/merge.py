"""Sorted lines: made, put together, and cut.

Most of a large graph stays bytes; only a few megabytes at a time are lines, each an object of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from io import BytesIO

SPAN = 1 << 22  # bytes of one text between two cuts


def in_order(lines: Iterable[str]) -> bytes:
    """The lines as one text, sorted, each once."""
    return "".join(dict.fromkeys(sorted(lines))).encode()


def merged(texts: Sequence[bytes]) -> bytes:
    """Texts of sorted lines as one, each line once."""
    cuts = sorted(
        {text[(start := next_line(text, at)) : next_line(text, start + 1)] for text in texts for at in range(SPAN, len(text), SPAN)}
    )
    done, found = [0] * len(texts), BytesIO()  # which gives what it holds without a copy
    for cut in [*(cut for cut in cuts if cut), None]:
        lines: list[bytes] = []
        for number, text in enumerate(texts):
            end = len(text) if cut is None else place_of(cut, text, done[number])
            lines += text[done[number] : end].splitlines(keepends=True)
            done[number] = end
        lines.sort()  # which finds that they are sorted in runs
        found.write(b"".join(dict.fromkeys(lines)))
    return found.getvalue()


def next_line(text: bytes, at: int) -> int:
    """Where the first line begins that does not begin before this."""
    if at == 0:
        return 0
    return text.find(b"\n", at - 1) + 1 or len(text)


def place_of(line: bytes, text: bytes, low: int = 0) -> int:
    """Where a line stands in a text of sorted lines, or would stand; `low` is the start of one that is not behind it."""
    high = len(text)  # always the start of a line that is not before it, or the end
    while low < high:
        middle = next_line(text, (low + high) // 2)
        if middle >= high:  # the middle lies in the last line that is left
            middle = low
        end = next_line(text, middle + 1)
        if text[middle:end] < line:
            low = end
        else:
            high = middle
    return low
