"""Communities of a large co-author network, and its layout."""

from __future__ import annotations

from collections import Counter, defaultdict

from kg.publish.figures.forces import Edge, Place, around, fitted, ring, settle

DOWN = 520.0  # px of the picture, and as many units across
EDGE = 16.0  # of air, and below as much as a name needs
ROUNDS, STEPS = 4, 60

Ties = dict[tuple[int, int], int]


def communities(count: int, owners: int, ties: Ties, most: int) -> list[int]:
    """The number of a group for each: few owners have a group each, of many those are together who
    wrote together most. The others belong to whom they wrote most with.
    """
    near: dict[int, Counter[int]] = defaultdict(Counter)
    for (a, b), works in ties.items():
        near[a][b] += works
        near[b][a] += works
    group = list(range(owners))
    group += [
        min((-works, other) for other, works in near[one].items() if other < owners)[1]
        for one in range(owners, count)
    ]
    for _ in range(ROUNDS if owners > most else 0):
        for one in range(count):
            votes = Counter[int]()
            for other, works in near[one].items():
                votes[group[other]] += works
            group[one] = min(votes, key=lambda vote: (-votes[vote], vote)) if votes else group[one]
    numbers = {one: number for number, one in enumerate(dict.fromkeys(group))}
    return [numbers[one] for one in group]


def layout(count: int, owners: int, ties: Ties, groups: list[int]) -> list[Place]:
    """A place for each, in whole units, no two the same: owners begin on a ring, group by group,
    the others about whom they wrote with.
    """
    inner = DOWN - 2 * EDGE
    middle = inner / 2, inner / 2
    ordered = sorted(range(owners), key=lambda one: (groups[one], one))
    starts = dict(zip(ordered, ring(middle, inner * 0.36, inner * 0.36, owners), strict=True))
    friends: dict[int, list[int]] = defaultdict(list)
    for a, b in ties:
        friends[b].append(a)
    for one, (x, y) in zip(
        range(owners, count), around((0, 0), inner * 0.16, count - owners), strict=True
    ):
        of = [starts[owner] for owner in friends[one] if owner < owners]
        starts[one] = (
            x + sum(place[0] for place in of) / len(of),
            y + sum(place[1] for place in of) / len(of),
        )
    edges: list[Edge] = [(a, b, 0.35 if b >= owners else 0.2) for a, b in ties]
    taken: dict[Place, None] = {}
    places = settle([starts[one] for one in range(count)], edges, (inner, inner), STEPS)
    for x, y in fitted(places, (EDGE, EDGE), (DOWN - EDGE, DOWN - 2 * EDGE)):
        place = float(round(x)), float(round(y))
        while place in taken:
            place = (place[0] + 1) % DOWN, place[1]
        taken[place] = None
    return list(taken)
