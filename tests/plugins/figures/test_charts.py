"""Acceptance rates as bars, and words that are measured."""

from __future__ import annotations

from markupsafe import Markup

from kg.plugins.figures import drawing
from kg.plugins.figures.charts import acceptance
from tests.plugins.figures.drawn import row, seen, texts


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
