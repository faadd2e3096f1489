"""Transliteration to plain Latin letters, for addresses, search and sorting.

Unicode decomposition removes accents. The tables cover the rest: letters with strokes, and Greek,
Cyrillic, Armenian and Georgian. Chinese, Arabic or Hindi names are not guessed, because only their
owners know the spelling.
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
CYRILLIC = {
    **pairs("абвгдежзийклмноп", "a b v g d e zh z i y k l m n o p"),
    **pairs("рстуфхцчшщъыьэюя", "r s t u f kh ts ch sh shch _ y _ e yu ya"),
    **pairs("ёєіїґўђјљњћџѓѕќѣѳѵ", "yo ye i yi g u dj j lj nj c dz gj dz kj e f i"),
    **pairs("әғқңөұүһҷӣӯ", "a gh q ng o u u h j i u"),
}
GREEK = pairs("αβγδεζηθικλμνξοπρσςτυφχψω", "a v g d e z i th i k l m n x o p r s s t y f ch ps o")
ARMENIAN = pairs(
    "աբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆ",
    "a b g d e z e y t zh i l kh ts k h dz gh ch m y n sh o ch p j r s v t r ts w p k o f",
)
GEORGIAN = pairs(
    "აბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰ",
    "a b g d e v z t i k l m n o p zh r s t u p k gh q sh ch ts dz ts ch kh j h",
)
LETTERS = str.maketrans({**STROKES, **CYRILLIC, **GREEK, **ARMENIAN, **GEORGIAN})

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
    return MARKS.sub("", unicodedata.normalize("NFKD", text)).translate(LETTERS)
