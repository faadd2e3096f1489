"""Fast folding of text for leak detection: words without case, accents, punctuation and escapes,
and telephone numbers by digits.

Separate from `normalize`, because every output of a build is read this way, with its escapes.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterator
from itertools import accumulate
from urllib.parse import unquote

from kg.text.transliterate import STROKES

NUL = "\0"  # separator between texts

# Escapes of JSON, N-Triples, Turtle and Markdown.
ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|(.))")
ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}
QUOTED = re.compile(r"%[\x00-\x7f]+")  # `unquote` is slow on text that is mostly not ASCII
TAG = re.compile(r"</?[a-z][a-z0-9]*\s*/?>")  # tags with attributes may contain values
# `ada (at) example [dot] org`, and `ada at example dot org` in words.
SIGN = re.compile(r"[(\[{<]\s*(at|dot|@|\.)\s*[)\]}>]")
SPOKEN_AT = re.compile(r" at (?=(?:\w+ ){1,4}dot )")
UNSEEN = re.compile("[\u0300-\u036f\u00ad\u200b-\u200d\u2060\ufeff’‘ʼ]")
OTHER_LETTER = re.compile(f"[{''.join(STROKES)}]")
OTHER_BREAK = re.compile("[\u00a0-\u00bf\u00d7\u00f7\u2000-\u206f\u2e00-\u2e7f\u3000-\u303f\u30fb]")
BREAKS = bytes(  # bytes of letters in other scripts are kept
    byte if byte >= 128 or chr(byte).isalnum() or chr(byte) in f"@{NUL}" else 32
    for byte in range(256)
)
SCHEME = re.compile(r"^ (?:(?:https?|mailto|www) )+")  # optional prefix of web addresses

SHORTEST_NUMBER = 7  # digits; years, pages and postal codes are shorter
LONGEST_NUMBER = 17
BETWEEN_DIGITS = r"[\s().\-/\u2010-\u2015\u2212]{0,3}"
DIGITS = re.compile(rf"\d(?:{BETWEEN_DIGITS}\d){{{SHORTEST_NUMBER - 1},}}")
GROUP = re.compile(r"\d+")
OTHER_NUMBER = re.compile(r"10\.\d{4,9}/|97[89](?:[\s-]?\d){10}(?!\d)")  # a DOI, an ISBN
# Country calling codes: one, two or three digits.
CODE = re.compile(r"1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3}")


def unescaped(text: str) -> str:
    """Removes escapes: `\\u003cso\\u003e`, `&lt;so&gt;` and `%3Cso%3E` all become `<so>`."""
    if "\\" in text:
        text = ESCAPE.sub(
            lambda found: chr(int(found[1], 16)) if found[1] else ESCAPES.get(found[2], found[2]),
            text,
        )
    text = html.unescape(text)
    return QUOTED.sub(lambda found: unquote(found[0]), text) if "%" in text else text


def fold(text: str) -> str:
    """The words of an unescaped text between spaces: ` ada lindqvist @ example org `."""
    text = text.casefold()
    if "<" in text:
        text = TAG.sub(lambda tag: "" if "wbr" in tag[0] else " ", text)
    text = SIGN.sub(lambda sign: "@" if sign[1] in ("at", "@") else ".", text)
    if not text.isascii():
        text = UNSEEN.sub("", unicodedata.normalize("NFKD", text))
        text = OTHER_LETTER.sub(lambda letter: STROKES[letter[0]], text)
        text = OTHER_BREAK.sub(" ", text)
    plain = text.encode("utf-8", "surrogatepass").translate(BREAKS, b"'")
    text = plain.decode("utf-8", "surrogatepass").replace("@", " @ ").replace(NUL, f" {NUL} ")
    text = f" {' '.join(text.split())} "
    return SPOKEN_AT.sub(" @ ", text).replace(" dot ", " ") if " dot " in text else text


def words_of(value: str) -> str:
    """The words to search for a value; of a web address without `https://www.`."""
    return SCHEME.sub(" ", fold(unescaped(value)))


def numbers_of(value: str) -> set[str]:
    """Search keys of the numbers in a value: equal with country code (`+46`, `0046`), with a
    leading zero, and without; not with another code.
    """
    found: set[str] = set()
    for run in DIGITS.finditer(value):
        code, number = parts("".join(GROUP.findall(run[0])), "+" in before(value, run))
        found |= {f"+{code}{number}", number} if code else {number, f"?{number}"}
    return {each for each in found if len(each.strip("+?")) >= SHORTEST_NUMBER}


def numbers_in(text: str) -> Iterator[str]:
    """Search keys of all numbers in an unescaped text, with any separators. They begin and end at
    digits, not inside a word or after a country code.
    """
    for run in DIGITS.finditer(text):
        if OTHER_NUMBER.match(run[0]):
            continue
        groups = GROUP.findall(run[0])
        sizes = [0, *accumulate(map(len, groups))]
        is_coded = "+" in before(text, run) or groups[0].startswith("00")
        first = int(before(text, run)[-1:].isalpha())
        last = len(groups) - text[run.end() : run.end() + 1].isalpha()
        for start in range(first, last):
            if is_coded and 0 < sizes[start] <= SHORTEST_NUMBER:
                continue
            for end in range(start + 1, last + 1):
                size = sizes[end] - sizes[start]
                if size > LONGEST_NUMBER:
                    break
                if size >= SHORTEST_NUMBER:
                    code, number = parts("".join(groups[start:end]), is_coded and not start)
                    yield f"+{code}{number}" if code else number
                    yield f"?{number}" if code else f"+{number}"


def before(text: str, run: re.Match[str]) -> str:
    return text[max(run.start() - 2, 0) : run.start()]


def parts(digits: str, is_coded: bool) -> tuple[str, str]:
    """The country code, if any, and the number without its leading zero."""
    if not digits.isascii():
        digits = "".join(str(unicodedata.digit(each)) for each in digits)
    if not is_coded and not digits.startswith("00"):
        return "", digits.removeprefix("0")
    digits = digits.removeprefix("00")
    code = CODE.match(digits)
    return (code[0], digits[code.end() :].removeprefix("0")) if code else ("", digits)
