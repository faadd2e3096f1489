"""Dates at the precision they were written: modelling.md 2.15, and nothing filled in."""

from __future__ import annotations

import re
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from kg.advice.date_guesses import guesses, period_guess
from kg.facts.values.dates import Date, When, Year, interval, read, span, split
from kg.vocab import xsd

ISO = re.compile(r"[0-9]{4}(-[0-9]{2}){0,2}")
DATE_LIKE = st.text("0123456789-/. springsummerautumnfallwinterPRESENTunknown", max_size=14)


def period(written: str) -> tuple[str, str, str | None]:
    """Start, end and EDTF of a period as it stands in `dates:`."""
    start, end = map(read, split(written))
    assert start is not None
    assert end is not None
    return start.iso, end.iso, interval(start, end)


@pytest.mark.parametrize(
    ("written", "start", "end", "edtf"),
    [
        ("2019", "2019", "2019", None),
        ("2021-05", "2021-05", "2021-05", None),
        ("2022-07-28", "2022-07-28", "2022-07-28", None),
        ("2018/2022", "2018", "2022", None),
        ("2018-09 / 2022", "2018-09", "2022", None),
        ("2024-08/present", "2024-08", "", "2024-08/.."),
        ("2020/present", "2020", "", "2020/.."),
        ("summer 2022", "2022", "2022", "2022-22"),
        ("2023/2024", "2023", "2024", None),
        ("2010-09/unknown", "2010-09", "", "2010-09/"),
        ("summer 2019/autumn 2020", "2019", "2020", "2019-22/2020-23"),
        ("2019/winter 2020", "2019", "2020", "2019/2020-24"),
        ("summer 2019/present", "2019", "", "2019-22/.."),
    ],
)
def test_a_period_as_the_table_says(written: str, start: str, end: str, edtf: str | None) -> None:
    assert period(written) == (start, end, edtf)


@pytest.mark.parametrize(
    ("start", "end", "edtf"),
    [
        (None, None, None),
        ("2019", None, None),
        (None, "2019", None),
        ("summer 2019", None, "2019-22"),
        (None, "summer 2019", "/2019-22"),
        (None, "present", "/.."),
        (None, "unknown", "/"),
    ],
)
def test_a_period_that_lacks_an_end(start: str | None, end: str | None, edtf: str | None) -> None:
    assert interval(start and read(start), end and read(end)) == edtf


@pytest.mark.parametrize(
    ("written", "datatype"),
    [
        ("2019", xsd.gYear),
        ("2019-09", xsd.gYearMonth),
        ("2019-09-01", xsd.date),
        ("spring 2019", xsd.gYear),
    ],
)
def test_the_datatype_is_that_of_the_precision(written: str, datatype: str) -> None:
    found = read(written)
    assert found is not None
    assert found.datatype == datatype


@pytest.mark.parametrize(
    ("written", "text", "edtf"),
    [
        ("spring 2021", "spring 2021", "2021-21"),
        ("Summer 2021", "summer 2021", "2021-22"),
        ("autumn-2021", "autumn 2021", "2021-23"),
        ("FALL 2021", "autumn 2021", "2021-23"),
        ("winter 2021", "winter 2021", "2021-24"),
    ],
)
def test_a_season_has_one_spelling_and_its_edtf_number(written: str, text: str, edtf: str) -> None:
    assert read(written) == When(text, "2021", edtf)


def test_present_and_unknown_are_ends_without_a_date() -> None:
    present, unknown = read("present"), read("unknown")
    assert present == When("present", "", "..")
    assert unknown == When("unknown", "", "")
    assert present.is_open
    assert unknown.is_open


@pytest.mark.parametrize(
    "written",
    ["2019-13", "2019-00", "2019-02-30", "2019-04-31", "2019-01-00", "2019-01-32", "2021-02-29"],
)
def test_a_day_or_month_that_does_not_exist_is_refused(written: str) -> None:
    assert read(written) is None


