"""Which columns of an answer bars can be drawn from, or why none: bars that mislead are worse than
none. `static/chart.js` decides the same for the editor.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from pyoxigraph import Literal, NamedNode

from kg.publish.queries.results import NUMBERS, QueryResult, Term, heading

MOST_BARS, MOST_LABELS = 100, 2
NO_MEASURE = re.compile(  # what bars would compare in vain
    r"(year|date|since|until|number|position|order|rank|pages?|volume|issue|identifier|code|id)$",
    re.IGNORECASE,
)
UNIT = re.compile(r"(unit|currency)$", re.IGNORECASE)
NAME = re.compile(r"name|label|title", re.IGNORECASE)
YEARS = range(1500, 2101)

Text = Callable[[Term | None], str]  # what a term is called


@dataclass(frozen=True)
class BarColumns:
    """`labels` and `value` are places of columns."""

    labels: tuple[int, ...]
    value: int
    unit: str = ""
    is_over_years: bool = False


def series(result: QueryResult, text: Text) -> BarColumns | str | None:
    """The columns that name and measure the bars, or why there are none; None where nothing is
    measured.
    """
    if len(result.rows) < 2:
        return None
    names = result.columns
    bound = [
        [term for term in column if term is not None] for column in zip(*result.rows, strict=True)
    ]
    years, numbers = (
        [place for place, terms in enumerate(bound) if terms and all(map(test, terms))]
        for test in (is_year, is_number)
    )
    values = [
        place for place in numbers if place not in years and not NO_MEASURE.search(names[place])
    ]
    others = [place for place in range(len(names)) if place not in values]
    units = [place for place in others if UNIT.search(names[place])]
    labels = [
        place
        for place in others
        if place not in units and not is_named(place, others, result, text)
    ]
    if not values or not labels:
        return None
    in_units = sorted({text(term) for place in units for term in bound[place]})
    faults = (
        several(names, values),
        lacking(names[values[0]], len(bound[values[0]]), result),
        "Some numbers are below 0, which bars do not show."
        if any(number_of(term) < 0 for term in bound[values[0]])
        else "",
        f"The numbers are in several units ({', '.join(in_units)}), which do not compare."
        if len(in_units) > 1
        else "",
        "More than two columns name each row, and a bar has room for two. Select fewer."
        if len(labels) > MOST_LABELS
        else "",
        "Some rows have no name."
        if not all(label(row, labels, text) for row in result.rows)
        else "",
        f"There are {len(result.rows):,} rows, and room for {MOST_BARS} bars. Ask for less, for "
        "example with LIMIT."
        if len(result.rows) > MOST_BARS
        else "",
        repeated(label(row, labels, text) for row in result.rows),
    )
    unit = in_units[0] if in_units else ""
    is_over_years = len(labels) == 1 and labels[0] in years
    found = BarColumns(tuple(labels), values[0], unit, is_over_years)
    return next(filter(None, faults), None) or found


def several(names: Sequence[str], values: Sequence[int]) -> str:
    listed = ", ".join(heading(names[place]) for place in values)
    message = f"Each row has several numbers ({listed}), which bars would mix. Select one of them."
    return message if len(values) > 1 else ""


def lacking(name: str, count: int, result: QueryResult) -> str:
    message = f"Some rows have no {heading(name).lower()}, and would look like 0."
    return message if count < len(result.rows) else ""


def repeated(labels: Iterator[str]) -> str:
    seen: set[str] = set()
    for each in labels:
        if each in seen:
            return f"Several rows are called “{each}”, and would be taken for one."
        seen.add(each)
    return ""


def label(row: Sequence[Term | None], labels: Sequence[int], text: Text) -> str:
    return " · ".join(filter(None, (text(row[place]) for place in labels)))


def is_named(place: int, others: Sequence[int], result: QueryResult, text: Text) -> bool:
    """Whether another column says what things of this one are called."""
    names, rows = result.columns, result.rows
    things = [each for each in others if all(isinstance(row[each], NamedNode) for row in rows)]
    return place in things and any(
        names[other] in (f"{names[place]}Name", f"{names[place]}Label")
        or (len(things) == 1 and NAME.fullmatch(names[other]))
        or (other != place and all(text(row[place]) == text(row[other]) for row in rows))
        for other in others
    )


def is_number(term: Term) -> bool:
    if not isinstance(term, Literal) or not NUMBERS.fullmatch(term.datatype.value):
        return False
    return abs(number_of(term)) < float("inf")


def number_of(term: Term | None) -> float:
    """Infinite where it is none."""
    try:
        found = float(term.value) if isinstance(term, Literal) else float("inf")
    except ValueError:
        return float("inf")
    return found if found == found else float("inf")  # noqa: PLR0124  NaN is not itself


def is_year(term: Term) -> bool:
    value = term.value if isinstance(term, Literal) else ""
    return bool(re.fullmatch("[0-9]{4}", value)) and int(value) in YEARS
