"""Words that are measured."""

from __future__ import annotations

from kg.plugins.figures import drawing


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
