"""Pagination of a long list: links from one part to the others."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from kg.settings import query
from kg.store.describe import Description
from kg.store.protocol import Store
from kg.vocab import schema

NEAR = 2  # so many parts on each side are shown, beside the first and the last


@dataclass(frozen=True)
class PartLink:
    number: int
    href: str
    is_this: bool = False
    is_behind_a_gap: bool = False


@dataclass(frozen=True)
class Pagination:
    """The parts to link to, and the neighbours, where there are any."""

    shown: list[PartLink]
    previous: str | None
    next: str | None


def pagination(
    store: Store, description: Description, href: Callable[[str], str]
) -> Pagination | None:
    """None for a list without parts. `href` turns an address into a link."""
    document = description.document
    if not (
        description.terms(schema.hasPart, document) or description.terms(schema.position, document)
    ):
        return None
    found = store.select(query("site/parts"), thing=document)
    if not found:
        return None
    addresses = [found[0]["whole"].value, *(row["item"].value for row in found)]
    here = addresses.index(document)
    links = [href(address) for address in addresses]
    shown = [
        PartLink(number + 1, links[number], number == here, gap)
        for number, gap in shown_parts(here, len(links))
    ]
    return Pagination(
        shown, links[here - 1] if here else None, links[here + 1] if here + 1 < len(links) else None
    )


def shown_parts(here: int, count: int) -> Iterator[tuple[int, bool]]:
    """The places to show, and whether some before it are left out."""
    last = -1
    for place in sorted({0, count - 1, *range(max(here - NEAR, 0), min(here + NEAR + 1, count))}):
        yield place, place > last + 1
        last = place
