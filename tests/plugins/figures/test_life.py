"""Times as bars in lanes: of a person by employer and school, of an organisation by person."""

from __future__ import annotations

import random

import pytest
from markupsafe import Markup

from kg.plugins.figures.life import MAX_LANES, heat_map, presence, timeline
from kg.publish.pages.rows import Row
from tests.plugins.figures.drawn import HOSTILE, classes, people, row, seen, texts


def entry(
    title: str = "Lecturer", org: str = "Northfjord", kind: str = "post", **dates: str
) -> Row:
    return row(kind=kind, title=title, org=org, **dates)


CAREER = [
    entry("Guest", "Delta Works", start="2016", end="2016"),
    entry("Ph.D. student", "Northfjord", "study", start="2018-09", end="2022-06"),
    entry(org="The Northfjord", edtf="2022-09/..", until="2026-11-15"),
    entry("Assistant", start="2018-09", end="2022-08"),
]


def lanes(figure: Markup) -> list[str | None]:
    return [span.text for span in seen(figure).findall(".//div/div/span")]


def legend(figure: Markup) -> list[str | None]:
    return [span.text for span in seen(figure).findall(".//figcaption/span")]


def test_one_date_or_none_needs_no_figure() -> None:
    assert timeline([], "Ada") == timeline([entry(), entry()], "Ada") == Markup()
    assert timeline([entry(start="2020", end="2021")], "Ada") == Markup()


def test_lanes_are_of_employers_and_schools_the_latest_first() -> None:
    figure = timeline(CAREER, "Ada")
    assert lanes(figure) == ["Northfjord", "Northfjord", "Delta Works"], "one is The Northfjord"
    assert classes(figure, "rect") == [None, "study", None, None]
    assert timeline(CAREER[::-1], "Ada") == figure, "whatever comes first"


@pytest.mark.parametrize(
    ("name", "label", "lines"),
    [
        ("Delta Works", "Delta Works", 1),
        ("University of Southampton / National Oceanography Centre",
         "University of Southampton / National Oceanography Centre", 4),
        ("Department of Earth, Environment & Space, Université de Nice Côte d’Azur, Nice, France",
         "Department of Earth, Environment … Côte d’Azur, Nice, France", 4),
    ],
)  # fmt: skip
def test_a_long_name_is_shortened_in_the_middle(name: str, label: str, lines: int) -> None:
    figure = timeline([entry(org=name, start="2016", end="2017"), *CAREER], "Ada")
    assert label in lanes(figure)
    (span,) = (each for each in seen(figure).iter("span") if each.text == label)
    assert (span.get("title"), span.get("class")) == (name, f"lines-{lines}")


def test_posts_are_filled_studies_outlined_and_the_caption_explains() -> None:
    assert legend(timeline(CAREER, "Ada")) == ["position", "study", "present"]
    fading = timeline([entry(edtf="2010-09/"), entry(start="2011-05", end="2016-05")], "Ada")
    assert legend(fading) == ["end unknown"]
    first, second = seen(fading).iter("rect")
    assert (first.get("fill"), second.get("fill")) == ("url(#timeline-fade)", None)
    ends = float(str(first.get("x"))[:-1]) + float(str(first.get("width"))[:-1])
    assert ends == pytest.approx(float(str(second.get("x"))[:-1]), abs=0.2), "where the next begins"


def test_the_picture_has_its_text_and_years_that_stay_inside() -> None:
    figure = timeline(CAREER, "Ada")
    (image,) = seen(figure).findall(".//div[@role='img']")
    assert image.get("aria-label") == "Positions and studies of Ada, 2016 to 2027, as listed below"
    assert texts(figure) == ["2020", "2025"]
    assert "viewBox" not in figure


def crowd(count: int) -> list[Row]:
    return [
        row(person=one, title="Researcher", start=str(1980 + number % 40), end="2022")
        for number, one in enumerate(people(count))
    ]


def test_of_very_many_people_the_latest_are_drawn_and_the_rest_is_told() -> None:
    undated = [row(person=one, title="Student") for one in people(63)[-3:]]
    assert presence(undated, "Northfjord") == Markup()
    rows = [*crowd(60), *undated]
    figure = presence(rows, "Northfjord")
    assert len(lanes(figure)) == MAX_LANES
    assert (
        legend(figure)[-1] == f"Not shown: {60 - MAX_LANES} who left earlier and 3 without dates."
    )
    random.Random(1).shuffle(rows)
    assert presence(rows, "Northfjord") == figure


