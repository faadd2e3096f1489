"""A chart of numbers over years."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from kg.plugins.figures.bars import Axis
from kg.plugins.figures.drawing import (
    NARROWEST,
    element,
    percent,
    picture,
    width,
)

LINE = 18  # px of a line of text
COLUMN_HEIGHT = 130  # px of the tallest column
COLUMN_SHARE = 0.7  # of the width for a year


def over_years(numbers: Sequence[tuple[int, float]], what: str, unit: str) -> Markup:
    """A column for each year with a number; years without one keep their places."""
    axis = Axis(min(numbers)[0], max(numbers)[0] + 1, 0)
    most, step = max(number for _, number in numbers) or 1, 1 / (axis.high - axis.low)
    written = {
        year: f"{number:,.4g}" if number % 1 else f"{number:,.0f}" for year, number in numbers
    }
    has_room = max(map(width, written.values())) < NARROWEST * step
    marks: list[Markup] = []
    for year, number in numbers:
        height, middle = number / most * COLUMN_HEIGHT, axis.at(year) + step / 2
        top = LINE + COLUMN_HEIGHT - height
        marks.append(
            element(
                "rect",
                element("title", f"{year}: {written[year]} {unit}".rstrip()),
                x=percent(middle - step * COLUMN_SHARE / 2),
                width=percent(step * COLUMN_SHARE),
                y=top,
                height=height,
                rx=1.5,
            )
        )
        if has_room or number == most:
            marks.append(label(written[year], middle, top - 5, "more"))
    marks += [
        label(str(year), axis.at(year) + step / 2, COLUMN_HEIGHT + 2 * LINE - 2, "year")
        for year in axis.years
        if year < axis.high
    ]
    words = "; ".join(f"{year}: {written[year]}" for year, _ in numbers)
    return picture("years", what, f"{words}.", COLUMN_HEIGHT + 2 * LINE + 2, marks)


def label(text: str, middle: float, y: float, kind: str) -> Markup:
    return element("text", text, x=percent(middle), y=y, text_anchor="middle", class_=kind)
