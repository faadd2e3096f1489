"""One entry, several rows: what positions and dates in plural stand for."""

from __future__ import annotations

import pytest

from kg.errors import Problem
from kg.facts.expand import spread
from kg.facts.models.careers import Position
from kg.facts.models.education import Study
from kg.facts.yaml.rows import Row
from tests.facts import row


def rows_of(text: str) -> tuple[list[Row], list[Problem]]:
    """The rows of the only job in a CV, and what is wrong with it."""
    entry = row(f"work:\n- {text}")["work"][0]
    entry.path = "work[0]"
    problems: list[Problem] = []
    return spread(entry, Position, problems), problems


def test_an_entry_with_start_and_end_is_one_row() -> None:
    (found,), problems = rows_of(
        "{organization: uni, position: Intern, startDate: 2019, endDate: present}"
    )
    assert found == {
        "organization": "uni",
        "position": "Intern",
        "startDate": "2019",
        "endDate": "present",
    }
    assert problems == []


@pytest.mark.parametrize(
    ("dates", "start", "end"),
    [
        ("2019", "2019", "2019"),
        ("2018/2022", "2018", "2022"),
        ("2018 / present", "2018", "present"),
        ("summer 2019", "summer 2019", "summer 2019"),
    ],
)
def test_dates_become_a_start_and_an_end(dates: str, start: str, end: str) -> None:
    (found,), problems = rows_of(f"{{organization: uni, dates: {dates}}}")
    assert found == {"organization": "uni", "startDate": start, "endDate": end}
    assert found.token == ""
    assert problems == []


def test_a_list_of_dates_is_a_row_for_each_with_the_date_as_token() -> None:
    found, problems = rows_of("{organization: uni, dates: [summer 2020, 2021-06/2021-08]}")
    assert [(each["startDate"], each["endDate"], each.token) for each in found] == [
        ("summer 2020", "summer 2020", "summer-2020"),
        ("2021-06", "2021-08", "2021-06-2021-08"),
    ]
    assert problems == []


def test_a_list_of_one_date_has_a_token_too_so_that_a_second_moves_nothing() -> None:
    (found,), _ = rows_of("{organization: uni, dates: [2020]}")
    assert found.token == "2020"


def test_each_row_points_at_its_own_date_and_at_the_shared_fields() -> None:
    (_, second), _ = rows_of("{organization: uni, dates: [2020, 2021/2022]}")
    assert str(second.at("startDate")) == str(second.at("endDate")) == "cv.yaml:2:37"
    assert str(second.at("organization")) == "cv.yaml:2:18"


def test_positions_share_the_fields_around_them_and_their_own_win() -> None:
    positions = (
        "[{position: Intern, dates: 2018},\n {position: Fellow, location: city, dates: 2019}]"
    )
    found, problems = rows_of(f"{{organization: uni, location: town, positions:\n {positions}}}")
    assert [dict(each) for each in found] == [
        {
            "organization": "uni",
            "location": "town",
            "position": "Intern",
            "startDate": "2018",
            "endDate": "2018",
        },
        {
            "organization": "uni",
            "location": "city",
            "position": "Fellow",
            "startDate": "2019",
            "endDate": "2019",
        },
    ]
    assert [(each.path, str(each.place)) for each in found] == [
        ("work[0].positions[0]", "cv.yaml:3:3"),
        ("work[0].positions[1]", "cv.yaml:4:2"),
    ]
    assert problems == []


def test_each_position_may_have_several_dates() -> None:
    found, _ = rows_of(
        "{organization: uni, positions: [{position: Intern, dates: [2018, 2019]}, {position: "
        "Fellow, startDate: 2020}]}"
    )
    assert [(each["position"], each["startDate"], each.token) for each in found] == [
        ("Intern", "2018", "2018"),
        ("Intern", "2019", "2019"),
        ("Fellow", "2020", ""),
    ]


@pytest.mark.parametrize(
    ("entry", "place", "message"),
    [
        (
            "{dates: 2019, startDate: 2018}",
            "2:28",
            "work[0]: 'dates' and 'startDate' are both set.",
        ),
        (
            "{dates: 2019, endDate: 2018}",
            "2:26",
            "work[0]: 'dates' and 'endDate' are both set.",
        ),
        ("{dates: {from: 2019}}", "2:11", "work[0]: 'dates' must be a date or a list of dates."),
        ("{dates: [[2019]]}", "2:11", "work[0]: 'dates' must be a date or a list of dates."),
        ("{dates: []}", "2:11", "work[0]: 'dates' must be a date or a list of dates."),
        ("{dates: }", "2:11", "work[0]: dates '' is not a date."),
        (
            "{dates: [2019, May 2020]}",
            "2:18",
            "work[0]: dates 'May 2020' is not a date. Did you mean 2020-05?",
        ),
        ("{dates: 2019/2020/2021}", "2:11", "work[0]: dates '2019/2020/2021' is not a date."),
        (
            "{positions: Intern}",
            "2:15",
            "work[0]: 'positions' must be a list of entries, each with its own fields.",
        ),
        (
            "{positions: []}",
            "2:15",
            "work[0]: 'positions' must be a list of entries, each with its own fields.",
        ),
        (
            "{positions: [Intern, {position: Fellow}]}",
            "2:15",
            "work[0]: 'positions' must be a list of entries",
        ),
        (
            "{positions: [{position: Fellow, dates: soon}]}",
            "2:42",
            "work[0].positions[0]: dates 'soon' is not a date.",
        ),
    ],
)
def test_what_cannot_be_spread_is_told_with_its_place(entry: str, place: str, message: str) -> None:
    problems = rows_of(entry)[1]
    assert {f"{problem.place.line}:{problem.place.column}" for problem in problems} == {place}
    assert all(
        problem.message.startswith(message) and problem.severity == "error" for problem in problems
    )


def test_a_study_has_dates_but_no_positions() -> None:
    entry = row("{positions: [{position: Intern}], dates: 2019}")
    (found,) = spread(entry, Study, [])
    assert found == {"positions": [{"position": "Intern"}], "startDate": "2019", "endDate": "2019"}