@pytest.mark.parametrize(
    "written",
    [
        "2019-9",
        "2019-09-1",
        "0999",
        "12019",
        "19",
        "-2019",
        "2019-",
        "2019/09",
        "2019 ",
        " 2019",
        "2019\n",
        "",
    ],
)
def test_a_date_has_four_two_and_two_digits_and_nothing_else(written: str) -> None:
    assert read(written) is None


@pytest.mark.parametrize(
    "written",
    [
        "summer",
        "summer  2019",
        "summer 19",
        "sommer 2019",
        "2019 summer",
        "May 2019",
        "Present",
        "now",
        "today",
    ],
)
def test_other_words_are_no_dates(written: str) -> None:
    assert read(written) is None


@pytest.mark.parametrize(
    "written", ["201٩", "2019-0９", "summer 201٩", "ſummer 2019", "wİnter 2019", "wınter 2019"]
)
def test_digits_and_letters_of_other_scripts_are_refused(written: str) -> None:
    assert read(written) is None


def test_the_29th_of_february_is_a_day_in_a_leap_year() -> None:
    assert read("2020-02-29") == When("2020-02-29", "2020-02-29", "2020-02-29")
    assert read("1900-02-29") is None


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("May 2019", ["2019-05"]),
        ("Sept. 2019", ["2019-09"]),
        ("mayo de 2019", ["2019-05"]),
        ("1er août 2019", ["2019-08-01"]),
        ("März 2019", ["2019-03"]),
        ("3 December 2019", ["2019-12-03"]),
        ("May 17th, 2019", ["2019-05-17"]),
        ("05/2019", ["2019-05"]),
        ("2019/05", ["2019-05"]),
        ("2019-5", ["2019-05"]),
        ("5.2019", ["2019-05"]),
        (" 11/2019 ", ["2019-11"]),
        ("30.1.2024", ["2024-01-30"]),
        ("05/17/2019", ["2019-05-17"]),
        ("05/06/2019", ["2019-06-05", "2019-05-06"]),
        ("2019-17-05", ["2019-05-17"]),
        ("20190517", ["2019-05-17"]),
        ("2019-05-17T10:00:00Z", ["2019-05-17"]),
        ("WS 2019/20", ["winter 2019"]),
        ("Summer term 2019", ["summer 2019"]),
        ("c. 2019", ["2019"]),
        ("bis heute", ["present"]),
        ("aujourd'hui", ["present"]),
        ("n/a", ["unknown"]),
        ("?", ["unknown"]),
    ],
)
def test_what_may_be_meant_can_be_read(written: str, meant: list[str]) -> None:
    assert guesses(written) == meant
    assert all(read(each) for each in meant)


@pytest.mark.parametrize(
    "written",
    ["13/2019", "00/2019", "May 19", "'19", "03/201", "1.13.2019", "soon", "", "expected 2027"],
)
def test_nothing_is_guessed_where_nothing_is_sure(written: str) -> None:
    assert guesses(written) == []


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("2018-2022", ("2018", "2022")),
        ("2018 – now", ("2018", "present")),
        ("2018-19", ("2018", "2019")),
        ("since May 2018", ("2018-05", "present")),
        ("5/2018 - 6/2022", ("2018-05", "2022-06")),
        ("2018-05 to 2022-06", ("2018-05", "2022-06")),
        ("2010-11", None),
        ("17-05-2022", None),
        ("2018, 2019", None),
    ],
)
def test_a_period_may_be_meant(written: str, meant: tuple[str, str] | None) -> None:
    assert period_guess(written) == meant


@pytest.mark.fuzz
@pytest.mark.proof
@given(st.text() | DATE_LIKE)
def test_every_guess_can_be_read(written: str) -> None:
    assert all(read(each) for each in guesses(written))
    assert all(read(each) for each in period_guess(written) or ())


@pytest.mark.parametrize("written", ["May 2019", "2019-05", "17.5.2019", "summer 2019"])
def test_of_a_date_a_year_takes_the_year(written: str) -> None:
    with pytest.raises(ValidationError, match=r"is not a year\. Did you mean 2019\? "):
        TypeAdapter(Year).validate_python(written)


