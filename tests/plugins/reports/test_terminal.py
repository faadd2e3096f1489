"""What a person sees on a terminal: errors first, each with its line; many of one kind once."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from kg.check.report.selection import Selection, select
from kg.errors import Place, Problem, Severity, fix
from kg.plugins.reports import terminal

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


def test_three_hundred_problems_fit_a_screen(site: Path) -> None:
    found = [each for number in range(30) for each in problems(10, rule=f"rule-{number}")]
    shown = seen(select(found, site))
    assert len(shown) <= 36
    assert shown[0].endswith(FILE)
    assert "… and 100 more problems. To list all: kg check | less" in shown
    assert sum("in 1 file" in line for line in shown) == terminal.MAX_RULES
    assert shown[-1].split() == ["180", "of", "18", "other", "rules"]


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
