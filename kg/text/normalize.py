"""Text normalization for comparison, in three strengths:

- `squeeze` ignores kinds of spaces and Unicode composition. For printed names.
- `name_key` also ignores case, accents, alphabet and punctuation, but not symbols: C, C++ and C#
  differ. For finding entities by name; equal keys mean equal addresses.
- `letters` keeps only letters and digits: `start_date` equals `startDate`. For titles, and for
  words of other formats and languages.

Search uses `fold_text` and `words`, which also record where each letter is. The browser does the
same in `static/finding.js`, with the table from here.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

from kg.text.transliterate import STROKES, plain

LETTERS = {**STROKES, "ς": "σ", "'": "", "’": "", "‘": ""}
TABLE = str.maketrans(LETTERS)
# Accents of Latin, Greek and Cyrillic, and points of Hebrew and Arabic. In other scripts marks are
# vowels, and are kept.
MARKS = re.compile(
    "[\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]"
)
BREAK = re.compile(
    "[\\s\\x00-/:-@\\[-`{-\u00bf\u00d7\u00f7\u05be\u2000-\u206f\u2e00-\u2e7f"
    "\u3000-\u3002\u3008-\u301f\u3030\u30fb]"
)
WITHOUT_SPACES = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005\u3040-\u30fa\u30fc-\u30ff"
    "\u3400-\u9fff\uf900-\ufaff]"
)

ASCII_WORD = re.compile("[a-z0-9]+")
# Symbols that distinguish names: C, C++, C#.
SIGNS = {"++": "-plus-plus", "#": "-sharp"}
SIGNED = re.compile(r"(?<=[a-z])(?:\+\+|#(?![a-z0-9]))")
PLUS = re.compile(r"(?<=\w)\+(?![\w+])")  # ES6+ is not ES6, Canal+ is not Canal
TELLS_APART = ("L", "M", "N", "Sm")  # letters, marks, digits, symbols such as `♯`
IGNORED = str.maketrans("", "", "'.")  # in names: O'Brien, Node.js
NO_LETTER = re.compile(r"[\W_]+")


def squeeze(text: str) -> str:
    """Normalizes spaces and Unicode composition."""
    return " ".join(unicodedata.normalize("NFC", text).split())


@lru_cache(maxsize=65536)
def name_key(name: str) -> str:
    """One key for all spellings of a name: `Node.js` and `NodeJS` -> `nodejs`. Equal keys mean
    equal addresses. Unlike an address, a key is never cut, and keeps other scripts.
    """
    letters = plain(PLUS.sub("-plus", name)).translate(IGNORED)
    if not letters.isascii():
        letters = "".join(
            sign
            for sign in letters
            if sign.isascii() or unicodedata.category(sign).startswith(TELLS_APART)
        )
    key = re.sub(r"[^a-z0-9\u0080-\U0010ffff]+", "-", with_words(letters))
    return key.strip("-") or squeeze(name)


def with_words(letters: str) -> str:
    """`c++` -> `c-plus-plus`"""
    return SIGNED.sub(lambda sign: SIGNS[sign[0]], letters) if {*letters} & {*"+#"} else letters


def letters(text: str) -> str:
    """The letters and digits of a text, in lower case and Latin script where possible."""
    return NO_LETTER.sub("", plain(text))


@lru_cache(maxsize=4096)
def fold(letter: str) -> str:
    """The plain form of one letter; can be several letters, or none for an apostrophe."""
    small = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", letter).lower())
    return MARKS.sub("", small).translate(TABLE)


@dataclass(frozen=True, slots=True)
class FoldedText:
    """The letters of a text without spaces, and the indices where words begin."""

    letters: str
    starts: tuple[int, ...]


def fold_text(text: str) -> FoldedText:
    if text.isascii():  # the same, but faster
        pieces = ASCII_WORD.findall(text.lower().replace("'", ""))
        return FoldedText(
            "".join(pieces), (0, *accumulate(map(len, pieces[:-1]))) if pieces else ()
        )
    letters = list(folded_letters(text))
    starts = (
        number
        for number, (letter, at_break, _) in enumerate(letters)
        if at_break or WITHOUT_SPACES.match(letter)
    )
    return FoldedText("".join(letter for letter, _, _ in letters), tuple(starts))


def folded_letters(text: str) -> Iterator[tuple[str, bool, int]]:
    """The letters that count: each with whether it starts a word, and its index in the text."""
    at_break = True
    for place, letter in enumerate(text):
        for each in fold(letter):
            if BREAK.match(each):
                at_break = True
            else:
                yield each, at_break, place
                at_break = False


def words(text: str) -> list[str]:
    """The words of a search."""
    return BREAK.sub(" ", "".join(map(fold, text))).split()
