"""Works that are written in a CV itself: each is an entry of the registry, and the CV keeps its
key.

    publications:
      - {title: Ice as a Mirror, kind: journal, authors: [H. Lind], year: 2022, selected: true}
          ->  the entry 'lind-2022-mirror', and {key: lind-2022-mirror, selected: true} in the list
"""

from __future__ import annotations

from typing import Any

from kg.errors import Place, Problem
from kg.facts.reading.rows import Row, Rows
from kg.facts.values.naming import work_key
from kg.facts.values.text import SLUG, proposed

SECTION = "publications"
LISTED = ("key", "selected")  # what the list says of a work that stands elsewhere


def take_works(cv: Row) -> tuple[list[tuple[str, Row, Place]], list[Problem]]:
    """Takes the whole entries out of a CV's list, each with its key and place; what is wrong with
    their keys. Those of a private CV are private.
    """
    entries, basics = cv.rows(SECTION), cv.row("basics")
    if all(map(is_listed, entries)):
        return [], []
    is_private = basics.get("visibility") == "private"
    works, problems, left = list[tuple[str, Row, Place]](), list[Problem](), Rows()
    places: dict[str, Place] = {}
    for number, (entry, spot) in enumerate(zip(entries, entries.spots, strict=True)):
        if is_listed(entry):
            left.add(entry, spot)
            continue
        entry.path = f"{SECTION}[{number}]"
        key = entry.get("key")
        if key is not None and not (isinstance(key, str) and SLUG.fullmatch(key)):
            message = (
                f"{entry.path}: key {key!r} cannot be an address. Use lower-case letters and "
                f"digits joined by '-', {proposed(str(key))}."
            )
            problems.append(Problem(entry.at("key"), "error", message, "bad-slug"))
            key = None
        work = entry.without(*LISTED)
        if is_private:
            work.fill("visibility", "private")
        key = key or work_key(work, basics)
        if key in places:
            message = f"{entry.path}: {already(key, places[key])}"
            problems.append(Problem(entry.place, "error", message, "duplicate-key", (places[key],)))
            key = f"{key}-{number + 1}"  # so that it is checked all the same
        places[key] = entry.place
        listing = Row(entry.file, entry.spot).fill("key", key)
        left.add(listing.copy_keys(entry, ["selected"] if "selected" in entry else []), spot)
        works.append((key, work, entry.place))
    cv[SECTION] = left
    return works, problems


def is_listed(item: Any) -> bool:
    """Whether an item of the list only names a work."""
    return not isinstance(item, Row) or all(name in LISTED for name in item)


def already(key: str, place: Place) -> str:
    return (
        f"there is a work '{key}' already ({place}). If it is the same, write '- {key}' here; if "
        "not, give this one a 'key' of its own."
    )


def is_in_a_cv(work: Row) -> bool:
    """Whether an entry of the registry is written in a CV."""
    return work.path.startswith(f"{SECTION}[")
