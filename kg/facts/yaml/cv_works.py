"""Moves publications written inside a CV to the registry; the CV keeps their keys.

publications:
  - {title: Ice as a Mirror, kind: journal, authors: [H. Lind], year: 2022, selected: true}
      ->  the entry 'lind-2022-mirror', and {key: lind-2022-mirror, selected: true} in the list
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kg.errors import Place, Problem
from kg.facts.values.naming import work_key
from kg.facts.values.text import SLUG, slug_hint
from kg.facts.yaml.rows import Row, Rows

SECTION = "publications"
LISTED = ("key", "selected")  # fields of an entry that only refers to a work


def take_works(cv: Row) -> tuple[list[tuple[str, Row, Place]], frozenset[str], list[Problem]]:
    """Removes full entries from the list of a CV.

    Returns them with key and place, the paths of those whose key the author chose, and problems.
    Works of a private CV are private.
    """
    entries, basics = cv.rows(SECTION), cv.row("basics")
    if all(map(is_listed, entries)):
        return [], frozenset(), []
    is_private = basics.get("visibility") == "private"
    works, problems, left = list[tuple[str, Row, Place]](), list[Problem](), Rows()
    given, titled = dict[str, Row](), dict[str, list[Row]]()
    for number, (entry, spot) in enumerate(zip(entries, entries.spots, strict=True)):
        if is_listed(entry):
            left.add(entry, spot)
            continue
        entry.path = f"{SECTION}[{number}]"
        work = entry.without(*LISTED)
        if is_private:
            work.fill("visibility", "private")
        key = entry.get("key")
        if isinstance(key, str) and SLUG.fullmatch(key) and key not in given:
            given[key] = work
        else:
            if key is not None:
                problems.append(wrong_key(entry, given))
            key = work_key(work, basics)
        alike = titled.setdefault(str(work.get("title")), [])
        if same := next((one for one in alike if one == work), None):
            message = f"{entry.path}: duplicate of {same.path} ({same.place}). Remove one of them."
            problem = Problem(entry.place, "error", message, "duplicate-key", (same.place,))
            problems.append(problem)
        listing = Row(entry.file, entry.spot).fill("key", key)
        left.add(listing.copy_keys(entry, ["selected"] if "selected" in entry else []), spot)
        alike.append(work)
        works.append((key, work, entry.place))
    cv[SECTION] = left
    return works, frozenset(work.path for work in given.values()), problems


def wrong_key(entry: Row, given: Mapping[str, Row]) -> Problem:
    key = entry["key"]
    if isinstance(key, str) and key in given:
        place = given[key].place
        message = f"{entry.path}: {already(key, place)}"
        return Problem(entry.place, "error", message, "duplicate-key", (place,))
    message = (
        f"{entry.path}: key {key!r} cannot be an address. Use lower-case letters and digits "
        f"joined by '-', {slug_hint(str(key))}."
    )
    return Problem(entry.at("key"), "error", message, "bad-slug")


def rename_works(cv: Row, renamed: Mapping[str, str]) -> None:
    """Gives works written in a CV new keys, by their paths."""
    for number, item in enumerate(cv.rows(SECTION)) if renamed else ():
        if key := renamed.get(f"{SECTION}[{number}]"):
            item["key"] = key


def is_listed(item: Any) -> bool:
    """Whether an entry only refers to a work of the registry."""
    return not isinstance(item, Row) or all(name in LISTED for name in item)


def already(key: str, place: Place) -> str:
    return (
        f"the key '{key}' is already used ({place}). If this is the same work, write '- {key}' "
        "here. If not, give it another 'key'."
    )


def is_in_a_cv(work: Row) -> bool:
    """Whether an entry of the registry was written inside a CV."""
    return work.path.startswith(f"{SECTION}[")
