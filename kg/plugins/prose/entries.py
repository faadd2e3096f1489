"""Splits a section into entries: at subheadings, list markers, dated lines or paragraphs.

Every line of the section is in exactly one entry, in order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from kg.plugins.prose.date_spans import date_spans, whole_date
from kg.plugins.prose.text_lines import ROW, TextLine, begins_with_date

# Sections whose entries have a head of several lines, and details.
WITH_HEADS = ("work", "education", "")
LONG = 110  # characters; longer lines are sentences
MOST_HEAD_LINES = 4
MARKUP = re.compile(r"[*_`\[]{1,3}")


@dataclass
class CvEntry:
    """The head and the details of an entry, and the heading of its group."""

    head: list[TextLine]
    details: list[TextLine] = field(default_factory=list)
    under: TextLine | None = None

    @property
    def lines(self) -> list[TextLine]:
        return [*self.head, *self.details]


def entries_of(
    lines: list[TextLine], kind: str, under: TextLine | None = None
) -> Iterator[CvEntry]:
    level = min((line.level for line in lines if line.level), default=0)
    rows = [at for at, line in enumerate(lines) if line.mark == ROW]
    if rows:
        yield from entries_of(lines[: rows[0]], kind, under)
        for at, end in pairwise([*rows, len(lines)]):
            others = (here for here in range(at + 1, end) if is_title(lines[here]))
            other = next(others, end)
            yield CvEntry([lines[at]], lines[at + 1 : other], under)
            yield from entries_of(lines[other:end], kind)
        return
    if level:
        starts = [at for at, line in enumerate(lines) if line.level == level]
        yield from entries_of(lines[: starts[0]], kind, under)
    elif kind not in WITH_HEADS and (titles := bold_titles(lines)):
        yield from entries_of(lines[: titles[0]], kind, under)
        for at, end in pairwise([*titles, len(lines)]):
            yield from entries_of(lines[at + 1 : end], kind, lines[at])
        return
    else:
        starts = starts_of(lines, kind)
    for at, end in pairwise([*starts, len(lines)]):
        first, rest = lines[at], lines[at + 1 : end]
        if is_group(first, rest, kind):
            yield from entries_of(rest, kind, first)
        else:
            size = head_size(lines[at:end])
            yield CvEntry(lines[at : at + size], lines[at + size : end], under)


def bold_titles(lines: list[TextLine]) -> list[int]:
    """Where bold lines are the headings of lists."""
    return [at for at, (line, after) in enumerate(pairwise(lines)) if after.mark and is_title(line)]


def is_title(line: TextLine) -> bool:
    is_bold = re.fullmatch(r"(\*\*|__)[^*_:]+\1:?", line.text)
    return bool(line.level or (is_bold and not line.mark))


def starts_of(lines: list[TextLine], kind: str) -> list[int]:
    """Where entries start in lines without headings."""
    if kind not in WITH_HEADS:
        return [at for at, line in enumerate(lines) if not at or is_outer(line, lines)]
    if lines and lines[0].mark:
        return [at for at, line in enumerate(lines) if is_outer(line, lines)]
    return [at for at in range(len(lines)) if not at or starts_paragraph(lines, at)]


def is_outer(line: TextLine, lines: list[TextLine]) -> bool:
    """Whether a line is an outermost item of a list, or beside the list."""
    outer = min((each.indent for each in lines if each.mark), default=line.indent)
    return line.indent <= outer + 1 and bool(line.mark or line.gap or not lines[0].mark)


def starts_paragraph(lines: list[TextLine], at: int) -> bool:
    line, before = lines[at], lines[at - 1]
    has_rows = begins_with_date(lines[0])
    is_row = has_rows and begins_with_date(line) and not line.mark
    if is_row or line.mark or (has_rows and not line.gap and not is_dated_row(line)):
        return is_row
    if opening(line) == opening(lines[0]) != "" and is_dated_row(line) and is_dated_row(lines[0]):
        return True
    if opening(before) == opening(lines[0]) != "" and starts_with_date(line):
        return bool(date_spans(before.plain))  # else the date of the entry that starts before it
    is_dated = any(date_spans(each.plain) for each in paragraph(lines, at)[:3])
    if opening(before) == opening(lines[0]) != "" == opening(line) and not date_spans(before.plain):
        return False  # the second line of the head that `before` begins
    if line.gap or before.mark:
        is_like_first = "" != opening(line) == opening(lines[0])
        has_dates = any(date_spans(each.plain) for each in lines if not each.mark)
        return is_dated or is_like_first or (not has_dates and line.gap)
    follows = bool(date_spans(before.plain)) or len(line.columns) > 2
    return bool(date_spans(line.plain)) and follows


def is_dated_row(line: TextLine) -> bool:
    """Whether the last cell of a line is a date."""
    last = line.plain.rpartition(" | ")[2]
    return last != line.plain and whole_date(last) is not None


def opening(line: TextLine) -> str:
    """The markup at the beginning of a line."""
    found = MARKUP.match(line.text)
    return found[0] if found else ""


def paragraph(lines: list[TextLine], at: int) -> list[TextLine]:
    """The lines up to the next gap or list item."""
    ends = (end for end in range(at + 1, len(lines)) if lines[end].gap or lines[end].mark)
    return lines[at : next(ends, len(lines))]


def starts_with_date(line: TextLine) -> bool:
    return any(span.at[0] < len("(") + 1 for span in date_spans(line.plain))


def is_group(first: TextLine, rest: list[TextLine], kind: str) -> bool:
    """Whether a line is the heading of several entries: deeper headings or dated list items."""
    if date_spans(first.plain) or not rest or (first.mark and not first.level):
        return False
    if any(line.level for line in rest):
        return not any(date_spans(line.plain) for line in rest[:2] if not line.level)
    items = [line for line in rest if is_outer(line, rest)]
    are_short = all(line.mark and len(line.plain) < LONG for line in items)
    return are_short and (
        bool(first.level and kind not in WITH_HEADS)
        or all(date_spans(line.plain) for line in items)
    )


def head_size(lines: list[TextLine]) -> int:
    """The number of lines in the head of an entry: up to a list, a sentence, or after the date."""
    is_dated = bool(date_spans(lines[0].plain))
    for at, line in enumerate(lines[1:], 1):
        is_list = line.text.count(" | ") > 1 and not date_spans(line.plain)
        is_end = line.gap or is_list  # after the date, the details begin
        if line.mark or at == MOST_HEAD_LINES or is_sentence(line) or (is_end and is_dated):
            return at
        is_dated |= bool(date_spans(line.plain))
    return len(lines)


def is_sentence(line: TextLine) -> bool:
    text = line.plain
    return len(text) > LONG or bool(re.search(r"\s[a-zà-ÿ]{3,}[.!]$", text))
