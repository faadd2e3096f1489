"""Charts of answers: bars, a timeline, a heat map or a network; or the reason why there is none."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from pyoxigraph import Literal, NamedNode

from kg.plugins.figures.bars import stretch
from kg.plugins.figures.charts import over_years
from kg.plugins.figures.life import heat_map, over_time
from kg.plugins.figures.networks import MOST_THINGS, pairs
from kg.publish.figures import AnswerPicture, FigureMaker
from kg.publish.formats.urls import Cell, Link
from kg.publish.questions.results import NUMBERS, CellMaker, QueryResult, ResultCell, Term, heading
from kg.text.dates import date

MAX_BARS, MAX_LABELS = 100, 2
NOT_A_MEASURE = re.compile(  # columns that are not measures
    r"(year|date|since|until|number|position|order|rank|pages?|volume|issue|identifier|code|id)$",
    re.IGNORECASE,
)
UNIT = re.compile(r"(unit|currency)$", re.IGNORECASE)
NAME = re.compile(r"name|label|title", re.IGNORECASE)
YEARS = range(1500, 2101)

Text = Callable[[Term | None], str]  # the displayed name of a term


@dataclass(frozen=True)
class BarColumns:
    """`labels` and `value` are column indexes."""

    labels: tuple[int, ...]
    value: int
    unit: str = ""
    is_over_years: bool = False


def series(result: QueryResult, text: Text) -> BarColumns | str | None:
    """The columns for labels and lengths of the bars, or the reason why there is no chart; None if
    no column is a measure.
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
        place for place in numbers if place not in years and not NOT_A_MEASURE.search(names[place])
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
        "Some numbers are negative; bars cannot show them."
        if any(number_of(term) < 0 for term in bound[values[0]])
        else "",
        f"The numbers have different units ({', '.join(in_units)}) and cannot be compared."
        if len(in_units) > 1
        else "",
        "Each row has more than two label columns. Select at most two."
        if len(labels) > MAX_LABELS
        else "",
        "Some rows have no name."
        if not all(label(row, labels, text) for row in result.rows)
        else "",
        f"{len(result.rows):,} rows are too many for a chart (at most {MAX_BARS}). Add a LIMIT."
        if len(result.rows) > MAX_BARS
        else "",
        repeated(label(row, labels, text) for row in result.rows),
    )
    unit = in_units[0] if in_units else ""
    is_over_years = len(labels) == 1 and labels[0] in years
    found = BarColumns(tuple(labels), values[0], unit, is_over_years)
    return next(filter(None, faults), None) or found


def several(names: Sequence[str], values: Sequence[int]) -> str:
    listed = ", ".join(heading(names[place]) for place in values)
    message = f"Each row has several numbers ({listed}). Select one of them."
    return message if len(values) > 1 else ""


def lacking(name: str, count: int, result: QueryResult) -> str:
    message = f"Some rows have no {heading(name).lower()} and would look like 0."
    return message if count < len(result.rows) else ""


def repeated(labels: Iterator[str]) -> str:
    seen: set[str] = set()
    for each in labels:
        if each in seen:
            return f"Several rows have the same label, “{each}”."
        seen.add(each)
    return ""


def label(row: Sequence[Term | None], labels: Sequence[int], text: Text) -> str:
    return " · ".join(filter(None, (text(row[place]) for place in labels)))


def is_named(place: int, others: Sequence[int], result: QueryResult, text: Text) -> bool:
    """Whether another column has the names of the entries in this one."""
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
    """Infinite if it is not a number."""
    try:
        found = float(term.value) if isinstance(term, Literal) else float("inf")
    except ValueError:
        return float("inf")
    return found if found == found else float("inf")  # noqa: PLR0124  NaN is not itself


def is_year(term: Term) -> bool:
    value = term.value if isinstance(term, Literal) else ""
    return bool(re.fullmatch("[0-9]{4}", value)) and int(value) in YEARS


STARTS = re.compile(r"(from|start|started|since|begin|began|date|when|year|month|day)$", re.I)
ENDS = re.compile(r"(until|end|ended|to|till)$", re.I)
OPEN = ("present", "now", "..")  # values of an open end
UNKNOWN = "unknown"  # an end that nobody knows


