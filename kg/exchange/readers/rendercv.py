"""RenderCV: the part `cv:` of its YAML. Its sections have any title in any language: the fields of
an entry tell its type, the title tells the kind, where it is one of ours.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from kg.exchange.draft import UNTITLED, Draft, Format, SourceRecord, Value, as_one, filled
from kg.exchange.fields import fill, free, go_on, one_or_all, private, profile, section_for, titled
from kg.exchange.line_entries import add_line, grouped, is_spoken, language_of
from kg.exchange.markup import plain, prose
from kg.exchange.source_files import SourceFile
from kg.facts.formats.correspondence import correspondence
from kg.facts.reading.rows import Row, Rows
from kg.facts.values.languages import language_tag

TABLE = "rendercv"
# The fields that tell the type of an entry, in the order in which they are looked for.
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
# What an entry of a type may be besides what its type says, where the title of its section says so.
ALSO = {
    "ExperienceEntry": ("volunteer", "extracurricular"),
    "NormalEntry": ("projects", "awards", "certificates", "talks", "memberships", "volunteer"),
    "OneLineEntry": ("skills", "languages", "interests"),
}
KIND = {"ExperienceEntry": "work", "EducationEntry": "education"}
OWN = ("name", "headline", "label", "location", "email", "phone", "website", "photo", "summary")
OF_CV = (*OWN, "social_networks", "custom_connections", "sections", "image", "url")
LAYOUT = ("sort_entries", "section_order")
MEETING = re.compile(r"\b(conference|conf|proceedings|proc|symposium|congress|workshop)\b", re.I)
PREPRINT = re.compile(r"\barxiv\b|\bpreprint\b|\w+rxiv\b", re.I)
OTHER = "Other"  # the title of a section that has none


def looks(source: SourceFile) -> bool:
    tree = source.tree
    cv = tree.get("cv") if isinstance(tree, Row) else None
    return isinstance(cv, Row) and ("sections" in cv or "name" in cv)


def read(source: SourceFile) -> Iterator[Draft]:
    root, draft = SourceRecord(source.tree), Draft()
    root.skip("design", "locale", "settings", "rendercv_settings", "locale_catalog", "curriculum")
    read_cv(draft, root.record("cv"))
    draft.leave(root.left())
    yield draft


def read_cv(draft: Draft, cv: SourceRecord) -> None:
    """What stands below `cv:`; before sections had a place of their own, they stood there, too."""
    cv.skip(*LAYOUT)
    read_person(draft, cv)
    sections = cv.record("sections")
    for title in sections:
        read_section(draft, sections, title)
    for title in cv:
        if title not in OF_CV and isinstance(cv.row[title], Rows):
            read_section(draft, cv, title)


def read_person(draft: Draft, cv: SourceRecord) -> None:
    draft.basics(
        name=plain(cv.text("name")),
        label=cv.text("headline", "label"),
        location=cv.text("location"),
        email=one_or_all(cv.texts("email")),
        phone=one_or_all([number(value) for value in cv.texts("phone")]),
        url=one_or_all(cv.texts("website", "url")),
        image=cv.text("photo", "image"),
        summary=prose(cv.text("summary")),
    )
    accounts = [
        profile(each.text("network"), each.text("username"), each.text("url"))
        for each in cv.records("social_networks")
    ]
    accounts += [
        filled({"label": each.text("placeholder"), "url": each.text("url")})
        for each in cv.records("custom_connections")
    ]
    for each in cv.records("custom_connections"):
        each.skip("fontawesome_icon")
    draft.basics(profiles=[each for each in accounts if {"username", "url"} & {*each}])


def read_section(draft: Draft, sections: SourceRecord, title: str) -> None:
    heading, meant = titled(title) or OTHER, section_for(title)
    if isinstance(sections.row[title], str):  # the one text of a section
        for value in sections.texts(title):
            add_line(draft, value, heading, meant)
    for record in sections.records(title):
        kind = type_of(record)
        if kind in LINES:
            for value in record.texts(UNTITLED, "bullet", "bullets", "number", "reversed_number"):
                add_line(draft, value, heading, meant)
        elif kind == "PublicationEntry":
            read_work(draft, record)
        elif kind == "OneLineEntry":
            read_line(draft, record, heading, meant)
        else:
            read_entry(draft, record, kind, heading, meant)


def type_of(record: SourceRecord) -> str:
    return next((kind for name, kind in TYPES.items() if name in record), "")


def read_entry(draft: Draft, record: SourceRecord, kind: str, heading: str, meant: str) -> None:
    """An entry of its own kind, of the one that the title means, or of a free section."""
    section = meant if meant in ALSO.get(kind, ()) else KIND.get(kind, "")
    if not kind and meant:
        section = meant
    if not section:
        add_free(draft, record, heading)
        return
    entry = fill(draft, record, section, known_of(kind, section))
    if record.text("end_date") is None:
        go_on(entry)
    if section == "education" and "studyType" not in entry and "area" in entry:
        entry["studyType"] = entry.pop("area")
    draft.put(section, entry)


def known_of(kind: str, section: str) -> dict[str, str]:
    """The fields of a type of entry, each with the one of ours in a section, by the table."""
    found: dict[str, str] = {}
    for path, targets in correspondence(TABLE).fields.items():
        theirs = path.partition(".")[2]
        for target in targets if path.startswith(f"{kind}.") else ():
            at, _, ours = target.partition(".")
            if at == section:
                found[theirs] = ours
    return found


def add_free(draft: Draft, record: SourceRecord, heading: str) -> None:
    """A plain entry of a free section; its highlights stand below its summary."""
    lines = [prose(value) for value in record.texts("summary")]
    lines += [value.became(f"- {prose(value)}") for value in record.texts("highlights")]
    text = as_one(lines, "\n")
    if text is None:
        free(draft, record, heading)
        return
    entry = Draft()
    free(entry, record, heading)
    draft.left += entry.left
    found: Any = entry.cv.get("sections", [{"entries": [{}]}])[0]["entries"][0]
    named = {"name": found} if isinstance(found, str) else found
    draft.put_free(heading, {**named, "summary": text} if named.get("name") else text)


def read_line(draft: Draft, record: SourceRecord, heading: str, meant: str) -> None:
    """A label and its details: a group of skills, a language, or a line of a free section."""
    label, details = record.text("label", "name"), record.text("details")
    if label is None or details is None:
        draft.put_free(heading, prose(label or details or Value()))
        return
    named = plain(label)
    found = grouped(details)
    if meant in ("skills", "interests") and found and all(map(is_spoken, found)):
        for each in found:
            draft.put("languages", language_of(each))
    elif meant == "languages" and language_tag(named):
        draft.put("languages", {"language": named, "level": plain(details)})
    elif meant in ("skills", "interests"):
        draft.put(meant, {"name": named, "keywords": found})
    else:
        draft.put_free(heading, {"label": named, "details": prose(details)})


def read_work(draft: Draft, record: SourceRecord) -> None:
    entry = fill(draft, record, "publications", known_of("PublicationEntry", "publications"))
    sign(draft, record.texts("authors"))
    where = entry.pop("journal", None)
    if where and MEETING.search(where):
        entry = {"kind": "conference", **entry, "conference": where}
    elif where and PREPRINT.search(where):
        entry = {"kind": "preprint", **entry, "publisher": where}
    elif where:
        entry = {"kind": "journal", **entry, "journal": where}
    draft.put("publications", {"kind": "other", **entry})


def sign(draft: Draft, authors: list[Value]) -> None:
    """The author whose name is marked is the owner, who may be written otherwise there."""
    if not draft.name:
        return
    basics = draft.cv["basics"]
    for author in authors:
        name = basics["name"].became(plain(author))
        known = (basics["name"], *basics.get("alternateNames", ()))
        if name != author and name not in known and same_family(name, draft.name):
            basics.setdefault("alternateNames", []).append(name)


def same_family(name: str, other: str) -> bool:
    return name.split()[-1:] == other.split()[-1:]


def number(value: Value) -> Any:
    return private(value.became(value.removeprefix("tel:")))


FORMAT = Format("rendercv", "RenderCV", looks, read)
