"""The answer to a SELECT: rows to iterate over, to give to pandas, or to look at."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import overload

from kg.library.linked_things import Thing, Value
from kg.publish.text.columns import table

Row = dict[str, Value | None]  # None: the query found no value
MOST_SHOWN = 60  # rows
WIDTH = 100  # characters


class AnswerTable(Sequence[Row]):
    """Rows, each a dictionary by column: `for row in answer: row["works"]`.

    `pandas.DataFrame(answer)` has the same columns. Where there may be no row at all, give it
    `columns=answer.columns`, too. `hints` say what in the query nothing in the graph uses.
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

    def __repr__(self) -> str:
        rows = [[shown(row[name]) for name in self.columns] for row in self.rows[:MOST_SHOWN]]
        lines = table(self.columns, rows, self.numeric, WIDTH) if self.columns else ()
        return "\n".join([*lines, *self.remarks])

    def _repr_html_(self) -> str:
        """As a notebook shows it: things lead to their pages."""
        head = "".join(f"<th>{escape(name)}</th>" for name in self.columns)
        rows = "".join(
            f"<tr>{''.join(f'<td>{linked(row[name])}</td>' for name in self.columns)}</tr>"
            for row in self.rows[:MOST_SHOWN]
        )
        remarks = "".join(f"<p>{escape(each)}</p>" for each in self.remarks)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{remarks}"

    @property
    def numeric(self) -> frozenset[int]:
        """The places of columns that hold numbers alone."""
        columns = [[row[name] for row in self.rows] for name in self.columns]
        return frozenset(
            place
            for place, values in enumerate(columns)
            if {isinstance(each, int | float) for each in values if each is not None} == {True}
        )

    @property
    def remarks(self) -> list[str]:
        """How many rows there are, where that is not seen; and the hints."""
        total = len(self.rows)
        more = [f"{total:,} rows, the first {MOST_SHOWN} of which are shown."]
        number = ["No rows."] if not total else more if total > MOST_SHOWN else []
        return [*number, *(f"Hint: {each}" for each in self.hints)]


def shown(value: Value | None) -> str:
    return "" if value is None else str(value)


def linked(value: Value | None) -> str:
    """A value as HTML. Only things of the site, whose addresses we made, become links."""
    text = escape(shown(value))
    return f'<a href="{escape(value.url)}">{text}</a>' if isinstance(value, Thing) else text
