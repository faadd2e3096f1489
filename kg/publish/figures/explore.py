"""The co-author network of a site: owners of CVs, and those who wrote with them, first of all with
several of them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import sqrt

from markupsafe import Markup

from kg.publish.figures import text_width
from kg.publish.figures.circles import DOWN, Ties, communities, layout
from kg.publish.figures.dots import LINE, Canvas, Dot, dot, half_of
from kg.publish.figures.drawing import NARROWEST, counted, element, percent, picture, text_of, web
from kg.publish.figures.forces import Place
from kg.publish.formats.urls import Cell, Link

NAME = "explore"
MOST, MOST_OWNERS, FEWEST = 150, 60, 3  # dots
MANY_OWNERS = 12  # whose dots are smaller
WIDE = 640  # px from which more names have room
COLOURS = 6
LONGEST = 200  # px of a name


def figure(rows: Iterable[Mapping[str, list[Cell]]], about: str) -> Markup:
    """Rows with `owner`, `other` and `works`, the number of works they wrote together. A small
    script makes it answer to who points.
    """
    people, owners, ties = chosen(rows)
    if len(people) < FEWEST:
        return Markup()
    groups = communities(len(people), owners, ties, COLOURS)
    places = layout(len(people), owners, ties, groups)
    weights = Counter[int]()
    for (a, b), works in ties.items():
        weights[a] += works
        weights[b] += works
    most = max(weights.values())
    large = 7 if owners < MANY_OWNERS else 4
    radii = [
        (large if one < owners else 3) + 3 * sqrt(weights[one] / most) for one in range(len(people))
    ]
    order = range(len(people))
    shown = [text_width.shortened(person.text, LONGEST) for person in people]
    narrow = named(shown, places, radii, order, NARROWEST)
    wide = named(
        shown, places, radii, [*narrow, *(one for one in order if one not in narrow)], WIDE
    )
    nodes = []
    # Names lie above dots that have none, and the most important above all.
    for one in sorted(order, key=lambda one: (one < owners, one in narrow, one in wide, -one)):
        kind = "" if one in narrow else "roomy" if one in wide else "quiet"
        label = (
            narrow.get(one)
            or wide.get(one)
            or dot(*across(places[one], WIDE), radii[one], half_of(shown[one]), WIDE)
        )
        tooltip = f"{people[one].text}: {counted(weights[one], 'work', 'works')} with people here"
        inside = element("title", tooltip), *marks(places[one], label, shown[one], kind)
        kinds = f"{'owner ' if one < owners else ''}c{groups[one] % COLOURS}"
        nodes.append(
            element(
                "a",
                *inside,
                href=people[one].href,
                class_=kinds,
                data_at=f"{places[one][0]:.0f} {places[one][1]:.0f}",
            )
        )
    lines = web(
        (
            (places[a], places[b], sqrt(works / max(ties.values())))
            for (a, b), works in ties.items()
        ),
        DOWN,
        DOWN,
    )
    canvas = element("svg", lines, *nodes, class_="canvas", width="100%", height="100%")
    joining = sum(
        1
        for count in Counter(one for tie in ties for one in tie if one >= owners).values()
        if count > 1
    )
    description = (
        f"{counted(owners, 'person', 'people')} with a CV here, and "
        f"{counted(len(people) - owners, 'co-author', 'co-authors')}, "
        f"{joining} of them of several. A line stands for works written together. The list "
        "of people names everybody."
    )
    return picture(
        NAME, f"{about}: who wrote with whom", description, DOWN, [canvas], is_group=True
    )


def chosen(rows: Iterable[Mapping[str, list[Cell]]]) -> tuple[list[Link], int, Ties]:
    """Those who are drawn, the owners among them first, how many owners, and the works that join
    two, by their numbers.
    """
    works: dict[tuple[Link, Link], int] = {}
    for row in rows:
        owner, other = row["owner"][0], row["other"][0]
        if isinstance(owner, Link) and isinstance(other, Link):
            works[owner, other] = int(text_of(row["works"]))
    written, known = Counter[Link](), defaultdict[Link, int](int)
    for (owner, _), count in works.items():
        written[owner] += count
    owners = sorted(written, key=lambda one: (-written[one], one.text, one.href))[:MOST_OWNERS]
    within = set(owners)
    others = Counter[Link]()
    for (owner, other), count in works.items():
        if owner in within and other not in written:
            others[other] += count
            known[other] += 1
    ranked = sorted(others, key=lambda one: (-known[one], -others[one], one.text, one.href))
    people = owners + ranked[: MOST - len(owners)]
    index = {person: number for number, person in enumerate(people)}
    ties: Ties = {}
    for (owner, other), count in works.items():
        if owner in index and other in index:
            pair = min(index[owner], index[other]), max(index[owner], index[other])
            ties[pair] = max(count, ties.get(pair, 0))
    return people, len(owners), dict(sorted(ties.items()))


def named(
    shown: Sequence[str],
    places: Sequence[Place],
    radii: Sequence[float],
    order: Iterable[int],
    width: float,
) -> dict[int, Dot]:
    """Those whose names have room at a width, taken in this order."""
    found: dict[int, Dot] = {}
    canvas = Canvas(width, DOWN)
    for one in order:
        here = dot(*across(places[one], width), radii[one], half_of(shown[one]), width)
        if canvas.has_room(here):
            canvas.taken.append(here)
            found[one] = here
    return found


def across(place: Place, width: float) -> Place:
    return place[0] / DOWN * width, place[1]


def marks(place: Place, label: Dot, name: str, kind: str) -> tuple[Markup, Markup]:
    """A dot and its name. Both ways in percent, so that who looks closer sees more room, not larger
    letters.
    """
    x, y = percent(place[0] / DOWN), percent(place[1] / DOWN)
    shift = {"start": -label.radius, "end": label.radius}.get(label.anchor)
    words = element(
        "text",
        name,
        x=x,
        y=y,
        dx=shift,
        dy=label.radius + LINE - 4,
        text_anchor=None if label.anchor == "start" else label.anchor,
        class_=kind or None,
    )
    return element("circle", cx=x, cy=y, r=label.radius), words
