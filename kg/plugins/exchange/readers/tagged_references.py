"""Reads RIS and PubMed's .nbib: one tag and value per line, as the works of one person.

References of these and other formats become CSL items, which the CSL reader converts.
`references.yaml` maps the types and tags of each format. A value without a field keeps its tag, so
that it is listed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import yaml

from kg.errors import Place
from kg.facts.values.languages import language_tag
from kg.facts.yaml.rows import Row, Rows, Spot
from kg.plugins.bibliography.bib_file import person
from kg.plugins.bibliography.csl_file import CslFile
from kg.plugins.exchange.draft import Draft, Format, Value, parse_date
from kg.plugins.exchange.readers.bibtex_entries import draft_works
from kg.plugins.exchange.source_files import SourceFile

LINE = re.compile(r"(?:([A-Z]{4})|([A-Z][A-Z0-9]{1,2}) +)-(?: (.*)|\s*)")
TYPE, END = "TY", "ER"
FIRST = "PMID"  # tag that begins a record of PubMed
KIND, ORCID, FULL_AUTHOR = "PT", "AUID", "FAU"
DOI_MARK = re.compile(r"(.*?)\s*\[(\w+)\]")  # `10.5555/ice.1 [doi]`
USUAL_TYPE = "Journal Article"
PEOPLE = ("author", "editor", "translator")
# Fields and tags whose values are joined.
LISTS = {"keyword": "; ", "note": "\n", **dict.fromkeys(("AD", "MH", "GR", "RN", "AUID"), "; ")}
IGNORED = "-"  # in the table: describes the record or repeats another field
DATE = re.compile(r"(\d{4})(?:[/-](\d{1,2}))?(?:[/-](\d{1,2}))?/*")
DOI = re.compile(r"(?:doi:\s*|https?://(?:dx\.)?doi\.org/)?(10\.\d{4,9}/[^\s\[]+)", re.IGNORECASE)
ISSN = re.compile(r"\d{4}-?\d{3}[\dXx]\b")


class TaggedLine(NamedTuple):
    """A tag with its text, and the position of its line."""

    tag: str
    text: str
    at: Spot


def records(text: str, first: str) -> Iterator[list[TaggedLine]]:
    """The records of a file; `first` is the tag that begins one. Other lines continue a value."""
    record: list[TaggedLine] = []
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines()):
        found = LINE.fullmatch(line.rstrip())
        if found and (tag := found[1] or found[2]):
            if tag == first:
                yield from [record] if record else []
                record = []
            if record or tag == first:
                record.append(TaggedLine(tag, found[3] or "", (number, 0)))
        elif record and line.strip() and record[-1].tag != END:
            last = record[-1]
            record[-1] = last._replace(text=f"{last.text} {line.strip()}")
    yield from [record] if record else []


def is_ris(source: SourceFile) -> bool:
    return bool(re.search(r"^\ufeff?TY +- ", source.text[:5000], re.MULTILINE))


def is_nbib(source: SourceFile) -> bool:
    return bool(re.match(r"\ufeff?\s*PMID- ?\d", source.text))


def read_ris(source: SourceFile) -> Iterator[Draft]:
    yield draft_of(source, (ris_item(source.name, each) for each in records(source.text, TYPE)))


def ris_item(file: str, record: list[TaggedLine]) -> Row:
    type_, *rest = record
    reference = Reference(reference_table("ris"), file, type_.at, type_.text.strip())
    for tag, text, at in rest:
        reference.add(tag, text, at)
    row = reference.row
    if last := row.get("page-last"):
        first = row.get("page", "")
        row.put(
            "page", first if "-" in first else f"{first}-{last}", *[row.values_at["page-last"]] * 2
        )
        row.drop("page-last")
    return row


def read_nbib(source: SourceFile) -> Iterator[Draft]:
    yield draft_of(source, (nbib_item(source.name, each) for each in records(source.text, FIRST)))


def nbib_item(file: str, record: list[TaggedLine]) -> Row:
    table = reference_table("nbib")
    kinds = [text for tag, text, _ in record if tag == KIND and text in table.types]
    written = min(kinds, key=[*table.types].index, default=USUAL_TYPE)
    written = "Preprint" if "Preprint" in kinds else written
    reference = Reference(table, file, record[0].at, written)
    is_short = all(tag != FULL_AUTHOR for tag, *_ in record)
    for tag, text, at in record:
        marked = DOI_MARK.fullmatch(text)
        authors = reference.row.get("author")
        if tag == ORCID and isinstance(authors, Rows):
            authors[-1].fill("ORCID", text.removeprefix("ORCID:").strip())
        elif tag in ("AID", "LID") and marked:
            reference.add(tag if marked[2] == "doi" else "PST", marked[1], at)
        else:
            reference.add(FULL_AUTHOR if tag == "AU" and is_short else tag, text, at)
    return reference.row


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


RIS = Format("ris", "RIS", is_ris, read_ris, priority=104)
NBIB = Format("nbib", "PubMed .nbib", is_nbib, read_nbib, priority=105)
