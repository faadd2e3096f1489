"""Layout of networks: forces that spread the nodes, and room for their names.

All nodes push each other away, edges pull; the same every time. Only sums, products and square
roots are taken, which every machine computes alike; a sine may differ in its last digit. A place is
a complex number: across, and down.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from math import sqrt
from typing import NamedTuple

from kg.publish.figures.drawing import width

Edge = tuple[int, int, float]  # from, to, how strong

# the golden angle: turning by it spreads things evenly
TURN = complex(-0.7373688780783197, 0.6754902942615238)
REACH = 2.2  # times the ideal distance: farther away nobody pushes
STEPS = 60
REFRESH = 6  # steps after which neighbours are computed anew
LINE = 14  # px


def disc(radius: float, count: int) -> list[complex]:
    """Places spread evenly over a disc around 0."""
    direction, places = complex(1, 0), []
    for number in range(count):
        places.append(radius * sqrt((number + 0.7) / count) * direction)
        direction *= TURN
    return places


def ring(middle: complex, across: float, down: float, count: int) -> list[complex]:
    """Places one after the other along a rhombus."""
    places = []
    for number in range(count):
        side, along = divmod(4 * number / count, 1)
        x, y = [(1 - along, along), (-along, 1 - along), (along - 1, -along), (along, along - 1)][
            int(side)
        ]
        places.append(middle + complex(across * x, down * y))
    return places


@lru_cache(maxsize=4)  # few saves of a site change who wrote with whom
def settle(
    starts: tuple[complex, ...], edges: tuple[Edge, ...], size: complex
) -> tuple[complex, ...]:
    """Where the things come to rest, within a frame of this size."""
    places = list(starts)
    ideal = 0.75 * sqrt(size.real * size.imag / max(len(places), 1))
    reach = (REACH * ideal) ** 2
    near: list[tuple[int, int]] = []
    for step in range(STEPS):
        if step % REFRESH == 0:
            pairs = combinations(range(len(places)), 2)
            near = [(a, b) for a, b in pairs if square(places[a] - places[b]) < reach]
        moves = [0j] * len(places)
        for a, b in near:
            apart = places[a] - places[b]
            x, y = apart.real, apart.imag  # a call of `square` would take longer than all else
            push = apart * (ideal * ideal / (x * x + y * y + 0.01))
            moves[a] += push
            moves[b] -= push
        for a, b, weight in edges:
            apart = places[a] - places[b]
            pull = apart * (weight * sqrt(square(apart)) / ideal)
            moves[a] -= pull
            moves[b] += pull
        most = ideal * (1 - step / STEPS) + 1
        for a, move in enumerate(moves):
            far = sqrt(square(move)) or 1
            there = places[a] + move * (min(far, most) / far)
            places[a] = complex(
                min(max(there.real, 0), size.real), min(max(there.imag, 0), size.imag)
            )
    return tuple(places)


def square(place: complex) -> float:
    return place.real * place.real + place.imag * place.imag


def fitted(places: Sequence[complex], low: complex, high: complex) -> list[complex]:
    """The same places, spread over all of a frame."""
    xs = spread([place.real for place in places], low.real, high.real)
    ys = spread([place.imag for place in places], low.imag, high.imag)
    return list(map(complex, xs, ys))


def spread(values: Sequence[float], low: float, high: float) -> list[float]:
    least, most = min(values), max(values)
    return [
        low + (high - low) * ((value - least) / (most - least) if most > least else 0.5)
        for value in values
    ]


class Dot(NamedTuple):
    """A dot with its name below it. `anchor` is the end of the name that is at the dot: its middle,
    or, near an edge, its start or end. The rest is the box around both.
    """

    radius: float
    anchor: str
    left: float
    right: float
    top: float
    bottom: float


def dot(x: float, y: float, radius: float, half: float, across: float) -> Dot:
    """The dot at a place; `half` is half the width of its name."""
    if x - half < 0:
        anchor, left, right = "start", x - radius, x - radius + 2 * half
    elif x + half > across:
        anchor, left, right = "end", x + radius - 2 * half, x + radius
    else:
        anchor, left, right = "middle", x - max(half, radius), x + max(half, radius)
    return Dot(radius, anchor, left, right, y - radius - 1, y + radius + LINE)


def half_of(name: str) -> float:
    """Half the width of a name, which may be bold."""
    return width(name) * 0.55 + 2


class Canvas:
    """An area that takes dots with names, one after another, none over another."""

    def __init__(self, across: float) -> None:
        self.across = across
        self.taken: list[Dot] = []

    def take(self, one: Dot) -> bool:
        """Puts a dot where it is, if there is room."""
        *_, left, right, top, bottom = one
        if (
            left < 0
            or right > self.across
            or any(
                left < rights and lefts < right and top < bottoms and tops < bottom
                for *_, lefts, rights, tops, bottoms in self.taken
            )
        ):
            return False
        self.taken.append(one)
        return True
