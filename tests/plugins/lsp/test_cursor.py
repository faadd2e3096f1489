"""Where a cursor (`‸`) is, also in a file that does not parse yet."""

from __future__ import annotations

import pytest

from kg.plugins.lsp.cursor import cursor_at

CASES = [
    ("na‸", (), False, "na"),
    ("basics:\n  na‸", ("basics",), False, "na"),
    ("basics:\n  name: Ada\n  ‸", ("basics",), False, ""),
    ("work:\n  - ‸", ("work",), False, ""),
    ("work:\n  - organization: Uni‸", ("work", "organization"), True, "Uni"),
    ("work:\n- organization: Uni\n  pos‸", ("work",), False, "pos"),
    ("work:\n  - {organization: Uni, pos‸", ("work",), False, "pos"),
    ("work:\n  - {organization: Uni, position: Le‸", ("work", "position"), True, "Le"),
    ("work:\n  - {organization: Uni,\n     pos‸}", ("work",), False, "pos"),
    (
        "work:\n  - organization: x\n    positions:\n      - {un‸",
        ("work", "positions"),
        False,
        "un",
    ),
    ("a: {b: {c: d‸", ("a", "b", "c"), True, "d"),
    ("interests: [a, fo‸", ("interests",), True, "fo"),
    ("interests:\n  - fo‸", ("interests",), False, "fo"),
    ("basics:\n  profiles: [{network: git‸", ("basics", "profiles", "network"), True, "git"),
    ('a: "it {is"\nb: ‸', ("b",), True, ""),
    ("a: it's [not\nb: c‸", ("b",), True, "c"),
    ("a: |\n  text {with: [brackets\nb: c‸", ("b",), True, "c"),
    ("a: {open: x\nb:\n  c‸", ("b",), False, "c"),
    ("x: # {comment\n  y: z‸", ("x", "y"), True, "z"),
]


@pytest.mark.parametrize(("text", "steps", "is_value", "word"), CASES)
def test_where_a_cursor_is(text: str, steps: tuple[str, ...], is_value: bool, word: str) -> None:
    before = text.partition("‸")[0].split("\n")
    lines = text.replace("‸", "").split("\n")
    found = cursor_at(lines, len(before) - 1, len(before[-1]))
    assert (found.steps, found.is_value, found.word) == (steps, is_value, word)


@pytest.mark.parametrize(
    ("text", "beside"),
    [
        ("w:\n  - a: 1\n    b: 2\n    ‸\n    c: 3\n  - d: 4\n", {"a", "b", "c"}),
        ("w:\n  - ‸\n    b: 2\n  - d: 4\n", {"b"}),
        ("w: [{a: 1, b: {c: 2}, ‸}]", {"a", "b"}),
        ("w:\n  - {a: 1, ‸", {"a"}),
    ],
)
def test_the_fields_of_the_same_entry_are_known(text: str, beside: set[str]) -> None:
    before = text.partition("‸")[0].split("\n")
    lines = text.replace("‸", "").split("\n")
    assert cursor_at(lines, len(before) - 1, len(before[-1])).beside == beside
