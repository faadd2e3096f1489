"""Problems as lines: for a person at a terminal, and for a pipe."""

from pathlib import Path

import click
import pytest

from kg.check.report.selection import from_here, select
from kg.check.report.text import closing, lines
from kg.errors import Place, Problem

ADA, PEOPLE = "data/cv/ada.yaml", "data/people.yaml"
DATES = Problem(
    Place(ADA, 41, 7), "error", "work[2]: ends (2018) before it starts (2019).", "role-dates"
)
TWO = Problem(Place(ADA, 9, 1), "warning", "two employers are marked as current.", "two-employers")
NAME = Problem(Place(PEOPLE, 120, 10), "info", "nobody refers to noor.", "unused")
FOUND = [TWO, DATES, NAME]


def test_each_problem_is_one_aligned_line() -> None:
    assert list(lines(select(FOUND, Path("site")))) == [
        (
            "site/data/cv/ada.yaml:9:1     warning  two employers are marked as current.  "
            "[two-employers]"
        ),
        (
            "site/data/cv/ada.yaml:41:7    error    work[2]: ends (2018) before it starts "
            "(2019).  [role-dates]"
        ),
        "site/data/people.yaml:120:10  info     nobody refers to noor.  [unused]",
    ]


def test_a_terminal_gets_colours_and_space_between_files() -> None:
    plain, shown = (
        list(lines(select(FOUND, Path("site")))),
        list(lines(select(FOUND, Path("site")), terminal=True)),
    )
    assert [click.unstyle(line) for line in shown] == [*plain[:2], "", plain[2]]
    assert click.style("error  ", fg="red") in shown[1]
    assert click.style("warning", fg="yellow") in shown[0]


def test_files_are_named_from_where_one_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "data" / "cv").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "data" / "cv")
    assert from_here(Path("../.."), ADA) == "ada.yaml"
    assert from_here(Path("/srv/site"), ADA) == f"/srv/site/{ADA}"
    assert from_here(Path(), ADA) == ADA


def test_a_message_cannot_break_its_line_or_the_terminal() -> None:
    nasty = Problem(
        Place("data/a\nb.yaml"), "error", "name 'x\x1b[2J\r\n\u202ey' is odd – très.", "bad-value"
    )
    [line] = lines(select([nasty], Path()))
    assert (
        line
        == r"data/a\nb.yaml:1:1  error    name 'x\x1b[2J\r\n\u202ey' is odd – très.  [bad-value]"
    )


def test_what_is_milder_or_elsewhere_is_counted_but_not_shown() -> None:
    shown = select(FOUND, Path(), publishable=False, least="error", files=[ADA])
    assert shown.problems == [DATES]
    assert shown.elsewhere == [NAME]
    assert shown.milder == [TWO]
    assert shown.counts == {"error": 1, "warning": 1, "info": 1}
    assert list(closing(shown)) == [
        (
            "1 error; 1 more problem in other files; not shown: 1 warning. "
            "Fix the error before publishing."
        ),
        "For an explanation with examples: kg check --explain role-dates",
    ]


def test_a_warning_can_be_accepted_and_the_closing_words_say_how() -> None:
    assert list(closing(select([TWO], Path(), publishable=True))) == [
        "1 warning.",
        "For an explanation with examples: kg check --explain two-employers",
        'To accept a warning, add to its entry: accept: {two-employers: "the reason"}',
    ]


def test_where_all_is_well_nothing_is_left_to_do() -> None:
    assert list(closing(select([], Path(), publishable=True))) == ["no problems."]
    elsewhere = select([NAME, TWO], Path(), publishable=True, files=["data/cv/tom.yaml"])
    assert list(closing(elsewhere)) == ["no problems; 2 more problems in other files."]
