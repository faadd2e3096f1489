"""Periods as bars: what dates can mean, lanes without overlaps, and words that stay whole."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from markupsafe import Markup

from kg.publish.figures import bars, drawing
from kg.publish.figures.bars import Span, span, stretch
from kg.publish.figures.charts import acceptance, presence, timeline
from kg.publish.figures.drawing import NARROWEST
from kg.publish.pages.rows import Row
from tests.publish.figures.drawn import HOSTILE, classes, people, row, seen, texts


def entry(
    section: str = "Positions", title: str = "Lecturer", org: str = "Northfjord", **dates: str
) -> Row:
    return row(section=section, title=title, org=org, **dates)


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


def test_without_dates_there_is_no_timeline() -> None:
    assert timeline([entry()], "Ada") == Markup()
    assert timeline([], "Ada") == Markup()


def test_years_leave_the_ends_pale_and_months_do_not() -> None:
    assert classes(timeline([entry(start="2017", end="2021")], "Ada"), "rect") == [
        "bar",
        "sure",
    ]
    assert classes(timeline([entry(start="2017-02", end="2021-05")], "Ada"), "rect") == ["sure"]
    assert classes(timeline([entry(start="2017", end="2017")], "Ada"), "rect") == ["bar"], (
        "nothing is sure but the year"
    )


def test_what_goes_on_has_a_tip_and_what_ends_nobody_knows_when_fades() -> None:
    going = timeline([entry(start="2020", edtf="2020/..", until="2026-11-15")], "Ada")
    assert "sure" in classes(going, "path")
    assert [text for text in texts(going) if text.isdigit()][-1] == "2027"
    fading = timeline([entry(start="2020", edtf="2020/")], "Ada")
    assert [rect.get("fill") for rect in seen(fading).iter("rect")] == ["url(#timeline-fade)"]
    assert "linearGradient" not in going


def test_one_who_began_this_year_and_goes_on_is_seen() -> None:
    (width,) = {
        rect.get("width") for rect in seen(timeline([entry(edtf="2026-03/..")], "Ada")).iter("rect")
    }
    assert float(str(width).rstrip("%")) > 30


def test_the_timeline_tells_of_itself_and_keeps_its_order() -> None:
    rows = [
        entry(start="2020", end="2021"),
        entry("Education", "Student", start="2010", end="2014"),
        entry(start="2015", end="2016"),
    ]
    figure = timeline(rows, "Ada")
    picture = seen(figure)[0]
    assert picture.get("role") == "img"
    assert picture[0].text == "Ada: studies and positions, 2010 to 2022"
    assert "Positions: 2" in str(picture[1].text)
    assert timeline([rows[2], rows[1], rows[0]], "Ada") == figure, (
        "the earliest first, whatever comes first"
    )


def crowd(count: int) -> list[Row]:
    chosen = random.Random(3)
    made = []
    for person in people(count):
        year = chosen.randint(1985, 2024)
        dates = chosen.choice(
            [
                {"edtf": f"{year}/.."},
                {"edtf": f"{year}-09/"},
                {"edtf": f"{year}-22"},
                {"start": str(year), "end": str(year + 4)},
            ]
        )
        made.append(row(person=person, title="Researcher", until="2026-11-15", **dates))
    return made


def test_lanes_never_touch_and_words_stay_inside() -> None:
    entries = [
        bars.TimelineEntry((drawing.shortened(name, 280),), (), (period,), name)
        for one in crowd(100)
        if (name := one["person"][0].text)
        and (period := span(*(str((one[key] or [""])[0]) for key in ("start", "end", "edtf"))))
    ]
    axis = bars.Axis.over(entries, 2026.9)
    lanes = bars.lanes(entries, axis)
    assert sum(map(len, lanes)) == 100
    assert len(lanes) < 100, "some share a lane"
    for lane in lanes:
        assert all(0 <= one.left <= one.right <= NARROWEST for one in lane)
        ordered = sorted(lane, key=lambda one: one.left)
        assert all(one.right < other.left for one, other in pairwise(ordered))


def test_a_hundred_people_are_drawn_close_together_and_lead_to_their_pages() -> None:
    figure = presence(crowd(100), "Northfjord")
    picture = seen(figure)[0]
    assert len({link.get("href") for link in picture.iter("a")}) == 100
    assert picture.get("role") == "group", "an image could have no links"
    assert float(str(picture.get("height"))) < 100 * 20 + 40
    rows = crowd(100)
    random.Random(1).shuffle(rows)
    assert presence(rows, "Northfjord") == figure


def test_who_is_not_drawn_is_told() -> None:
    undated = [row(person=one, title="Student") for one in people(3)]
    assert presence(undated, "Northfjord") == Markup()
    dated = [row(person=one, title="Student", start="2020", end="2021") for one in people(133)[3:]]
    figure = presence([*undated, *dated], "Northfjord")
    assert "Not drawn: 10 who left earlier and 3 without dates." in figure


def test_one_with_several_times_is_one_row_with_a_line_between() -> None:
    ada, noor = people(9)[7:]
    times = [("2001", "2002"), ("2010", "2012")]
    rows = [row(person=ada, title="Guest", start=start, end=end) for start, end in times]
    figure = presence(
        [*rows, row(person=noor, title="Guest", start="2003", end="2004")], "Northfjord"
    )
    assert classes(figure, "line") == ["join"]
    assert f"{ada.text}: Guest, 2001 – 2002; Guest, 2010 – 2012" in figure


def test_acceptance_is_filled_as_far_as_it_goes() -> None:
    rows = [
        row(title="Conf 2024", submitted="1000", accepted="250", rate="0.25"),
        row(title="Conf 2023", submitted="500", accepted="100"),
    ]
    figure = acceptance(rows, "Conf")
    assert texts(figure) == ["Conf 2024: 25%, 250 of 1,000", "Conf 2023: 20%, 100 of 500"]
    assert [rect.get("width") for rect in seen(figure).iter("rect")] == [
        "100%",
        "25%",
        "50%",
        "10%",
    ]
    ranged = acceptance([*rows, row(title="Conf 2022", least="0.2", most="0.25")], "Conf")
    assert texts(ranged)[-1] == "Conf 2022: 20 to 25%"
    assert [rect.get("width") for rect in seen(ranged).iter("rect")][-3:] == ["100%", "20%", "5%"]
    assert [rect.get("width") for rect in seen(ranged).iter("rect")][2] == "100%", (
        "without all numbers each is the whole of its own"
    )
    assert acceptance([row(title="Conf 2021")], "Conf") == Markup()


@pytest.mark.parametrize("text", HOSTILE)
def test_text_is_text(text: str) -> None:
    pictures = [
        timeline([entry(text, text, text, start="2020", end="2021")], text),
        presence(
            [row(person=one, title=text, start="2020", end="2021") for one in people(8)], text
        ),
        acceptance([row(title=text, rate="0.3")], text),
    ]
    for picture in pictures:
        assert {element.tag for element in seen(picture).iter()} <= {
            *(
                "all",
                "svg",
                "title",
                "desc",
                "path",
                "text",
                "g",
                "a",
                "rect",
                "line",
                "defs",
                "linearGradient",
                "stop",
                "p",
            )
        }
        assert text in "".join(seen(picture).itertext())
        assert "style=" not in picture
        assert "<script" not in picture


def test_words_are_measured_with_care() -> None:
    assert (
        drawing.width("iiii")
        < drawing.width("nnnn")
        < drawing.width("MMMM")
        < drawing.width("王王王王")
    )
    assert drawing.shortened("Ada", 100) == "Ada"
    assert drawing.shortened("Adalbert " * 9, 100).endswith("…")
    assert drawing.width(drawing.shortened("Adalbert " * 9, 100)) <= 100
    assert drawing.wrapped("The Ohio State University", 90) == ["The Ohio State", "University"]