def test_one_with_several_times_is_one_lane() -> None:
    ada, noor = people(9)[7:]
    times = [("2001", "2002"), ("2010", "2012")]
    rows = [row(person=ada, title="Guest", start=start, end=end) for start, end in times]
    figure = presence(
        [*rows, row(person=noor, title="Guest", start="2003", end="2004")], "Northfjord"
    )
    assert lanes(figure) == [ada.text, noor.text]
    assert [title.text for title in seen(figure).iter("title")] == [
        "Guest, 2001–2002",
        "Guest, 2010–2012",
        "Guest, 2003–2004",
    ]


@pytest.mark.parametrize("text", HOSTILE)
def test_text_is_text(text: str) -> None:
    pictures = [
        timeline([entry(text, text, kind, start="2020", end="2021") for kind in "ab"], text),
        presence(
            [row(person=one, title=text, start="2020", end="2021") for one in people(8)], text
        ),
    ]
    known = "all svg title desc text rect line defs linearGradient stop figure div span figcaption"
    for picture in pictures:
        assert {element.tag for element in seen(picture).iter()} <= set(known.split())
        assert text in "".join(seen(picture).itertext())
        assert "style=" not in picture
        assert "<script" not in picture


def test_a_life_of_very_many_lanes_is_not_drawn_and_no_lane_is_empty() -> None:
    career = [entry(org=f"Firm {n}", start=f"{2000 + n}", end=f"{2001 + n}") for n in range(9)]
    assert timeline(career, "Ada") == Markup()
    assert lanes(timeline([*career[:8], entry(org="Undated Ltd")], "Ada")) == [
        f"Firm {n}" for n in range(7, -1, -1)
    ]


def test_an_ongoing_study_is_outlined_too() -> None:
    rows = [entry(start="2015", end="2018"), entry("Ph.D.", "Delta", "study", edtf="2019/..")]
    study, post = seen(timeline(rows, "Ada")).iter("rect")
    assert (study.get("class"), study.get("fill")) == ("study", None)
    assert (post.get("class"), post.get("fill")) == (None, None)


def test_a_long_name_has_several_lines_and_its_bar_is_beside_their_middle() -> None:
    long = "Northfjord University of Science and Technology"
    rows = [entry(org=long, start="2019", end="2021"), entry(org="Delta", start="2015", end="2018")]
    figure = timeline(rows, "Ada")
    assert classes(figure, "span") == ["lines-4", "lines-1"]
    assert [rect.get("y") for rect in seen(figure).iter("rect")] == ["36", "86"]


def test_present_and_unknown_ends_are_drawn_and_said_apart() -> None:
    rows = [entry("A", edtf="2010-09/"), entry("B", edtf="2011-05/..")]
    figure = timeline(rows, "Ada")
    assert legend(figure) == ["present", "end unknown"]
    unknown, present = seen(figure).iter("rect")
    assert (unknown.get("fill"), present.get("fill")) == ("url(#timeline-fade)", None)
    assert len(seen(figure).findall(".//svg[@class='now']/path")) == 1


def test_two_summers_are_two_bars() -> None:
    rows = [entry(edtf="2020-22"), entry(edtf="2021-22"), entry(org="Delta", edtf="2015/2019")]
    first, second, _ = seen(timeline(rows, "Ada")).iter("rect")
    end = float(str(first.get("x"))[:-1]) + float(str(first.get("width"))[:-1])
    assert end < float(str(second.get("x"))[:-1])


def test_a_heat_map_has_a_lane_per_name_and_a_darker_square_for_more() -> None:
    numbers = {("Sand", 2020): 4.0, ("Sand", 2022): 1.0, ("Ice", 2019): 2.0}
    figure = heat_map(numbers, "Topics")
    assert lanes(figure) == ["Ice", "Sand"], "by their first years"
    drawn = seen(figure).iter("rect")
    squares = [(each.findtext("title"), each.get("fill-opacity")) for each in drawn]
    assert squares == [
        ("Ice, 2019: 2", "0.57"),
        ("Sand, 2020: 4", "1.00"),
        ("Sand, 2022: 1", "0.36"),
    ]
    (image,) = seen(figure).findall(".//div[@role='img']")
    assert image.get("aria-label") == "Topics: 2 lines, 2019 to 2022"
    assert heat_map({("Sand", 2020): 1}, "Topics") == Markup(), "one line is no map"
