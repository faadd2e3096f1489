"""The difference between two graphs, each as sorted lines.

The two are merged; long runs that are equal are skipped by comparing them as bytes.
"""

from __future__ import annotations

LEAST, MOST = 1 << 8, 1 << 20  # bytes compared at once, and twice as many each time they are equal


def changes(old: bytes, new: bytes) -> list[str]:
    """The lines that only one of the two has."""
    removed, added = compare(old, new)
    return removed + added


def compare(old: bytes, new: bytes) -> tuple[list[str], list[str]]:
    """The lines that only the old one has, and those that only the new one has."""
    removed: list[bytes] = []
    added: list[bytes] = []
    here, there = 0, 0  # each at the beginning of a line
    while here < len(old) and there < len(new):
        mine, other = line(old, here), line(new, there)
        if mine == other:
            same = max(len(mine), equal_lines(old, here, new, there))
            here, there = here + same, there + same
        elif mine < other:
            removed.append(mine)
            here += len(mine)
        else:
            added.append(other)
            there += len(other)
    removed += old[here:].split(b"\n")[:-1]
    added += new[there:].split(b"\n")[:-1]
    return text_of(removed), text_of(added)


def text_of(lines: list[bytes]) -> list[str]:
    return [each.decode().rstrip("\n") for each in lines]


def line(text: bytes, start: int) -> bytes:
    return text[start : text.find(b"\n", start) + 1]


def equal_lines(old: bytes, here: int, new: bytes, there: int) -> int:
    """How many bytes are equal from here on, back to the end of a line."""
    run, step = 0, LEAST
    ours = memoryview(old)  # its parts are no copies
    while step >= LEAST:
        part = ours[here + run : here + run + step]
        if part and new.startswith(part, there + run):
            run += len(part)
            step = min(2 * step, MOST)
        else:
            step //= 2
    return old.rfind(b"\n", here, here + run) + 1 - here
