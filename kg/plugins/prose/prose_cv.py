"""Reads a CV in Markdown or plain text into a draft.

Entries whose parts are clear are mapped to fields. Others go unchanged into a free section with
their heading. Text that could be private (the top of the CV, references, lines with an email
address) is listed instead.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from kg.errors import Place
from kg.plugins.exchange.draft import Draft, Format, Value
from kg.plugins.exchange.source_files import NotImported, SourceFile
from kg.plugins.exchange.titles import sections_meant
from kg.plugins.prose import list_entries as lists
from kg.plugins.prose.author_lists import is_name, owner_among
from kg.plugins.prose.careers import job, other_fields, position_and_employer, study
from kg.plugins.prose.citations import paper
from kg.plugins.prose.contact_lines import (
    EMAIL,
    PHONE,
    contact_in,
    label_and_place,
    name_in,
    rest_of,
)
from kg.plugins.prose.headings import CvSection, sections_of
from kg.plugins.prose.items import CvItem, is_prose, items_of
from kg.plugins.prose.pieces import dates_in, head_of
from kg.plugins.prose.plain_markdown import clean, front_matter
from kg.plugins.prose.text_lines import TextLine, lines_of

Fields = dict[str, Any]
LINE_READERS: dict[str, Callable[[str, str], list[Fields] | None]] = {
    "awards": lists.award,
    "talks": lists.talk,
    "service": lists.service,
    "memberships": lists.membership,
    "languages": lists.languages,
    "skills": lists.skills,
    "interests": lists.interests,
    "mentoring": lists.mentee,
}
HAS_CONTACT = "not imported, because it contains an email address or phone number"
OF_REFEREES = "references are private. Add them manually"
UNCLEAR_HEADER = "unclear line at the top of the CV"
UNCLEAR = "unclear text"
MOST_LETTERS = 1_000_000
MARKDOWN_SUFFIXES = (".md", ".markdown", ".mdown", ".qmd", ".rmd")
TEXT_SUFFIXES = (".txt", ".text", "")
CORE_SECTIONS = ("work", "education", "publications")  # a CV has at least one of them
DETECTION_LENGTH = 200_000  # characters to inspect for detection
PAGE_END = "\f"
FEW_PAGES = 2  # a repeated line on no more pages is not a running head


@dataclass
class ProseReading:
    """The state of reading one text."""

    file: str
    draft: Draft = field(default_factory=Draft)
    names: dict[str, None] = field(default_factory=dict)  # the person's name as printed on works

    def value(self, text: str, line: TextLine, path: str) -> Value:
        return Value.of(text, Place(self.file, line.number, line.indent + 1), path)

    def valued(self, found: Any, line: TextLine, path: str) -> Any:
        """Converts all texts in a value to Values with their position."""
        if isinstance(found, dict):
            return {name: self.valued(each, line, path) for name, each in found.items() if each}
        if isinstance(found, list):
            return [self.valued(each, line, path) for each in found]
        if isinstance(found, TextLine):
            return self.value(prose(found.text), found, path)
        return self.value(found, line, path) if isinstance(found, str) else found

    def put(self, kind: str, entry: Fields, line: TextLine, title: str) -> None:
        summary, rest = entry.pop("summary", None), entry.pop("rest", [])
        self.draft.leave([self.value(text, line, title) for text in rest], UNCLEAR)
        found = self.valued(entry, line, title)
        if isinstance(summary, list) and summary:
            text = "\n\n".join(prose(each.text) for each in summary)
            found["summary"] = self.value(text, summary[0], title)
        elif summary:
            found["summary"] = self.value(summary, line, title)
        self.draft.put(kind, found)

    def put_free(self, item: CvItem, section: CvSection) -> None:
        """Adds an item unchanged to a free section, with its subheading; lists private lines."""
        hidden = [line for line in item.lines if is_private(line)]
        self.draft.leave(
            [self.value(prose(each.text), each, section.title) for each in hidden], HAS_CONTACT
        )
        head = ", ".join(prose(line.text) for line in item.head if not is_private(line))
        below = [f"- {prose(line.text)}" for line in item.details if not is_private(line)]
        if not head and below:
            head = below.pop(0).removeprefix("- ")
        if item.under and head:
            head = f"{item.under}: {head}"
        if head:
            text = self.value("\n".join([head, *below]), item.lines[0], section.title)
            self.draft.put_free(section.title, text, {} if hidden else self.readings(item, section))

    def readings(self, item: CvItem, section: CvSection) -> dict[str, Fields]:
        """The fields of an item in each of the two sections that its title means."""
        found = {}
        for kind in sections_meant(section.title):
            trial = ProseReading(self.file, Draft({"basics": self.draft.cv.get("basics", {})}))
            alone = replace(section, kind=kind, lines=item.lines)
            read = [each for _, entries in entries_of(trial, alone) for each in entries or [{}]]
            for each in read:
                trial.put(kind, each, item.lines[0], section.title)
            entries = trial.draft.cv.get(kind, [])
            if len(read) == len(entries) == 1 and not trial.draft.left:
                found[kind] = entries[0]
        return found


def is_private(line: TextLine) -> bool:
    return bool(EMAIL.search(line.text) or PHONE.search(line.text))


def read_prose(file: str, text: str) -> Draft:
    if len(text) > MOST_LETTERS:
        raise NotImported(
            f"{file} is too long (limit: {MOST_LETTERS:,} characters). Import only the CV part."
        )
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    cleaned, front = clean(text), front_matter(text)
    head, *sections = sections_of(lines_of(cleaned))
    reading = ProseReading(file)
    read_head(reading, head, front, cleaned)
    for section in sections:
        read_section(reading, section)
    if not reading.draft.cv.get("basics"):
        reading.draft.cv.pop("basics", None)
    forms = [name for name in reading.names if name != reading.draft.name]
    if forms and reading.draft.name:
        reading.draft.basics(
            alternateNames=[reading.valued(form, TextLine(form, 1), "authors") for form in forms]
        )
    return reading.draft


def read_head(reading: ProseReading, head: CvSection, front: str, text: str) -> None:
    name, number = name_in(head.lines, front, text)
    if name:
        reading.draft.basics(name=reading.value(name, TextLine(name, number), "name"))
    read_contact(reading, [TextLine(each, 2) for each in front.split("\n")], number, is_front=True)
    read_contact(reading, head.lines, number)


def read_contact(
    reading: ProseReading, lines: list[TextLine], name_line: int, is_front: bool = False
) -> None:
    special = {} if is_front else label_and_place(lines, name_line)
    summary = [line for line in lines if is_prose(line) and not is_private(line) and not is_front]
    known = {line.number for line in [*summary, *special.values()]} | {name_line}
    for line in lines:
        found = reading.valued(contact_in(line.text), line, "contact")
        if phone := found.pop("phone", None):
            found["phone"] = {"value": phone, "visibility": phone.with_text("private")}
        profiles = found.pop("profiles", [])
        reading.draft.basics(**found)
        have = reading.draft.cv.setdefault("basics", {}).setdefault("profiles", [])
        have += [each for each in profiles if each not in have]
        is_known = is_front or line.number in known
        rest = rest_of(line.text)
        if not is_known and re.search(r"[^\W\d_]{2}", rest):
            reading.draft.leave([reading.value(rest, line, "head")], UNCLEAR_HEADER)
    for name, line in special.items():
        reading.draft.basics(**{name: reading.value(line.plain, line, name)})
    if summary:
        text = "\n\n".join(prose(line.text) for line in summary)
        reading.draft.basics(summary=reading.value(text, summary[0], "summary"))
    for each in [name for name, value in reading.draft.cv["basics"].items() if not value]:
        del reading.draft.cv["basics"][each]


def read_section(reading: ProseReading, section: CvSection) -> None:
    if section.kind == "contact":
        read_contact(reading, section.lines, 0)
    elif section.kind == "title":
        reading.draft.leave(
            [reading.value(line.plain, line, section.title) for line in section.lines]
        )
    elif section.kind == "summary":
        read_summary(reading, section)
    elif section.kind == "references":
        read_referees(reading, section)
    else:
        for item, entries in entries_of(reading, section):
            for entry in entries or ():
                reading.put(section.kind, entry, item.lines[0], section.title)
            if not entries:
                reading.put_free(item, section)


def read_summary(reading: ProseReading, section: CvSection) -> None:
    lines = [("- " if line.mark else "") + prose(line.text) for line in section.lines]
    if lines and "summary" not in reading.draft.cv.get("basics", {}):
        text = ("\n" if section.lines[0].mark else "\n\n").join(lines)
        reading.draft.basics(summary=reading.value(text, section.lines[0], section.title))
    else:
        for line in section.lines:
            reading.put_free(CvItem([line]), section)


def read_referees(reading: ProseReading, section: CvSection) -> None:
    """Adds the names of referees; the rest is private and is listed."""
    for line in section.lines:
        name = line.plain.split(",")[0]
        name = re.sub(
            r"\s*\([^()]*\)", "", re.sub(r"^(?:(?:Prof|Dr|Professor)\b\.?\s*)+", "", name)
        )
        if (line.mark or line.level) and is_name(name):
            reading.put("references", {"person": name}, line, section.title)
        else:
            reading.draft.leave([reading.value(line.plain, line, section.title)], OF_REFEREES)


def entries_of(
    reading: ProseReading, section: CvSection
) -> Iterator[tuple[CvItem, list[Fields] | None]]:
    """The items of a section, each with its entries; None if they are unclear."""
    kind, items = section.kind, items_of(section.lines, section.kind)
    if kind == "work":
        jobs = [job(item) for item in items]
        are_apart = any(each and "alone" not in each for each in jobs)
        for item, found in zip(items, jobs, strict=True):
            alone = found.pop("alone", "") if found else ""
            yield item, [found] if found and not (alone == "at" and are_apart) else None
    elif kind in ("education", "projects", "volunteer", "extracurricular"):
        read = {"education": study, "projects": project}.get(kind, unpaid_position)
        for item in items:
            entries = [found] if (found := read(item)) else None
            if kind == "volunteer" and not entries and not item.details:
                entries = lists.event_help(" ".join(line.text for line in item.head))
            yield item, entries
    elif kind == "publications":
        for item in items:
            yield item, publication(reading, item, section.detail)
    elif kind in LINE_READERS:
        for item in items:
            under = item.under or section.detail
            text = " ".join(line.text for line in item.head)
            yield item, LINE_READERS[kind](text, under) if not item.details else None
    else:
        yield from ((item, None) for item in items)


def publication(reading: ProseReading, item: CvItem, kind: str) -> list[Fields] | None:
    text = " ".join(line.text for line in item.lines)
    found = paper(text, kind)
    name = reading.draft.name
    if found is None or (name and not (owner := owner_among(found["authors"], name))):
        return None
    if name:
        reading.names[owner] = None
    return [found]


def project(item: CvItem) -> Fields | None:
    """Reads a project whose name is a heading, in bold, or a link."""
    head = head_of(item.head)
    first = item.head[0] if item.head else None
    is_marked = first and (first.level or re.match(r"\*\*|__|\[", first.text))
    dates = dates_in(head) if head.spans else {}
    if not is_marked or dates is None or not head.pieces or head.labelled:
        return None
    name, *others = [piece for _, piece in head.pieces]
    more = other_fields(item, head)
    if more is None or len(others) > 1 or len(name) > 100:
        return None
    more.pop("location", None)
    if others:
        if more["summary"] or not others[0][:1].isupper():
            return None
        more["summary"] = others[0]
    return {"name": name, **dates, **more}


def unpaid_position(item: CvItem) -> Fields | None:
    """Reads an unpaid position, with the same head as a job."""
    head = head_of(item.head)
    found, dates = position_and_employer(head), dates_in(head)
    if found is None or dates is None or head.places:
        return None
    found.pop("alone", None)
    found.pop("rest", None)
    more = other_fields(item, head)
    return None if more is None or found.pop("unit", None) else found | dates | more


def prose(text: str) -> str:
    """Converts a line to the Markdown we allow: no HTML, no relative links."""
    text = re.sub(r"<(?=[A-Za-z/!])", "‹", text)
    text = re.sub(r"\[([^\[\]]*)\]\((?!https?://|mailto:)[^()]*\)", r"\1", text)
    return re.sub(r"\s+", " ", text.replace("∗", "\\*")).strip()


def kinds_in(text: str) -> list[str]:
    """The sections that the headings of a text mean, if they have lines."""
    return [each.kind for each in detect_sections(text) if each.kind and each.lines]


def detect_sections(text: str) -> list[CvSection]:
    return sections_of(lines_of(clean(text[:DETECTION_LENGTH])))


def is_cv(text: str) -> bool:
    """Whether a text has a core section and another section, or starts with jobs."""
    kinds = kinds_in(text)
    return any(kind in CORE_SECTIONS for kind in kinds) and (
        len({*kinds}) > 1 or kinds[0] == "work"
    )


def is_markdown(source: SourceFile) -> bool:
    return source.suffix in MARKDOWN_SUFFIXES and is_cv(source.text)


def read_markdown(source: SourceFile) -> Iterator[Draft]:
    yield read_prose(source.name, source.text)


def is_plain_text(source: SourceFile) -> bool:
    return source.suffix in TEXT_SUFFIXES and "\0" not in source.text and is_cv(source.text)


def read_plain_text(source: SourceFile) -> Iterator[Draft]:
    yield read_prose(source.name, without_running_heads(source.text))


def without_running_heads(text: str) -> str:
    """Removes repeated lines at the top and bottom of pages, except the first occurrence."""
    pages = [page.split("\n") for page in text.split(PAGE_END)]
    edges = Counter(
        same for page in pages for at in edge_lines(page) if (same := mask_page_number(page[at]))
    )
    seen = set[str]()
    for page in pages:
        for at in edge_lines(page):
            same = mask_page_number(page[at])
            if edges[same] > FEW_PAGES and same in seen:
                page[at] = ""
            seen.add(same)
    return PAGE_END.join("\n".join(page) for page in pages)


def edge_lines(page: list[str]) -> list[int]:
    """The indexes of the first and last line of a page."""
    filled = [at for at, line in enumerate(page) if line.strip()]
    return sorted({*filled[:1], *filled[-1:]})


def mask_page_number(line: str) -> str:
    """A line with its page number masked."""
    return re.sub(r"\d+", "#", line.strip())


# Headings, lists and emphasis, with or without front matter.
MARKDOWN = Format("markdown", "Markdown CV", is_markdown, read_markdown, priority=130)
# Such as the output of `pdftotext -layout`: pages with running heads, columns of spaces.
TEXT = Format("text", "plain-text CV", is_plain_text, read_plain_text, priority=140)
