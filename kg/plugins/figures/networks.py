"""Network drawings: the co-authors of a site, and the pairs of an answer.

The layout is force-directed and deterministic: nodes repel each other, edges attract. It uses only
sums, products and square roots, which all machines compute identically; a sine can differ in its
last digit. A position is a complex number: horizontal and vertical.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import combinations
from math import sqrt
from typing import NamedTuple

from markupsafe import Markup

from kg.errors import counted
from kg.plugins.figures.drawing import (
    NARROWEST,
    Rows,
    element,
    percent,
    picture,
    shortened,
    text_of,
    web,
    width,
)
from kg.publish.figures import FigureMaker
from kg.publish.formats.urls import Link

MAX_LABEL_WIDTH = 200  # px: width of a label
MAX_DOTS, MAX_OWNERS, MIN_DOTS = 150, 60, 3
MIN_OWNERS, MOST_OFTEN = 3, 8
MOST_THINGS = 300  # nodes of an answer
MAX_JOINERS = 30  # listed in the note
MAX_LARGEST = 12  # nodes that are labelled for their weight, if there is room
MANY_OWNERS = 12  # from this number on, dots are smaller
WIDE_SCREEN = 640  # px: from this width on, more labels fit
COLOURS = 6
HEIGHT = 520.0  # px: height of the picture; the width has as many units
EDGE = 16.0  # margin; below, plus the height of a label
ROUNDS = 4

Ties = dict[tuple[int, int], int]  # two nodes by number, smaller first -> joint works
Network = tuple[list[Link], int, Ties]  # nodes, number of owners, edges


def explore(rows: Rows, about: str) -> Markup:
    """People with a CV and their co-authors, shared co-authors first. Rows have `owner`, `other`
    and `works`, the number of joint works. People with a CV are labelled and, if there is room,
    shared co-authors, who are also listed in the note, and the largest dots. `explore.js` makes the
    picture interactive. Too few people, or people whom nobody connects, are told in words.
    """
    network = chosen(rows)
    people, owners, ties = network
    if not ties:
        return Markup()
    is_connected = joiners_of(network) or any(max(tie) < owners for tie in ties)
    if owners < MIN_OWNERS or not is_connected:
        return often_with(network)
    return drawn_network(
        network,
        f"{about}: co-author network",
        f"{counted(owners, 'person', 'people')} with a CV here, and "
        f"{counted(len(people) - owners, 'co-author')}, "
        f"{len(joiners_of(network))} of them shared. A line means joint works. The list of "
        "people has everybody.",
        "Co-authors of several people",
        lambda works: f"{counted(works, 'work')} with people here",
    )


def often_with(network: Network) -> Markup:
    """For each person with a CV, the most frequent co-authors."""
    people, owners, ties = network
    lines = []
    for one in range(owners):
        found = [(works, sum(tie) - one) for tie, works in ties.items() if one in tie]
        others = [
            Markup('<a href="{}">{}</a>&nbsp;<span class="count">{}</span>').format(
                people[other].href, people[other].text, works
            )
            for works, other in sorted(found, key=lambda each: -each[0])[:MOST_OFTEN]
        ]
        line = Markup(
            '<li class="row"><p class="when">{}</p><p class="what">Often with {}</p></li>'
        )
        lines.append(line.format(people[one].text, Markup(", ").join(others)))
    return Markup('<figure><ul class="tight runin">{}</ul></figure>').format(Markup("").join(lines))


def pairs(rows: Rows, what: str, noun: str) -> Markup:
    """The network of the pairs in an answer. Rows as for `explore`; `noun` is the unit of the
    count.
    """
    network = chosen(rows, MOST_THINGS, MOST_THINGS)
    things, firsts, ties = network
    return drawn_network(
        network,
        what,
        f"{counted(firsts, 'thing')} on one side and {len(things) - firsts} on the other, with "
        f"{counted(len(ties), 'line')} between them, as listed below.",
        "Connected to several of them",
        lambda count: f"{noun} {count}" if noun else counted(count, "line"),
    )


def drawn_network(
    network: Network, title: str, description: str, note: str, says: Callable[[int], str]
) -> Markup:
    people, owners, ties = network
    if len(people) < MIN_DOTS:
        return Markup()
    groups = communities(len(people), owners, ties)
    places = layout_site(len(people), owners, ties, groups)
    weights = Counter[int]()
    for tie, works in ties.items():
        weights.update(dict.fromkeys(tie, works))
    large = 7 if owners < MANY_OWNERS else 4
    order = range(len(people))
    names = [shortened(person.text, MAX_LABEL_WIDTH) for person in people]
    labels = {
        width: [
            dot(
                places[one].real / HEIGHT * width,
                places[one].imag,
                (large if one < owners else 3) + 3 * sqrt(weights[one] / max(weights.values())),
                half_of(names[one]),
                width,
            )
            for one in order
        ]
        for width in (NARROWEST, WIDE_SCREEN)
    }
    joiners = joiners_of(network)
    canvas, wide_canvas = Canvas(NARROWEST), Canvas(WIDE_SCREEN)
    narrow = [one for one in range(owners) if canvas.take(labels[NARROWEST][one])]
    largest = sorted(order, key=lambda one: (-weights[one], one))[:MAX_LARGEST]
    others = dict.fromkeys([*narrow, *range(owners), *joiners, *largest])
    wide = [one for one in others if wide_canvas.take(labels[WIDE_SCREEN][one])]
    nodes = []
    # Labels are drawn over dots without labels, the most important ones last.
    for one in sorted(order, key=lambda one: (one < owners, one in narrow, one in wide, -one)):
        kind = None if one in narrow else "roomy" if one in wide else "quiet"
        spot = labels[NARROWEST if one in narrow else WIDE_SCREEN][one]
        tooltip = f"{people[one].text}: {says(weights[one])}"
        nodes.append(
            element(
                "a",
                element("title", tooltip),
                *marks_explored(places[one], spot, names[one], kind),
                href=people[one].href or None,
                class_=" ".join(
                    [
                        *(["owner"] if one < owners else ["joins"] if one in joiners else []),
                        f"c{groups[one] % COLOURS}",
                    ]
                ),
                data_at=f"{places[one].real:.0f} {places[one].imag:.0f}",
            )
        )
    most = max(ties.values())
    lines = ((places[a], places[b], sqrt(works / most)) for (a, b), works in ties.items())
    drawing = [web(lines, HEIGHT), *nodes]
    first = ", ".join(people[one].text for one in joiners[:MAX_JOINERS])
    more = f" and {len(joiners) - MAX_JOINERS} more" if len(joiners) > MAX_JOINERS else ""
    return picture(
        "explore",
        title,
        description,
        HEIGHT,
        [element("svg", *drawing, class_="canvas", width="100%", height="100%")],
        is_group=True,
        note=f"{note}: {first}{more}." if joiners else "",
    )


def joiners_of(network: Network) -> list[int]:
    """Nodes other than owners that are connected to several."""
    people, owners, ties = network
    joining = Counter(one for tie in ties for one in tie if one >= owners)
    return [one for one in range(len(people)) if joining[one] > 1]


def marks_explored(place: complex, spot: Dot, name: str, kind: str | None) -> tuple[Markup, Markup]:
    """A dot and its label. Both axes are in percent, so that zooming adds room instead of enlarging
    text.
    """
    x, y = percent(place.real / HEIGHT), percent(place.imag / HEIGHT)
    words = element(
        "text",
        name,
        x=x,
        y=y,
        dx={"start": -spot.radius, "end": spot.radius}.get(spot.anchor),
        dy=spot.radius + LINE - 4,
        text_anchor=None if spot.anchor == "start" else spot.anchor,
        class_=kind,
    )
    return element("circle", cx=x, cy=y, r=spot.radius), words


def chosen(rows: Rows, most: int = MAX_DOTS, most_owners: int = MAX_OWNERS) -> Network:
    """The nodes to draw, owners first, the number of owners, and the joint works of each pair."""
    works: dict[tuple[Link, Link], int] = {}
    written = Counter[Link]()
    for row in rows:
        owner, other = (
            Link(text_of([cell]), cell.href if isinstance(cell, Link) else "")
            for cell in (row["owner"][0], row["other"][0])
        )
        if owner != other:
            works[owner, other] = int(text_of(row["works"]))
            written[owner] += works[owner, other]
    owners = sorted(written, key=lambda one: (-written[one], one.text, one.href))[:most_owners]
    within = set(owners)
    others: dict[Link, list[int]] = defaultdict(list)
    for (owner, other), count in works.items():
        if owner in within and other not in written:
            others[other].append(count)
    ranked = sorted(
        others, key=lambda one: (-len(others[one]), -sum(others[one]), one.text, one.href)
    )
    people = owners + ranked[: most - len(owners)]
    index = {person: number for number, person in enumerate(people)}
    ties: Ties = {}
    for (owner, other), count in works.items():
        if owner in index and other in index:
            a, b = sorted((index[owner], index[other]))
            ties[a, b] = max(count, ties.get((a, b), 0))
    return people, len(owners), dict(sorted(ties.items()))


def communities(count: int, owners: int, ties: Ties) -> list[int]:
    """The group of each node. A few owners have a group each; of many, those with most joint works
    share one. Others belong to the owner they wrote most with.
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
    for _ in range(ROUNDS if owners > COLOURS else 0):
        for one in range(count):
            votes = Counter[int]()
            for other, works in near[one].items():
                votes[group[other]] += works
            group[one] = min(votes, key=lambda vote: (-votes[vote], vote)) if votes else group[one]
    numbers = {one: number for number, one in enumerate(dict.fromkeys(group))}
    return [numbers[one] for one in group]


