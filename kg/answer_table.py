"""The rows of an answer as Python values, and as tables for people and other programs."""

from __future__ import annotations

import csv
import datetime
import json
from collections.abc import Sequence
from html import escape
from io import StringIO
from pathlib import Path
from typing import Any, overload

from kg.graph.linked_things import Thing, Value
from kg.text.columns import table

Row = dict[str, Value | None]  # None: no value
MAX_ROWS = 60  # rows
WIDTH = 100  # characters


class AnswerTable(Sequence[Row]):
    """The rows of an answer, each a dictionary by column: `for row in answer: row["works"]`.

    A cell is a number, a date, a text, or an entry of the site: `row["coauthor"].publications`.
    `hints` list terms of the query that the graph does not use.
    """

    def __init__(
        self, columns: Sequence[str], rows: Sequence[Row], hints: Sequence[str] = ()
    ) -> None:
        self.columns, self.rows, self.hints = list(columns), list(rows), tuple(hints)

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, place: int) -> Row: ...

    @overload
    def __getitem__(self, place: slice) -> AnswerTable: ...

    def __getitem__(self, place: int | slice) -> Row | AnswerTable:
        if isinstance(place, slice):
            return AnswerTable(self.columns, self.rows[place], self.hints)
        return self.rows[place]

    def to_pandas(self) -> Any:
        """A pandas DataFrame. Entries stay objects, which are sorted and grouped as themselves."""
        import pandas  # noqa: PLC0415  takes a second, and need not be installed

        return pandas.DataFrame(self.rows, columns=self.columns)

    def to_csv(self, path: str | Path | None = None, addresses: bool = False) -> str:
        """The rows as CSV, also written to a file if `path` is given. With `addresses`, each column
        of entries is followed by one with their addresses: `coauthor_address`.
        """
        beside = {
            name: f"{name}_address"
            for name in self.columns
            if addresses and any(isinstance(row[name], Thing) for row in self.rows)
        }
        heads = [head for name in self.columns for head in (name, beside.get(name)) if head]
        cells = [
            {name: shown(value) for name, value in row.items()}
            | {head: getattr(row[name], "url", "") for name, head in beside.items()}
            for row in self.rows
        ]
        out = StringIO()
        csv.writer(out).writerows([heads, *([row[head] for head in heads] for row in cells)])
        return written(out.getvalue(), path)

    def to_json(self, path: str | Path | None = None) -> str:
        """The rows as a JSON array of objects, also written to a file if `path` is given. An entry
        is `{"name": …, "url": …}`, a date is a text.
        """
        rows = json.dumps(self.rows, default=json_value, ensure_ascii=False, indent=1)
        return written(f"{rows}\n", path)

    def __repr__(self) -> str:
        rows = [[shown(row[name]) for name in self.columns] for row in self.rows[:MAX_ROWS]]
        lines = table(self.columns, rows, self.numeric, WIDTH) if self.columns else ()
        return "\n".join([*lines, *self.remarks])

    def _repr_html_(self) -> str:
        """The table for notebooks; entries link to their pages."""
        head = "".join(f"<th>{escape(name)}</th>" for name in self.columns)
        rows = "".join(
            f"<tr>{''.join(f'<td>{linked(row[name])}</td>' for name in self.columns)}</tr>"
            for row in self.rows[:MAX_ROWS]
        )
        remarks = "".join(f"<p>{escape(each)}</p>" for each in self.remarks)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{remarks}"

    @property
    def numeric(self) -> frozenset[int]:
        """The indexes of columns that contain only numbers."""
        columns = [[row[name] for row in self.rows] for name in self.columns]
        return frozenset(
            place
            for place, values in enumerate(columns)
            if {isinstance(each, int | float) for each in values if each is not None} == {True}
        )

    @property
    def remarks(self) -> list[str]:
        """The number of rows if not all are shown, and the hints."""
        total = len(self.rows)
        more = [f"{total:,} rows; the first {MAX_ROWS} are shown."]
        number = ["No rows."] if not total else more if total > MAX_ROWS else []
        return [*number, *(f"Hint: {each}" for each in self.hints)]


def shown(value: Value | None) -> str:
    return "" if value is None else str(value)


def linked(value: Value | None) -> str:
    """A value as HTML. Only entries of the site become links, because we made their addresses."""
    return value._repr_html_() if isinstance(value, Thing) else escape(shown(value))


def json_value(value: Thing | datetime.date) -> object:
    """What JSON has no form for."""
    return {"name": str(value), "url": value.url} if isinstance(value, Thing) else str(value)


def written(text: str, path: str | Path | None) -> str:
    if path is not None:
        Path(path).write_text(text, encoding="utf-8", newline="")
    return text
