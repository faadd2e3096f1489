"""The difference of two graphs, found without looking at what is equal."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.check.impact.diff import LEAST, changes

LINES = st.lists(
    st.text('ab<>"é ', max_size=12).map(lambda text: f"<{text}> ."), unique=True, max_size=30
)


def graph(lines: list[str]) -> bytes:
    return "".join(f"{line}\n" for line in sorted(lines)).encode()


@given(LINES, LINES, LINES)
def test_it_is_the_difference_of_the_sets(
    both: list[str], only_old: list[str], only_new: list[str]
) -> None:
    old, new = {*both, *only_old}, {*both, *only_new}
    assert sorted(changes(graph(list(old)), graph(list(new)))) == sorted(old ^ new)


@pytest.mark.parametrize("edits", [0, 1, 40])
def test_long_runs_are_skipped_and_nothing_is_lost(edits: int) -> None:
    rng = random.Random(edits)
    x = "<https://x.example/"
    old = [
        f'{x}{number:06}> {x}p> "{"w" * rng.randrange(200)}" {x}g> .' for number in range(20_000)
    ]
    new = list(old)
    for _ in range(edits):
        at = rng.randrange(len(new))
        new[at : at + rng.randrange(3)] = [
            f"{new[at]}{rng.random()}" for _ in range(rng.randrange(3))
        ]
    assert len(graph(old)) > 100 * LEAST
    assert sorted(changes(graph(old), graph(new))) == sorted(set(old) ^ set(new))


def test_an_empty_graph_differs_in_everything() -> None:
    assert changes(b"", b"<a> <b> <c> .\n") == changes(b"<a> <b> <c> .\n", b"") == ["<a> <b> <c> ."]
