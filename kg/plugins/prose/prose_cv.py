"""Reads a CV in Markdown or plain text into a draft.

The title of a section decides what its entries are. Entries whose parts are clear are mapped to
fields; all others stay unchanged, in order, in a free section with the heading. Nothing is lost:
words of mapped entries that no field has are listed, and so is text that could be private
(references, contact details, lines with an email address, a phone number or a date of birth).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from kg.errors import Place
from kg.plugins.exchange.draft import Draft, Format, Value
from kg.plugins.exchange.source_files import NotImported, SourceFile
from kg.plugins.prose.contact_lines import (
    contact_in,
    details_in,
    is_private,
    label_and_place,
    name_in,
    rest_of,
)
from kg.plugins.prose.date_spans import whole_date
from kg.plugins.prose.entries import CvEntry, entries_of, is_sentence
from kg.plugins.prose.headings import CvSection, sections_of
from kg.plugins.prose.notices import is_language_switch, is_notice
from kg.plugins.prose.plain_markdown import clean, front_matter, links, unmarked
from kg.plugins.prose.text_lines import ASIDE, COLUMNS, ROW, TextLine, lines_of
from kg.plugins.prose.typed_entries import job, languages, skills, study

Fields = dict[str, Any]
ROWS = {"work": job, "education": study}
LISTS = {"languages": languages, "skills": skills}
BY_LINE = ("awards", "memberships", "languages", "skills", "interests", "publications")
NOTICE = "notice of the document, not imported"
BESIDE = "column beside another with more or fewer lines"
IS_PRIVATE = "private, not imported"
FEW_WORDS = 5  # of a sentence
OF_REFEREES = "references are private. Add them manually"
UNCLEAR_HEADER = "unclear line at the top of the CV"
WITHOUT_TEXT = "heading without text"
MOST_LETTERS = 250_000  # of a text
HALF_DATE = re.compile(r"\d\s*[-–—]+\W*?(?: \||$)")  # its other half can be in another line
LANGUAGE = re.compile(r"(?:lang|language|locale):\s*[\"']?([\w-]+)[\"']?\s*(?:#.*)?")
MARKDOWN_SUFFIXES = (".md", ".markdown", ".mdown", ".qmd", ".rmd")
TEXT_SUFFIXES = (".txt", ".text", "")
CORE_SECTIONS = ("work", "education", "publications")  # a CV has at least one of them
DETECTION_LENGTH = 100_000  # characters to inspect for detection


@dataclass
class ProseReading:
    """The state of reading one text."""

    file: str
    draft: Draft = field(default_factory=Draft)

    def value(self, text: str, line: TextLine, path: str) -> Value:
        return Value.of(text, Place(self.file, line.number, line.indent + 1), path)

    def valued(self, found: Any, line: TextLine, path: str) -> Any:
        """Converts all texts in a value to Values with their position."""
        if isinstance(found, dict):
            return {name: self.valued(each, line, path) for name, each in found.items() if each}
        if isinstance(found, list):
            return [self.valued(each, line, path) for each in found]
        if isinstance(found, TextLine):
            return self.shown(prose(found.text), found, path)
        return self.shown(found, line, path) if isinstance(found, str) else found

    def shown(self, text: str, line: TextLine, path: str) -> Value:
        """A text without the marks between the cells of a table."""
        return self.value(text.replace(" | ", " · "), line, path)

    def leave(self, lines: list[TextLine], path: str, why: str) -> None:
        self.draft.leave([self.value(line.plain, line, path) for line in lines if line.plain], why)

    def put(self, kind: str, section: CvSection, entry: CvEntry, fields: Fields) -> None:
        """Adds a mapped entry, with its details."""
        first, rest = entry.lines[0], [each for each in fields.pop("rest", []) if each]
        public = [line for line in entry.details if not is_private(line.text)]
        self.leave(
            [each for each in entry.details if each not in public], section.title, IS_PRIVATE
        )
        summary = [*rest, *(prose(line.text) for line in public if not line.mark)]
        found = self.valued(fields, first, section.title)
        if summary:
            found["summary"] = self.shown("\n\n".join(summary), first, section.title)
        found["highlights"] = [
            self.shown(prose(line.text), line, section.title) for line in public if line.mark
        ]
        self.draft.put(kind, found, section.title)

    def put_free(self, section: CvSection, entry: CvEntry) -> None:
        """Adds an entry unchanged to the free section, below the heading of its group."""
        hidden = [line for line in entry.lines if is_private(line.text)]
        self.leave(hidden, section.title, IS_PRIVATE)
        head = " | ".join(prose(line.text) for line in entry.head if line not in hidden)
        outer = min((line.indent for line in entry.details if line.mark), default=0)
        below = [below_head(line, outer) for line in entry.details if line not in hidden]
        if not head and below:
            head = below.pop(0).strip().removeprefix("- ")
        if entry.under and head and not is_private(entry.under.text):
            head = f"{prose(entry.under.text).rstrip(':')}: {head}"
        if head:
            head, when = with_date_apart(head) if section.has_whole_dates else (head, {})
            text = self.shown("\n".join([head, *below]), entry.lines[0], section.title)
            dates = self.valued(when, entry.lines[0], section.title)
            self.draft.put_free(section.title, {"text": text, **dates} if dates else text)


def below_head(line: TextLine, outer: int) -> str:
    """A line below the head of an entry: an item of a list, an item inside one, or a paragraph."""
    if line.gap and not line.mark:
        return f"\n{prose(line.text)}"
    return f"{'  ' * (bool(line.mark) and line.indent > outer + 1)}- {prose(line.text)}"


def with_date_apart(head: str) -> tuple[str, Fields]:
    """A line without the only cell that is a date, and the date."""
    cells = head.split(" | ")
    dated = [(cell, span) for cell in cells if (span := whole_date(unmarked(cell)))]
    if len(cells) < 2 or len(dated) != 1:
        return head, {}
    [(cell, (_, start, end))] = dated
    cells.remove(cell)
    return " | ".join(cells), {"startDate": start, "endDate": end} if end else {"date": start}


def texts_in(value: Any) -> Iterator[str]:
    if isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from texts_in(each)
    elif isinstance(value, str):
        yield value


def read_prose(file: str, text: str, may_wrap: bool = True) -> Draft:
    if len(text) > MOST_LETTERS:
        raise NotImported(
            f"{file} is too long (limit: {MOST_LETTERS:,} characters). Import only the CV part."
        )
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    front, cleaned = front_matter(text), clean(text)
    head, *sections = sections_of(lines_of(cleaned, may_wrap))
    reading = ProseReading(file)
    leave_notices(reading, [head, *sections])
    if sections and is_rest_of_head(sections[0]):
        first = sections.pop(0)
        head.lines += [TextLine(first.title, first.number), *first.lines]
    contacts = [line for each in sections if each.kind == "contact" for line in each.lines]
    name, number = name_in([*head.lines, *contacts], front, cleaned)
    if name:
        reading.draft.basics(name=reading.value(name, TextLine(name, number), "name"))
    read_head(reading, head, front, number)
    read_contacts(reading, [each for each in contacts if each.number != number], "contact")
    for section in sections:
        read_section(reading, section)
    basics = reading.draft.cv.pop("basics", {})
    if basics := {name: value for name, value in basics.items() if value}:
        reading.draft.cv = {"basics": basics, **reading.draft.cv}
    reading.draft.keep_order()
    return reading.draft


def leave_notices(reading: ProseReading, sections: list[CvSection]) -> None:
    """Lists the lines that are about the document. A language switch is at the top or the end."""
    for section in sections:
        found = [line for line in section.lines if is_notice(line.plain)]
        found += filter(is_switch, section.lines if section is sections[0] else ())
        reading.leave(found, section.title or "head", NOTICE)
        aside = [line for line in section.lines if line.mark == ASIDE]
        reading.leave(aside, section.title or "head", BESIDE)
        section.lines = [line for line in section.lines if line not in [*found, *aside]]
    last = sections[-1]
    while last.lines and is_switch(last.lines[-1]) and is_outside(last.lines[-1], last):
        reading.leave([last.lines.pop()], last.title or "head", NOTICE)


def is_switch(line: TextLine) -> bool:
    return is_language_switch(line.plain)


def is_outside(line: TextLine, section: CvSection) -> bool:
    """Whether the last line of a CV does not belong to its last section: it links to other
    documents, or stands apart in a section without languages.
    """
    is_apart = line.gap and not line.mark and line is not section.lines[0]
    return "](" in line.text or (is_apart and section.kind not in ("languages", "skills"))


def is_rest_of_head(section: CvSection) -> bool:
    """Whether a section is contact details below the person's position."""
    lines = [line.text for line in section.lines]
    return not section.kind and all(is_private(text) or not rest_of(text) for text in lines)