def layout_site(count: int, owners: int, ties: Ties, groups: list[int]) -> list[complex]:
    """A distinct position for each node, in whole units: owners start on a ring, by group, the
    others near their co-authors.
    """
    inner = HEIGHT - 2 * EDGE
    around = ring(complex(inner / 2, inner / 2), inner * 0.36, inner * 0.36, owners)
    ordered = sorted(range(owners), key=lambda one: (groups[one], one))
    starts = dict(zip(ordered, around, strict=True))
    friends: dict[int, list[complex]] = defaultdict(list)
    for a, b in ties:
        if a < owners <= b:
            friends[b].append(starts[a])
    for one, offset in zip(range(owners, count), disc(inner * 0.16, count - owners), strict=True):
        starts[one] = offset + sum(friends[one]) / len(friends[one])
    edges: tuple[Edge, ...] = tuple((a, b, 0.35 if b >= owners else 0.2) for a, b in ties)
    begin = tuple(starts[one] for one in range(count))
    settled = settle(begin, edges, complex(inner, inner))
    taken: dict[complex, None] = {}
    for found in fitted(settled, complex(EDGE, EDGE), complex(HEIGHT - EDGE, HEIGHT - 2 * EDGE)):
        place = complex(round(found.real), round(found.imag))
        while place in taken:
            place = complex((place.real + 1) % HEIGHT, place.imag)
        taken[place] = None
    return list(taken)


