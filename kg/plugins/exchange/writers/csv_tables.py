"""Tables: one CSV file for each section, with a row for each entry and a column for each field.
Every public value is in one of them.

Several values of a field are one cell, with '; ' between them. A field of a part has the names of
both, with a dot: `address.city`.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from io import StringIO
from typing import Any

from kg.plugins.exchange.draft import UNTITLED, SourceRecord
from kg.plugins.exchange.writers.public_cv import TOP, ExportFormat, PublicCv

AND = "; "
ENTRIES = "entries"  # of a free section, each a row of its own
CALLED = (UNTITLED, "as", "text", "title", "value")  # how a part may be written alone
ALONE = "text"  # the column of an entry that is a mere text


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
        yield above | {name or ALONE: cell for name, cell in flat(each.row).items()}
    if not inner:
        yield above


def flat(fields: Mapping[str, Any]) -> dict[str, str]:
    """One cell for each field, and for each field of its parts, but for what a part is called."""
    cells: dict[str, list[str]] = {}
    for name, value in fields.items():
        for item in value if isinstance(value, list) else [value]:
            inner = flat(item) if isinstance(item, Mapping) else {CALLED[0]: str(item)}
            for field, cell in inner.items():
                cells.setdefault(name if field in CALLED else f"{name}.{field}", []).append(cell)
    return {name: AND.join(values) for name, values in cells.items()}


def table(rows: list[dict[str, str]]) -> bytes:
    """As RFC 4180 has it."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    text = StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\r\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


FORMAT = ExportFormat("CSV", write, is_folder=True)
