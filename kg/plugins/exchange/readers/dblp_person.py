"""Reads the XML of a person at dblp (`https://dblp.org/pid/….xml`)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kg.facts.yaml.rows import Row, Rows
from kg.plugins.exchange.draft import Draft, Format, SourceRecord, Value
from kg.plugins.exchange.readers.tagged_references import Reference, draft_of, reference_table
from kg.plugins.exchange.source_files import SourceFile
from kg.plugins.exchange.source_rows import TEXT, rows_of

ROOT = "dblpperson"
NUMBER = re.compile(r"\s+\d{4}$")  # of people with the same name
ORCID = re.compile(r"https?://orcid\.org/([\dX-]+)$")
DOI = re.compile(r"https?://(?:dx\.)?doi\.org/")
GENRES = {"proceedings": "Proceedings", "phdthesis": "Ph.D.", "mastersthesis": "Master's"}
WITHDRAWN = "withdrawn"
PREPRINTS, SERVER_FIELDS = "CoRR", ("volume", "journal")  # dblp's name of arXiv


def matches(source: SourceFile) -> bool:
    return b"<dblpperson" in source.data[:1000]


def read(source: SourceFile) -> Iterator[Draft]:
    root = SourceRecord(rows_of(source)).record(ROOT)
    items = (item for record in root.records("r") for item in items_in(record))
    draft = draft_of(source, items)
    draft.left = [each for each in draft.left if not each.value.path.endswith(".genre")]
    read_person(draft, root)
    yield draft


def read_person(draft: Draft, root: SourceRecord) -> None:
    about = root.record("person")
    names = [
        each.with_text(NUMBER.sub("", each)) for each in [*root.texts("name"), *authors(about)]
    ]
    pages = about.texts("url", TEXT) + [
        each for url in about.records("url") for each in url.texts(TEXT)
    ]
    orcids = [url.with_text(found[1]) for url in pages if (found := ORCID.match(url))]
    pages = [url for url in pages if not ORCID.match(url)]
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


def authors(record: SourceRecord) -> list[Value]:
    """The names in `author`, which has an attribute in newer files."""
    inner = [name for each in record.records("author") for name in each.texts(TEXT)]
    return inner or record.texts("author")


def host_of(url: str) -> str:
    return re.sub(r"^https?://(www\.)?|[/?#].*$", "", url)


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
                is_doi = tag == "ee" and DOI.match(text)
                reference.add("doi" if is_doi else tag, text, row.values_at[tag])
        if name in GENRES:
            reference.add("genre", GENRES[name], row.spot)
        yield reference.row


FORMAT = Format("dblp", "dblp", matches, read, priority=45)