Edge = tuple[int, int, float]  # from, to, strength

# the golden angle spreads points evenly
GOLDEN_ANGLE = complex(-0.7373688780783197, 0.6754902942615238)
REACH = 2.2  # times the ideal distance: the range of repulsion
STEPS = 60
NEIGHBOUR_INTERVAL = 6  # steps after which neighbours are computed again
LINE = 14  # px


def disc(radius: float, count: int) -> list[complex]:
    """Positions spread evenly over a disc around 0."""
    direction, places = complex(1, 0), []
    for number in range(count):
        places.append(radius * sqrt((number + 0.7) / count) * direction)
        direction *= GOLDEN_ANGLE
    return places


def ring(middle: complex, across: float, down: float, count: int) -> list[complex]:
    """Positions along a rhombus."""
    places = []
    for number in range(count):
        side, along = divmod(4 * number / count, 1)
        x, y = [(1 - along, along), (-along, 1 - along), (along - 1, -along), (along, along - 1)][
            int(side)
        ]
        places.append(middle + complex(across * x, down * y))
    return places


@lru_cache(maxsize=4)  # co-authors rarely change between saves
def settle(
    starts: tuple[complex, ...], edges: tuple[Edge, ...], size: complex
) -> tuple[complex, ...]:
    """The final positions, within a frame of this size."""
    places = list(starts)
    ideal = 0.75 * sqrt(size.real * size.imag / max(len(places), 1))
    reach = (REACH * ideal) ** 2
    near: list[tuple[int, int]] = []
    for step in range(STEPS):
        if step % NEIGHBOUR_INTERVAL == 0:
            pairs = combinations(range(len(places)), 2)
            near = [(a, b) for a, b in pairs if square(places[a] - places[b]) < reach]
        moves = [0j] * len(places)
        for a, b in near:
            apart = places[a] - places[b]
            x, y = apart.real, apart.imag  # inlined: calling `square` would dominate the run time
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
    """The same layout, scaled to a frame."""
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
    """A dot with its label below. `anchor` is the side of the label at the dot: its middle or, near
    an edge, its start or end. The rest is the box around both.
    """

    radius: float
    anchor: str
    left: float
    right: float
    top: float
    bottom: float


def dot(x: float, y: float, radius: float, half: float, across: float) -> Dot:
    """The dot at a position; `half` is half the width of its label."""
    if x - half < 0:
        anchor, left, right = "start", x - radius, x - radius + 2 * half
    elif x + half > across:
        anchor, left, right = "end", x + radius - 2 * half, x + radius
    else:
        anchor, left, right = "middle", x - max(half, radius), x + max(half, radius)
    return Dot(radius, anchor, left, right, y - radius - 1, y + radius + LINE)


def half_of(name: str) -> float:
    """Half the width of a label, which can be bold."""
    return width(name) * 0.55 + 2


class Canvas:
    """An area for dots with labels that must not overlap."""

    def __init__(self, across: float) -> None:
        self.across = across
        self.taken: list[Dot] = []

    def take(self, one: Dot) -> bool:
        """Places a dot if there is room."""
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


EXPLORE = FigureMaker(explore)
