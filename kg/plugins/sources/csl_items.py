"""Reads JSON of services with the readers of `kg import`: as rows whose file is the address."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kg.errors import Place
from kg.facts.yaml.reader import UNPRINTABLE
from kg.facts.yaml.rows import Row, Rows
from kg.plugins.bibliography.csl_file import CslFile
from kg.plugins.exchange.draft import Draft, Value
from kg.plugins.exchange.readers.bibliographies import draft_works
from kg.plugins.exchange.tidy_works import EDITION, tidy_works
from kg.plugins.sources.answers import Answer

NOWHERE = (0, 0)


def rows_of(address: str, value: Any) -> Any:
    """Parsed JSON as rows. Numbers become text, and what is null is left out."""
    if isinstance(value, Mapping):
        row = Row(address)
        for name, item in value.items():
            if item is not None:
                row.fill(str(name), rows_of(address, item))
        return row
    if isinstance(value, list):
        return Rows.at(NOWHERE, [rows_of(address, item) for item in value if item is not None])
    if isinstance(value, bool):
        return str(value).lower()
    return UNPRINTABLE.sub(" ", value) if isinstance(value, str) else str(value)


def entries_of(address: str, items: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The works of CSL items, as entries of `publications:`. An item that is not a work, such as
    one without a title, becomes an empty entry.
    """
    found = []
    for item in items:
        draft = draft_works(CslFile(address, rows_of(address, [item])), "")
        tidy_works(draft, "")
        found.append(first_entry(draft))
    return found


def first_entry(draft: Draft) -> dict[str, Any]:
    works = draft.cv.get("publications", ())
    entry = works[0] if works and "title" in works[0] else {}
    entry.pop(EDITION, None)
    return entry


def value_of(answer: Answer, path: str, text: str) -> Value:
    """A text of an answer, as the import's readers make it."""
    return Value.of(UNPRINTABLE.sub(" ", text), Place(answer.address), path)


def date_parts(text: str) -> dict[str, Any]:
    """A date of CSL: `2024-05` -> {"date-parts": [[2024, 5]]}."""
    return {"date-parts": [[int(part) for part in text.split("-") if part.isdigit()]]}
