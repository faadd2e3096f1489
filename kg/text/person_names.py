"""Parts of a person's name: those that the registry states, else a guess, where one is safe.

A name that cannot be split stays one text, which every form of citation allows. So a name in a
script where the family may come first is never turned round.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from kg.text.transliterate import plain

SUFFIX = re.compile(r",?\s+((?:Jr|Sr)\.?|I{2,3}|IV)$")
# Small words that belong to the family name behind them: van der Berg, de la Cruz, al-Khatib.
PARTICLES = re.compile(
    "af|al|am|ap|auf|aus|ben|bin|bint|d[aeio]?|da[ls]|de[ilnrs]|del|degli|della|dos|du|el|e|het|"
    "ibn|l[aeo]s?|op|ten?|ter|tho|'t|"
    "van(?:de[nr]?)?|vom|von|y|z|zu[mr]?"
)


@dataclass(frozen=True, slots=True)
class PersonName:
    """`given` is empty where the name was not split, and for a single word."""

    family: str
    given: str = ""
    suffix: str = ""


def split(printed: str, family: str = "", given: str = "") -> PersonName:
    """A name as printed, by what the registry states of its owner."""
    printed = " ".join(printed.split())
    return stated(printed, family, given) or (
        guessed(printed) if is_latin(printed) else PersonName(printed)
    )


def stated(printed: str, family: str, given: str = "") -> PersonName | None:
    """The family name where it stands in the name; None where it does not."""
    body, suffix = without_suffix(printed)
    words, known = body.replace(",", " ").split(), family.split()
    if not known or not words:
        return None
    size = len(known)
    starts, ends = same(words[:size], known), same(words[-size:], known)
    if len(words) <= size:
        if starts:
            return PersonName(body, "", suffix)
        rest = body.removeprefix(family)  # scripts without spaces: the family, then the rest
        return PersonName(family, rest) if rest not in ("", body) and not is_latin(body) else None
    if starts and (not ends or "," in body or same(words[size:], given.split())):
        return PersonName(" ".join(words[:size]), " ".join(words[size:]), suffix)
    return PersonName(" ".join(words[-size:]), " ".join(words[:-size]), suffix) if ends else None


def guessed(printed: str) -> PersonName:
    """The last word and the small ones before it; what stands before a comma."""
    body, suffix = without_suffix(printed)
    family, comma, given = body.partition(",")
    if comma and family.strip() and given.strip():
        return PersonName(family.strip(), given.strip(), suffix)
    words = body.split()
    start = len(words) - 1
    while start > 1 and PARTICLES.fullmatch(words[start - 1]):
        start -= 1
    return (
        PersonName(" ".join(words[start:]), " ".join(words[:start]), suffix)
        if start > 0
        else PersonName(printed)
    )


def without_suffix(printed: str) -> tuple[str, str]:
    found = SUFFIX.search(printed)
    return (
        (printed[: found.start()], found[1])
        if found and " " in printed[: found.start()]
        else (printed, "")
    )


def same(words: list[str], others: list[str]) -> bool:
    return [plain(word) for word in words] == [plain(word) for word in others]


def is_latin(text: str) -> bool:
    return all(
        unicodedata.name(letter, "").startswith("LATIN ") for letter in text if letter.isalpha()
    )
