"""Reads JSON of services with the readers of `kg import`: as rows whose file is the address."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kg.errors import Place
from kg.facts.yaml.reader import UNPRINTABLE
from kg.facts.yaml.rows import Row, Rows
from kg.plugins.bibliography.csl_file import CslFile
from kg.plugins.exchange.draft import Value
from kg.plugins.exchange.readers.bibliographies import draft_works
from kg.plugins.exchange.tidy_works import EDITION, tidy_works
from kg.plugins.sources.answers import Answer


def rows_of(address: str, value: Any) -> Any:
    """Parsed JSON as rows. Numbers become text, and what is null is left out."""
    if isinstance(value, Mapping):
        row = Row(address)
        for name, item in value.items():
            if item is not None:
                row.fill(str(name), rows_of(address, item))
        return row
    if isinstance(value, list):
        return Rows.at((0, 0), [rows_of(address, item) for item in value if item is not None])
    if isinstance(value, bool):
        return str(value).lower()
    return UNPRINTABLE.sub(" ", value) if isinstance(value, str) else str(value)


def entry_of(address: str, item: Mapping[str, Any]) -> dict[str, Any]:
    """The work of a CSL item, as an entry of `publications:`; empty if the item is not a work,
    such as one without a title.
    """
    draft = draft_works(CslFile(address, rows_of(address, [item])), "")
    tidy_works(draft, "")
    works = draft.cv.get("publications", ())
    entry: dict[str, Any] = works[0] if works and "title" in works[0] else {}
    entry.pop(EDITION, None)
    return entry


def value_of(answer: Answer, path: str, text: str) -> Value:
    """A text of an answer, as the import's readers make it."""
    return Value.of(UNPRINTABLE.sub(" ", text), Place(answer.address), path)


def date_parts(text: str) -> dict[str, Any]:
    """A date of CSL: `2024-05` -> {"date-parts": [[2024, 5]]}."""
    return {"date-parts": [[int(part) for part in text.split("-") if part.isdigit()]]}
