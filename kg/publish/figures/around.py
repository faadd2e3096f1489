"""The co-author network of one person: their co-authors, and who of these wrote together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import combinations
from math import sqrt

from markupsafe import Markup

from kg.publish.figures import text_width
from kg.publish.figures.dots import LINE, Canvas, Dot, half_of
from kg.publish.figures.drawing import NARROWEST, counted, element, percent, picture, web
from kg.publish.figures.forces import Edge, fitted, ring, settle
from kg.publish.formats.urls import Cell, Link

NAME = "around"
MOST, FEWEST = 30, 2  # co-authors that are drawn
MOST_TIES = 90  # lines among co-authors; more would only be a haze
LONGEST = 200  # px of a name
STEPS = 20
AIR, LEAST = 4, 40  # px between names, and of height
FULL = 0.55  # of the picture may be full of names


def figure(rows: Iterable[Mapping[str, list[Cell]]], about: str) -> Markup:
    """Rows are works; `item` has their authors. The one without an address is the person whose page
    it is on.
    """
    works = [[cell for cell in row["item"] if isinstance(cell, Link) and cell.href] for row in rows]
    counts = Counter(author for work in works for author in work)
    ranked = sorted(counts, key=lambda author: (-counts[author], author.text, author.href))
    people = ranked[:MOST]
    if len(people) < FEWEST:
        return Markup()
    ties = joined(works, people)
    most = counts[people[0]]
    shown = [
        text_width.shortened(name, LONGEST) for name in (about, *(person.text for person in people))
    ]
    places = layout(
        shown, [8, *(3 + 3 * strength(counts[person], most) for person in people)], ties
    )
    down = max(places, key=lambda dot: dot.bottom).bottom + 2
    left = len(ranked) - len(people)
    note = (
        (
            f" {counted(left, 'co-author', 'co-authors')} more {'is' if left == 1 else 'are'} in "
            "the list of all."
        )
        if left
        else ""
    )
    first = ", ".join(f"{person.text} ({counts[person]})" for person in people[:5])
    description = (
        f"{counted(len(people), 'co-author', 'co-authors')}, with the number of works written "
        f"together; most with {first}.{note}"
    )
    at = [(place.x, place.y) for place in places]
    among = web(
        ((at[a + 1], at[b + 1], strength(count, most)) for (a, b), count in ties),
        NARROWEST,
        down,
        "among",
    )
    own = web(
        ((at[0], at[one + 1], strength(counts[person], most)) for one, person in enumerate(people)),
        NARROWEST,
        down,
    )
    nodes = [element("g", *marks(places[0], shown[0], about), class_="self")]
    for person, name, dot in zip(people, shown[1:], places[1:], strict=True):
        tooltip = f"{person.text}: {counted(counts[person], 'work', 'works')} together"
        nodes.append(element("a", *marks(dot, name, tooltip), href=person.href))
    drawing = picture(
        NAME, f"{about} and co-authors", description, down, [among, own, *nodes], is_group=True
    )
    return drawing + element("p", note.strip(), class_="note") if note else drawing


def strength(count: int, most: int) -> float:
    """From near 0 to 1, so that many do not drown few."""
    return sqrt(count / most)


def marks(dot: Dot, name: str, tooltip: str) -> tuple[Markup, ...]:
    """A dot, its name, and its tooltip."""
    x = percent(dot.x / NARROWEST)
    shift = {"start": -dot.radius, "end": dot.radius}.get(dot.anchor)
    return (
        element("title", tooltip),
        element("circle", cx=x, cy=dot.y, r=dot.radius),
        element(
            "text",
            name,
            x=x,
            dx=shift,
            y=dot.y + dot.radius + LINE - 4,
            text_anchor=None if dot.anchor == "start" else dot.anchor,
        ),
    )


def joined(works: Iterable[list[Link]], people: list[Link]) -> list[tuple[tuple[int, int], int]]:
    """The strongest ties among co-authors, and how many works each stands for."""
    index = {person: number for number, person in enumerate(people)}
    pairs: Counter[tuple[int, int]] = Counter()
    for work in works:
        pairs.update(combinations(sorted(index[author] for author in work if author in index), 2))
    return sorted(pairs.items(), key=lambda tie: (-tie[1], tie[0]))[:MOST_TIES]


def layout(
    names: list[str], radii: list[float], ties: list[tuple[tuple[int, int], int]]
) -> list[Dot]:
    """The dot of the person, who comes first, then those of the others, in px at the narrowest
    width.
    """
    count = len(names) - 1
    needed = sum(
        (2 * half_of(name) + AIR) * (2 * radius + LINE + AIR)
        for name, radius in zip(names, radii, strict=True)
    )
    size = float(NARROWEST), LEAST + needed / FULL / NARROWEST
    middle = size[0] / 2, size[1] / 2 - LINE
    starts = dict(
        zip(
            chained(count, dict(ties)),
            ring(middle, size[0] * 0.35, size[1] * 0.35, count),
            strict=True,
        )
    )
    edges: list[Edge] = [(0, number + 1, 0.25) for number in range(count)]
    edges += [(a + 1, b + 1, 0.12 * sqrt(works)) for (a, b), works in ties]
    places = settle(
        [middle, *(starts[number] for number in range(count))], edges, size, steps=STEPS, fixed=1
    )
    places = fitted(places, (12, 10), (size[0] - 12, size[1] - 10 - LINE))
    canvas = Canvas(*size)
    return [
        canvas.put(x, y, radius, name)
        for (x, y), radius, name in zip(places, radii, names, strict=True)
    ]


def chained(count: int, ties: Mapping[tuple[int, int], int]) -> list[int]:
    """All, so that each follows the one it is tied to most: those who belong together begin near
    each other.
    """
    left, order = list(range(1, count)), [0]
    while left:
        last = order[-1]
        order.append(
            max(left, key=lambda other: (ties.get((min(last, other), max(last, other)), 0), -other))
        )
        left.remove(order[-1])
    return order
