"""Converts items of a CSL-JSON file, which the YAML parser reads with line numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from kg.errors import Place, Problem
from kg.facts.bibliography.bibliographies import BibliographyFormat, WorkRow
from kg.facts.bibliography.correspondence import correspondence
from kg.facts.yaml.reader import problem, read_json
from kg.facts.yaml.rows import Row, Rows
from kg.plugins.bibliography.venue_kinds import arxiv_number
from kg.plugins.bibliography.venue_titles import kind_at
from kg.plugins.bibliography.work_records import (
    GENRES,
    NO_THESIS,
    FieldValue,
    WorkRecord,
    full_name,
    read_status,
    settle_server,
    settle_thesis,
    shaped,
    signature,
    works_in,
)
from kg.text.person_names import groups_in, in_order

PEOPLE = ("authors", "editors", "translators")
NOT_READ = (
    "This file is not read, because it is not a list of CSL-JSON items. Correct it, or move it "
    "out of data/."
)
TAG = re.compile(r"</?(?!(?:i|b|sub|sup)\b)[a-z][^<>]*>")  # tags that are not allowed in titles
NOTHING = ("", "null")
PLACES = ("container-title", "publisher")
NUMBERED = ("number", "URL", "DOI", *PLACES, "volume", "page")


class CslFile:
    """One CSL-JSON file with its parsed content."""

    def __init__(self, file: str, content: Any) -> None:
        self.table = correspondence("csl")
        self.file, self.problems = file, list[Problem]()
        found = content.get("items") if isinstance(content, Row) else content
        self.items = found if isinstance(found, Rows) else Rows()
        if not isinstance(found, Rows):
            self.problems.append(Problem(Place(file), "warning", NOT_READ, "unknown-file"))

    def records(self) -> Iterator[WorkRecord]:
        for number, (item, at) in enumerate(zip(self.items, self.items.spots, strict=True), 1):
            if not isinstance(item, Row) or not isinstance(item.get("type"), str):
                message = f"Item {number} has no 'type'. Add it, e.g. article-journal."
                self.problems.append(problem(self.file, at, message, "bibliography"))
                continue
            key = item.get("citation-key") or item.get("id") or f"item-{number}"
            fields = {
                name: FieldValue(value, item.keys_at[name], item.values_at[name])
                for name, value in item.items()
                if value not in NOTHING
            }
            address = fields.get("URL")
            if address and "arxiv.org/abs/" in str(address.value):
                fields.setdefault("number", fields.pop("URL"))
            issued = fields.get("issued")
            if issued and isinstance(issued.value, Row) and (text := text_of(issued.value)):
                fields["issued"] = issued._replace(value=text)
            read_status(fields, "status", ("issued",), ("container-title", "publisher"))
            yield WorkRecord(str(key), str(item["type"]), at, fields)

    def kind(self, record: WorkRecord, kind: str) -> str:
        if settle_server(record, PLACES, NUMBERED, "number"):
            return "preprint"
        if kind in NO_THESIS and settle_thesis(record.fields, PLACES[:1], "genre", "publisher"):
            return "thesis"
        container = record.fields.get("container-title")
        genre = record.fields.get("genre")
        called = GENRES.get(str(genre.value).lower(), kind) if genre else kind
        if kind == "other" or self.table.type_of(called) == record.type:
            return called
        if kind == "book" and "author" not in record.fields and "editor" in record.fields:
            return "edited-book"
        return kind_at(kind, str(container.value) if container else "")

    def value(self, path: str, record: WorkRecord, name: str) -> Any:
        written, last = record.fields[name], path.rpartition(".")[2]
        if last in PEOPLE:
            people = written.value if isinstance(written.value, Rows) else ()
            signed = [
                self.signature(one, record)
                for each in people
                if isinstance(each, Row)
                for one in self.people(each)
            ]
            return Rows.at(written.at, signed)
        if last == "date":
            return date(written.value)
        if last == "arxiv":
            return arxiv_number(str(written.value))
        if not isinstance(written.value, str):
            return None
        return shaped(last, " ".join(TAG.sub("", written.value).split()), written.at)

    def people(self, name: Row) -> list[Row]:
        """The organisations that a literal name joins: `North and South Collaborations`."""
        written = str(name.get("literal") or name.get("name") or "")
        groups = groups_in(written)
        rows = [Row(self.file, name.spot).fill("literal", each) for each in groups]
        return [name] if groups == [written] else rows

    def signature(self, name: Row, record: WorkRecord) -> Any:
        """A name, with the ORCID that Crossref adds."""
        family = family_of(name) if "given" in name else ""
        is_whole = not name.keys() & {"family", "given"}
        signed = signature(person(name), name.spot, self.file, record, family, is_whole)
        orcid = name.get("ORCID")
        if not isinstance(orcid, str):
            return signed
        row = signed if isinstance(signed, Row) else Row(self.file, name.spot).fill("as", signed)
        row.put("orcid", orcid.rpartition("/")[2], name.keys_at["ORCID"], name.values_at["ORCID"])
        return row


def person(name: Row) -> str:
    if isinstance(whole := name.get("literal") or name.get("name"), str):
        return whole
    parts = {key: value for key, value in name.items() if isinstance(value, str)}
    given = full_name(parts.get("given", ""), parts.get("dropping-particle", ""), "", "")
    found = f"{family_of(name)},{given},{parts.get('suffix', '')}".split(",")
    return in_order([part for each in found if (part := each.strip())])


def family_of(name: Row) -> str:
    parts = (name.get(each) for each in ("non-dropping-particle", "family"))
    return " ".join(part for part in parts if isinstance(part, str) and part)


def date(value: Any) -> str | None:
    """`{"date-parts": [[2023, 5, 4]]}`, `[{year: 2023, month: 5}]` in YAML, or text."""
    if isinstance(value, Rows) and value and isinstance(value[0], Row):
        value = value[0]
    if isinstance(value, Row):
        parts = date_parts(value)
        if parts and all(str(part).isdigit() for part in parts):
            year, *rest = map(int, parts)
            return "-".join([f"{year:04}", *(f"{part:02}" for part in rest)])
        value = text_of(value)
    return value.partition("/")[0].strip("~?% ") if isinstance(value, str) else None


def text_of(date: Row) -> Any:
    """The text of a date, if it is written as text."""
    return date.get("raw") or date.get("literal") or date.get("edtf")


def date_parts(date: Row) -> list[Any]:
    """Year, month and day as far as given; of a period, its start."""
    if str(date.get("year", "")).isdigit():
        return [date[name] for name in ("year", "month", "day") if name in date]
    dates = date.get("date-parts")
    first = dates[0] if isinstance(dates, Rows) and dates else []
    return first if isinstance(first, Rows) else []


def read(file: str, data: bytes) -> tuple[list[WorkRow] | None, list[Problem]]:
    content, problems = read_json(file, data)
    if content is None:
        return None, problems
    source = CslFile(file, content)
    return works_in(source), source.problems


FORMAT = BibliographyFormat(read)
