"""Estimated widths of text without a font: a little more than most sans-serif fonts need."""

from __future__ import annotations

import unicodedata

SIZE = 12  # px
NARROW, CAPITAL, OTHER, FULL = 0.33, 0.74, 0.58, 1.1  # of its size


def width(text: str, size: float = SIZE) -> float:
    return sum(map(share, text)) * size


def share(letter: str) -> float:
    if letter in " .,:;'|!ijltfrI()[]-·":
        return NARROW
    if unicodedata.category(letter) in ("Mn", "Me", "Cf"):
        return 0
    if unicodedata.east_asian_width(letter) in "WF":
        return FULL
    return CAPITAL if letter.isupper() or letter in "mw%@&–" else OTHER


def shortened(text: str, most: float, size: float = SIZE) -> str:
    """The text, or as much of it as fits, with an ellipsis."""
    if width(text, size) <= most:
        return text
    room = most - size
    fitting = 0
    for letter in text:
        room -= share(letter) * size
        if room < 0:
            break
        fitting += 1
    return text[:fitting].rstrip() + "…"


def wrapped(text: str, most: float, size: float = SIZE) -> list[str]:
    """The text in lines that fit; a word too long for a line is shortened."""
    lines: list[str] = []
    for word in text.split():
        if lines and width(f"{lines[-1]} {word}", size) <= most:
            lines[-1] += f" {word}"
        else:
            lines.append(shortened(word, most, size))
    return lines
