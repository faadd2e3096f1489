"""Builds CSL items from references of other formats; the CSL reader converts them.

`references.yaml` maps the types and tags of each format. A value without a field keeps its tag, so
that it is listed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import yaml

from kg.errors import Place
from kg.facts.values.languages import language_tag
from kg.facts.yaml.rows import Row, Rows, Spot
from kg.plugins.bibliography.bib_file import person
from kg.plugins.bibliography.csl_file import CslFile
from kg.plugins.exchange.draft import Draft, Value, parse_date
from kg.plugins.exchange.readers.bibtex_entries import draft_works
from kg.plugins.exchange.source_files import SourceFile

PEOPLE = ("author", "editor", "translator")
# Fields and tags whose values are joined.
LISTS = {"keyword": "; ", "note": "\n", **dict.fromkeys(("AD", "MH", "GR", "RN", "AUID"), "; ")}
IGNORED = "-"  # in the table: describes the record or repeats another field
DATE = re.compile(r"(\d{4})(?:[/-](\d{1,2}))?(?:[/-](\d{1,2}))?/*")
DOI = re.compile(r"(?:doi:\s*|https?://(?:dx\.)?doi\.org/)?(10\.\d{4,9}/[^\s\[]+)", re.IGNORECASE)
ISSN = re.compile(r"\d{4}-?\d{3}[\dXx]\b")


class ReferenceTable(NamedTuple):
    """The fields of tags and types of a format; `by_type` has the exceptions for some types."""

    types: dict[str, str]
    tags: dict[str, str]
    by_type: dict[str, dict[str, str]]


@cache
def reference_table(name: str) -> ReferenceTable:
    text = Path(__file__).with_name("references.yaml").read_bytes()
    return ReferenceTable(**yaml.load(text, yaml.CSafeLoader)[name])


class Reference:
    """A CSL item, built tag by tag."""

    def __init__(self, table: ReferenceTable, file: str, at: Spot, written_type: str) -> None:
        type_ = table.types.get(written_type, "document")
        self.fields = {**table.tags, **table.by_type.get(type_, {})}
        self.row = Row(file, at).fill("type", type_)

    def add(self, tag: str, text: str, at: Spot) -> None:
        """Adds a value; if its field has another one already, the value is listed."""
        field, text = self.fields.get(tag, tag), " ".join(text.split())
        before = self.row.get(field)
        if field == IGNORED or not text:
            return
        if field in PEOPLE:
            rows = before if isinstance(before, Rows) else Rows()
            rows.add(Row(self.row.file, at).fill("literal", person(name_order(text))), at)
            self.row.put(field, rows, at, at)
        elif field == "SN":
            field = "ISSN" if ISSN.fullmatch(text) else "ISBN"
            self.put(tag, field, text, at)
        else:
            self.put(tag, field, converted(field, text), at)

    def put(self, tag: str, field: str, value: str, at: Spot) -> None:
        before = str(self.row.get(field, ""))
        if field == "ISSN" and before:  # of the same journal in print
            return
        if field in LISTS and before:
            value = f"{before}{LISTS[field]}{value}"
        elif before and value in before:
            return
        elif before and not (field == "issued" and value.startswith(before)):
            field = next(name for n in range(2, 9999) if (name := f"{tag} ({n})") not in self.row)
        self.row.put(field, value, at, at)


def name_order(name: str) -> str:
    """`Last, First, Suffix` in the order of BibTeX: `Last, Suffix, First`."""
    parts = [part.strip() for part in name.split(",")]
    return ", ".join([parts[0], *reversed(parts[1:])] if len(parts) == 3 else parts)


def converted(field: str, text: str) -> str:
    """The text in the notation of a CSL field."""
    if field == "DOI":
        found = DOI.search(text)
        return found[1] if found else text
    if field == "language":
        return language_tag(text) or text
    if field == "title":
        return text.removesuffix(".") if text.count(".") == 1 else text
    if field == "keyword":
        return text.lstrip("*")  # a major topic in PubMed
    if field == "issued":
        numbers = DATE.match(text)
        date = numbers and "-".join(part.zfill(2) for part in numbers.groups() if part)
        guess = (
            parse_date(Value.of(text, Place(""), "")) if not numbers or numbers[0] != text else None
        )
        return str(guess or date or text)
    return text


def draft_of(source: SourceFile, items: Iterable[Row]) -> Draft:
    rows = Rows()
    for item in items:
        rows.add(item, item.spot)
    return draft_works(CslFile(source.name, rows), source.text)
