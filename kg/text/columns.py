"""Plain-text tables, and a line with a caret, fitted to the width of a terminal.

Control characters are replaced, because text from others could contain terminal commands.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

COLUMN_GAP = "  "
MIN_COLUMN_WIDTH = 6  # minimum width of a column


def clean(text: str) -> str:
    """Replaces control characters, line breaks and direction marks with spaces."""
    return "".join(
        character if unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Zl", "Zp") else " "
        for character in text
    )


def width(text: str) -> int:
    return len(text) if text.isascii() else sum(map(cells, text))


def cells(character: str) -> int:
    """Terminal cells of a character: 0 for combining accents, 2 for wide East Asian characters."""
    if unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


def cut(text: str, most: int) -> str:
    if width(text) <= most:
        return text
    return f"{text[: fitting(text, most - 1)]}…"


def fitting(text: str, most: int) -> int:
    """How many of the first characters fit."""
    return sum(reached <= most for reached in accumulate(map(cells, text)))


def fitted(widths: Sequence[int], available: int) -> list[int]:
    """Column widths that fit the available space; the widest columns are cut first."""
    available -= len(COLUMN_GAP) * (len(widths) - 1)
    most = max(widths, default=0)
    while most > MIN_COLUMN_WIDTH and sum(min(width, most) for width in widths) > available:
        most -= 1
    return [min(width, most) for width in widths]


def table(
    head: Sequence[str], rows: Iterable[Sequence[str]], numeric: frozenset[int], available: int
) -> Iterator[str]:
    """The lines of a table: header, rule, rows. Columns of numbers are right-aligned."""
    texts = [[clean(text) for text in row] for row in (head, *rows)]
    widths = fitted([max(1, *map(width, column)) for column in zip(*texts, strict=True)], available)

    def line(row: Sequence[str]) -> str:
        shown = [cut(text, most) for text, most in zip(row, widths, strict=True)]
        spaces = [" " * (most - width(text)) for text, most in zip(shown, widths, strict=True)]
        return COLUMN_GAP.join(
            space + text if place in numeric else text + space
            for place, (text, space) in enumerate(zip(shown, spaces, strict=True))
        ).rstrip()

    yield line(texts[0])
    yield COLUMN_GAP.join("-" * most for most in widths)
    yield from map(line, texts[1:])


def pointed(text: str, row: int, column: int, available: int) -> list[str]:
    """A line of a text, cut to the available width, and a caret under a column; both count from 1.
    Empty if there is no such line.
    """
    lines = text.split("\n")
    if not 1 <= row <= len(lines) or not clean(lines[row - 1]).strip():
        return []
    line, at = clean(lines[row - 1]).rstrip(), column - 1
    start = at - fitting(line[:at][::-1], available * 2 // 3) if width(line) >= available else 0
    before = ("…" if start else "") + line[start:at]
    return [cut(("…" if start else "") + line[start:], available), f"{' ' * width(before)}^"]
