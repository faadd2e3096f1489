"""What search engines ask of an item of a type, as they document it. An item that lacks something
is reported to the owner of a site as faulty, so a page has none.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kg.publish.formats.jsonld import Json

REQUIRED = {
    "ProfilePage": ("mainEntity",),
    "Person": ("name",),
    "Event": ("name", "startDate", "location"),
    "SoftwareApplication": ("name", "offers", "aggregateRating"),
    "Course": ("name", "description"),
    "Dataset": ("name", "description"),
    "BreadcrumbList": ("itemListElement",),
    "ListItem": ("position", "name", "item"),
}
DESCRIBED = range(50, 5001)  # characters in the description of a dataset
FEWEST_CRUMBS = 2
MOST_BYTES = 8000  # in a page


def lacking(item: Json, kind: str) -> list[str]:
    """The properties that an item would need to be of a type."""
    wanted = REQUIRED.get("Event" if kind.endswith("Event") else kind, ())
    found = [name for name in wanted if not item.get(name)]
    if kind == "Dataset" and not found and len(item["description"]) not in DESCRIBED:
        found.append(f"description of {DESCRIBED[0]} to {DESCRIBED[-1]} characters")
    if kind == "BreadcrumbList" and not found and len(item["itemListElement"]) < FEWEST_CRUMBS:
        found.append("second step")
    return found


def items(value: Any) -> Iterator[Json]:
    """All objects in it, at any depth."""
    if isinstance(value, dict):
        yield value
    for each in (
        value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    ):
        yield from items(each)
