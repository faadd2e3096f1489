"""Force-directed layout: all nodes push each other away, edges pull; the same every time.

Only sums, products and square roots are taken, which every machine computes alike; a sine may
differ in its last digit.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import sqrt

Place = tuple[float, float]
Edge = tuple[int, int, float]  # from, to, how strong

TURN = complex(
    -0.7373688780783197, 0.6754902942615238
)  # the golden angle: turning by it spreads things evenly
REACH = 2.2  # times the ideal distance: farther away nobody pushes
REFRESH = 6  # steps after which neighbours are computed anew


def around(middle: Place, radius: float, count: int, start: int = 0) -> list[Place]:
    """Places spread evenly over a disc."""
    direction, places = complex(1, 0), []
    for _ in range(start):
        direction *= TURN
    for number in range(count):
        far = radius * sqrt((number + 0.7) / count)
        places.append((middle[0] + far * direction.real, middle[1] + far * direction.imag))
        direction *= TURN
    return places


def ring(middle: Place, across: float, down: float, count: int) -> list[Place]:
    """Places one after the other along a rhombus."""
    places = []
    for number in range(count):
        side, along = divmod(4 * number / count, 1)
        x, y = [(1 - along, along), (-along, 1 - along), (along - 1, -along), (along, along - 1)][
            int(side)
        ]
        places.append((middle[0] + across * x, middle[1] + down * y))
    return places


def settle(
    starts: Sequence[Place], edges: Sequence[Edge], size: Place, steps: int = 48, fixed: int = 0
) -> list[Place]:
    """Where the things come to rest, within a frame of this size. The first `fixed` of them do not
    move.
    """
    return list(settled(tuple(starts), tuple(edges), size, steps, fixed))


@lru_cache(maxsize=64)  # slow, and most edits change nothing here
def settled(
    starts: tuple[Place, ...], edges: tuple[Edge, ...], size: Place, steps: int, fixed: int
) -> tuple[Place, ...]:
    count = len(starts)
    xs, ys = [x for x, _ in starts], [y for _, y in starts]
    ideal = 0.75 * sqrt(size[0] * size[1] / max(count, 1))
    square, reach = ideal * ideal, (REACH * ideal) ** 2
    near: list[tuple[int, int]] = []
    for step in range(steps):
        if step % REFRESH == 0:
            near = close(xs, ys, reach)
        dx, dy = [0.0] * count, [0.0] * count
        for a, b in near:
            x, y = xs[a] - xs[b], ys[a] - ys[b]
            push = square / (x * x + y * y + 0.01)
            x *= push
            y *= push
            dx[a] += x
            dy[a] += y
            dx[b] -= x
            dy[b] -= y
        for a, b, weight in edges:
            x, y = xs[a] - xs[b], ys[a] - ys[b]
            pull = weight * sqrt(x * x + y * y) / ideal
            dx[a] -= x * pull
            dy[a] -= y * pull
            dx[b] += x * pull
            dy[b] += y * pull
        most = ideal * (1 - step / steps) + 1
        for a in range(fixed, count):
            far = sqrt(dx[a] * dx[a] + dy[a] * dy[a]) or 1
            share = min(far, most) / far
            xs[a] = min(max(xs[a] + dx[a] * share, 0), size[0])
            ys[a] = min(max(ys[a] + dy[a] * share, 0), size[1])
    return tuple(zip(xs, ys, strict=True))


def fitted(places: Sequence[Place], low: Place, high: Place) -> list[Place]:
    """The same places, spread over all of a frame."""
    axes = []
    for axis in (0, 1):
        values = [place[axis] for place in places]
        least, most = min(values), max(values)
        axes.append(
            [
                low[axis]
                + (high[axis] - low[axis])
                * ((value - least) / (most - least) if most > least else 0.5)
                for value in values
            ]
        )
    return list(zip(*axes, strict=True))


def close(xs: list[float], ys: list[float], reach: float) -> list[tuple[int, int]]:
    """The pairs that are near enough to push each other."""
    found = []
    for a in range(len(xs)):
        x, y = xs[a], ys[a]
        found += [
            (a, b)
            for b in range(a + 1, len(xs))
            if (xs[b] - x) * (xs[b] - x) + (ys[b] - y) * (ys[b] - y) < reach
        ]
    return found
