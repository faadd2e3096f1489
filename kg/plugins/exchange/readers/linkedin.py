"""Reads the CSV files of a LinkedIn data export, from a folder, a zip file or one by one.

Files are recognised by name and columns. Telephone numbers, addresses and dates of birth are
private.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import PurePosixPath
from typing import Any

from kg.facts.yaml.rows import Row, Rows
from kg.plugins.exchange.draft import (
    Draft,
    Format,
    SourceRecord,
    join_values,
    parse_date,
    without_empty,
)
from kg.plugins.exchange.fields import (
    UNCLEAR_DATE,
    fill,
    home_address,
    mark_ongoing,
    one_or_all,
    private,
    profile,
)
from kg.plugins.exchange.markup import plain, prose, summary_or_highlights, with_scheme
from kg.plugins.exchange.source_files import NotImported, SourceFile
from kg.plugins.exchange.source_rows import csv_rows

ISSUED = ("Issued On", "Issue Date")
STARTED, FINISHED = ("Started On", "Start Date"), ("Finished On", "End Date")
DATES = dict.fromkeys(STARTED, "startDate") | dict.fromkeys(FINISHED, "endDate")
# Section of the rows of each file, and the mapping of its columns.
FIELDS: dict[str, tuple[str, dict[str, str]]] = {
    "Positions": (
        "work",
        {"Company Name": "organization", "Title": "position", "Location": "location", **DATES},
    ),
    "Education": (
        "education",
        {"School Name": "institution", "Degree Name": "studyType", "Major": "area", **DATES},
    ),
    "Skills": ("skills", {"Name": "name"}),
    "Languages": ("languages", {"Name": "language", "Proficiency": "level"}),
    "Certifications": (
        "certificates",
        {
            "Name": "name",
            "Authority": "issuer",
            "Started On": "date",
            "Finished On": "endDate",
            "License Number": "number",
            "Url": "url",
        },
    ),
    "Honors": (
        "awards",
        {"Title": "title", "Issuer": "awarder", **dict.fromkeys(ISSUED, "date")},
    ),
    "Projects": ("projects", {"Title": "name", "Url": "url", **DATES}),
    "Volunteering": (
        "volunteer",
        {"Company Name": "organization", "Role": "position", **DATES},
    ),
    "Organizations": (
        "memberships",
        {"Name": "organization", "Position": "level", **DATES},
    ),
}
# Columns by which a file of this name is recognised.
COLUMNS = {
    "Positions": ("Company Name", "Title"),
    "Education": ("School Name", "Degree Name"),
    "Skills": ("Name",),
    "Languages": ("Name", "Proficiency"),
    "Certifications": ("Name", "Authority"),
    "Honors": ("Title", "Description"),
    "Projects": ("Title", "Description"),
    "Volunteering": ("Role", "Cause"),
    "Organizations": ("Name", "Position"),
    "Profile": ("First Name", "Last Name", "Headline"),
    "Profile Summary": ("Profile Summary",),
    "Email Addresses": ("Email Address", "Primary"),
    "PhoneNumbers": ("Number", "Type"),
    "Publications": ("Name", "Publisher"),
    "Patents": ("Title",),
    "Courses": ("Name", "Number"),
    "TestScores": ("Name", "Score"),
    "Test Scores": ("Name", "Score"),
    "Causes You Care About": ("Supported Cause",),
}
WITH_HIGHLIGHTS = ("work", "education", "projects", "volunteer")
SITE = re.compile(r"\[?(?:(\w+):)?(https?://[^,\]\s]+|[\w.-]+\.[a-z]{2,}[^,\]\s]*)\]?")


def table_of(source: SourceFile) -> tuple[str, Rows]:
    """The name and rows of a file of the export; empty for other files."""
    name = PurePosixPath(source.path).stem
    known = COLUMNS.get(name) if source.suffix == ".csv" else None
    rows = csv_rows(source, known) if known else None
    return ("", Rows()) if rows is None else (name, rows)


def matches(source: SourceFile) -> bool:
    return bool(table_of(source)[0])


def read(source: SourceFile) -> Iterator[Draft]:
    name, rows = table_of(source)
    if not name:
        raise NotImported(f"{source.name}: not a supported file of a LinkedIn data export.")
    draft, root = Draft(), SourceRecord(Row(source.name).fill(name, rows))
    for record in root.records(name):
        READERS.get(name, read_entry)(draft, record, name)
        draft.leave_rest(record)
    yield draft


def read_entry(draft: Draft, record: SourceRecord, name: str) -> None:
    section, known = FIELDS[name]
    text = record.text("Description", "Notes")
    entry = fill(draft, record, section, known)
    if text and section in WITH_HIGHLIGHTS:
        entry |= summary_or_highlights(text)
    elif text:
        entry["summary"] = prose(text)
    if section == "education" and (clubs := record.text("Activities")):
        entry["highlights"] = [*entry.get("highlights", ()), prose(clubs)]
    if section in ("work", "volunteer"):
        mark_ongoing(entry)
    draft.put(section, entry)


def read_profile(draft: Draft, record: SourceRecord, name: str) -> None:
    draft.basics(
        name=join_values(record.texts("First Name", "Last Name"), " "),
        givenName=record.text("First Name"),
        familyName=record.text("Last Name"),
        label=record.text("Headline"),
        location=record.text("Geo Location", "Location"),
    )
    if former := record.text("Maiden Name"):
        draft.basics(formerNames=[{"name": former, "visibility": "private"}])
    draft.basics(summary=prose(record.text("Summary", "Profile Summary")))
    if born := record.text("Birth Date"):
        draft.basics(birthDate=private(parse_date(born)))
        draft.leave([] if parse_date(born) else [born], UNCLEAR_DATE)
    draft.basics(address=home_address(record.text("Address"), record.text("Zip Code")))
    accounts = [
        profile(value.with_text("twitter"), value.with_text(each), None)
        for value in record.texts("Twitter Handles")
        for each in re.findall(r"\w+", value)
    ]
    for value in record.texts("Websites"):
        for label, address in SITE.findall(value):
            called = value.with_text(label.capitalize()) if label else None
            url = with_scheme(value.with_text(address))
            if called and label not in ("PERSONAL", "OTHER"):
                accounts.append({"label": called, "url": url})
            else:
                draft.cv["basics"].setdefault("url", []).append(url)
    draft.basics(profiles=accounts)


def read_email(draft: Draft, record: SourceRecord, name: str) -> None:
    record.skip("Confirmed", "Primary", "Updated On")
    add_contact(draft, "email", private(record.text("Email Address")))


def read_phone(draft: Draft, record: SourceRecord, name: str) -> None:
    number, extension = record.text("Number"), record.text("Extension")
    if number:
        whole = number.with_text(f"{number} {extension}") if extension else number
        add_contact(draft, "phone", without_empty({**private(whole), "label": record.text("Type")}))


def add_contact(draft: Draft, name: str, contact: Any) -> None:
    basics = draft.cv.setdefault("basics", {})
    before = basics.get(name, [])
    if contact:
        basics[name] = one_or_all([*(before if isinstance(before, list) else [before]), contact])


def read_work(draft: Draft, record: SourceRecord, name: str) -> None:
    """Adds a publication to a free section, because the export has no authors."""
    date = record.text("Published On", "Date", *ISSUED)
    draft.put_free(
        "Publications" if name == "Publications" else "Patents",
        {
            "name": plain(record.text("Name", "Title")),
            "organization": record.text("Publisher"),
            "date": parse_date(date),
            "summary": join_values(map(prose, record.texts("Description"))),
            "url": record.text("Url"),
        },
    )
    draft.leave([date] if date and not parse_date(date) else [], UNCLEAR_DATE)


def read_line(draft: Draft, record: SourceRecord, name: str) -> None:
    """Adds a course, test score or cause: a label with details."""
    label = record.text("Name", "Supported Cause")
    rest = join_values(record.texts("Number", "Score", "Date", "Description", *ISSUED), ", ")
    if label and rest:
        draft.put_free(name, {"label": plain(label), "details": rest})
    elif label:
        draft.put_free(name, plain(label))


READERS: dict[str, Callable[[Draft, SourceRecord, str], None]] = {
    "Profile": read_profile,
    "Profile Summary": read_profile,
    "Email Addresses": read_email,
    "PhoneNumbers": read_phone,
    "Publications": read_work,
    "Patents": read_work,
    "Courses": read_line,
    "TestScores": read_line,
    "Test Scores": read_line,
    "Causes You Care About": read_line,
}
FORMAT = Format("linkedin", "LinkedIn data export", matches, read, priority=50)
