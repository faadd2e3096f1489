"""Reads JSON Resume, tolerating common deviations from the schema."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kg.advice.other_words import field_meant
from kg.facts.bibliography.correspondence import correspondence
from kg.facts.models import SECTIONS
from kg.facts.yaml.rows import Row, Rows
from kg.plugins.exchange.draft import Draft, Format, SourceRecord, parse_date, without_empty
from kg.plugins.exchange.fields import (
    add_free_record,
    entry_fields,
    fill,
    home_address,
    mark_ongoing,
    place,
    private,
    profile,
    skip_layout,
    with_scheme,
)
from kg.plugins.exchange.markup import plain, prose
from kg.plugins.exchange.source_files import SourceFile
from kg.plugins.exchange.titles import as_heading, section_for

TABLE = "json-resume"
PARTS = ("basics", "work", "education", "skills", "volunteer", "awards", "publications", "projects")
PLACE = ("city", "region", "country", "countryCode")
NUMBER = re.compile(r"[\d.,/ ]+%?")
NO_AUTHORS = "the file lists no authors. Add your co-authors"


def matches(source: SourceFile) -> bool:
    tree = source.tree
    if not isinstance(tree, Row):
        return False
    lists = [name for name in PARTS if isinstance(tree.get(name), Rows)]
    return isinstance(tree.get("basics"), Row) or len(lists) > 1


def read(source: SourceFile) -> Iterator[Draft]:
    root, draft = SourceRecord(source.root), Draft()
    skip_layout(root, TABLE)
    read_basics(draft, root.record("basics"))
    for name in root:
        if name in ("basics", "meta"):
            continue
        read_section(draft, root, name)
    draft.cv.update(
        without_empty({"modified": parse_date(root.record("meta").text("lastModified"))})
    )
    root.skip("meta")  # about the file
    draft.keep_order()
    draft.leave(root.left())
    yield draft


def read_basics(draft: Draft, basics: SourceRecord) -> None:
    draft.basics(**{name: plain(basics.text(name)) for name in ("name", "label", "image")})
    draft.basics(summary=prose(basics.text("summary")))
    draft.basics(image=basics.text("picture"), label=basics.text("headline"))
    draft.basics(
        email=basics.text("email"),
        phone=private(basics.text("phone")),
        url=with_scheme(basics.text("url", "website")),
    )
    where = basics.record("location")
    draft.basics(location=place(where.texts(*PLACE)))
    draft.basics(location=basics.text("location"))
    draft.basics(address=home_address(where.text("address"), where.text("postalCode")))
    profiles = [
        profile(each.text("network"), each.text("username"), each.text("url"))
        for each in basics.records("profiles")
    ]
    draft.basics(profiles=[each for each in profiles if {"username", "url"} & {*each}])
    for theirs in basics:
        ours = field_meant(theirs, ("pronouns", "honorific", "orcid", "birthDate"), "basics")
        if ours:
            draft.basics(**{ours: basics.text(theirs)})


def read_section(draft: Draft, root: SourceRecord, name: str) -> None:
    table = correspondence(TABLE).fields
    section = section_for(name)
    of_format = {
        path.partition("[].")[2].removesuffix("[]"): next(iter(ours)).partition(".")[2]
        for path, ours in table.items()
        if path.startswith(f"{name}[].")
    }
    for record in root.records(name):
        if section == "publications":
            read_work(draft, record, of_format)
        elif section in SECTIONS and section != "sections":
            known = of_format or {each: each for each in entry_fields(section) if each in record}
            entry = fill(draft, as_named_record(record, section), section, known)
            if section == "work" and "endDate" not in record:
                mark_ongoing(entry)
            if not NUMBER.fullmatch(entry.get("score", "0")):
                entry.setdefault("honors", entry.pop("score"))
            draft.put(section, entry)
        else:
            add_free_record(draft, record, as_heading(name))


def as_named_record(record: SourceRecord, section: str) -> SourceRecord:
    """Turns a plain text in the list of a section into an entry with that name."""
    text = record.row.get("")
    if text is None:
        return record
    row = record.row.without("") if isinstance(record.row, Row) else Row("")
    key = {"languages": "language"}.get(section, "name")
    record.taken.add(record.path)
    return SourceRecord(row.fill(key, text), record.path, record.taken)


def read_work(draft: Draft, record: SourceRecord, known: dict[str, str]) -> None:
    entry = fill(draft, record, "publications", known)
    if "title" not in entry:
        return
    authors = entry.get("authors")
    if not authors and draft.name:
        draft.leave([entry["title"]], NO_AUTHORS)
        authors = [draft.cv["basics"]["name"]]
    draft.put("publications", {"kind": entry.get("kind", "other"), **entry, "authors": authors})


FORMAT = Format("jsonresume", "JSON Resume", matches, read, priority=60)
