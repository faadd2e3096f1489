"""Splits a section into entries: at headings, list markers, or dated paragraphs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby

from kg.plugins.exchange.titles import heading_text
from kg.plugins.prose.date_spans import date_spans
from kg.plugins.prose.text_lines import TextLine

# Sections whose entries have a head of several lines, followed by details.
WITH_HEADS = ("work", "education", "projects", "volunteer", "extracurricular", "teaching", "grants")
LONG = 110  # characters; longer lines are prose, not names
MOST_GROUP_WORDS = 7


@dataclass
class CvItem:
    """The head and the details of an entry, and the subheading above it."""

    head: list[TextLine]
    details: list[TextLine] = field(default_factory=list)
    under: str = ""

    @property
    def lines(self) -> list[TextLine]:
        return [*self.head, *self.details]


def items_of(lines: list[TextLine], kind: str, under: str = "") -> list[CvItem]:
    if any(line.level for line in lines):
        return list(below_headings(lines, kind, under))
    if not lines:
        return []
    if lines[0].mark:
        return list(by_marks(lines, kind, under))
    if kind not in WITH_HEADS and any(line.mark for line in lines):
        first = next(at for at, line in enumerate(lines) if line.mark)
        intro = [CvItem([line], under=under) for line in lines[:first]]
        return [*intro, *by_marks(lines[first:], kind, under)]
    if kind in WITH_HEADS:
        return list(by_dates(lines, under))
    return [CvItem([line], under=under) for line in lines]


def below_headings(lines: list[TextLine], kind: str, under: str) -> Iterator[CvItem]:
    starts = [at for at, line in enumerate(lines) if line.level]
    yield from items_of(lines[: starts[0]], kind, under)
    for at, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        heading, below = lines[at], lines[at + 1 : end]
        is_group = not below and end < len(lines) and lines[end].level > heading.level
        if is_group or kind not in WITH_HEADS or is_group_heading(heading, below):
            under = heading_text(heading.plain)
            yield from items_of(below, kind, under)
        else:
            yield entry_with_head(heading, below, under)


def is_group_heading(heading: TextLine, below: list[TextLine]) -> bool:
    """Whether an undated heading has several dated entries below it: `Short courses`."""
    if date_spans(heading.text) or not below or not below[0].mark:
        return False
    marked = [line for line in below if line.mark and line.indent <= below[0].indent]
    return len(marked) > 1 and all(date_spans(line.text) for line in marked)


def entry_with_head(first: TextLine, below: list[TextLine], under: str) -> CvItem:
    """An entry whose head ends before the first list marker or sentence."""
    head = [first]
    for line in below:
        is_below = line.indent > first.indent + 2 and date_spans(head[-1].text)
        if line.mark or is_prose(line) or is_below:
            break
        head.append(line)
    return CvItem(head, below[len(head) - 1 :], under)


def is_prose(line: TextLine) -> bool:
    """Whether a line is prose, rather than a name."""
    text = line.plain
    is_sentence = text.endswith((".", "!", ";")) and len(text.split()) > 4
    return len(text) > LONG or (is_sentence and not date_spans(text[-30:])) or text[:1].islower()


def mark_class(line: TextLine) -> str:
    return "1" if re.search(r"\d", line.mark) else line.mark


def by_marks(lines: list[TextLine], kind: str, under: str) -> Iterator[CvItem]:
    """The entries of a list, each with the lines below it."""
    outermost = max(lines[0].indent, min(line.indent for line in lines if line.mark)) + 1
    first = mark_class(lines[0])
    others = {mark_class(line) for line in lines if line.mark and line.indent <= outermost} - {
        first
    }
    is_nested = bool(others) and (kind in WITH_HEADS or is_group(lines[0], lines[1:]))
    found: list[list[TextLine]] = []
    for line in lines:
        starts = line.mark and line.indent <= outermost
        if not found or (starts and (not is_nested or mark_class(line) == first)):
            found.append([line])
        else:
            found[-1].append(line)
    for head, *below in found:
        if not under and kind not in ("work", "education") and is_group(head, below):
            yield from items_of(below, kind, heading_text(head.plain))
        else:
            yield entry_with_head(head, below, under)


def is_group(head: TextLine, below: list[TextLine]) -> bool:
    """Whether an item of a list is a heading for the nested ones."""
    text = head.plain
    nested = (
        below
        and below[0].mark
        and (below[0].indent > head.indent or mark_class(below[0]) != mark_class(head))
    )
    return bool(nested) and len(text.split()) <= MOST_GROUP_WORDS and not date_spans(text)


def by_dates(lines: list[TextLine], under: str) -> Iterator[CvItem]:
    """Entries that are paragraphs with a date each, or runs of paragraphs between lists."""
    for head, below in runs(lines):
        blocks = paragraphs(head)
        dated = [any(date_spans(line.text) for line in block) for block in blocks]
        if len(blocks) == 1 and len(head) > 1 and all(date_spans(line.text) for line in head):
            blocks, dated = [[line] for line in head], [True] * len(head)
        elif is_table(head):
            blocks, dated = [[line] for line in head[1:]], [True] * (len(head) - 1)
        if sum(dated) <= 1:
            yield headed_block(head, below, under)
        elif all(dated):
            for block in blocks[:-1]:
                yield headed_block(block, [], under)
            yield headed_block(blocks[-1], below, under)
        else:
            yield from dated_blocks(blocks, dated, below, under)


def is_table(lines: list[TextLine]) -> bool:
    """Whether lines are a table with a header row."""
    first, *rows = lines
    return (
        len(rows) > 1
        and not date_spans(first.text)
        and len(first.columns) > 2
        and all(date_spans(row.text) and len(row.columns) >= len(first.columns) - 1 for row in rows)
    )


def dated_blocks(
    blocks: list[list[TextLine]], dated: list[bool], below: list[TextLine], under: str
) -> Iterator[CvItem]:
    """Assigns undated paragraphs to dated ones.

    Sentences between two dates belong to the first. Other lines could belong to either, so no head
    is clear.
    """
    found: list[CvItem] = []
    for block, has_date in zip(blocks, dated, strict=True):
        if has_date:
            found.append(headed_block(block, [], under))
        elif found and all(map(is_prose, block)):
            found[-1].details += block
        else:
            yield from (CvItem([], [line], under) for each in found for line in each.lines)
            yield from (CvItem([], [line], under) for line in block)
            found = []
    if found:
        found[-1].details += below
    yield from found


def headed_block(block: list[TextLine], below: list[TextLine], under: str) -> CvItem:
    item = entry_with_head(block[0], block[1:], under)
    return CvItem(item.head, [*item.details, *below], under)


def runs(lines: list[TextLine]) -> Iterator[tuple[list[TextLine], list[TextLine]]]:
    """Runs of unmarked lines, each with the list below it."""
    head: list[TextLine] = []
    for has_mark, group in groupby(lines, key=lambda line: bool(line.mark)):
        if not has_mark:
            head = list(group)
        elif head:
            yield head, list(group)
            head = []
    if head:
        yield head, []


def paragraphs(lines: list[TextLine]) -> list[list[TextLine]]:
    found: list[list[TextLine]] = []
    for line in lines:
        if line.gap or not found:
            found.append([])
        found[-1].append(line)
    return found
