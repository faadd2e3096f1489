"""Transliteration to plain Latin letters, for addresses, search and sorting.

Unicode decomposition removes accents, and a table letters with strokes. Greek, Cyrillic, Armenian
and Georgian are alphabets with one Latin spelling, by which names are compared. In all other
scripts (Chinese, Arabic, Hindi …), different names have the same spelling; only addresses use it.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache


def pairs(letters: str, latin: str) -> dict[str, str]:
    """letter -> Latin spelling; `_` for silent letters"""
    return {letter: word.strip("_") for letter, word in zip(letters, latin.split(), strict=True)}


STROKES = {
    **pairs("ßæœøđðłþıħŧŋƀɓƈɗǝəɛǥ", "ss ae oe o d d l th i h t ng b b c d e e e g"),
    **pairs("ɠɨƙƚɲɔɵƥĸſƭʉʋƴƶʻʼʿʾ", "g i k l n o o p k s t u v y z _ _ _ _"),
}
# Letters that anyascii or the removal of accents would spell differently.
SPELLINGS = pairs("ёєїџѓќѵռйўӣӯ", "yo ye yi dz gj kj i r y u i u")
LETTERS = str.maketrans({**STROKES, **SPELLINGS})
ALPHABETS = re.compile("[\u0370-\u0481\u048a-\u052f\u0561-\u0588\u10d0-\u10fa\u10fc-\u10ff]")

# Pairs of letters with one sound.
DIGRAPHS = [
    (re.compile("(?<=[αεη])υ(?=[αβγδεζηιλμνορυω])"), "v"),
    (re.compile("(?<=[αεη])υ"), "f"),
    (re.compile("ου"), "ou"),
    (re.compile("γ(?=[γξχ])"), "n"),
    (re.compile(r"\bμπ"), "b"),
    (re.compile(r"\bντ"), "d"),
    (re.compile("ու"), "u"),
    (re.compile("եւ"), "ev"),
]
WITH_SOUNDS = re.compile("[\u0370-\u03ff\u0531-\u0587]")
STRESS = "\u0301"
MARKS = re.compile("[\u0300-\u036f]")
NO_QUOTES = str.maketrans("", "", "'`")
SYLLABLE = re.compile("[\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]")


@lru_cache(maxsize=65536)
def plain(text: str) -> str:
    """Lower-case Latin letters where possible: `Øystein` -> `oystein`, `Чехов` -> `chekhov`. Other
    scripts are kept.
    """
    text = unicodedata.normalize("NFKC", text).lower()
    if text.isascii():
        return text
    if WITH_SOUNDS.search(text):
        text = unicodedata.normalize("NFC", unicodedata.normalize("NFD", text).replace(STRESS, ""))
        for sounds, latin in DIGRAPHS:
            text = sounds.sub(latin, text)
    # Before decomposition, because й is a separate letter; and again for letters that lost an
    # accent.
    text = text.translate(LETTERS)
    text = MARKS.sub("", unicodedata.normalize("NFKD", text)).translate(LETTERS)
    return ALPHABETS.sub(lambda letter: ascii_of(letter[0]), text)


def ascii_of(letter: str) -> str:
    from anyascii import anyascii  # noqa: PLC0415  rarely needed

    return anyascii(letter).translate(NO_QUOTES).lower()


def romanized(text: str) -> str:
    """Latin letters for any script: `王小明` -> `wang xiao ming`. Each syllable of Chinese and
    Korean is a word.
    """
    return "".join(map(romanized_letter, unicodedata.normalize("NFC", plain(text))))


def romanized_letter(letter: str) -> str:
    if letter.isascii():
        return letter
    if not unicodedata.category(letter).startswith(("L", "M", "N")):
        return " "
    return f" {ascii_of(letter)} " if SYLLABLE.match(letter) else ascii_of(letter)
