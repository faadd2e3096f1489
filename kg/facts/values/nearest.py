"""What somebody may have meant: the known words and keys nearest to one that is not known."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from typing import Any

from kg.facts.reading.rows import texts


def closest(word: str, words: Iterable[str], most: int = 3, cutoff: float = 0.5) -> list[str]:
    """The nearest of the words; a shared beginning counts too, for `osu` should find `osu-nbcl`."""
    near = difflib.get_close_matches(
        word, known := [name for name in words if name], n=most, cutoff=cutoff
    )
    near += sorted(
        name
        for name in known
        if name not in near and word and (name.startswith(word) or word.startswith(name))
    )
    return near[:most]


def nearest(word: str, registries: Iterable[Mapping[str, Mapping[str, Any]]]) -> list[str]:
    """The keys nearest to a word, by themselves or by what their entries are called."""
    keys: dict[str, str] = {}
    for rows in registries:
        for slug, row in rows.items():
            for name in (row.get("name"), row.get("title"), *texts(row, "alternateNames")):
                if isinstance(name, str):
                    keys.setdefault(name.lower(), slug)
            keys[slug] = slug
    return list(dict.fromkeys(keys[name] for name in closest(word.lower(), keys, most=6)))[:3]
