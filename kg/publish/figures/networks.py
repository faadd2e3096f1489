"""Co-author networks: of one person, and of a site."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from itertools import combinations
from math import sqrt

from markupsafe import Markup

from kg.publish.figures.drawing import (
    NARROWEST,
    Rows,
    counted,
    element,
    label,
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
# Of one person:
MOST, FEWEST = 30, 2  # co-authors that are drawn
MOST_TIES = 90  # lines among co-authors; more would only be a haze
AIR, LEAST = 4, 40  # px between names, and of height
FULL = 0.55  # of the picture may be full of names
# Of a site:
MOST_DOTS, MOST_OWNERS, FEWEST_DOTS = 150, 60, 3
MOST_JOINERS = 30  # that the note names
MANY_OWNERS = 12  # whose dots are smaller
WIDE = 640  # px from which more names have room
COLOURS = 6
DOWN = 520.0  # px of the picture, and as many units across
EDGE = 16.0  # of air, and below as much as a name needs
ROUNDS = 4

Ties = dict[tuple[int, int], int]  # two people by their numbers, the smaller first -> their works


def around(rows: Rows, about: str) -> Markup:
    """The co-authors of one person, and who of these wrote together. Rows are works; `item` has
    their authors. The one without an address is the person whose page it is on.
    """
    works = [[cell for cell in row["item"] if isinstance(cell, Link) and cell.href] for row in rows]
    counts = Counter(author for work in works for author in work)
    ranked = sorted(counts, key=lambda author: (-counts[author], author.text, author.href))
    people = ranked[:MOST]
    if len(people) < FEWEST:
        return Markup()
    ties, most = strongest_ties(works, people), counts[people[0]]
    # From near 0 to 1, so that many do not drown few.
    strengths = [sqrt(counts[person] / most) for person in people]
    names = [shortened(name, LONGEST) for name in (about, *(person.text for person in people))]
    dots = layout_around(names, [8, *(3 + 3 * strength for strength in strengths)], ties)
    down = max(one.bottom for one in dots) + 2
    at = [complex(one.x, one.y) for one in dots]
    among = ((at[a + 1], at[b + 1], sqrt(count / most)) for (a, b), count in ties.items())
    own = ((at[0], place, strength) for place, strength in zip(at[1:], strengths, strict=True))
    nodes = [element("g", *marks_around(dots[0], names[0], about), class_="self")]
    for person, name, one in zip(people, names[1:], dots[1:], strict=True):
        tooltip = f"{person.text}: {counted(counts[person], 'work', 'works')} together"
        nodes.append(element("a", *marks_around(one, name, tooltip), href=person.href))
    left = len(ranked) - len(people)
    more = f"{counted(left, 'co-author', 'co-authors')} more {'is' if left == 1 else 'are'}"
    first = ", ".join(f"{person.text} ({counts[person]})" for person in people[:5])
    return picture(
        "around",
        f"{about} and co-authors",
        f"{counted(len(people), 'co-author', 'co-authors')}, with the number of works written "
        f"together; most with {first}.",
        down,
        [web(among, NARROWEST, down, "among"), web(own, NARROWEST, down), *nodes],
        is_group=True,
        note=f"{more} in the list of all." if left else "",
    )


def marks_around(dot: Dot, name: str, tooltip: str) -> tuple[Markup, ...]:
    x = percent(dot.x / NARROWEST)
    return (
        element("title", tooltip),
        element("circle", cx=x, cy=dot.y, r=dot.radius),
        label(name, x, dot.y + dot.radius + LINE - 4, dot.anchor, -dot.radius),
    )


def strongest_ties(works: Iterable[list[Link]], people: list[Link]) -> Ties:
    index = {person: number for number, person in enumerate(people)}
    pairs: Counter[tuple[int, int]] = Counter()
    for work in works:
        pairs.update(combinations(sorted(index[author] for author in work if author in index), 2))
    return dict(sorted(pairs.items(), key=lambda tie: (-tie[1], tie[0]))[:MOST_TIES])


def layout_around(names: list[str], radii: list[float], ties: Ties) -> list[Dot]:
    """The dot of the person, who comes first, then those of the others, in px at the narrowest
    width.
    """
    count = len(names) - 1
    needed = sum(
        (2 * half_of(name) + AIR) * (2 * radius + LINE + AIR)
        for name, radius in zip(names, radii, strict=True)
    )
    size = complex(NARROWEST, LEAST + needed / FULL / NARROWEST)
    middle = complex(size.real / 2, size.imag / 2 - LINE)
    around = ring(middle, size.real * 0.35, size.imag * 0.35, count)
    starts = dict(zip(chained(count, ties), around, strict=True))
    edges: list[Edge] = [(0, number + 1, 0.25) for number in range(count)]
    edges += [(a + 1, b + 1, 0.12 * sqrt(works)) for (a, b), works in ties.items()]
    places = settle([middle, *(starts[number] for number in range(count))], edges, size, 20, 1)
    places = fitted(places, 12 + 10j, size - complex(12, 10 + LINE))
    canvas = Canvas(size.real, size.imag)
    return [
        canvas.put(place.real, place.imag, radius, name)
        for place, radius, name in zip(places, radii, names, strict=True)
    ]


def chained(count: int, ties: Ties) -> list[int]:
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


def explore(rows: Rows, about: str) -> Markup:
    """The owners of CVs, and those who wrote with them, first of all with several of them. Rows
    with `owner`, `other` and `works`, the number of works they wrote together. Owners are named
    and, where there is room, those who wrote with several of them; the note below names these. A
    small script makes it answer to who points.
    """
    people, owners, ties = chosen(rows)
    if len(people) < FEWEST_DOTS:
        return Markup()
    groups = communities(len(people), owners, ties, COLOURS)
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
    joining = Counter(one for tie in ties for one in tie if one >= owners)
    joiners = [one for one in order if joining[one] > 1]
    canvas, wide_canvas = Canvas(NARROWEST, DOWN), Canvas(WIDE, DOWN)
    narrow = [one for one in range(owners) if canvas.take(labels[NARROWEST][one])]
    others = [one for one in [*range(owners), *joiners] if one not in narrow]
    wide = [one for one in [*narrow, *others] if wide_canvas.take(labels[WIDE][one])]
    nodes = []
    # Names lie above dots that have none, and the most important above all.
    for one in sorted(order, key=lambda one: (one < owners, one in narrow, one in wide, -one)):
        kind = None if one in narrow else "roomy" if one in wide else "quiet"
        spot = labels[NARROWEST if one in narrow else WIDE][one]
        tooltip = f"{people[one].text}: {counted(weights[one], 'work', 'works')} with people here"
        nodes.append(
            element(
                "a",
                element("title", tooltip),
                *marks_explored(places[one], spot, names[one], kind),
                href=people[one].href,
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
    drawing = [web(lines, DOWN, DOWN), *nodes]
    first = ", ".join(people[one].text for one in joiners[:MOST_JOINERS])
    more = f" and {len(joiners) - MOST_JOINERS} more" if len(joiners) > MOST_JOINERS else ""
    return picture(
        "explore",
        f"{about}: who wrote with whom",
        f"{counted(owners, 'person', 'people')} with a CV here, and "
        f"{counted(len(people) - owners, 'co-author', 'co-authors')}, "
        f"{len(joiners)} of them of several. A line stands for works written together. The list of "
        "people names everybody.",
        DOWN,
        [element("svg", *drawing, class_="canvas", width="100%", height="100%")],
        is_group=True,
        note=f"Who wrote with several of them: {first}{more}." if joiners else "",
    )


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


def chosen(rows: Rows) -> tuple[list[Link], int, Ties]:
    """Those who are drawn, the owners among them first, how many owners, and the works that join
    two.
    """
    works: dict[tuple[Link, Link], int] = {}
    written = Counter[Link]()
    for row in rows:
        owner, other = row["owner"][0], row["other"][0]
        if isinstance(owner, Link) and isinstance(other, Link):
            works[owner, other] = int(text_of(row["works"]))
            written[owner] += works[owner, other]
    owners = sorted(written, key=lambda one: (-written[one], one.text, one.href))[:MOST_OWNERS]
    within = set(owners)
    others: dict[Link, list[int]] = defaultdict(list)
    for (owner, other), count in works.items():
        if owner in within and other not in written:
            others[other].append(count)
    ranked = sorted(
        others, key=lambda one: (-len(others[one]), -sum(others[one]), one.text, one.href)
    )
    people = owners + ranked[: MOST_DOTS - len(owners)]
    index = {person: number for number, person in enumerate(people)}
    ties: Ties = {}
    for (owner, other), count in works.items():
        if owner in index and other in index:
            a, b = sorted((index[owner], index[other]))
            ties[a, b] = max(count, ties.get((a, b), 0))
    return people, len(owners), dict(sorted(ties.items()))


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
    edges: list[Edge] = [(a, b, 0.35 if b >= owners else 0.2) for a, b in ties]
    settled = settle([starts[one] for one in range(count)], edges, complex(inner, inner), 60)
    taken: dict[complex, None] = {}
    for found in fitted(settled, complex(EDGE, EDGE), complex(DOWN - EDGE, DOWN - 2 * EDGE)):
        place = complex(round(found.real), round(found.imag))
        while place in taken:
            place = complex((place.real + 1) % DOWN, place.imag)
        taken[place] = None
    return list(taken)
