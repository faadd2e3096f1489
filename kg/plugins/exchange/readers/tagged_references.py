"""Reads RIS and PubMed's .nbib: one tag and value per line, as the works of one person."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from kg.facts.yaml.rows import Row, Rows, Spot
from kg.plugins.exchange.draft import Draft, Format
from kg.plugins.exchange.reference_items import Reference, draft_of, reference_table
from kg.plugins.exchange.source_files import SourceFile

LINE = re.compile(r"(?:([A-Z]{4})|([A-Z][A-Z0-9]{1,2}) +)-(?: (.*)|\s*)")
TYPE, END = "TY", "ER"
FIRST = "PMID"  # tag that begins a record of PubMed
KIND, ORCID, FULL_AUTHOR = "PT", "AUID", "FAU"
DOI_MARK = re.compile(r"(.*?)\s*\[(\w+)\]")  # `10.5555/ice.1 [doi]`
USUAL_TYPE = "Journal Article"


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


RIS = Format("ris", "RIS", is_ris, read_ris, priority=104)
NBIB = Format("nbib", "PubMed .nbib", is_nbib, read_nbib, priority=105)
