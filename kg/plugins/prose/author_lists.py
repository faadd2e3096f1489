"""Parses printed author lists, and finds the person of the CV in them."""

from __future__ import annotations

import re

from kg.text.transliterate import plain

SIGNS = re.compile(
    r"[*†‡§¶#∗⋆★]+|[⁰¹²³⁴-⁹]+|<sup>.{0,20}?</sup>|\^\{?[\d,*]+\}?|\((?:co-)?corresponding author\)"
)
AND = re.compile(r",?\s+(?:and|und|et|y|&)\s+|\s*[;&]\s*")
WORD = r"(?:[^\W\d_a-zà-ÿ][\w'’-]*|[^\W\d_]\.(?:-?[^\W\d_]\.)*)"
PARTICLES = r"(?:van|von|der|den|de|del|della|di|da|dos|du|la|le|el|al|bin|ibn|ter|ten|zu|af)"
NAME = re.compile(
    rf"{WORD}\.?(?:[ -](?:{PARTICLES}\s+){{0,2}}{WORD}\.?){{1,4}}(?:,? (?:Jr|Sr|II|III)\.?)?"
)
INITIALS = re.compile(r"(?:[^\W\d_a-zà-ÿ]\.?[\s-]?){1,4}")
FAMILY = re.compile(rf"(?:{PARTICLES}\s+){{0,2}}{WORD}(?:[ -]{WORD}){{0,2}}")
MOST_AUTHORS = 200


def authors_in(text: str) -> list[str]:
    """The names in a list of authors; empty if any part is not a name."""
    text = SIGNS.sub("", text).strip(" ,.;:") + (
        "." if re.search(r"\b[A-Z]\.[,;:\s]*$", text) else ""
    )
    if not text or re.search(r"\bet al\b|\d|\.\.\.|…", text):
        return []
    parts = [part for each in AND.split(text) for part in re.split(r"\s*,\s*", each) if part]
    if len(parts) > 2 * MOST_AUTHORS:
        return []
    return inverted(parts) or (parts if all(map(is_name, parts)) else [])


def with_signs(names: list[str], text: str) -> list[str]:
    """The names with the signs after them, which `tidy_works` explains or lists."""
    signs = (re.search(rf"{re.escape(name)}\s?({SIGNS.pattern})", text) for name in names)
    return [name + (sign[1] if sign else "") for name, sign in zip(names, signs, strict=True)]


def is_name(text: str) -> bool:
    return bool(NAME.fullmatch(text)) and len(text) < 60


def inverted(parts: list[str]) -> list[str]:
    """Turns `Lindqvist, A., Sand, M. K.` into `A. Lindqvist`, `M. K. Sand`; else empty."""
    if len(parts) < 2 or len(parts) % 2:
        return []
    pairs = list(zip(parts[::2], parts[1::2], strict=True))
    if all(FAMILY.fullmatch(family) and INITIALS.fullmatch(given) for family, given in pairs):
        return [f"{given} {family}" for family, given in pairs]
    return []


def owner_among(authors: list[str], owner: str) -> str:
    """The only name that can be the person's; empty if none or several can.

    The family name must be the same, and the given names or initials must be compatible.
    """
    *given, family = plain(owner).split() or [""]
    found = [name for name in authors if is_compatible(plain(name).split(), given, family)]
    return found[0] if len(found) == 1 else ""


def is_compatible(name: list[str], given: list[str], family: str) -> bool:
    if len(name) < 2 or not given or name[-1] != family:
        return False
    theirs = [part for word in name[:-1] for part in re.split(r"[.-]", word) if part]
    return bool(theirs) and all(
        one.startswith(other) or other.startswith(one)
        for one, other in zip(theirs, given, strict=False)
    )
