"""Acceptance rates of a venue, edition by edition: a bar for the submissions, filled as far as they
were accepted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from markupsafe import Markup

from kg.publish.figures import text_width
from kg.publish.figures.bars import BAR, GAP, INSET, LINE
from kg.publish.figures.drawing import NARROWEST, element, percent, picture, text_of
from kg.publish.formats.urls import Cell

NAME = "acceptance"


@dataclass(frozen=True)
class EditionRate:
    """`least` and `most` are the share that was accepted; they differ where only a range is
    known.
    """

    name: str
    submitted: float | None
    accepted: float | None
    least: float
    most: float

    @property
    def words(self) -> str:
        low, high = shown(self.least), shown(self.most)
        rate = f"{low}%" if low == high else f"{low} to {high}%"
        counts = (
            f", {self.accepted:,.0f} of {self.submitted:,.0f}"
            if self.submitted and self.accepted is not None
            else ""
        )
        return f"{self.name}: {rate}{counts}"


def figure(rows: Iterable[Mapping[str, list[Cell]]], about: str) -> Markup:
    """Rows with `title`, and what is known of `submitted`, `accepted`, `rate`, `least` and
    `most`.
    """
    editions = [edition for row in rows if (edition := read(row))]
    if not editions:
        return Markup()
    sizes = [edition.submitted or 0 for edition in editions]
    marks: list[Markup] = []
    for place, edition in enumerate(editions):
        top = place * (BAR + LINE + GAP)
        # Where the submissions of all are known, the bars are as long as they are many; else each
        # is as long as the picture is wide.
        length = (edition.submitted or 0) / max(sizes) if all(sizes) else 1
        words = text_width.shortened(edition.words, NARROWEST - 2 * INSET)
        marks += [
            element("text", words, y=top + LINE - 3),
            rect(0, length, top + LINE, "bar"),
            rect(0, length * edition.least, top + LINE, "sure"),
        ]
        if edition.most > edition.least:
            marks.append(rect(length * edition.least, length * edition.most, top + LINE, "maybe"))
    height = len(editions) * (BAR + LINE + GAP)
    description = "; ".join(edition.words for edition in editions)
    return picture(
        NAME, f"{about}: what share of submissions was accepted", f"{description}.", height, marks
    )


def read(row: Mapping[str, list[Cell]]) -> EditionRate | None:
    found = {
        name: number(text_of(row.get(name, [])))
        for name in ("submitted", "accepted", "rate", "least", "most")
    }
    submitted, accepted, rate = found["submitted"], found["accepted"], found["rate"]
    if rate is None and submitted and accepted is not None:
        rate = accepted / submitted
    least = rate if rate is not None else found["least"]
    most = rate if rate is not None else found["most"]
    if least is None and most is None:
        return None
    bounds = least if least is not None else 0.0, most if most is not None else 1.0
    return EditionRate(text_of(row["title"]), submitted, accepted, *bounds)


def number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def shown(share: float) -> str:
    return f"{share * 100:.1f}".removesuffix(".0")


def rect(start: float, end: float, top: float, kind: str) -> Markup:
    return element(
        "rect", x=percent(start), width=percent(end - start), y=top, height=BAR - 5, class_=kind
    )
