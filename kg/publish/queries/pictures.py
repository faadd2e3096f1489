"""The picture of an answer, drawn from its rows: bars, a timeline or a network; or why there is
none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from markupsafe import Markup
from pyoxigraph import Literal

from kg.publish.figures.bars import stretch
from kg.publish.figures.charts import over_years
from kg.publish.figures.life import over_time
from kg.publish.figures.networks import MOST_THINGS, pairs
from kg.publish.formats.urls import Cell, Link
from kg.publish.queries.results import CellMaker, QueryResult, ResultCell, Term, heading
from kg.publish.queries.series import BarColumns, is_number, number_of, series

STARTS = re.compile(r"(from|start|started|since|begin|began|date|when|year|month|day)$", re.I)
ENDS = re.compile(r"(until|end|ended|to|till)$", re.I)
OPEN = ("present", "now", "..")  # an end that is not there yet


@dataclass(frozen=True)
class AnswerPicture:
    """A figure above the table, or the length of a bar in each of its rows (0 to 1); and why there
    is neither, where one was wanted.
    """

    figure: Markup = field(default_factory=Markup)
    shares: tuple[float, ...] = ()
    reason: str = ""


def draw(wanted: str, result: QueryResult, cells: CellMaker, what: str) -> AnswerPicture:
    """`wanted` is bars, timeline, network or none; by itself bars, where they fit. `what` is the
    question.
    """
    if wanted == "none" or not result.rows:
        return AnswerPicture()
    if len(result.rows) < result.total:
        reason = f"Only the first {len(result.rows):,} of {result.total:,} rows are here."
        return AnswerPicture(reason=reason if wanted else "")
    if wanted == "timeline":
        return timeline(result, cells, what)
    if wanted == "network":
        return network(result, cells, what)
    found = bars(result, cells, what)
    return found if wanted else AnswerPicture(found.figure, found.shares)


def bars(result: QueryResult, cells: CellMaker, what: str) -> AnswerPicture:
    """Columns over years, or bars beside the rows."""
    found = series(result, lambda term: cells.of(term).text)
    if not isinstance(found, BarColumns):
        return AnswerPicture(reason=found or "")
    numbers = [number_of(row[found.value]) for row in result.rows]
    if found.is_over_years:
        years = [int(cells.of(row[found.labels[0]]).text) for row in result.rows]
        in_order = sorted(zip(years, numbers, strict=True))
        return AnswerPicture(over_years(in_order, what, found.unit))
    return AnswerPicture(shares=tuple(number / (max(numbers) or 1) for number in numbers))


def timeline(result: QueryResult, cells: CellMaker, what: str) -> AnswerPicture:
    """A lane for each text in the first column without dates."""
    dated = [place for place in range(len(result.columns)) if has_dates(result, place)]
    starts = [place for place in dated if STARTS.search(result.columns[place])]
    ends = [place for place in dated if ENDS.search(result.columns[place])]
    names = [place for place in range(len(result.columns)) if place not in dated]
    if not starts or not names:
        return AnswerPicture(reason="No column has dates that can be drawn.")
    rows: list[dict[str, list[Cell]]] = []
    for row in result.rows:
        texts = [cells.of(term).text for term in row]
        start, end = texts[starts[0]], texts[ends[0]] if ends else texts[starts[0]]
        is_open = end in OPEN
        rows.append(
            {
                "lane": [link(cells.of(row[names[0]]))],
                "title": [", ".join(filter(None, (texts[place] for place in names[1:])))],
                "when": [" to ".join(filter(None, dict.fromkeys((start, end))))],
                "start": [start],
                "end": [end],
                "edtf": [f"{start}/.."] if is_open and start else [],
            }
        )
    return AnswerPicture(over_time(rows, "lane", what))


def has_dates(result: QueryResult, place: int) -> bool:
    """Whether a column has dates and nothing else."""
    values = [value(row[place]) for row in result.rows if row[place] is not None]
    is_named = STARTS.search(result.columns[place]) or ENDS.search(result.columns[place])
    return bool(is_named and values) and all(each in OPEN or stretch(each) for each in values)


def value(term: Term | None) -> str:
    return term.value if isinstance(term, Literal) else ""


def network(result: QueryResult, cells: CellMaker, what: str) -> AnswerPicture:
    """The things of the first two columns that name any."""
    places = range(len(result.columns))
    numeric = [each for each in places if all(is_number(term) for term in bound(result, each))]
    ends = [each for each in places if each not in numeric and not has_dates(result, each)]
    counts = [each for each in numeric if bound(result, each)]
    if len(ends) < 2:
        return AnswerPicture(reason="Two columns with names are needed to join them.")
    rows: list[dict[str, list[Cell]]] = [
        {
            "owner": [link(cells.of(row[ends[0]]))],
            "other": [link(cells.of(row[ends[1]]))],
            "works": [str(round(number_of(row[counts[0]]))) if len(counts) == 1 else "1"],
        }
        for row in result.rows
        if row[ends[0]] is not None
        and row[ends[1]] is not None
        and all(row[each] is not None for each in counts)
    ]
    things = {row[end][0] for row in rows for end in ("owner", "other")}
    if len(things) > MOST_THINGS:
        room = f"There are {len(things):,} things, and room for {MOST_THINGS}; "
        return AnswerPicture(reason=f"{room}part of a network would show some alone that are not.")
    noun = heading(result.columns[counts[0]]) if len(counts) == 1 else ""
    return AnswerPicture(pairs(rows, what, noun))


def bound(result: QueryResult, place: int) -> list[Term]:
    return [term for row in result.rows if (term := row[place]) is not None]


def link(cell: ResultCell) -> Cell:
    return Link(cell.text, cell.href) if cell.href else cell.text