@pytest.mark.parametrize(
    ("written", "why"), [("2019-13", "no month 13"), ("2019-02-29", "2019-02 has 28 days")]
)
def test_a_date_that_is_in_no_calendar_says_why(written: str, why: str) -> None:
    with pytest.raises(ValidationError, match=why):
        TypeAdapter(Date).validate_python(written)


def test_the_message_has_the_hint_and_the_forms() -> None:
    with pytest.raises(
        ValidationError,
        match=(
            r"'May 2019' is not a date\. Did you mean 2019-05\? Write 2019, 2019-09, .* present "
            r"or unknown\."
        ),
    ):
        TypeAdapter(When).validate_python("May 2019")


@pytest.mark.parametrize("written", ["present", "unknown"])
def test_an_open_end_is_no_start(written: str) -> None:
    with pytest.raises(ValidationError, match="is only allowed as an end date"):
        TypeAdapter(Date).validate_python(written)
    assert TypeAdapter(When).validate_python(written).is_open


@pytest.mark.parametrize("written", [None, 2019, ["2019"], {"year": "2019"}, date(2019, 9, 1)])
def test_only_text_is_a_date(written: object) -> None:
    with pytest.raises(ValidationError, match="is not a date"):
        TypeAdapter(When).validate_python(written)


@pytest.mark.fuzz
@given(st.dates(min_value=date(1000, 1, 1)), st.sampled_from([4, 7, 10]))
def test_every_date_is_kept_as_written_at_its_precision(day: date, length: int) -> None:
    written = day.isoformat()[:length]
    assert read(written) == When(written, written, written)
    assert period(f"{written}/present") == (written, "", f"{written}/..")


@pytest.mark.fuzz
@given(st.text() | DATE_LIKE)
def test_any_text_is_read_or_refused(written: str) -> None:
    found = read(written)
    if found is None:
        with pytest.raises(ValidationError, match="is not a date"):
            TypeAdapter(When).validate_python(written)
    else:
        assert found.is_open or ISO.fullmatch(found.iso)
        assert read(found.text) == found


# The days that a filter compares


@pytest.mark.parametrize(
    ("written", "earliest", "latest"),
    [
        ("2018", "2018-01-01", "2018-12-31"),
        ("2018-09", "2018-09-01", "2018-09-30"),
        ("2020-02", "2020-02-01", "2020-02-29"),
        ("2018-09-05", "2018-09-05", "2018-09-05"),
        ("spring 2020", "2020-01-01", "2020-06-30"),
        ("summer 2020", "2020-05-01", "2020-09-30"),
        ("autumn 2020", "2020-08-01", "2020-12-31"),
        ("winter 2020", "2020-01-01", "2020-12-31"),
        ("2018/2022-06", "2018-01-01", "2022-06-30"),
        ("2018-09/unknown", "2018-09-01", None),
    ],
)
def test_a_period_has_a_first_and_a_last_day(
    written: str, earliest: str, latest: str | None
) -> None:
    start, end = map(read, split(written))
    assert span(start, end) == (
        earliest,
        latest,
        int(written[-4:] if " " in written else written[:4]),
        None,
    )


def test_what_goes_on_has_no_end_that_could_be_reached() -> None:
    assert span(read("2020-05"), read("present")) == ("2020-05-01", "9999-12-31", 2020, True)


def test_without_a_start_nothing_is_known_of_the_year() -> None:
    assert span(None, read("2020")) == (None, "2020-12-31", None, None)
    assert span(None, None) is None


@pytest.mark.fuzz
@given(st.dates(date(1000, 1, 1)), st.sampled_from([4, 7, 10]))
def test_a_date_lies_within_its_bounds(day: date, length: int) -> None:
    bounds = span(when := read(day.isoformat()[:length]), when)
    assert bounds is not None
    assert bounds.earliest is not None
    assert bounds.latest is not None
    assert date.fromisoformat(bounds.earliest) <= day <= date.fromisoformat(bounds.latest)
