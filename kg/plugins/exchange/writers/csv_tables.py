"""Writes all public values as CSV: a file per section, a row per entry, a column per field.

Several values of a field are joined by '; ' in one cell. Nested fields have dotted names:
`address.city`.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from io import StringIO
from typing import Any

from kg.plugins.exchange.draft import UNTITLED, SourceRecord
from kg.plugins.exchange.writers.public_cv import TOP, ExportFormat, PublicCv

SEPARATOR = "; "
ENTRIES = "entries"  # of a free section, each in its own row
MAIN_FIELDS = (UNTITLED, "as", "text", "title", "value")  # of a part; in the column of the part
TEXT_COLUMN = "text"  # column for an entry that is a plain text


def write(cv: PublicCv) -> dict[str, bytes]:
    """The files, by name."""
    found = {}
    for section, records in cv.sections.items():
        rows = [row for record in records for row in rows_of(record)]
        for record in records:
            record.skip(*record)
        if any(rows):
            found[f"{'cv' if section == TOP else section}.csv"] = table(rows)
    return found


def rows_of(record: SourceRecord) -> Iterator[dict[str, str]]:
    inner = record.records(ENTRIES)
    above = flat({name: record.row[name] for name in record if name != ENTRIES})
    for each in inner:
        yield above | {name or TEXT_COLUMN: cell for name, cell in flat(each.row).items()}
    if not inner:
        yield above


def flat(fields: Mapping[str, Any]) -> dict[str, str]:
    """Flattens nested fields into one cell per dotted name."""
    cells: dict[str, list[str]] = {}
    for name, value in fields.items():
        for item in value if isinstance(value, list) else [value]:
            inner = flat(item) if isinstance(item, Mapping) else {MAIN_FIELDS[0]: str(item)}
            for field, cell in inner.items():
                cells.setdefault(name if field in MAIN_FIELDS else f"{name}.{field}", []).append(
                    cell
                )
    return {name: SEPARATOR.join(values) for name, values in cells.items()}


def table(rows: list[dict[str, str]]) -> bytes:
    """A CSV file as in RFC 4180."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    text = StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\r\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


FORMAT = ExportFormat("CSV", write, is_folder=True)
