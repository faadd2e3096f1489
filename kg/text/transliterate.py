"""Letters of other alphabets in plain Latin ones, for addresses, for finding and for sorting.

Accents fall away by themselves; here is what they are not: letters with strokes, and the alphabets
that can be read letter by letter (Greek, Cyrillic, Armenian, Georgian). How a name in Chinese,
Arabic or Hindi is spelt only its owner knows, so it is not guessed.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache


def pairs(letters: str, latin: str) -> dict[str, str]:
    """Letters and how they are spelt, one word for each; `_` for those that are not heard."""
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

# Two letters that are one sound.
TOGETHER = [
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
    """Text in small Latin letters as far as they can be told: `Øystein` -> `oystein`, `Чехов` ->
    `chekhov`; other scripts stay.
    """
    text = unicodedata.normalize("NFKC", text).lower()
    if text.isascii():
        return text
    if WITH_SOUNDS.search(text):
        text = unicodedata.normalize("NFC", unicodedata.normalize("NFD", text).replace(STRESS, ""))
        for sounds, latin in TOGETHER:
            text = sounds.sub(latin, text)
    # Whole, for й is a letter of its own; then what is a letter once its accent is gone.
    text = text.translate(LETTERS)
    return MARKS.sub("", unicodedata.normalize("NFKD", text)).translate(LETTERS)
