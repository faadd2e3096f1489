"""Answers in words: the sentence of a question with blanks, the sentence of its answer, headings,
and cells with links to the entries they name. `static/question-answer.js` does the same.

    Who has {person} written with?
    {person} wrote with {count|person|people}[ since {date}]

A part in square brackets is left out if one of its values is missing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal

from pyoxigraph import NamedNode

from kg.publish.formats.urls import Cell, Link
from kg.publish.questions.results import NO_NAMES, CellMaker, QueryResult, ResultCell, heading
from kg.sparql.reading.questions import Column, Question
from kg.store.protocol import Store
from kg.text.dates import date

BLANK = re.compile(r"\[([^][]*)\]|\{([^}]*)\}")
DATES = {"date", "when", "from", "until", "start", "end", "since", "last"}
DATES |= {"otherFrom", "otherUntil"}
NUMBER = re.compile(r"-?\d+(\.\d+)?")


def blanks(question: Question) -> list[str]:
    """The sentence of a question, with the names of its parameters at the odd places; those that it
    does not have come last.
    """
    pieces = re.split(r"\{(\w+)\}", question.ask or question.summary)
    if any(name not in {each.name for each in question.parameters} for name in pieces[1::2]):
        pieces = [question.summary]
    for each in question.parameters:
        if each.name not in pieces[1::2]:
            pieces += [each.name, ""]
    return pieces


def written(template: str, values: Mapping[str, Cell]) -> list[Cell] | None:
    """A template with its values; None if one is missing."""
    found: list[Cell] = []
    place = 0
    for blank in BLANK.finditer(template):
        found.append(template[place : blank.start()])
        place = blank.end()
        if blank[1] is not None:
            found += written(blank[1], values) or []
            continue
        name, *nouns = blank[2].split("|")
        if not (value := values.get(name, "")):
            return None
        found.append(f"{int(str(value)):,} {nouns[value != '1']}" if nouns else value)
    return [each for each in [*found, template[place:]] if each]


def sentence(
    question: Question,
    result: QueryResult,
    rows: Sequence[Sequence[ResultCell]],
    given: Mapping[str, Cell],
) -> list[Cell]:
    """What an answer says. What is most is said only if nothing else is as much."""
    first = dict(zip(result.columns, rows[0], strict=True)) if rows else {}
    values: dict[str, Cell] = {
        name: Link(cell.text, cell.href) if cell.href else cell.text for name, cell in first.items()
    }
    values |= {**given, "count": str(result.total)}
    found = written(question.answer, values) if result.total and question.answer else None
    if not found:
        return [result.summary]
    if question.most and is_single(question.most, result.columns, rows):
        found += ["; ", *(written(question.most, values) or [])]
    return [*found, "."]


def headlines(
    questions: Iterable[Question], store: Store, base: str, page_of: Callable[[str], str]
) -> Iterator[tuple[Question, list[Cell]]]:
    """The featured questions that have an answer without values, each with its sentence."""
    chosen = sorted((each for each in questions if each.featured), key=lambda each: each.featured)
    for question in chosen:
        found = store.select(question.linked.text) if question.is_table else []
        columns = list(dict.fromkeys(name for row in found[:2] for name in row))
        rows = [[row.get(name) for name in columns] for row in found[:2]]
        cells = CellMaker(base, lambda _: "", NO_NAMES)
        result = QueryResult(columns, rows, len(found))
        if found:
            yield question, sentence(question, *in_words(question, result, cells, page_of), {})


def is_single(most: str, columns: Sequence[str], rows: Sequence[Sequence[ResultCell]]) -> bool:
    """Whether the numbers of the first row in a sentence are larger than those of the second."""
    named = {name.partition("|")[0] for _, name in BLANK.findall(most)}
    places = [place for place, name in enumerate(columns) if name in named]
    numbers = [place for place in places if rows and NUMBER.fullmatch(rows[0][place].text)]
    return len(rows) > 1 and all(
        Decimal(rows[0][place].text) > Decimal(rows[1][place].text or 0) for place in numbers
    )


def in_words(
    question: Question, result: QueryResult, cells: CellMaker, page_of: Callable[[str], str]
) -> tuple[QueryResult, list[list[ResultCell]]]:
    """The result without the columns that hold only entries, and its cells."""
    places = {name: place for place, name in enumerate(result.columns)}
    hidden = {each.address for each in question.columns} & places.keys()
    shown = [name for name in result.columns if name not in hidden]
    rows = []
    for row in result.rows:
        found = []
        for name in shown:
            column = question.column(name)
            thing = row[places[column.address]] if column.address in hidden else None
            href = page_of(thing.value) if isinstance(thing, NamedNode) else ""
            found.append(as_words(cells.of(row[places[name]]), column, href))
        rows.append(found)
    kept = [[row[places[name]] for name in shown] for row in result.rows]
    return replace(result, columns=shown, rows=kept), rows


def as_words(cell: ResultCell, column: Column, href: str) -> ResultCell:
    """A cell with its link, a date in words, or a share as a percentage."""
    text = cell.text
    if column.is_share and NUMBER.fullmatch(text):
        text = f"{(Decimal(text) * 100).quantize(Decimal('0.1')).normalize():f} %"
    elif column.name in DATES:
        text = date(text)
    return replace(
        cell, text=text, full="" if text != cell.text else cell.full, href=cell.href or href
    )


def headings(question: Question, columns: Sequence[str]) -> list[str]:
    return [question.column(name).head or heading(name) for name in columns]
