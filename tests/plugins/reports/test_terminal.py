"""What a person sees on a terminal: errors first, each with its line; many of one kind once."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from kg.check.report.selection import Selection, select
from kg.errors import Place, Problem, Severity, fix
from kg.plugins.reports import terminal
from kg.text.columns import width

FILE = "data/people.yaml"


def seen(selection: Selection) -> list[str]:
    return [click.unstyle(line) for line in terminal.lines(selection)]


def problems(count: int, severity: Severity = "error", rule: str = "bad-date") -> list[Problem]:
    return [
        Problem(Place(FILE, line, 4), severity, f"p{line}: date '{line}' is not a date.", rule)
        for line in range(1, count + 1)
    ]


@pytest.fixture
def site(tmp_path: Path) -> Path:
    (tmp_path / "data").mkdir()
    (tmp_path / FILE).write_text("a: {postion: x}\nb: 日本 abc\n", encoding="utf-8")
    return tmp_path


def test_the_line_has_carets_below_the_value_and_the_fix(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(site)
    repair = fix("postion", "position")
    problem = Problem(Place(FILE, 1, 5), "error", "a: no.", "unknown-field", fix=repair)
    assert seen(select([problem], Path())) == [
        "error[unknown-field]: a: no.",
        " --> data/people.yaml:1:5",
        "  |",
        "1 | a: {postion: x}",
        "  |     ^^^^^^^ fix: position",
    ]


def test_errors_come_before_warnings_and_hints(site: Path) -> None:
    found = [*problems(1, "info", "a"), *problems(1, "error", "b"), *problems(1, "warning", "c")]
    heads = [line for line in seen(select(found, site)) if line.startswith(("e", "w", "i"))]
    assert [line.partition(":")[0] for line in heads] == ["error[b]", "warning[c]", "info[a]"]


def test_equal_problems_are_folded(site: Path) -> None:
    shown = seen(select(problems(70), site))
    assert shown[-1] == "  = and 69 more like this: lines 2, 3, 4, 5, 6, …"
    assert len(shown) == 6


def test_thirty_problems_are_whole_messages_with_their_rules(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    (site / FILE).write_text("".join(f"{name}: a\n" for name in "abcdefghijkl"), encoding="utf-8")
    repair = fix("a", "b")
    found = [
        Problem(Place(FILE, line, 4), "error", f"{'word ' * 12}{name}.", "rule", fix=repair)
        for line, name in enumerate("abcdefghijkl", 1)
    ]
    shown = seen(select(found, site))
    assert shown[1:4] == [
        "    1:4  error    word word word word word word word word",
        "                  word word word word a. [rule] fix: b",
        "    2:4  error    word word word word word word word word",
    ]
    assert shown[-1].split() == ["12", "error", "rule", "in", "1", "file,", "12", "fixable"]
    assert all(len(line) <= 60 for line in shown[1:])


def test_three_hundred_problems_fit_a_screen(site: Path) -> None:
    found = [each for number in range(75) for each in problems(4, rule=f"rule-{number}")]
    shown = seen(select(found, site))
    assert len(shown) <= 36
    assert shown[0].endswith(FILE)
    assert "… and 220 more problems. To list all: kg check | less" in shown
    assert sum("in 1 file" in line for line in shown) == terminal.MAX_RULES
    assert shown[-1].split() == ["252", "by", "63", "other", "rules"]


def test_a_message_that_is_cut_says_what_is_wrong(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    found = [
        Problem(
            Place(FILE, line), "error", "work[0].positions[1]: this is wrong.", f"rule-{number}"
        )
        for line in (1, 2)
        for number in range(40)
    ]
    shown = seen(select(found, site))
    assert shown[1] == "    1:1  error    this is wrong. (and 1 more)"


def test_rules_with_one_problem_are_counted_together(site: Path) -> None:
    found = problems(2) + [each for n in range(15) for each in problems(1, rule=f"rule-{n}")]
    assert seen(select(found, site))[-2:] == [
        "    2  error    bad-date  in 1 file",
        "   15  by 15 other rules",
    ]


def test_carets_of_wide_characters_are_as_wide_as_they(site: Path) -> None:
    (site / FILE).write_text(f"a: {'教' * 60} {{日本: x}}\n", encoding="utf-8")
    found = Problem(Place(FILE, 1, 66), "error", "a: no.", "x")
    *_, line, caret = seen(select([found], site))
    assert line.startswith("1 | …教") and line.endswith(" {日本: x}")
    before = line[: line.index("日")]
    assert caret.rstrip() == f"  | {' ' * (width(before) - 4)}^^^^"


def test_terminal_commands_in_values_are_escaped(site: Path) -> None:
    (site / FILE).write_text("a: \x1b]0;x\x07\n", encoding="utf-8")
    found = Problem(Place(FILE, 1, 4), "error", "\x1b[31m", "x")
    assert not any("\x1b" in line for line in seen(select([found], site)))


@pytest.mark.parametrize(
    ("environment", "opens"),
    [
        ({"TERM": "xterm-256color"}, False),
        ({"VTE_VERSION": "7003"}, True),
        ({"TERM_PROGRAM": "vscode"}, True),
        ({"TERM": "xterm-kitty"}, True),
        ({"VTE_VERSION": "7003", "TMUX": "1"}, False),
        ({"VTE_VERSION": "7003", "CI": "true"}, False),
        ({"VTE_VERSION": "7003", "FORCE_HYPERLINK": "0"}, False),
        ({"CI": "true", "FORCE_HYPERLINK": "1"}, True),
    ],
)
def test_links_where_the_terminal_opens_them(environment: dict[str, str], opens: bool) -> None:
    assert terminal.opens_links(environment) == opens
