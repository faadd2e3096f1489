"""Writes the `cv:` part of RenderCV files.

Sections use the matching RenderCV entry type, if there is one. Entries of other sections have a
name, dates and text, and one line for each other field.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Set
from functools import partial
from typing import Any

import yaml

from kg.plugins.exchange.draft import UNTITLED, SourceRecord, Value, with_leaves, without_empty
from kg.plugins.exchange.writers import notation
from kg.plugins.exchange.writers.public_cv import TOP, WORKS, ExportFormat, PublicCv
from kg.text.markdown import plain_title

Entry = dict[str, Any] | str
Shape = Callable[[SourceRecord], Entry]
# RenderCV's names of networks, by ours.
NETWORKS = {
    "LinkedIn": "LinkedIn",
    "GitHub": "GitHub",
    "GitLab": "GitLab",
    "Instagram": "Instagram",
    "ORCID": "ORCID",
    "Mastodon": "Mastodon",
    "ResearchGate": "ResearchGate",
    "YouTube": "YouTube",
    "Google Scholar": "Google Scholar",
    "Telegram": "Telegram",
    "X": "X",
}
PHONE = re.compile(r"\+[\d ().-]{7,20}")
EXACT = re.compile(r"\d{4}(-\d\d){0,2}|present")
LABEL = re.compile(r"<(?=\w)")
YEAR = re.compile(r"\d{4}")
TITLES = {"work": "Experience", "systems": "Software"}


def write(cv: PublicCv) -> bytes:
    own, sections = cv.basics.row, dict[str, list[Entry]]()
    owner = {own.get("name"), *own.get("alternateNames", ())}
    shapes: dict[str, Shape] = {**SHAPES, **dict.fromkeys(WORKS, partial(work, owner))}
    if summary := cv.basics.text("summary"):
        sections["Summary"] = [str(summary)]
    for name, records in cv.sections.items():
        if name == "sections":
            for each in records:
                sections[str(each.text("title"))] = free_entries(each)
        elif name not in ("basics", TOP):
            shape = shapes.get(name, other_entry)
            sections[TITLES.get(name, name.capitalize())] = [*map(shape, records)]
    content = without_empty({**header(cv), "sections": sections})
    return yaml.dump(
        {"cv": with_leaves(content, printable)},
        Dumper=yaml.CSafeDumper,
        allow_unicode=True,
        sort_keys=False,
        width=100,
    ).encode()


def printable(value: Any) -> Any:
    """Adds a space in `<0.3`: Typst reads it as a label, and RenderCV does not escape it."""
    return LABEL.sub("< ", value) if isinstance(value, str) else value


def header(cv: PublicCv) -> dict[str, Any]:
    own = cv.basics
    found = {
        "name": text(own.text("name")),
        "headline": text(own.text("label")),
        "location": text(own.text("location")),
        "email": text(notation.first(own, "email")),
        "phone": phone(own),
        "website": text(notation.first(own, "url")),
    }
    known, others = [], []
    for network, username, url in notation.profiles(own):
        if network in NETWORKS and username:
            known.append({"network": NETWORKS[network], "username": username})
        else:
            icon = {"fontawesome_icon": "link"}
            others.append({"placeholder": network, "url": url, **icon})
    return {**found, "social_networks": known, "custom_connections": others}


def phone(own: SourceRecord) -> str:
    """The first telephone number with a country code; RenderCV requires one."""
    for each in own.records("phone"):
        name = next(name for name in ("value", UNTITLED) if name in each.row)
        if PHONE.fullmatch(str(each.row[name])):
            return text(each.text(name))
    return ""


def text(value: Value | None) -> str:
    return str(value or "")


def when(record: SourceRecord) -> dict[str, Any]:
    """A period with exact ends as two fields; seasons and single dates as one."""
    start, end = (str(record.row.get(each, "")) for each in ("startDate", "endDate"))
    whole = notation.dated(record)
    if start != end and all(map(EXACT.fullmatch, (start, end))):
        return {"start_date": date(start), "end_date": date(end)}
    return {"date": date(whole)}


def text_fields(record: SourceRecord) -> dict[str, Any]:
    return {
        "summary": text(record.text("summary")),
        "highlights": list(map(str, notation.main_texts(record, "highlights"))),
    }


def date(written: str) -> str | int:
    return int(written) if YEAR.fullmatch(written) else written


def job(record: SourceRecord) -> Entry:
    return without_empty(
        {
            "company": text(record.text("organization")) or "Self-employed",
            "position": text(record.text("position")),
            "location": text(record.text("location")),
            **when(record),
            **text_fields(record),
        }
    )


def study(record: SourceRecord) -> Entry:
    return {
        "institution": text(record.text("institution")),
        "area": text(record.text("area")),  # required by RenderCV
        **without_empty(
            {
                "degree": " and ".join(record.texts("studyType")),
                "grade": text(record.text("score")),
                "location": text(record.text("location")),
                **when(record),
                **text_fields(record),
            }
        ),
    }


def part(record: SourceRecord) -> Entry:
    """A volunteer or extracurricular role."""
    return without_empty(
        {
            "company": text(record.text(*notation.WHERE)),
            "position": text(record.text("position", "role")) or "Volunteer",
            **when(record),
            **text_fields(record),
        }
    )


def work(owner: Set[str], record: SourceRecord) -> Entry:
    """A publication or patent, with the person's own name in bold.

    The editors of an edited book become its authors.
    """
    doi = text(record.text("doi"))
    names = notation.main_texts(record, "authors") or notation.main_texts(record, "editors")
    return {
        "title": plain_title(text(record.text("title"))),
        "authors": [f"**{name}**" if name in owner else str(name) for name in names],
        **without_empty(
            {
                "doi": doi,
                "url": "" if doi else notation.address_of(record),
                "journal": notation.container_of(record),
                "date": date(text(record.text("date", "year"))),
                "summary": text(record.text("abstract", "summary")),
            }
        ),
    }


def project(record: SourceRecord) -> Entry:
    return without_empty(
        {
            "name": text(record.text("name")),
            **when(record),
            **text_fields(record),
        }
    )


def skill(record: SourceRecord) -> Entry:
    details = ", ".join(record.texts("keywords") or record.texts("level"))
    return {"label": text(record.text("name")), "details": details}


def language(record: SourceRecord) -> Entry:
    return {"label": text(record.text("language")), "details": text(record.text("level"))}


def interest(record: SourceRecord) -> Entry:
    return {"bullet": notation.group(record)}


def other_entry(record: SourceRecord) -> Entry:
    """An entry of any other section: name, place, dates, and a line for each other field."""
    return without_empty(
        {
            "name": notation.heading(record),
            "location": text(record.text("location")),
            **when(record),
            "summary": text(record.text("summary")),
            "highlights": [
                *map(str, notation.main_texts(record, "highlights")),
                *notation.remaining_lines(record),
            ],
        }
    )


def free_entries(section: SourceRecord) -> list[Entry]:
    """The entries of a free section: lines, labels with details, or entries with fields.

    RenderCV allows one entry type per section, so mixed entries all become lines.
    """
    records = section.records("entries")
    alike = {
        next(name for name in ("name", "label", "text", UNTITLED) if name in each)
        for each in records
    }
    if alike == {"name"}:
        return [other_entry(each) for each in records]
    if alike == {"label"}:
        return [
            {"label": text(each.text("label")), "details": text(each.text("details"))}
            for each in records
        ]
    return [{"bullet": notation.line(each)} for each in records]


SHAPES: dict[str, Shape] = {
    "work": job,
    "education": study,
    "projects": project,
    "volunteer": part,
    "extracurricular": part,
    "skills": skill,
    "languages": language,
    "interests": interest,
}


FORMAT = ExportFormat("RenderCV", write)
