"""Reads the `cv:` part of RenderCV files.

Sections have any title in any language, and entries of any type: people write students as
`EducationEntry` and reviews as `ExperienceEntry`. So only the title decides on the section. Entries
whose type does not fit go into a free section with that title.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from kg.facts.bibliography.correspondence import correspondence
from kg.facts.values.languages import ENGLISH, language_tag
from kg.facts.values.social_networks import NETWORKS, user_in
from kg.facts.yaml.rows import Row, Rows
from kg.plugins.bibliography.venue_kinds import ACRONYM_WITH_YEAR, NO_NAME, field_of_venue
from kg.plugins.bibliography.venue_titles import kind_at, read_title, without_distinction
from kg.plugins.bibliography.work_records import without_marks
from kg.plugins.exchange.draft import (
    UNTITLED,
    Draft,
    Format,
    SourceRecord,
    Value,
    without_empty,
)
from kg.plugins.exchange.fields import (
    MEETINGS,
    add_free_record,
    fill,
    mark_ongoing,
    one_or_all,
    place_publisher,
    place_work,
    private,
    profile,
    settle_summary,
    take_link,
    venue_fields,
    whole_entry,
)
from kg.plugins.exchange.line_entries import add_line, network_of_page, put_group, split_list
from kg.plugins.exchange.markup import link_in, plain, prose
from kg.plugins.exchange.readers import json_resume
from kg.plugins.exchange.source_files import SourceFile
from kg.plugins.exchange.titles import as_heading, section_for, title_for

TABLE = "rendercv"
# Fields that determine the type of an entry, in order of precedence.
TYPES = {
    "authors": "PublicationEntry",
    "company": "ExperienceEntry",
    "position": "ExperienceEntry",
    "institution": "EducationEntry",
    "degree": "EducationEntry",
    "details": "OneLineEntry",
    "bullet": "BulletEntry",
    "bullets": "BulletEntry",
    "number": "NumberedEntry",
    "reversed_number": "ReversedNumberedEntry",
    "name": "NormalEntry",
    UNTITLED: "TextEntry",
}
LINES = ("BulletEntry", "NumberedEntry", "ReversedNumberedEntry", "TextEntry")
# Sections that an entry of a type can go into.
SECTIONS_BY_TYPE = {
    "PublicationEntry": ("publications", "patents", "awards"),
    "ExperienceEntry": ("work", "volunteer", "extracurricular"),
    "EducationEntry": ("education",),
    "NormalEntry": ("projects", "awards", "certificates", "talks", "memberships", "volunteer"),
}
# Sections of JSON Resume with other fields than an entry of RenderCV, and usual names in them.
SHORT = {
    "skills": {},
    "interests": {},
    "languages": {"name": "language", "summary": "level", "level": "level"},
}
# Fields in the order in which RenderCV prints them; the first is the name of the entry.
NAMES = ("title", "name", "company", "institution", "position", "degree", "area")
CV_FIELDS = (
    *("name", "headline", "label", "location", "email", "phone", "website", "photo", "summary"),
    *("social_networks", "custom_connections", "sections", "image", "url"),
)
LOCALES = ("locale", "locale_catalog")
LAYOUT = ("sort_entries", "section_order")
BREAKS = ("career break", "sabbatical", "parental leave")  # written as if they were employers
BREAK = {
    "position": "reason",
    "company": "reason",
    "start_date": "startDate",
    "end_date": "endDate",
    "highlights": "summary",
}
INCLUDED = re.compile(r"[\w./-]+\.ya?ml")  # the value of `awards: !include awards.yaml`
OTHER_FILE = "another file, which is not read. Copy its text here"
OTHER = "Other"  # title of an untitled section


def matches(source: SourceFile) -> bool:
    tree = source.tree
    cv = tree.get("cv") if isinstance(tree, Row) else None
    return isinstance(cv, Row) and ("sections" in cv or "name" in cv)


def read(source: SourceFile) -> Iterator[Draft]:
    root, draft = SourceRecord(source.root), Draft()
    language = next(filter(None, (root.record(name).text("language") for name in LOCALES)), None)
    root.skip("design", "settings", "rendercv_settings", "curriculum", *LOCALES)
    read_cv(draft, root.record("cv"))
    if language and language_tag(language) != ENGLISH:  # English is in each new file
        draft.cv["language"] = language
    draft.keep_order()
    draft.leave_rest(root)
    yield draft


def read_cv(draft: Draft, cv: SourceRecord) -> None:
    """Reads `cv:`; in old versions, sections were directly below it."""
    cv.skip(*LAYOUT)
    read_person(draft, cv)
    sections = cv.record("sections")
    for title in sections:
        read_section(draft, sections, title)
    for title in cv:
        if title not in CV_FIELDS and isinstance(cv.row[title], Rows):
            read_section(draft, cv, title)


def read_person(draft: Draft, cv: SourceRecord) -> None:
    draft.basics(
        name=plain(cv.text("name")),
        label=cv.text("headline", "label"),
        location=cv.text("location"),
        email=one_or_all(cv.texts("email")),
        phone=one_or_all(
            [private(each.with_text(each.removeprefix("tel:"))) for each in cv.texts("phone")]
        ),
        url=one_or_all(cv.texts("website", "url")),
        image=cv.text("photo", "image"),
        summary=prose(cv.text("summary")),
    )
    accounts = [
        profile(each.text("network"), each.text("username"), each.text("url"))
        for each in cv.records("social_networks")
    ]
    accounts += map(connection, cv.records("custom_connections"))
    for each in cv.records("custom_connections"):
        each.skip("fontawesome_icon")
    draft.basics(profiles=[each for each in accounts if {"username", "url"} & {*each}])


def connection(record: SourceRecord) -> dict[str, Any]:
    """An address with a label, or the account of a known network that it is."""
    label, url = record.text("placeholder"), record.text("url")
    network = network_of_page(url) if url else ""
    if url and network and (user := user_in(NETWORKS[network], url)):
        return {"network": url.with_text(network), "username": url.with_text(user)}
    return without_empty({"label": label, "url": url})


def read_section(draft: Draft, sections: SourceRecord, title: str) -> None:
    heading, meant = as_heading(title) or OTHER, section_for(title)
    if isinstance(sections.row[title], str):  # a section with a single text
        for value in sections.texts(title):
            if INCLUDED.fullmatch(value):
                draft.leave([value], OTHER_FILE)
            else:
                add_line(draft, value, heading, meant)
    for record in sections.records(title):
        if line := record.line():
            add_line(draft, line, heading, meant)
        elif entry := short_entry(record, meant):
            record.skip(*record)
            draft.put(meant, entry)
        else:
            read_entry(draft, record, title, heading, meant)
    if meant == "references":  # contact details of other people
        for each in draft.cv.get("sections", ()):
            if each["title"] == heading:
                each["visibility"] = "private"


def read_entry(draft: Draft, record: SourceRecord, title: str, heading: str, meant: str) -> None:
    kind = type_of(record)
    if kind in LINES:
        for value in record.texts(UNTITLED, "bullet", "bullets", "number", "reversed_number"):
            add_line(draft, value, heading, meant)
    elif kind == "OneLineEntry":
        read_line(draft, record, heading, meant)
    elif meant == "publications" and kind in ("NormalEntry", ""):  # as JSON Resume has it
        json_resume.read_work(draft, record, json_resume.field_mapping(meant))
    elif not meant or (kind and meant not in SECTIONS_BY_TYPE[kind]):
        add_free_record(draft, record, heading, NAMES, is_ongoing=True)
    elif kind == "PublicationEntry" and meant != "awards":
        read_work(draft, record, heading, meant)
    else:
        is_break = meant == "work" and str(record.row.get("company")).lower() in BREAKS
        section = "breaks" if is_break else meant
        draft.put(section, entry_in(draft, record, section, kind), heading)


def short_entry(record: SourceRecord, section: str) -> dict[str, Any]:
    """The fields of a skill, language or interest as JSON Resume has them and al-folio shows them;
    empty if it has any other fields.
    """
    if section not in SHORT or "details" in record:
        return {}
    names = {**json_resume.field_mapping(section), **SHORT[section]}
    known = {theirs: ours for theirs, ours in names.items() if theirs in record}
    return whole_entry(record, section, known)


def type_of(record: SourceRecord) -> str:
    return next((kind for name, kind in TYPES.items() if name in record), "")


def entry_in(draft: Draft, record: SourceRecord, section: str, kind: str) -> dict[str, Any]:
    known = BREAK if section == "breaks" else field_mapping(kind, section)
    entry = fill(draft, record, section, known)
    if section == "breaks" and "position" in record:
        record.skip("company")
    if "](" in str(record.row.get("location")) and not record.is_taken("location"):
        for where in record.texts("location"):
            take_link(draft, where, section, entry)
    if "end_date" not in record and "endDate" not in record:
        mark_ongoing(entry)
    if section == "education" and "studyType" not in entry and "area" in entry:
        entry["studyType"] = entry.pop("area")
    return entry


def field_mapping(kind: str, section: str) -> dict[str, str]:
    """The mapping from fields of an entry type to fields of a section, from the table."""
    found: dict[str, str] = {}
    for path, targets in correspondence(TABLE).fields.items():
        theirs = path.partition(".")[2]
        for target in targets if path.startswith(f"{kind}.") else ():
            at, _, ours = target.partition(".")
            if at == section:
                found[theirs] = ours
    return found


def read_line(draft: Draft, record: SourceRecord, heading: str, meant: str) -> None:
    """Reads a label with details: a group of skills, a language, or a free entry."""
    label, details = record.text("label", "name"), record.text("details")
    if label is None or details is None:
        draft.put_free(heading, prose(label or details or Value()))
        return
    named = plain(label)
    if meant == "languages" and language_tag(named):
        draft.put("languages", {"language": named, "level": plain(details)})
    elif meant in ("skills", "interests"):
        put_group(draft, meant, named, split_list(details))
    else:
        entry = {"label": named, "details": prose(details), "url": link_in(label)}
        draft.put_free(heading, entry)


def read_work(draft: Draft, record: SourceRecord, heading: str, section: str) -> None:
    entry = fill(draft, record, "publications", field_mapping("PublicationEntry", "publications"))
    entry = settle_summary(entry)
    add_signature(draft, record.texts("authors"))
    where = entry.pop("journal", None)
    if section == "patents" and "title" in entry:
        draft.leave([where] if where else [])
        draft.put_patent(entry["title"], {"kind": "patent", **entry})
        return
    if where:
        entry |= venue_fields("journal", where, entry)
        where = entry.pop("journal", None)
    below = title_for(heading).kind
    if where and below in MEETINGS and field_of_venue(where) != "journal":
        entry = {"kind": where.with_text(kind_at(below, where)), **entry}
    if where and is_meeting(where) and not NO_NAME.fullmatch(where):
        entry = {"kind": "conference", **entry, "conference": where}
    elif where:
        entry = place_work(entry, where, "journal")
    elif "publisher" in entry:
        entry = place_publisher(entry)
    draft.put("publications", {"kind": "other", **entry})


def is_meeting(where: Value) -> bool:
    """Whether place, days or a distinction say that a venue is a conference: `ESEM, Turin, Italy`,
    `NeurIPS 2022, Spotlight`.
    """
    _, award, remark = without_distinction(where)
    title = read_title(where)
    is_edition = bool((award or remark) and ACRONYM_WITH_YEAR.match(where))
    return is_edition or bool(title.location or title.date)


def add_signature(draft: Draft, authors: list[Value]) -> None:
    """Adds the highlighted author to the person's `alternateNames`, if the family name matches."""
    if not draft.name:
        return
    basics = draft.cv["basics"]
    for author in authors:
        name = basics["name"].with_text(without_marks(plain(author))[0])
        known = (basics["name"], *basics.get("alternateNames", ()))
        is_marked = plain(author) != author
        if is_marked and name not in known and name.split()[-1:] == draft.name.split()[-1:]:
            basics.setdefault("alternateNames", []).append(name)


FORMAT = Format("rendercv", "RenderCV", matches, read, priority=10)
