"""The parts of a long list, seen from one of them: the way to the others."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from kg.settings import query
from kg.store.describe import Description
from kg.store.protocol import Store
from kg.vocab import schema

NEAR = 2  # so many parts on each side are shown, beside the first and the last


@dataclass(frozen=True)
class Part:
    number: int
    href: str
    is_this: bool = False
    is_behind_a_gap: bool = False


@dataclass(frozen=True)
class Parts:
    """What a template is given: the parts to show, and the neighbours, where there are any."""

    shown: list[Part]
    previous: str | None
    next: str | None


def parts(store: Store, description: Description, href: Callable[[str], str]) -> Parts | None:
    """None for a list that is whole. `href` makes an address a link."""
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
        Part(number + 1, links[number], number == here, gap)
        for number, gap in chosen(here, len(links))
    ]
    return Parts(
        shown, links[here - 1] if here else None, links[here + 1] if here + 1 < len(links) else None
    )


def chosen(here: int, count: int) -> Iterator[tuple[int, bool]]:
    """The places to show, and whether some before it are left out."""
    last = -1
    for place in sorted({0, count - 1, *range(max(here - NEAR, 0), min(here + NEAR + 1, count))}):
        yield place, place > last + 1
        last = place
