"""Reads CSV as rows with positions."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from io import StringIO

from kg.facts.yaml.rows import Row, Rows
from kg.plugins.exchange.source_files import NotImported, SourceFile

MOST_NOTES = 10  # lines of notes before the header row


def csv_rows(source: SourceFile, known: Iterable[str]) -> Rows | None:
    """The rows below the header row, which has the `known` columns; None if there is none.

    Lines of notes before the header row are skipped.
    """
    columns: Sequence[str] = ()
    rows, reader, begun = Rows(), csv.reader(StringIO(source.text.removeprefix("\ufeff"))), 0
    try:
        for cells in reader:
            line, begun = begun, reader.line_num
            if not columns:
                stripped = [cell.strip() for cell in cells]
                columns = stripped if {*known} <= {*stripped} else ()
                if not columns and reader.line_num > MOST_NOTES:
                    return None
            elif any(cell.strip() for cell in cells):
                rows.add(row_of(source.name, columns, cells, line), (line, 0))
    except csv.Error as error:
        message = f"{source.name}:{reader.line_num}: cannot read the CSV: {error}."
        raise NotImported(message) from error
    return rows if columns else None


def row_of(file: str, columns: Sequence[str], cells: list[str], line: int) -> Row:
    row = Row(file, (line, 0))
    for number, cell in enumerate(cells):
        name = columns[number] if number < len(columns) and columns[number] else f"#{number + 1}"
        row.fill(name, cell)
    return row
