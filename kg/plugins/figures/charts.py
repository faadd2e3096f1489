"""Charts: the acceptance rates of a venue, and numbers over years."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from kg.plugins.figures.bars import Axis
from kg.plugins.figures.drawing import (
    NARROWEST,
    Rows,
    element,
    percent,
    picture,
    shortened,
    text_of,
    width,
)
from kg.publish.figures import FigureMaker
from kg.publish.formats.urls import Cell

BAR, LINE, GAP, INSET = 12, 18, 12, 4  # px: bar, line of text, gap between editions, side margin
COLUMN_HEIGHT = 130  # px of the tallest column
COLUMN_SHARE = 0.7  # of the width for a year


@dataclass(frozen=True)
class EditionRate:
    """`least` and `most` are the acceptance rate; they differ if only a range is known."""

    name: str
    submitted: float | None
    accepted: float | None
    least: float
    most: float

    @property
    def words(self) -> str:
        low, high = (f"{share * 100:.1f}".removesuffix(".0") for share in (self.least, self.most))
        rate = f"{low}%" if low == high else f"{low} to {high}%"
        counts = (
            f", {self.accepted:,.0f} of {self.submitted:,.0f}"
            if self.submitted and self.accepted is not None
            else ""
        )
        return f"{self.name}: {rate}{counts}"


def acceptance(rows: Rows, about: str) -> Markup:
    """A bar per edition for the submissions, filled by the accepted share. Rows have `title` and
    any of `submitted`, `accepted`, `rate`, `least` and `most`.
    """
    editions = [edition for row in rows if (edition := edition_rate(row))]
    if not editions:
        return Markup()
    sizes = [edition.submitted or 0 for edition in editions]
    marks: list[Markup] = []
    for place, edition in enumerate(editions):
        top = place * (BAR + LINE + GAP) + LINE
        # If all numbers of submissions are known, they give the lengths of the bars; otherwise
        # every bar has the full width.
        length = (edition.submitted or 0) / max(sizes) if all(sizes) else 1
        words = shortened(edition.words, NARROWEST - 2 * INSET)
        marks += [
            element("text", words, y=top - 6),
            rate_bar(0, length, top, "bar"),
            rate_bar(0, length * edition.least, top, "sure"),
        ]
        if edition.most > edition.least:
            marks.append(rate_bar(length * edition.least, length * edition.most, top, "maybe"))
    return picture(
        "acceptance",
        f"{about}: acceptance rates",
        f"{'; '.join(edition.words for edition in editions)}.",
        len(editions) * (BAR + LINE + GAP),
        marks,
    )


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


def edition_rate(row: Mapping[str, list[Cell]]) -> EditionRate | None:
    submitted, accepted, rate, least, most = (
        number(text_of(row.get(name, [])))
        for name in ("submitted", "accepted", "rate", "least", "most")
    )
    if rate is None and submitted and accepted is not None:
        rate = accepted / submitted
    if rate is not None:
        least = most = rate
    if least is None and most is None:
        return None
    bounds = 0.0 if least is None else least, 1.0 if most is None else most
    return EditionRate(text_of(row["title"]), submitted, accepted, *bounds)


def number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def rate_bar(start: float, end: float, top: float, kind: str) -> Markup:
    return element(
        "rect", x=percent(start), width=percent(end - start), y=top, height=BAR, class_=kind
    )


ACCEPTANCE = FigureMaker(acceptance)
