"""Merges two author lists of the same work.

`A. Berg, C. Dahl` and `Ada Berg, Carl Dahl` are the same people: names are compared by position,
family name and initials. The fuller name is kept, with the fields of both lists, such as the ORCID.
Lists that name different people are not merged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import zip_longest
from typing import Any

from kg.advice.several_names import PARTICLES, is_et_al
from kg.plugins.exchange.own_names import is_same_person, words

SUFFIXES = ("jr", "sr", "ii", "iii", "iv")
MOST_INITIALS = 3
KeyOf = Callable[[str], str]  # name -> key of the person, or ""


def no_key(name: str) -> str:
    return ""


def join_authors(mine: list[Any], other: list[Any], key_of: KeyOf = no_key) -> list[Any] | None:
    """The merged list, or None if the lists name different people.

    A list that is the beginning of the other, or a single name that occurs in it (also as a part,
    such as one of two family names), counts as the same list cut short.
    """
    ends = [[each for each in names if is_et_al(each)] for names in (mine, other)]
    left, right = ([each for each in names if not is_et_al(each)] for names in (mine, other))
    short, long = sorted((left, right), key=len)
    starts = range(len(long)) if len(short) == 1 else (0,)
    for start in starts:
        pad = [None] * start
        pairs = zip_longest(
            *((pad + names if names is short else names) for names in (left, right))
        )
        found = [*pairs]
        match = is_same_loosely if len(short) == 1 < len(long) else is_same
        if all(a is None or b is None or match(a, b, key_of) for a, b in found):
            return [join_name(a, b, key_of) for a, b in found] + (ends[0] if all(ends) else [])
    return None


def name_of(item: Any) -> str:
    named = item.get("as") or item.get("person") if isinstance(item, dict) else item
    return str(named or "")


def is_same(one: Any, other: Any, key_of: KeyOf = no_key) -> bool:
    orcids = {each["orcid"] for each in (one, other) if isinstance(each, dict) and "orcid" in each}
    keys = [key_of(name_of(each)) for each in (one, other)]
    if len(orcids) > 1:
        return False
    return keys[0] == keys[1] if all(keys) else is_same_name(name_of(one), name_of(other))


def is_same_loosely(one: Any, other: Any, key_of: KeyOf) -> bool:
    """Whether a name alone is in a list: also without one of two family names."""
    is_plain = all(isinstance(each, str) and not key_of(each) for each in (one, other))
    return is_same(one, other, key_of) or (is_plain and is_same_person(one, other))


def is_same_name(one: str, other: str) -> bool:
    """Whether two names have the same family name and compatible given names or initials."""
    if sorted(words(one)) == sorted(words(other)):
        return True
    (given, family), (others, other_family) = parts_of(one), parts_of(other)
    return (
        family == other_family
        and bool(given and others)
        and all(a.startswith(b) or b.startswith(a) for a, b in zip(given, others, strict=False))
    )


def parts_of(name: str) -> tuple[list[str], str]:
    """Splits a name into given names or initials and the last word of the family name.

    Handles `Ada van der Berg`, `van der Berg, A.` and `Berg AK`.
    """
    last, comma, first = name.partition(",")
    spelt = [each for each in f"{first} {last}".split() if plain_word(each) not in SUFFIXES]
    if not comma and len(spelt) > 1 and is_initials(spelt[-1]) and not is_initials(spelt[0]):
        spelt = [spelt[-1], *spelt[:-1]]
    found = [
        letters
        for each in spelt
        for letters in ([*plain_word(each)] if is_initials(each) else words(each))
        if letters not in PARTICLES
    ]
    return found[:-1], found[-1] if found else ""


def plain_word(word: str) -> str:
    return "".join(words(word))


def is_initials(word: str) -> bool:
    """Whether a word is initials without full stops: `A`, `AK`."""
    return word.isalpha() and word.isupper() and len(word) <= MOST_INITIALS


def join_name(mine: Any, other: Any, key_of: KeyOf) -> Any:
    """Merges two authors: the fuller name, with the fields of both."""
    if mine is None or other is None:
        return other if mine is None else mine
    ours, theirs = ({**each} if isinstance(each, dict) else {"as": each} for each in (mine, other))
    name, more = name_of(mine), name_of(other)
    is_settled = "person" in ours or (key_of(name) and not key_of(more))
    if not is_settled and letter_count(more) > letter_count(name):
        ours["as"] = theirs.get("as", more)
    else:
        theirs = {field: theirs[field] for field in theirs if field not in ("as", "person")}
    joined = {**ours, **{field: theirs[field] for field in theirs if field not in ours}}
    return joined["as"] if [*joined] == ["as"] else joined


def letter_count(name: str) -> int:
    """The number of letters in a name; the fuller of two names has more."""
    return sum(map(len, words(name)))


def format_names(names: Iterable[Any]) -> str:
    """Formats a list of names for a message."""
    return ", ".join(map(name_of, names))
