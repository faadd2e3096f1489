"""The months by the one table of their names, `months.tsv`: a line for each, with the English name
first, then those of a dozen languages, in full and cut short.
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
    """`Jan`, `Feb`: the names on pages and, in small letters, in BibTeX."""
    return tuple(english[:3] for english, *_ in names())


def number_of(word: str) -> int:
    """The month that a word begins like, as the names of up to four letters do (`mar`, `juil`); 0
    where it is none.
    """
    known = ((plain(name), number) for number, line in enumerate(names(), 1) for name in line)
    starts = ((start, number) for start, number in known if len(start) <= 4)
    return next((number for start, number in starts if plain(word).startswith(start)), 0)
