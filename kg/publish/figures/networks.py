"""Networks: the co-authors of a site, and the pairs of an answer."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from math import sqrt

from markupsafe import Markup

from kg.errors import counted
from kg.publish.figures.drawing import (
    NARROWEST,
    Rows,
    element,
    percent,
    picture,
    shortened,
    text_of,
    web,
)
from kg.publish.figures.layout import (
    LINE,
    Canvas,
    Dot,
    Edge,
    disc,
    dot,
    fitted,
    half_of,
    ring,
    settle,
)
from kg.publish.formats.urls import Link

LONGEST = 200  # px of a name
MOST_DOTS, MOST_OWNERS, FEWEST_DOTS = 150, 60, 3
MOST_THINGS = 300  # of an answer
MOST_JOINERS = 30  # that the note names
MANY_OWNERS = 12  # whose dots are smaller
WIDE = 640  # px from which more names have room
COLOURS = 6
DOWN = 520.0  # px of the picture, and as many units across
EDGE = 16.0  # of air, and below as much as a name needs
ROUNDS = 4

Ties = dict[tuple[int, int], int]  # two people by their numbers, the smaller first -> their works
Network = tuple[list[Link], int, Ties]  # who is drawn, how many of them are owners, who is joined


def explore(rows: Rows, about: str) -> Markup:
    """The owners of CVs, and those who wrote with them, first of all with several of them. Rows
    with `owner`, `other` and `works`, the number of works they wrote together. Owners are named
    and, where there is room, those who wrote with several of them; the note below names these. A
    small script makes it answer to who points.
    """
    network = chosen(rows)
    people, owners, _ = network
    return drawn_network(
        network,
        f"{about}: who wrote with whom",
        f"{counted(owners, 'person', 'people')} with a CV here, and "
        f"{counted(len(people) - owners, 'co-author')}, "
        f"{len(joiners_of(network))} of them of several. A line stands for works written together. "
        "The list of people names everybody.",
        "Who wrote with several of them",
        lambda works: f"{counted(works, 'work')} with people here",
    )


def pairs(rows: Rows, what: str, noun: str) -> Markup:
    """Things and what joins them, of an answer. Rows as for `explore`; `noun` is what is counted
    of a pair.
    """
    network = chosen(rows, MOST_THINGS, MOST_THINGS)
    things, firsts, ties = network
    return drawn_network(
        network,
        what,
        f"{counted(firsts, 'thing')} on one side and {len(things) - firsts} on the other, with "
        f"{counted(len(ties), 'line')} between them, as listed below.",
        "Joined to several of them",
        lambda count: f"{noun} {count}" if noun else counted(count, "line"),
    )


def drawn_network(
    network: Network, title: str, description: str, note: str, says: Callable[[int], str]
) -> Markup:
    people, owners, ties = network
    if len(people) < FEWEST_DOTS:
        return Markup()
    groups = communities(len(people), owners, ties)
    places = layout_site(len(people), owners, ties, groups)
    weights = Counter[int]()
    for tie, works in ties.items():
        weights.update(dict.fromkeys(tie, works))
    large = 7 if owners < MANY_OWNERS else 4
    order = range(len(people))
    names = [shortened(person.text, LONGEST) for person in people]
    labels = {
        width: [
            dot(
                places[one].real / DOWN * width,
                places[one].imag,
                (large if one < owners else 3) + 3 * sqrt(weights[one] / max(weights.values())),
                half_of(names[one]),
                width,
            )
            for one in order
        ]
        for width in (NARROWEST, WIDE)
    }
    joiners = joiners_of(network)
    canvas, wide_canvas = Canvas(NARROWEST), Canvas(WIDE)
    narrow = [one for one in range(owners) if canvas.take(labels[NARROWEST][one])]
    others = [one for one in [*range(owners), *joiners] if one not in narrow]
    wide = [one for one in [*narrow, *others] if wide_canvas.take(labels[WIDE][one])]
    nodes = []
    # Names lie above dots that have none, and the most important above all.
    for one in sorted(order, key=lambda one: (one < owners, one in narrow, one in wide, -one)):
        kind = None if one in narrow else "roomy" if one in wide else "quiet"
        spot = labels[NARROWEST if one in narrow else WIDE][one]
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
    drawing = [web(lines, DOWN), *nodes]
    first = ", ".join(people[one].text for one in joiners[:MOST_JOINERS])
    more = f" and {len(joiners) - MOST_JOINERS} more" if len(joiners) > MOST_JOINERS else ""
    return picture(
        "explore",
        title,
        description,
        DOWN,
        [element("svg", *drawing, class_="canvas", width="100%", height="100%")],
        is_group=True,
        note=f"{note}: {first}{more}." if joiners else "",
    )


def joiners_of(network: Network) -> list[int]:
    """Those beside the owners who are joined to several."""
    people, owners, ties = network
    joining = Counter(one for tie in ties for one in tie if one >= owners)
    return [one for one in range(len(people)) if joining[one] > 1]


def marks_explored(place: complex, spot: Dot, name: str, kind: str | None) -> tuple[Markup, Markup]:
    """A dot and its name. Both ways in percent, so that who looks closer sees more room, not larger
    letters.
    """
    x, y = percent(place.real / DOWN), percent(place.imag / DOWN)
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


def chosen(rows: Rows, most: int = MOST_DOTS, most_owners: int = MOST_OWNERS) -> Network:
    """Those who are drawn, the owners among them first, how many owners, and the works that join
    two.
    """
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
    for _ in range(ROUNDS if owners > COLOURS else 0):
        for one in range(count):
            votes = Counter[int]()
            for other, works in near[one].items():
                votes[group[other]] += works
            group[one] = min(votes, key=lambda vote: (-votes[vote], vote)) if votes else group[one]
    numbers = {one: number for number, one in enumerate(dict.fromkeys(group))}
    return [numbers[one] for one in group]


def layout_site(count: int, owners: int, ties: Ties, groups: list[int]) -> list[complex]:
    """A place for each, in whole units, no two the same: owners begin on a ring, group by group,
    the others about whom they wrote with.
    """
    inner = DOWN - 2 * EDGE
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
    for found in fitted(settled, complex(EDGE, EDGE), complex(DOWN - EDGE, DOWN - 2 * EDGE)):
        place = complex(round(found.real), round(found.imag))
        while place in taken:
            place = complex((place.real + 1) % DOWN, place.imag)
        taken[place] = None
    return list(taken)
