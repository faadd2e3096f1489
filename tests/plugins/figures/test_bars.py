"""What dates can mean, and where they are on an axis of years."""

from __future__ import annotations

import pytest

from kg.plugins.figures.bars import Axis, Span, span, stretch


@pytest.mark.parametrize(
    ("date", "first", "last"),
    [
        ("2019", 2019, 2020),
        ("2019-07", 2019.5, 2019 + 7 / 12),
        ("2019-22", 2019 + 5 / 12, 2019 + 8 / 12),
        ("2019-24", 2019, 2020),  # winter may be either end
        ("2019-13", 2019, 2020),
        ("2019?", 2019, 2020),
    ],
)
def test_a_date_is_as_long_as_it_is_vague(date: str, first: float, last: float) -> None:
    assert stretch(date) == pytest.approx((first, last))


@pytest.mark.parametrize("date", ["", "..", "unknown", "19", "2019-1"])
def test_what_is_no_date_is_nowhere(date: str) -> None:
    assert stretch(date) is None


def test_a_period_knows_what_is_sure() -> None:
    assert span("2017", "2021", "") == Span(2017, 2018, 2021, 2022)
    assert span("2020", "", "2020/..") == Span(2020, 2021, 2020, 2021, is_open=True)
    assert span("2020", "", "2020/") == Span(2020, 2021, 2020, 2021, is_vague=True)
    assert span("", "2021", "") == Span(2021, 2022, 2021, 2022)
    assert span("", "", "") is None


def test_an_axis_writes_few_years_and_ends_where_the_data_do() -> None:
    axis = Axis.over([Span(2004.5, 2004.6, 2008.4, 2008.5), Span(2020, 2021, 2020, 2021)], 2026.9)
    assert (axis.low, axis.high, axis.now) == (2004, 2027, 2026.9)
    assert list(axis.years) == [2005, 2010, 2015, 2020, 2025]
    assert axis.at(2027) == 1


def test_a_bar_ends_where_it_is_known_to_or_in_the_middle_of_what_is_known() -> None:
    axis = Axis(2000, 2010, 2009)
    for period, year in [
        (Span(2001, 2001.1, 2004, 2004.1), 2004.1),
        (Span(2001, 2002, 2004, 2005), 2004.5),
        (Span(2001, 2002, 2001, 2002), 2002),
        (Span(2001, 2002, 2001, 2002, is_open=True), 2009),
        (Span(2001, 2002, 2001, 2002, is_vague=True), 2003.2),
    ]:
        assert axis.ends(period) == pytest.approx(axis.at(year))
