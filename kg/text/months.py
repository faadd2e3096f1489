"""Names of months from `months.tsv`: one line for each month, English first, then a dozen other
languages, full and abbreviated.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from kg.text.transliterate import plain


@cache
def names() -> tuple[tuple[str, ...], ...]:
    table = Path(__file__).with_name("months.tsv").read_text(encoding="utf-8")
    return tuple(tuple(line.split("\t")) for line in table.splitlines())


@cache
def short_names() -> tuple[str, ...]:
    """`Jan`, `Feb`, as on pages; in lower case, as in BibTeX."""
    return tuple(english[:3] for english, *_ in names())


def number_of(word: str) -> int:
    """The month whose name or abbreviation (`mar`, `juil`) a word begins with; 0 if none."""
    known = ((plain(name), number) for number, line in enumerate(names(), 1) for name in line)
    return next((number for start, number in known if plain(word).startswith(start)), 0)
