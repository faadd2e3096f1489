"""Figures of pages and of answers, which plugins draw as SVG (`kg.figures`). Without a plugin,
pages have no figures, and answers only tables.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from markupsafe import Markup

from kg import doors

GROUP = "kg.figures"
ANSWER = "answer"  # the figure of an answer


class Figure(Markup):
    """A picture as HTML, and the `note` below it."""

    note = ""


@dataclass(frozen=True)
class AnswerPicture:
    """A figure above the table, or the length of a bar in each row (0 to 1); or the reason why a
    requested chart is missing.
    """

    figure: Markup = field(default_factory=Markup)
    shares: tuple[float, ...] = ()
    reason: str = ""


@dataclass(frozen=True)
class FigureMaker:
    """`draw` gets the rows of a section and the subject of the page, and returns a Figure; empty
    without data. The one named `answer` gets the kind of picture, a QueryResult, a CellMaker and
    the question, and returns an AnswerPicture.
    """

    draw: Callable[..., Any]


def draw(name: str, *given: Any) -> Any:
    """The figure; None if no plugin draws it."""
    maker = doors.each(GROUP, FigureMaker).get(name)
    return maker.draw(*given) if maker else None
