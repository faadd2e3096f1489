"""Detects headings in a text CV."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from kg.plugins.exchange.titles import heading_text, meaning
from kg.plugins.prose.date_spans import date_spans
from kg.plugins.prose.lexicon import has_word
from kg.plugins.prose.text_lines import TextLine

CORE = ("work", "education", "projects", "publications", "skills")  # also without marks
MOST_LETTERS, MOST_WORDS = 70, 8  # of a heading


@dataclass
class CvSection:
    """A heading, the section it means, and its lines."""

    title: str
    kind: str = ""
    level: int = 0
    lines: list[TextLine] = field(default_factory=list)
    number: int = 1  # line of the heading
    has_whole_dates: bool = True  # no date is split into lines


def sections_of(lines: list[TextLine]) -> list[CvSection]:
    """Splits lines into the untitled top of the CV and its sections."""
    uses_marks = sum(bool(line.level and meaning(line.plain)[0]) for line in lines) > 1
    is_in_capitals = sum(is_capital(line) and bool(meaning(line.plain)[0]) for line in lines) > 1
    found = [CvSection("")]
    items_at = 0  # heading level of entries
    for at, line in enumerate(lines):
        after = lines[at + 1 : at + 4]
        kind = meaning(line.plain).section if can_be_heading(line) else ""
        if line.level:
            starts = starts_section(line, kind, found[-1], items_at)
        else:
            stands_out = not uses_marks or (
                kind in CORE and line.gap and (after[:1] or [line])[0].gap
            )
            starts = stands_out and is_heading(line, after, kind, is_in_capitals, found[-1])
        if starts and (kind != "title" or found[-1].title):
            level = line.level or 1  # marked headings below an unmarked one are entries
            title = heading_text(line.plain)
            if not title or title.count("(") != title.count(")"):
                title = line.plain
            found.append(CvSection(title, kind, level, number=line.number))
            items_at = 0
        elif kind != "title" or not line.level:
            items_at = items_at or line.level
            found[-1].lines.append(line)
    return found


def can_be_heading(line: TextLine) -> bool:
    text = line.plain
    most = 2 if text.isupper() else 1
    is_short = len(text) <= MOST_LETTERS * most and len(text.split()) <= MOST_WORDS * most
    return is_short and " | " not in text and (not line.mark or bool(line.level))


def starts_section(line: TextLine, kind: str, now: CvSection, items_at: int) -> bool:
    """Whether a marked heading starts a section, rather than an entry of the current one."""
    if kind:
        return not (items_at and line.level > items_at and now.kind in ("work", "projects"))
    if not now.title:  # at the top, where headings can be the name or position
        return line.level > 1 and any(each.level for each in now.lines) and line.level <= 2
    return line.level <= now.level


def is_capital(line: TextLine) -> bool:
    text = line.plain
    return text.isupper() and len(text) > 3 and can_be_heading(line) and not re.search(r"\d", text)


def is_heading(
    line: TextLine, after: list[TextLine], kind: str, is_in_capitals: bool, now: CvSection
) -> bool:
    """Whether an unmarked line is a heading.

    Either it means a section and stands out, or it is in capitals like the other headings.
    """
    text = line.plain
    if not can_be_heading(line) or not text or text[-1] in ".,;" or date_spans(text):
        return False
    stands_alone = line.gap and (not after or after[0].gap or bool(after[0].mark))
    is_bold = bool(re.fullmatch(r"(\*\*|__)[^*_]+\1:?", line.text.strip()))
    if kind:
        few = len(text.split()) <= (4 if line.gap else kind in CORE) and text[:1].isupper()
        return is_capital(line) or is_bold or text.endswith(":") or few or stands_alone
    is_long = len(text.split()) > 1 or len(text) > 7
    if not (now.title and is_in_capitals and is_capital(line) and line.gap and is_long):
        return False
    if now.kind in ("work", "education"):
        is_dated = any(date_spans(each.plain) and len(each.text) < 80 for each in after[:1])
        is_name = any(has_word(words, text) for words in ("organizations", "schools", "roles"))
        return not (is_name or is_dated)
    return True
