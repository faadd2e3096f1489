"""Suggests the known field, section or value for a misspelt one, or for the word of another format,
another language or everyday use.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import cache

import yaml

from kg.facts.bibliography.correspondence import FOLDER, NAMES, correspondence
from kg.text.nearest import is_only_typo, meant
from kg.text.normalize import letters

Words = dict[str, list[str]]  # folded word -> our words


@cache
def words_for(part: str) -> Words:
    """Everyday words for ours; `part` is `fields`, `sections` or `values`."""
    found: Words = defaultdict(list)
    table = yaml.load((FOLDER / "other-words.yaml").read_bytes(), yaml.CSafeLoader)[part]
    for ours, words in table.items():
        for word in words.split(","):
            found[letters(word)].append(ours)
    return found


@cache
def fields_of_formats() -> dict[str, list[list[str]]]:
    """Folded field names of other formats and the paths of ours: `website` -> `basics`, `url`."""
    found = defaultdict(list)
    for name in NAMES:
        for theirs, ours in correspondence(name).paths():
            found[letters(theirs.split(".")[-1])].append(ours.split("."))
    return found


@cache
def types_of_formats() -> Words:
    """Types of works in other formats and our kinds: `inproceedings` -> `conference`."""
    found = defaultdict(list)
    for name in NAMES:
        for theirs, ours in correspondence(name).types.items():
            found[letters(theirs)].append(ours)
    return found


def field_meant(field: str, names: Iterable[str], part: str) -> str:
    """The name that is meant by a field of an entry in a part of a CV; empty if there is none."""
    word, known = letters(field), {letters(name): name for name in names}
    paths = fields_of_formats().get(word, [])
    here = [path[-1] for path in paths if path[0] == part]
    words = (word, *map(letters, words_for("fields").get(word, ())), *map(letters, here))
    return next((known[each] for each in words if each in known), "")


def section_meant(name: str, sections: Iterable[str]) -> str:
    """The section that is meant by a word in English, German, French or Spanish."""
    known = {letters(section): section for section in sections}
    words = (letters(name), *words_for("sections").get(letters(name), ()))
    return next((known[each] for each in words if each in known), "")


def value_meant(value: str, allowed: Iterable[str]) -> str:
    """The allowed value that is meant by another one; empty if there is none."""
    known = {letters(each): each for each in allowed}
    return exact_value(letters(value), known) or known.get(meant(letters(value), known), "")


def is_known_word(value: str, ours: str, allowed: Iterable[str]) -> bool:
    """Whether a value is another word for an allowed one, or only a misspelling of it."""
    known = {letters(each): each for each in allowed}
    is_exact = exact_value(letters(value), known) == ours
    return is_exact or is_only_typo(letters(value), letters(ours), known)


def exact_value(value: str, known: dict[str, str]) -> str:
    words = (value, *words_for("values").get(value, ()), *types_of_formats().get(value, ()))
    return next((known[letters(each)] for each in words if letters(each) in known), "")