def read_head(reading: ProseReading, head: CvSection, front: str, number: int) -> None:
    """Reads the top of the CV; `number` is the line with the name."""
    for at, line in enumerate(front.split("\n"), 2):
        read_contact(reading, TextLine(line, 2))
        if stated := LANGUAGE.fullmatch(line):
            reading.draft.cv["language"] = reading.value(stated[1], TextLine("", at), "language")
    known = {number}
    for key, found in label_and_place(head.lines, number).items():
        reading.draft.basics(**{key: reading.value(found.plain, found, key)})
        known.add(found.number)
    prose_lines = [
        line
        for line in head.lines
        if line.number not in known and is_prose(line) and not is_private(line.text)
    ]
    read_summary(reading, CvSection("summary", lines=prose_lines))
    known |= {line.number for line in prose_lines}
    read_contacts(reading, [line for line in head.lines if line.number not in known], "head")


def is_prose(line: TextLine) -> bool:
    """Whether a line at the top is a sentence, not a row of a table or a label with details."""
    is_row = " | " in line.text or re.match(r"\*\*[^*]+\*\*\s?:|[\w -]{1,30}\s?:", line.text)
    return (
        is_sentence(line) and not line.mark and len(line.plain.split()) >= FEW_WORDS and not is_row
    )


def read_contact(reading: ProseReading, line: TextLine) -> None:
    found = reading.valued(contact_in(line.text), line, "contact")
    if len(rest_of(line.text).split()) > FEW_WORDS:
        found.pop("url", None)  # an address inside a sentence is not that of the person
    if phone := found.pop("phone", None):
        found["phone"] = {"value": phone, "visibility": phone.with_text("private")}
    profiles = found.pop("profiles", [])
    reading.draft.basics(**found)
    have = reading.draft.cv.setdefault("basics", {}).setdefault("profiles", [])
    for each in profiles:
        have += [each] if each not in have else []


