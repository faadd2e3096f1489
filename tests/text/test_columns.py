"""Tables in plain text: their columns fit, and hold no commands."""

from __future__ import annotations

from kg.text.columns import clean, cut, fitted, pointed, table, width


def test_the_widest_columns_give_way_first() -> None:
    assert fitted([3, 10, 40], 100) == [3, 10, 40]
    assert fitted([3, 10, 40], 30) == [3, 10, 13]
    assert fitted([30, 40, 3], 40) == [16, 16, 3]
    assert fitted([30] * 10, 20) == [6] * 10, "but they stay readable, and lines wrap"


def test_a_table_is_aligned_whatever_it_holds() -> None:
    lines = list(
        table(
            ["name", "n"],
            [["名前", "7"], ["e\u0301", "12"], ["a long text", ""]],
            frozenset({1}),
            12,
        )
    )
    assert lines == [
        "name       n",
        "--------  --",
        "名前       7",
        "e\u0301         12",
        "a long …",
    ]
    assert [width(line) for line in lines] == [12, 12, 12, 12, 8]


def test_nothing_in_a_text_commands_the_terminal() -> None:
    assert clean("a\x1b[31mred\x07\nb\u202ec\u2028\x9b") == "a [31mred  b c  "


def test_a_cut_is_marked_and_counts_cells() -> None:
    assert [cut("abcdef", 6), cut("abcdefg", 6), cut("名前名前", 6)] == [
        "abcdef",
        "abcde…",
        "名前…",
    ]


def test_a_long_line_is_shown_around_the_place() -> None:
    line, caret = pointed("x" * 300 + "!" + "y" * 300, 1, 301, 60)
    assert width(line) <= 60
    assert line[caret.index("^")] == "!"
    assert pointed("one\n\ttwo", 2, 2, 60) == [" two", " ^"]
    assert pointed("名前 x", 1, 4, 60) == ["名前 x", "     ^"]
    assert pointed("one", 1, 4, 60) == ["one", "   ^"]
    assert pointed("one", 5, 1, 60) == []
