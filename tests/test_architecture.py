"""The picture of the rooms, drawn from what they import: `python -m tests.test_architecture` writes
it anew.

A room is a layer below the deepest that it uses. An arrow is left out where others lead the same
way, so that what is drawn can be followed: cli uses facts, by way of many.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from html import escape
from itertools import permutations
from pathlib import Path
from textwrap import shorten

import pytest

from tests.conftest import ROOT
from tests.test_structure import NAMES, VERBS, imports

PICTURE = ROOT / "docs" / "rooms.svg"
WIDTH, WIDE, HIGH, ASIDE, BELOW, EDGE = 960, 176, 46, 14, 40, 20
MOST_SIGNS = 27  # on one line of a room
TIP = 10  # of an arrow, which is straight
THROUGH = 10 * WIDTH  # what an arrow through a room costs: more than any way around
STYLE = """
  rect { fill: #f4f6f8; stroke: #8795a1 }
  text { fill: #1f2933; font: 12px system-ui, sans-serif; text-anchor: middle }
  .room { font-weight: 600; font-size: 15px }
  path { fill: none; stroke: #52606d; stroke-width: 1.3 }
  marker path { fill: #52606d; stroke: none }
  @media (prefers-color-scheme: dark) {
    rect { fill: #242b33; stroke: #7b8794 }
    text { fill: #e4e7eb }
    path { stroke: #9aa5b1 }
    marker path { fill: #9aa5b1 }
  }
"""
# Advice uses the words of facts, and facts ask for advice: the picture has them as one.
TOGETHER = {"advice": "facts"}
Uses = Mapping[str, set[str]]  # of each room, others
Rows = list[tuple[str, ...]]


def uses() -> Uses:
    """Which rooms each room imports from."""
    found: dict[str, set[str]] = {}
    for user, path in NAMES.items():
        room = [*user.split("."), ""][1]
        if path in VERBS or room.startswith("__"):
            continue
        used = {name.split(".")[1] for name in imports()[user]} - {"plugins"}  # by doors only
        room = TOGETHER.get(room, room)
        found.setdefault(room, set()).update(TOGETHER.get(each, each) for each in used)
    return {room: found[room] - {room} for room in sorted(found)}


def within_reach(room: str, uses: Uses) -> set[str]:
    return uses[room].union(*(within_reach(other, uses) for other in uses[room]))


def arrows(uses: Uses) -> Uses:
    """Without those that others imply."""
    return {
        room: used - set().union(*(within_reach(other, uses) for other in used))
        for room, used in uses.items()
    }


def layers(uses: Uses) -> Rows:
    """A room is below all that it uses."""
    depths: dict[str, int] = {}

    def depth(room: str) -> int:
        if room not in depths:
            depths[room] = 1 + max(map(depth, uses[room]), default=-1)
        return depths[room]

    deepest = max(map(depth, uses))
    return [tuple(room for room in uses if depths[room] == number) for number in range(deepest + 1)]


def places(rows: Rows) -> dict[str, tuple[int, int]]:
    """The middle of each room's upper edge."""
    return {
        room: (
            WIDTH // 2 + (2 * column - len(row) + 1) * (WIDE + ASIDE) // 2,
            EDGE + number * (HIGH + BELOW),
        )
        for number, row in enumerate(rows)
        for column, room in enumerate(row)
    }


def length(rows: Rows, drawn: Uses) -> int:
    """How far arrows go aside, and what they go through: each runs straight down from the room that
    is used to the row of the user.
    """
    at = places(rows)
    total = 0
    for user, others in drawn.items():
        for used in others:
            (x, y), (there, above) = at[user], at[used]
            between = [
                room
                for room, (middle, upper) in at.items()
                if above < upper < y and abs(middle - there) < WIDE // 2
            ]
            total += abs(x - there) + THROUGH * len(between)
    return total


def arranged(rows: Rows, drawn: Uses) -> Rows:
    """Each row in the order that makes arrows shortest, until no row can be better."""
    before: Rows = []
    while rows != before:
        before = rows
        for number in range(len(rows)):
            ways = (
                [*rows[:number], row, *rows[number + 1 :]] for row in permutations(rows[number])
            )
            rows = min([rows, *ways], key=lambda way: length(way, drawn))
    return rows


def question(room: str) -> str:
    """What a room says of itself first, up to its first stop, as far as there is space."""
    folder = ROOT / "kg" / room
    path = folder / "__init__.py" if folder.is_dir() else folder.with_suffix(".py")
    said = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return shorten(re.split(r"[:,.]", said)[0], MOST_SIGNS, placeholder=" …")


def drawing(uses: Uses) -> Iterator[str]:
    drawn = arrows(uses)
    rows = arranged(layers(uses), drawn)
    at = places(rows)
    high = 2 * EDGE + len(rows) * (HIGH + BELOW) - BELOW
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {high}" role="img">'
    yield "<title>Packages of kg/ and their imports</title>"
    yield f"<style>{STYLE}</style>"
    yield (
        '<marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
        'orient="auto"><path d="M0 0 8 4 0 8Z"/></marker>'
    )
    for user in sorted(drawn):
        for used in sorted(drawn[user]):
            (x, y), (there, above) = at[user], at[used]
            turn, bend = y - BELOW + TIP, y - (BELOW - TIP) // 2
            yield (
                f'<path d="M{x} {y}C{x} {bend} {there} {bend} {there} {turn}V{above + HIGH}" '
                'marker-end="url(#tip)"/>'
            )
    for room, (x, y) in at.items():
        yield f'<rect x="{x - WIDE // 2}" y="{y}" width="{WIDE}" height="{HIGH}" rx="6"/>'
        yield f'<text class="room" x="{x}" y="{y + 20}">{escape(room)}</text>'
        yield f'<text x="{x}" y="{y + 37}">{escape(question(room))}</text>'
    yield "</svg>\n"


@pytest.mark.proof
def test_the_picture_of_the_rooms_is_fresh() -> None:
    fresh = "\n".join(drawing(uses()))
    assert PICTURE.read_text(encoding="utf-8") == fresh, "python -m tests.test_architecture"


@pytest.mark.proof
def test_what_is_drawn_leads_to_all_that_is_used_and_only_up() -> None:
    real = uses()
    drawn = arrows(real)
    at = places(layers(real))
    assert len(real) >= 15
    assert sum(map(len, drawn.values())) < sum(map(len, real.values())) / 2
    for room, used in real.items():
        assert used <= within_reach(room, drawn), room
        assert all(at[other][1] < at[room][1] for other in used), room
    assert all(map(question, real))


def test_arrows_go_around_rooms_and_the_shortest_way() -> None:
    known = {"a": set(), "b": {"a"}, "c": {"b"}, "d": {"a"}, "e": {"c", "d", "a"}}
    drawn = arrows(known)
    assert drawn["e"] == {"c", "d"}
    assert layers(known) == [("a",), ("b", "d"), ("c",), ("e",)]
    assert length(arranged(layers(known), drawn), drawn) < THROUGH
    crossed = [("a", "b"), ("c", "d")]
    assert arranged(crossed, {"c": {"b"}, "d": {"a"}}) == [("b", "a"), ("c", "d")]


if __name__ == "__main__":
    Path(PICTURE).write_text("\n".join(drawing(uses())), encoding="utf-8")
