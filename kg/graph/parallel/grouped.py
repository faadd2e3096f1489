"""Files by their names and sizes, in groups that are read together."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping


def groups(names: list[str], sizes: Mapping[str, int], size: int) -> Iterator[tuple[str, ...]]:
    """About so many bytes together. The names alone say where one ends, so that an edit moves no
    file from one to the next.
    """
    number = (
        1
        << max(size * len(names) // max(sum(sizes[name] for name in names), 1), 1).bit_length() - 1
    )
    group: list[str] = []
    for name in names:
        group.append(name)
        if zlib.crc32(name.encode()) % number == 0 or len(group) == 2 * number:
            yield tuple(group)
            group = []
    if group:
        yield tuple(group)


def portions(names: list[str], sizes: Mapping[str, int], size: int) -> Iterator[tuple[str, ...]]:
    """At least so many bytes together, but in the last."""
    portion: list[str] = []
    held = 0
    for name in names:
        portion.append(name)
        held += sizes[name]
        if held >= size:
            yield tuple(portion)
            portion, held = [], 0
    if portion:
        yield tuple(portion)
