"""Dots with names below them, none over another, in px at the narrowest width."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from kg.publish.figures import text_width

LINE = 14  # px
STEP = (16, 11)  # px across and down, by which a dot is moved to find room
OFFSETS = sorted(
    ((x * STEP[0], y * STEP[1]) for x in range(-14, 15) for y in range(-24, 25)),
    key=lambda move: (move[0] ** 2 + move[1] ** 2, move),
)


class Dot(NamedTuple):
    """A dot with its name below it. `anchor` is the end of the name that is at the dot: its middle,
    or, near an edge, its start or end. The rest is the box around both.
    """

    x: float
    y: float
    radius: float
    anchor: str
    left: float
    right: float
    top: float
    bottom: float


def dot(x: float, y: float, radius: float, half: float, across: float) -> Dot:
    """The dot at a place; `half` is half the width of its name."""
    top, bottom = y - radius - 1, y + radius + LINE
    if x - half < 0:
        return Dot(x, y, radius, "start", x - radius, x - radius + 2 * half, top, bottom)
    if x + half > across:
        return Dot(x, y, radius, "end", x + radius - 2 * half, x + radius, top, bottom)
    return Dot(x, y, radius, "middle", x - max(half, radius), x + max(half, radius), top, bottom)


def half_of(name: str) -> float:
    """Half the width of a name, which may be bold."""
    return text_width.width(name) * 0.55 + 2


class Canvas:
    """An area that dots are put into, one after another; `put` makes it grow downwards when it is
    full.
    """

    def __init__(self, across: float, down: float) -> None:
        self.across, self.down = across, down
        self.taken: list[Dot] = []

    def put(self, x: float, y: float, radius: float, name: str) -> Dot:
        """The dot as near to this place as there is room for it and its name."""
        half = half_of(name)
        one = next(filter(self.has_room, self.candidates(x, y, radius, half)), None)
        if one is None:
            one = dot(
                self.across / 2,
                max(other.bottom for other in self.taken) + radius + 2,
                radius,
                half,
                self.across,
            )
            self.down = one.bottom
        self.taken.append(one)
        return one

    def has_room(self, one: Dot) -> bool:
        *_, left, right, top, bottom = one
        if left < 0 or right > self.across:
            return False
        for place, (*_, lefts, rights, tops, bottoms) in enumerate(self.taken):
            if left < rights and lefts < right and top < bottoms and tops < bottom:
                # What was in the way is likely to be so for the next place too: compare it first.
                self.taken[0], self.taken[place] = self.taken[place], self.taken[0]
                return False
        return True

    def candidates(self, x: float, y: float, radius: float, half: float) -> Iterator[Dot]:
        for across, down in OFFSETS:
            there = x + across, y + down
            if (
                radius <= there[0] <= self.across - radius
                and radius <= there[1] <= self.down - radius - LINE
            ):
                yield dot(*there, radius, half, self.across)