def draw(wanted: str, result: QueryResult, cells: CellMaker, what: str) -> AnswerPicture:
    """`wanted` is bars, timeline, heatmap, network or none (default: bars, if they fit). `what` is
    the question.
    """
    if wanted == "none" or not result.rows:
        return AnswerPicture()
    if len(result.rows) < result.total:
        reason = f"Only the first {len(result.rows):,} of {result.total:,} rows are loaded."
        return AnswerPicture(reason=reason if wanted else "")
    if wanted == "timeline":
        return timeline(result, cells, what)
    if wanted == "heatmap":
        return heat(result, cells, what)
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
    """A lane per value of the first column without dates."""
    dated = [place for place in range(len(result.columns)) if has_dates(result, place)]
    starts = [place for place in dated if STARTS.search(result.columns[place])]
    ends = [place for place in dated if ENDS.search(result.columns[place])]
    names = [place for place in range(len(result.columns)) if place not in dated]
    if not starts or not names:
        return AnswerPicture(reason="No column has dates to draw.")
    rows: list[dict[str, list[Cell]]] = []
    for row in result.rows:
        texts = [cells.of(term).text for term in row]
        start, end = texts[starts[0]], texts[ends[0]] if ends else texts[starts[0]]
        is_open, is_unclosed = end in OPEN, end in (*OPEN, UNKNOWN)
        rows.append(
            {
                "lane": [link(cells.of(row[names[0]]))],
                "title": [", ".join(filter(None, (texts[place] for place in names[1:])))],
                "when": [period(start, end)],
                "start": [start],
                "end": [end],
                "until": [cells.now],
                "edtf": [f"{start}/{'..' if is_open else ''}"] if start and is_unclosed else [],
            }
        )
    return AnswerPicture(over_time(rows, "lane", what))


def period(start: str, end: str) -> str:
    """A period in words, which says whether it goes on or nobody knows when it ended."""
    known = [date(each) for each in dict.fromkeys((start, end)) if each and each != UNKNOWN]
    return " to ".join(known) + (", end unknown" if end == UNKNOWN else "")


def has_dates(result: QueryResult, place: int) -> bool:
    """Whether a column has only dates."""
    values = [value(row[place]) for row in result.rows if row[place] is not None]
    is_named = STARTS.search(result.columns[place]) or ENDS.search(result.columns[place])
    return bool(is_named and values) and all(
        each in ("", UNKNOWN, *OPEN) or stretch(each) for each in values
    )


def value(term: Term | None) -> str:
    return term.value if isinstance(term, Literal) else ""


def heat(result: QueryResult, cells: CellMaker, what: str) -> AnswerPicture:
    """A line per name in the first other column, a square per year."""
    places = range(len(result.columns))
    complete = [each for each in places if len(bound(result, each)) == len(result.rows)]
    years = [each for each in complete if all(map(is_year, bound(result, each)))]
    numbers = [each for each in complete if all(map(is_number, bound(result, each)))]
    values = [each for each in numbers if each not in years]
    names = [each for each in complete if each not in (*years, *values)]
    if not (years and values and names):
        return AnswerPicture(reason="A heat map needs a name, a year and a number in each row.")
    found = dict[tuple[str, int], float]()
    for row in result.rows:
        key = cells.of(row[names[0]]).text, int(value(row[years[0]]))
        found[key] = found.get(key, 0) + number_of(row[values[0]])
    return AnswerPicture(heat_map(found, what))


def network(result: QueryResult, cells: CellMaker, what: str) -> AnswerPicture:
    """The entries of the first two columns with names."""
    places = range(len(result.columns))
    numeric = [each for each in places if all(is_number(term) for term in bound(result, each))]
    ends = [each for each in places if each not in numeric and not has_dates(result, each)]
    counts = [each for each in numeric if bound(result, each)]
    if len(ends) < 2:
        return AnswerPicture(reason="A network needs two columns with names.")
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
        reason = f"{len(things):,} nodes are too many for a network (at most {MOST_THINGS})."
        return AnswerPicture(reason=reason)
    noun = heading(result.columns[counts[0]]) if len(counts) == 1 else ""
    return AnswerPicture(pairs(rows, what, noun))


def bound(result: QueryResult, place: int) -> list[Term]:
    return [term for row in result.rows if (term := row[place]) is not None]


def link(cell: ResultCell) -> Cell:
    return Link(cell.text, cell.href) if cell.href else cell.text


FIGURE = FigureMaker(draw)