def read_contacts(reading: ProseReading, lines: list[TextLine], path: str) -> None:
    """Reads contact details; lines with anything else are listed."""
    for line in lines:
        read_contact(reading, line)
        basics = " ".join(texts_in(reading.draft.cv["basics"]))
        others = [each for each in details_in(line.text) if each not in basics]
        if others or re.search(r"\w", rest_of(line.text)):
            reading.leave([line], path, UNCLEAR_HEADER)


def read_section(reading: ProseReading, section: CvSection) -> None:
    if not section.lines:
        heading = TextLine(section.title, section.number)
        reading.leave([heading] if section.kind != "title" else [], "heading", WITHOUT_TEXT)
    elif section.kind == "summary":
        read_summary(reading, section)
    elif section.kind == "references":
        reading.leave(section.lines, section.title, OF_REFEREES)
    elif section.kind == "title":
        read_contacts(reading, section.lines, section.title)
    elif section.kind != "contact":
        read_entries(reading, section)


def read_summary(reading: ProseReading, section: CvSection) -> None:
    """Adds the summary of the person; a second one is a free section."""
    hidden = [line for line in section.lines if is_private(line.text)]
    reading.leave(hidden, section.title, IS_PRIVATE)
    shown = [line for line in section.lines if line not in hidden]
    if shown and "summary" in reading.draft.cv.get("basics", {}):
        for line in shown:
            reading.put_free(section, CvEntry([line]))
    elif shown:
        lines = [("- " if line.mark else "") + prose(line.text) for line in shown]
        text = ("\n" if shown[0].mark else "\n\n").join(lines)
        reading.draft.basics(summary=reading.value(text, shown[0], section.title))


def read_entries(reading: ProseReading, section: CvSection) -> None:
    section.has_whole_dates = not any(HALF_DATE.search(line.plain) for line in section.lines)
    for entry in [*entries_of(section.lines, section.kind if section.kind in BY_LINE else "")]:
        found = fields_of(section, entry)
        if not found or any(is_private(line.text) for line in entry.head):
            reading.put_free(section, entry)
        for line in entry.head if found else ():
            removed = [reading.value(each, line, section.title) for _, each in links(line.text)]
            reading.draft.leave(removed, "link removed from a name")
        for each in found:
            reading.put(section.kind, section, entry, each)


def fields_of(section: CvSection, entry: CvEntry) -> list[Fields]:
    """The fields of an entry; empty if they are unclear."""
    first = entry.head[0]
    if first.mark == ROW and section.kind in ROWS:
        found = ROWS[section.kind](first.cells)
        return [found] if found else []
    is_line = section.kind in LISTS and not entry.under and not entry.details
    return LISTS[section.kind](" ".join(line.text for line in entry.head)) if is_line else []


def prose(text: str) -> str:
    """Converts a line to the Markdown we allow: no HTML, no relative links."""
    text = re.sub(r"<(?=[A-Za-z/!])", "‹", text)
    text = COLUMNS.sub(" | ", text.strip())
    text = re.sub(r"\[([^\[\]]*)\]\((?!https?://|mailto:)[^()]*\)", r"\1", text)
    return re.sub(r"\s+", " ", text.replace("∗", "\\*")).strip()


def kinds_in(text: str) -> list[str]:
    """The sections that the headings of a text mean, if they have lines."""
    found = sections_of(lines_of(clean(text[:DETECTION_LENGTH])))
    return [each.kind for each in found if each.kind and each.lines]


def is_cv(text: str) -> bool:
    """Whether a text has a core section and another section, or starts with jobs."""
    kinds = kinds_in(text)
    return any(kind in CORE_SECTIONS for kind in kinds) and (
        len({*kinds}) > 1 or kinds[0] == "work"
    )


def is_markdown(source: SourceFile) -> bool:
    return source.suffix in MARKDOWN_SUFFIXES and is_cv(source.text)


def read_source(source: SourceFile) -> Iterator[Draft]:
    yield read_prose(source.name, source.text)


def is_plain_text(source: SourceFile) -> bool:
    return source.suffix in TEXT_SUFFIXES and "\0" not in source.text and is_cv(source.text)


# Headings, lists and emphasis, with or without front matter.
MARKDOWN = Format("markdown", "Markdown CV", is_markdown, read_source, priority=130)
# Such as the output of `pdftotext -layout`, with columns of spaces.
TEXT = Format("text", "plain-text CV", is_plain_text, read_source, priority=140)
