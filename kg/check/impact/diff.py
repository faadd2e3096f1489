"""The difference between two graphs, each as sorted lines.

The two are merged; long runs that are equal are skipped by comparing them as bytes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

LEAST, MOST = 1 << 8, 1 << 20  # bytes compared at once, and twice as many each time they are equal


def changes(old: bytes, new: bytes) -> list[str]:
    """The lines that only one of the two has."""
    gone, come = apart(old, new)
    return gone + come


def apart(old: bytes, new: bytes) -> tuple[list[str], list[str]]:
    """The lines that only the old one has, and those that only the new one has."""
    gone: list[bytes] = []
    come: list[bytes] = []
    here, there = 0, 0  # each at the beginning of a line
    while here < len(old) and there < len(new):
        same = equal_run(old, here, new, there)
        if same:
            here, there = here + same, there + same
            continue
        mine, other = line(old, here), line(new, there)
        if mine < other:
            gone.append(mine)
            here += len(mine)
        else:
            come.append(other)
            there += len(other)
    gone += old[here:].splitlines(keepends=True)
    come += new[there:].splitlines(keepends=True)
    return texts(gone), texts(come)


def texts(lines: Iterable[bytes]) -> list[str]:
    return [each.decode().rstrip("\n") for each in lines]


def line(text: bytes, start: int) -> bytes:
    return text[start : text.find(b"\n", start) + 1]


def equal_run(old: bytes, here: int, new: bytes, there: int) -> int:
    """How many bytes are equal from here on, to the end of a line."""
    run, step = 0, LEAST
    ours = memoryview(old)  # its parts are no copies
    while step >= LEAST:
        part = ours[here + run : here + run + step]
        if part and new.startswith(part, there + run):
            run += len(part)
            step = min(2 * step, MOST)
        else:
            step //= 2
    size = max(old.rfind(b"\n", here, here + run) + 1 - here, 0)  # back to the end of a line
    after = line(old, here + size)
    return size + len(after) if after == line(new, there + size) else size


class Change(NamedTuple):
    """A triple that only one of the two has; the value is empty where it is a text."""

    subject: str
    predicate: str
    value: str


def read(lines: Iterable[str]) -> list[Change]:
    """The changes in lines. (There are no blank nodes among the subjects of a site.)"""
    found = []
    for each in lines:
        subject, predicate, rest = each.split(" ", 2)
        found.append(
            Change(
                subject[1:-1], predicate[1:-1], rest[1 : rest.index(">")] if rest[0] == "<" else ""
            )
        )
    return found
