"""Spreads an entry with several positions, dates or years into one row for each, before validation.

    {organization: llnl, position: Intern, dates: [summer 2020, summer 2021]}
        ->  two rows, one for each summer

The rows share the other fields and their positions in the file. A row from a list of dates has the
date as its token, which becomes part of its key.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from kg.errors import Problem
from kg.facts.values import dates
from kg.facts.values.dates import ENDS
from kg.facts.values.terms import Fact
from kg.facts.values.text import slugify
from kg.facts.yaml.rows import Row, Rows


def nested(row: Row, field: str, problems: list[Problem]) -> Iterator[Row]:
    """One row for each mapping under `field`, with the surrounding fields."""
    inner = row[field]
    if not isinstance(inner, Rows) or not inner or not all(isinstance(item, Row) for item in inner):
        message = f"'{field}' must be a list of entries, each with its own fields."
        problems.append(fault(row, message, "bad-value", field))
        return
    for number, item in enumerate(inner):
        made = Row(row.file, item.spot, f"{row.path}.{field}[{number}]")
        made.written = (row, item)
        made.copy_keys(row, (key for key in row if key != field and key not in item))
        yield made.copy_keys(item, item)


def yearly(row: Row, field: str, problems: list[Problem]) -> Iterator[Row]:
    """`years: [2019, 2020]` -> one row for each year"""
    years = row[field]
    if not isinstance(years, Rows) or not years or "year" in row:
        message = (
            "'year' and 'years' are both set. Remove one of them."
            if "year" in row
            else "'years' must be a list of years, e.g. [2019, 2020]."
        )
        problems.append(fault(row, message, "bad-value", field))
        return
    for number, year in enumerate(years):
        made = row.without(field)
        made.put("year", year, row.keys_at[field], years.spots[number])
        yield made


def dated(row: Row, field: str, problems: list[Problem]) -> Iterator[Row]:
    """`dates:` -> start and end; a list of dates makes one row for each."""
    for end in ENDS:
        if end in row:
            message = f"'dates' and '{end}' are both set. Remove one of them."
            problems.append(fault(row, message, "dates-twice", end))
            return
    written = row[field]
    if (
        not isinstance(written, (str, Rows))
        or written == []
        or not all(isinstance(item, str) for item in written)
    ):
        message = f"'dates' must be a date or a list of dates. {dates.DATE_HELP}"
        problems.append(fault(row, message, "bad-date", field))
        return
    many = isinstance(written, Rows)
    if many and len(set(written)) < len(written):
        again = next(number for number, text in enumerate(written) if text in written[:number])
        message = "'dates' contains a date twice. Remove one."
        problems.append(fault(row, message, "dates-twice", field, again))
        return
    for number, text in enumerate(written if many else [written]):
        spot = written.spots[number] if isinstance(written, Rows) else row.values_at[field]
        made = row.without(field)
        ends = dates.split(text)
        if not all(map(dates.read, ends)):
            hint, fix = dates.period_hint(text)
            message = (
                f"dates {text!r} is not a date. {hint}{dates.DATE_HELP} Write a period as "
                "2018/2022."
            )
            problems.append(replace(fault(row, message, "bad-date", field, number), fix=fix))
        for end, value in zip(ENDS, ends, strict=True):
            if dates.read(value):
                made.put(end, value, row.keys_at[field], spot)
        made.token = (
            "-".join(filter(None, [row.token, *(token(part) for part in text.split("/"))]))
            if many
            else row.token
        )
        yield made


def token(text: str) -> str:
    """A normalized date as part of an address."""
    when = dates.read(text.strip())
    return slugify(when.text if when else text)


NESTED = ("positions", "given")  # their items share the surrounding fields
SPLITTERS = {**dict.fromkeys(NESTED, nested), "years": yearly, "dates": dated}


def fault(row: Row, message: str, rule: str, *steps: str | int) -> Problem:
    return Problem(row.at(*steps), "error", f"{row.path}: {message}", rule)


def spread(row: Row, model: type[Fact], problems: list[Problem]) -> list[Row]:
    """Returns the rows that an entry stands for."""
    rows = [row]
    for field, split in SPLITTERS.items():
        if field in model.spread and any(field in each for each in rows):
            split_rows = (split(row, field, problems) if field in row else [row] for row in rows)
            rows = list(chain.from_iterable(split_rows))
    return rows
