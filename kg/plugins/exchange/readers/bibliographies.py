"""Reads BibTeX, BibLaTeX and CSL-JSON files as the works of one person.

Uses the parsers and field tables of bibliographies beside a CV. Fields that these do not map, and
entries that cannot be read, are listed. CSL can be an export of a reference manager, the single
item of a DOI service, or YAML.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from kg.errors import Problem
from kg.facts.bibliography.correspondence import correspondence
from kg.facts.values.text import is_web_address
from kg.facts.yaml.rows import Row, Rows, Spot, place_of
from kg.plugins.bibliography.bib_file import BibFile, split
from kg.plugins.bibliography.csl_file import CslFile
from kg.plugins.bibliography.latex import Latex
from kg.plugins.bibliography.venue_kinds import is_publisher
from kg.plugins.bibliography.venue_titles import ACRONYM_AND_YEAR, read_title
from kg.plugins.bibliography.work_records import (
    Bibliography,
    WorkRecord,
    describe_books_once,
    read_works,
    row_of,
    year_of,
)
from kg.plugins.exchange.draft import (
    MARK_REMOVED,
    MOST_ENTRIES,
    NO_FIELD,
    ONLY_YEAR,
    Draft,
    Format,
    TooManyEntries,
    Unplaced,
    Value,
    values_in,
    without_empty,
)
from kg.plugins.exchange.source_files import SourceFile
from kg.plugins.exchange.tidy_works import EDITION, KINDS, date_edition, edition_fields

SUFFIXES = (".bib", ".bibtex", ".biblatex")
ENTRY = re.compile(r"^[ \t]*@[A-Za-z]+\s*[{(]\s*[^\s,{}()=]+\s*,", re.MULTILINE)
ANOTHER_ISSN = "another work in a journal of this name has another ISSN"
# Beginnings of the reasons in the table for fields that need not be listed.
IGNORED_REASONS = (
    "becomes",
    "its fields",
    "where the record",
    "of the record",
    "the date of",
    "`page`",
)
# Display options of website themes, and notes of programs about their records.
THEME_FIELDS = re.compile(
    "bibtex_show|preview|altmetric|dimensions|badge.*|google_scholar_id|bdsk-.*"
    "|date-(?:added|modified)|owner|acmid|pst|\\w+\\+an"
)
COVERED_BY = {"day": "month", "eprinttype": "eprint", "archiveprefix": "eprint"}
LINKS = {
    **dict.fromkeys(("html", "website", "project", "webpage", "homepage", "page"), "website"),
    **{"blog": "blog", "demo": "demo", "supp": "supplement", "supplementary": "supplement"},
}
CODE = ("code", "github")
PREPRINT = "of a preprint, only the server and its number are taken"
NO_TITLE = "a work without a title, skipped. Add its title, or delete it"
YES = ("true", "yes", "1")
REQUEST = re.compile("req|app", re.IGNORECASE)  # type of a patent application
PATENT_NOTE = re.compile(r"[A-Z]{2} Patent (?:(App)[.a-z]* )?([\d/,]+)")
ISSN = re.compile(r"\b\d{4}-\d{3}[\dXx]\b")
# Fields of an edition, and where they are written.
OF_EDITION = {
    "editors": ("editor",),
    "isbn": ("isbn", "ISBN"),
    "location": ("venue", "event-place"),
    "date": ("event-date",),
}
TITLES = ("booktitle", "eventtitle", "event-title", "event", "container-title")
BRACES = str.maketrans("", "", "{}")
SIGNED = ("author", "editor", "translator")
ITEM_LISTS = ("items", "references")  # keys that can hold the list of items
SAMPLE_SIZE = 20  # items to inspect for detection
OTHER_FORMATS = ("@context", "basics", "cff-version", "$schema")  # keys of other formats


def matches_bibtex(source: SourceFile) -> bool:
    return source.suffix in SUFFIXES or (
        source.suffix in ("", ".txt") and bool(ENTRY.match(source.text.lstrip()))
    )


def read_bibtex(source: SourceFile) -> Iterator[Draft]:
    yield draft_works(BibFile(source.name, source.text), source.text)


def draft_works(bibliography: Bibliography, text: str) -> Draft:
    draft, lines = Draft(), text.splitlines()
    records = list(bibliography.records())
    if len(records) > MOST_ENTRIES:
        raise TooManyEntries
    for record in records:
        settle_patent(record)
    patents = [each for each in records if each.type == "patent"]
    works = list(read_works(bibliography, (each for each in records if each.type != "patent")))
    bibliography.problems += describe_books_once([work for work, _ in works])
    titles = {key: row.get("title") for (key, row, _), _ in works}
    journals = dict[str, dict[str, Value]]()
    for (_, row, _), record in works:
        origins = FieldOrigins(bibliography, record)
        if isinstance(row.get("book"), str) and row["book"] in titles:
            row["book"] = titles[row["book"]]
        entry = origins.valued(row)
        add_marks(origins, entry)
        add_issn(origins, entry, journals, draft)
        add_edition(origins, entry)
        if "title" in entry:
            draft.put("publications", entry)
        else:
            written = {each.place: each for each in values_in(entry)}
            draft.leave(written.values() or [origins.valued(record.key)], NO_TITLE)
        list_unused_fields(origins, draft)
    for record in patents:
        add_patent(FieldOrigins(bibliography, record), draft)
    # Unknown fields are listed with their values instead.
    others = (each for each in bibliography.problems if each.rule != "unknown-field")
    draft.left += [unreadable(problem, lines) for problem in others]
    return draft


class FieldOrigins:
    """Finds the origin of each value of a row in the fields of its record.

    `name` is `@article{berg2020}`, or the key of a CSL item.
    """

    def __init__(self, bibliography: Bibliography, record: WorkRecord) -> None:
        self.bibliography, self.record = bibliography, record
        is_bib = isinstance(bibliography, BibFile)
        self.name = f"@{record.type}{{{record.key}}}" if is_bib else record.key
        self.names = {written.at: name for name, written in record.fields.items()}

    def valued(self, value: Any, at: Spot = (0, 0), path: str = "") -> Any:
        """Converts all texts in a value to Values with their origin."""
        if isinstance(value, Row):
            spots = value.values_at
            return {
                name: self.valued(item, spots[name], path or self.names.get(spots[name], ""))
                for name, item in value.items()
            }
        if isinstance(value, Rows):
            return [
                self.valued(item, spot, f"{path}[{number}]")
                for number, (item, spot) in enumerate(zip(value, value.spots, strict=True))
            ]
        return self.value(str(value), at, path)

    def field(self, name: str) -> Value:
        """The text of a field; the parts of a structured field are joined by commas."""
        written = self.record.fields[name]
        parts = written.value if isinstance(written.value, Row | Rows) else [written.value]
        text = ", ".join(texts_in(parts))
        plain = Latex(text).decode() if "\\" in text else text
        return self.value(plain, written.at, name)

    def value(self, text: str, at: Spot, path: str) -> Value:
        place = place_of(self.bibliography.file, at)
        return Value.of(text, place, f"{self.name}.{path}" if path else self.name)


def texts_in(value: Any) -> Iterator[str]:
    for item in value.values() if isinstance(value, Row) else value:
        if isinstance(item, Row | Rows):
            yield from texts_in(item)
        elif text := " ".join(str(item).split()).strip("{}"):
            yield text


def add_marks(origins: FieldOrigins, entry: dict[str, Any]) -> None:
    """Adds fields of website themes: selected works, and links to pages and code."""
    taken = origins.record.taken
    for name in origins.record.fields:
        if name in taken:
            continue
        value = origins.field(name)
        if name == "selected":
            entry |= {"selected": value.with_text("true")} if value.lower() in YES else {}
        elif name in LINKS and is_web_address(value):
            entry.setdefault("links", []).append(
                {"kind": value.with_text(LINKS[name]), "url": value}
            )
        elif name in CODE and is_web_address(value) and "code" not in entry:
            entry["code"] = value
        else:
            continue
        taken.add(name)


def add_issn(
    origins: FieldOrigins,
    entry: dict[str, Any],
    known: dict[str, dict[str, Value]],
    draft: Draft,
) -> None:
    """Adds the ISSN to the first work of each journal; none if another work has another one."""
    name = next((name for name in ("issn", "ISSN") if name in origins.record.fields), "")
    journal = entry.get("journal")
    if not name or not isinstance(journal, Value):
        return
    value = origins.field(name)
    if not (found := ISSN.findall(value)):
        return
    if str(journal) not in known:
        known[str(journal)] = entry["journal"] = {
            "name": journal,
            "issn": value.with_text(found[0]),
        }
    described = known[str(journal)]
    if "issn" in described and described["issn"] not in found:
        draft.leave([described.pop("issn")], ANOTHER_ISSN)
    elif {*found} == {described.get("issn")}:
        origins.record.taken.add(name)


def add_edition(origins: FieldOrigins, entry: dict[str, Any]) -> None:
    """Adds the edition of a conference: from the printed title, and from fields of its own."""
    record, found = origins.record, dict[str, Any]()
    if str(entry.get("kind")) not in KINDS:
        return
    for path, names in OF_EDITION.items():
        for name in names:
            if name in record.fields and path not in found:
                at = record.fields[name].at
                value = origins.bibliography.value(path, record, name)
                found[path] = origins.valued(value, at, name) if value else None
                record.taken.add(name)
    if "eventdate" in record.fields:
        first, _, last = (whole := origins.field("eventdate")).partition("/")
        found |= {"date": whole.with_text(first), "endDate": whole.with_text(last)}
        record.taken.add("eventdate")
    if isinstance(start := found.get("date"), Value):
        date_edition(entry, start.with_text(start[:4]))
    if "series" in record.fields and ACRONYM_AND_YEAR.fullmatch(series := origins.field("series")):
        found["alternateNames"] = [series.with_text(series.translate(BRACES))]
        record.taken.add("series")
    if "location" in found:
        entry.pop("location", None)
    written = [origins.field(name) for name in TITLES if name in record.fields]
    titles = [each.with_text(each.translate(BRACES)) for each in written]
    for title in titles:
        if year := read_title(title, year_of(entry)).year:
            date_edition(entry, title.with_text(year))
    for title in titles:
        year = year_of(entry)
        found = {**edition_fields(read_title(title, year), title, year), **found}
    if found := without_empty(found):
        entry[EDITION] = found


def list_unused_fields(origins: FieldOrigins, draft: Draft) -> None:
    record, table = origins.record, origins.bibliography.table
    signed = next((name for name in SIGNED if name in record.fields), "")
    for name, written in record.replaced.items():
        text = Latex(str(written.value)).decode()
        draft.leave([origins.value(text, written.at, name)], PREPRINT)
    for name in record.marked:
        draft.leave([origins.value(name, record.fields[signed].at, signed)], MARK_REMOVED)
    for name in record.fields:
        reason = table.not_taken.get(name, "")
        shared = COVERED_BY.get(name, name)
        if (
            reason.startswith(IGNORED_REASONS)
            or THEME_FIELDS.fullmatch(name)
            or shared in record.taken
        ):
            if name == "year" and not origins.field(name).isdigit():
                draft.leave([origins.field(name)], ONLY_YEAR)
            continue
        if value := origins.field(name):
            near = misspelt(origins.bibliography, name)
            is_name = is_publisher(value) or name not in ("publisher", "organization")
            reason = reason if is_name else "no name of a publisher"
            why = f"{NO_FIELD}. Did you mean '{near}'?" if near else reason or NO_FIELD
            draft.leave([value], why)


def misspelt(bibliography: Bibliography, name: str) -> str:
    """The field that an unknown field of a .bib file probably means."""
    return bibliography.field_meant(name) if isinstance(bibliography, BibFile) else ""


def settle_patent(record: WorkRecord) -> None:
    """Google Scholar exports a patent as another type, with its number in the note."""
    fields = record.fields
    found = PATENT_NOTE.fullmatch(str(fields["note"].value)) if "note" in fields else None
    if found and "publisher" in fields and fields["publisher"].value == "Google Patents":
        record.type = "patent"
        fields["number"] = fields.pop("note")._replace(value=found[2])
        fields["type"] = fields.pop("publisher")._replace(value=found[1] or "")


def add_patent(origins: FieldOrigins, draft: Draft) -> None:
    record = origins.record
    entry = origins.valued(row_of(origins.bibliography, record, "patent", "patents"))
    fields = record.fields
    if "number" in fields:
        type_ = str(fields["type"].value) if "type" in fields else ""
        kind = "application" if REQUEST.search(type_) else "patent"
        entry["numbers"] = {kind: origins.field("number")}
        record.taken |= {"number", "type"}
    if "holder" in fields:
        written = fields["holder"]
        names = (Latex(each).decode() for each in split(str(written.value), r"\s+and\s+"))
        entry["assignee"] = [origins.value(name, written.at, "holder") for name in names if name]
        record.taken.add("holder")
    draft.put_patent(origins.valued(record.key), entry)
    list_unused_fields(origins, draft)


def unreadable(problem: Problem, lines: list[str]) -> Unplaced:
    """Reports an entry or character that cannot be read, with its line."""
    line = lines[problem.place.line - 1].strip() if problem.place.line <= len(lines) else ""
    return Unplaced(Value.of(line, problem.place, ""), problem.message)


def matches_csl(source: SourceFile) -> bool:
    return any(is_csl(item) for item in csl_items(source.tree)[:SAMPLE_SIZE])


def csl_items(tree: Any) -> Rows:
    """The items of a list or an export, or a single item."""
    if isinstance(tree, Row):
        for inner in (tree.get(name) for name in ITEM_LISTS):
            if isinstance(inner, Rows):
                return inner
        return Rows.at(tree.spot, [tree])
    return tree if isinstance(tree, Rows) else Rows()


def is_csl(item: Any) -> bool:
    if not isinstance(item, Row):
        return False
    table = correspondence("csl")
    types = {*table.types, *table.types_not_taken}
    return str(item.get("type")) in types and not any(name in item for name in OTHER_FORMATS)


def read_csl(source: SourceFile) -> Iterator[Draft]:
    yield draft_works(CslFile(source.name, csl_items(source.tree)), source.text)


BIBTEX = Format("bibtex", "BibTeX", matches_bibtex, read_bibtex, priority=120)
CSL = Format("csl", "CSL-JSON", matches_csl, read_csl, priority=110)
