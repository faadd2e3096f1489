"""The pictures of answers."""

from __future__ import annotations

from typing import Any

from pyoxigraph import Literal, NamedNode

from kg.plugins.figures.answers import AnswerPicture, draw
from kg.publish.questions.results import CellMaker, QueryResult
from tests.plugins.figures.drawn import seen, texts

CELLS = CellMaker(
    "https://x.org/",
    lambda iri: iri.removeprefix("https://x.org/"),
    {"https://x.org/people/ada#it": "Ada"},
)


def drawn(wanted: str, columns: str, *rows: tuple[Any, ...], total: int = 0) -> AnswerPicture:
    found = [
        [
            NamedNode(value[1:-1])
            if isinstance(value, str) and value.startswith("<")
            else None
            if value is None
            else Literal(value)
            for value in row
        ]
        for row in rows
    ]
    result = QueryResult(columns.split(), found, total or len(found))
    return draw(wanted, result, CELLS, "What is asked?")


def test_bars_stand_beside_the_rows() -> None:
    for wanted in ("bars", ""):
        assert drawn(wanted, "name works", ("Ada", 4), ("Kim", 1)).shares == (1, 0.25)
    assert drawn("none", "name works", ("Ada", 4), ("Kim", 1)) == AnswerPicture()


def test_why_there_are_no_bars_is_said_only_where_some_were_wanted() -> None:
    rows = ("Ada", 4), ("Ada", 1)
    assert drawn("bars", "name works", *rows).reason.startswith(
        "Several rows have the same label, “Ada”"
    )
    assert drawn("", "name works", *rows) == AnswerPicture()
    assert drawn("bars", "name works", ("Ada", 4), total=2_000).reason == (
        "Only the first 1 of 2,000 rows are loaded."
    )


def test_a_series_of_years_has_a_place_for_each_year() -> None:
    figure = drawn("bars", "year works", ("2019", 3), ("2023", 2), ("2020", 1)).figure
    assert texts(figure) == ["3", "1", "2", "2019", "2020", "2021", "2022", "2023"]
    bars = [(rect.get("x"), rect.get("height")) for rect in seen(figure).iter("rect")]
    assert bars == [("3%", "130"), ("23%", "43.3"), ("83%", "86.7")]


def test_a_timeline_has_a_lane_for_each_name() -> None:
    figure = drawn(
        "timeline",
        "name title from until",
        ("Ada", "Engineer", "2019", "2021-06"),
        ("Ada", "Professor", "2021-07", "present"),
        ("Kim", "Student", "2020", None),
    ).figure
    page = seen(figure)
    assert [span.text for span in page.iter("span")][:2] == ["Ada", "Kim"]
    assert [title.text for title in page.iter("title")] == [
        "Engineer, 2019 to Jun 2021",
        "Professor, Jul 2021 to present",
        "Student, 2020",
    ]
    assert drawn("timeline", "name title", ("Ada", "x")).reason == ("No column has dates to draw.")


def test_a_network_joins_what_the_first_columns_name() -> None:
    rows = ("<https://x.org/people/ada#it>", "Kim", 3), ("Lin", "Kim", 1)
    figure = drawn("network", "one other works", *rows).figure
    links = {link.findtext("title"): link.get("href") for link in seen(figure).iter("a")}
    assert links == {"Ada: Works 3": "people/ada#it", "Lin: Works 1": None, "Kim: Works 4": None}
    assert "Connected to several of them: Kim." in figure
    assert drawn("network", "one works", ("Ada", 3)).reason == (
        "A network needs two columns with names."
    )
    many = [(f"A {number}", f"B {number}") for number in range(200)]
    assert drawn("network", "one other", *many).reason.startswith("400 nodes are too many")
