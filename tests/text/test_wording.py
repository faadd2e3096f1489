"""Dates and periods in words, and several of them in few."""

from __future__ import annotations

import pytest

from kg.text import dates, wording


@pytest.mark.parametrize(
    ("start", "end", "edtf", "words"),
    [
        ("2018", "2022", "", "2018–2022"),
        ("2016-05", "2016-08", "", "May – Aug 2016"),
        ("2016-05", "2017-08", "", "May 2016 – Aug 2017"),
        ("2016-05-01", "2016-05-03", "", "1–3 May 2016"),
        ("2016-05-01", "2017-03-31", "", "May 2016 – Mar 2017"),
        ("2016-05-01", "", "2016-05-01/..", "May 2016 – present"),
        ("2016", "2016", "", "2016"),
        ("2020-08", "", "2020-08/..", "Aug 2020 – present"),
        ("2020", "", "2020/..", "2020 – present"),
        ("", "", "/..", "present"),
        ("2010-09", "", "2010-09/", "from Sep 2010"),
        ("", "2012", "/2012", "until 2012"),
        ("", "", "2020-23", "Autumn 2020"),
        ("", "", "", ""),
    ],
)
def test_a_period_is_as_short_as_can_be(start: str, end: str, edtf: str, words: str) -> None:
    assert dates.period(start, end, edtf) == words


@pytest.mark.parametrize(
    ("text", "shown"),
    [("12 May 2016", "12_May_2016"), ("May – Aug 2016", "May – Aug_2016"), ("2016", "2016")],
)
def test_no_line_breaks_inside_a_date(text: str, shown: str) -> None:
    assert dates.unbroken(text) == shown.replace("_", "\N{NO-BREAK SPACE}")


@pytest.mark.parametrize(
    ("periods", "words"),
    [
        (["2022", "2020", "2021", "2024"], "2020–2022, 2024"),
        (["2021", "2019"], "2019, 2021"),
        (["Autumn 2022", "Autumn 2020", "Autumn 2021"], "Autumn 2020–2022"),
        (["Autumn 2022", "Spring 2022", "Spring 2021"], "Spring 2021–2022, autumn 2022"),
        (["2025–present", "2024"], "2024, 2025–present"),
        (["2019", "Mar 2018"], "Mar 2018, 2019"),
        (["Aug 2020 – present"], "Aug 2020 – present"),
        (["2019", "2019"], "2019"),
        (["present", "2019"], "2019, present"),
        ([], ""),
    ],
)
def test_years_that_follow_each_other_are_one_run(periods: list[str], words: str) -> None:
    assert dates.folded(periods) == words


def test_prizes_of_two_years_are_no_period() -> None:
    assert dates.folded(["2022", "2021"], is_merged=False) == "2021, 2022"
    assert dates.folded(["Spring 2022", "Spring 2021"], is_merged=False) == "Spring 2021–2022"


def test_the_line_of_printed_pages_is_short() -> None:
    line = wording.running_line("long " * 40, "https://a.example/x", is_cv=True)
    assert line == f"{'long ' * 15}long… · Curriculum vitae · a.example/x"
