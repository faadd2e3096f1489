"""How the owner of a CV signs: `M. Fenner` and `Fenner MJ` in the own list of works are Martin
Fenner, where no other author of the work could be, and become other names of the owner.

The check takes nobody for another by likeness; these names are written down, to be read and mended.
"""

from __future__ import annotations

import re
from typing import Any

from kg.exchange.draft import Draft, Value
from kg.facts.values.letters import plain

WORD = re.compile(r"[^\W\d_]+")
NAMES = ("name", "alternateNames", "formerNames")
MOST_INITIALS = 3


def add_own_names(draft: Draft) -> None:
    """Adds the printed names that are the owner's to the other names."""
    basics = draft.cv.get("basics")
    if not isinstance(basics, dict) or not draft.name:
        return
    known = {plain(name) for name in names_in([basics.get(name) for name in NAMES])}
    family = words(str(basics.get("familyName") or draft.name.split()[-1]))
    given = [word for word in words(draft.name) if word not in family]
    patents = draft.entries.get("patents", {}).values()
    for work in (*draft.cv.get("publications", ()), *patents):
        if not isinstance(work, dict):
            continue
        signed = names_in([work.get(part) for part in ("authors", "editors")])
        if known & {plain(name) for name in signed}:
            continue
        own = [name for name in signed if is_form(name, given, family)]
        if len(own) == 1:
            known.add(plain(own[0]))
            basics.setdefault("alternateNames", []).append(own[0])


def names_in(value: Any) -> list[Any]:
    """The names in lists, each a text or with more fields."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return names_in(value.get("as") or value.get("name") or "")
    return [name for item in value or () for name in names_in(item)]


def words(name: str) -> list[str]:
    return WORD.findall(plain(name))


def is_form(name: str | Value, given: list[str], family: list[str]) -> bool:
    """Whether a name has the family's at its end or beginning, and otherwise initials or parts of
    the given names, of which the first is the owner's.
    """
    found, size = words(name), len(family)
    if not family or not given or len(found) <= size:
        return False
    if found[-size:] == family:
        rest = found[:-size]
    elif found[:size] == family:
        rest = found[size:]
    else:
        return False
    first = rest[0]
    is_initials = len(first) <= MOST_INITIALS and first.upper() in name.replace(".", "")
    is_start = given[0].startswith(first) or first.startswith(given[0])
    return is_start or (is_initials and first[0] == given[0][0])
