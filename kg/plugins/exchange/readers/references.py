"""Reads lists of references: RIS, PubMed's .nbib, the CSV of a Google Scholar profile, and the XML
of a person at dblp (`https://dblp.org/pid/….xml`).

Each reference becomes a CSL item, which the CSL reader converts. `references.yaml` maps the types
and tags of each format. A value without a field keeps its tag, so that it is listed.
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
from kg.plugins.bibliography.csl_file import CslFile
from kg.plugins.bibliography.venue_kinds import SERVERS
from kg.plugins.exchange.draft import Draft, Format, SourceRecord, Value, parse_date
from kg.plugins.exchange.fields import host_of
from kg.plugins.exchange.readers.bibliographies import draft_works
from kg.plugins.exchange.source_files import SourceFile
from kg.plugins.exchange.source_rows import TEXT, csv_rows, rows_of
from kg.text.person_names import groups_in, on_behalf

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
MOST_AUTHORS = 10  # that Google Scholar exports
CUT_AUTHORS = f"Google Scholar exports only the first {MOST_AUTHORS} authors. Check the list"
COLUMNS = ("Authors", "Title", "Publication", "Year")
EVENT = re.compile(r"\b(?:conference|symposium|workshop|congress|proceedings)\b", re.IGNORECASE)
PERIODICAL = re.compile(
    r"\b(?:journal|transactions|letters|magazine|annals|revue)\b", re.IGNORECASE
)
DBLP_ROOT = "dblpperson"
NUMBER = re.compile(r"\s+\d{4}$")  # of people with the same name
ORCID_PAGE = re.compile(r"https?://orcid\.org/([\dX-]+)$")
DOI_PAGE = re.compile(r"https?://(?:dx\.)?doi\.org/")
DBLP_GENRES = {"proceedings": "Proceedings", "phdthesis": "Ph.D.", "mastersthesis": "Master's"}
WITHDRAWN = "withdrawn"
PREPRINTS, SERVER_FIELDS = "CoRR", ("volume", "journal")  # dblp's name of arXiv


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
            one, *groups = on_behalf(text)
            family, _, given = one.partition(",")
            is_several = len(groups_in(one)) > 1
            first = {"literal": one} if is_several else {"family": family, "given": given.strip()}
            for parts in (first, *({"literal": each} for each in groups)):
                row = Row(self.row.file, at)
                for part, name in parts.items():
                    row.fill(part, name)
                rows.add(row, at)
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


def is_scholar(source: SourceFile) -> bool:
    head = source.text[:500].partition("\n")[0]
    return all(name in head for name in COLUMNS) and csv_rows(source, COLUMNS) is not None


def read_scholar(source: SourceFile) -> Iterator[Draft]:
    rows = csv_rows(source, COLUMNS) or ()
    draft = draft_of(source, (scholar_item(source.name, row) for row in rows))
    works = draft.cv.get("publications", ())
    cut = [work for work in works if len(work.get("authors", ())) == MOST_AUTHORS]
    draft.leave((work["title"] for work in cut), CUT_AUTHORS)
    yield draft


def scholar_item(file: str, row: Row) -> Row:
    cells = {name: str(value).strip() for name, value in row.items()}
    reference = Reference(reference_table("scholar"), file, row.spot, type_of(cells))
    if reference.row["type"] == "article" and not any(map(str.isdigit, cells["Publication"])):
        reference.fields["Publication"] = "publisher"
    for name, text in cells.items():
        for each in text.split(";") if name == "Authors" else [text]:
            reference.add(name, each, row.spot)
    return reference.row


def type_of(cells: dict[str, str]) -> str:
    where = cells.get("Publication", "")
    if SERVERS.match(where):
        return "article"
    if EVENT.search(where) and not PERIODICAL.search(where):
        return "paper-conference"
    is_journal = PERIODICAL.search(where) or (
        where and (cells.get("Volume") or cells.get("Number"))
    )
    return "article-journal" if is_journal and not EVENT.search(where) else "document"


def is_dblp(source: SourceFile) -> bool:
    return b"<dblpperson" in source.data[:1000]


def read_dblp(source: SourceFile) -> Iterator[Draft]:
    root = SourceRecord(rows_of(source)).record(DBLP_ROOT)
    items = (item for record in root.records("r") for item in items_in(record))
    draft = draft_of(source, items)
    draft.left = [each for each in draft.left if not each.value.path.endswith(".genre")]
    read_person(draft, root)
    yield draft


def read_person(draft: Draft, root: SourceRecord) -> None:
    about = root.record("person")
    names = [
        each.with_text(NUMBER.sub("", each)) for each in [*root.texts("name"), *authors_in(about)]
    ]
    pages = about.texts("url", TEXT) + [
        each for url in about.records("url") for each in url.texts(TEXT)
    ]
    orcids = [url.with_text(found[1]) for url in pages if (found := ORCID_PAGE.match(url))]
    pages = [url for url in pages if not ORCID_PAGE.match(url)]
    draft.basics(
        name=names[0] if names else None,
        alternateNames=[*dict.fromkeys(name for name in names[1:] if name != names[0])],
        orcid=next(iter(orcids), None),
        profiles=[{"label": url.with_text(host_of(url)), "url": url} for url in pages],
    )
    for note in about.records("note"):
        kind, text = note.text("type"), note.text(TEXT)
        if text and kind == "award":
            draft.put("awards", {"title": text, "date": note.text("label")})
        elif text and kind == "affiliation" and "label" not in note:
            draft.basics(organization=text)
            draft.leave([text] if draft.cv["basics"]["organization"] != text else [])
        elif text and kind != "uname":
            draft.leave([text])
    draft.cv = {"basics": draft.cv.pop("basics"), **draft.cv}


def authors_in(record: SourceRecord) -> list[Value]:
    """The names in `author`, which has an attribute in newer files."""
    inner = [name for each in record.records("author") for name in each.texts(TEXT)]
    return inner or record.texts("author")


def items_in(holder: SourceRecord) -> Iterator[Row]:
    """The CSL item of a work; home pages are skipped."""
    table = reference_table("dblp")
    for name, row in holder.row.items():
        if name not in table.types or not isinstance(row, Row) or row.get("publtype") == WITHDRAWN:
            continue
        reference = Reference(table, row.file, row.spot, name)
        ignored = SERVER_FIELDS if row.get("journal") == PREPRINTS else ()
        if ignored:
            reference.row.fill("type", "article")
        reference.row.fill("id", row.get("key", name))
        for tag, value in row.without(*ignored).items():
            for each in value if isinstance(value, Rows) else [value]:
                text = str(each.get(TEXT, "") if isinstance(each, Row) else each)
                is_doi = tag == "ee" and DOI_PAGE.match(text)
                reference.add("doi" if is_doi else tag, text, row.values_at[tag])
                if tag in ("author", "editor") and isinstance(each, Row) and "orcid" in each:
                    reference.row[tag][-1].fill("ORCID", each["orcid"])
        if name in DBLP_GENRES:
            reference.add("genre", DBLP_GENRES[name], row.spot)
        yield reference.row


RIS = Format("ris", "RIS", is_ris, read_ris, priority=104)
NBIB = Format("nbib", "PubMed .nbib", is_nbib, read_nbib, priority=105)
SCHOLAR = Format("scholar", "Google Scholar CSV", is_scholar, read_scholar, priority=106)
DBLP = Format("dblp", "dblp", is_dblp, read_dblp, priority=45)
