"""Recognises places: `Columbus, OH, USA`, `Redmond WA`, countries and states."""

from __future__ import annotations

import re

from kg.plugins.prose.lexicon import has_word, is_country

CITY = re.compile(r"[^\W\d_a-zà-ÿ][\w.'’-]*(?:[ -](?:[^\W\d_][\w.'’-]*)){0,3}")
NO_CITY = ("roles", "organizations", "units", "schools")
MOST_LETTERS = 40  # of a city


def is_place(text: str) -> bool:
    *before, last = [part.strip() for part in text.split(",")]
    if not before and (found := re.fullmatch(r"(.{2,40}?)\s+([A-Z]{2,3})", last)):
        return (is_city(found[1]) and is_country(found[2])) or is_country(last)
    if not is_country(last):
        return False
    return len(before) <= 2 and all(map(is_country, before[1:])) and all(map(is_city, before[:1]))


def is_city(text: str) -> bool:
    is_name = any(has_word(name, text) for name in NO_CITY)
    return bool(CITY.fullmatch(text.strip())) and not is_name and len(text) < MOST_LETTERS


def without_place(text: str) -> tuple[str, str]:
    """Splits off a place at the end of a text, if it is clear."""
    parts = [part.strip() for part in text.split(",")]
    for size in (3, 2, 1):
        if len(parts) > size and is_place(", ".join(parts[-size:])):
            return ", ".join(parts[:-size]), ", ".join(parts[-size:])
    return text, ""
