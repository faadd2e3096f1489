"""Splits a text CV into lines with indentation, list marker and heading level.

Wrapped lines are joined again, and hyphenated words restored.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from kg.plugins.prose.date_spans import whole_date
from kg.plugins.prose.plain_markdown import BULLET_OF_TEX, FENCE, RULE, unmarked

MOST_LETTERS = 5_000  # per line; longer ones are split
ROW = "¦"  # begins a row of named arguments, and separates them
ASIDE = "‖"  # begins a line that stands beside others, it is unclear which
UNDERLINE = 7  # level of a line that underlines a heading
FEW_LINES = 5  # full lines needed to detect wrapping
SHORT = 25  # characters of a line that can be a name or an item of a list
FULL = 65  # characters of a line of a list item that can be wrapped
WIDTHS = range(60, 121)  # plausible columns to wrap at
HEADING = re.compile(r"(#{1,6})\s*(.*?)\s*#*$")
MARK = re.compile(
    r"([-*+•▪◦●○■□‣⁃∙·»>–—:\uf0a7\uf0b7]|o(?= )|\(?\d{1,2}[.)]|\d{3}[.)]|\[\d{1,3}\])"
    r"(?:\s+|(?<=[•▪◦●○■□‣∙\uf0a7\uf0b7])|$)"
)
NUMBER_OF_PAGE = re.compile(
    r"(?:page\s+|seite\s+)?\d{1,3}(?:\s*(?:/|of|von)\s*\d{1,3})?", re.IGNORECASE
)
OPEN = re.compile(r"[^.:;!?|\W]$|,$")  # the end of a line inside a sentence
REFERENCE = re.compile(r"[^\W\d_]\.[,)]? .*\((?:19|20)\d\d[a-z]?\)")  # Sand, L. (2020)
CONNECTOR = re.compile(r"\s(?:and|or|of|the|in|for|with|by|to|an?|und|der|die|et|de|des|y|e)$")
NO_CELLS = re.compile(r"\|[\s|:-]*\|?")
COMPOUND = re.compile(r"(?<![^\W\d_])[^\W\d_]++-[^\W\d_]+")  # tried once per word
COLUMNS = re.compile(r"\t+|\s{3,}|\s*-{4,}\s*|\s*\.{4,}\s*")


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line without indentation and list marker.

    `level` is the heading level, `gap` a blank line before it, `breaks` a forced break after it,
    `cells` the arguments of a row.
    """

    text: str
    number: int
    indent: int = 0
    mark: str = ""
    level: int = 0
    gap: bool = False
    breaks: bool = False
    cells: tuple[str, ...] = ()

    @property
    def plain(self) -> str:
        return unmarked(self.text)

    @property
    def columns(self) -> list[str]:
        return [part.strip() for part in COLUMNS.split(self.text) if part.strip()]


def lines_of(text: str, may_wrap: bool = True) -> list[TextLine]:
    """All non-empty lines, with wrapped ones joined; `may_wrap` is whether a line can end because
    it is full.
    """
    found = list(parse_lines(text))
    widths = sorted(len(line.text) + line.indent for line in found if not line.level)
    usual = widths[int(len(widths) * 0.95)] if widths else 0
    are_full = sum(usual - 12 <= width <= usual for width in widths) >= FEW_LINES
    has_width = may_wrap and usual in WIDTHS and are_full
    return join_wrapped(found, usual if has_width else 0, text)


def parse_lines(text: str) -> Iterator[TextLine]:
    gap = True
    for number, raw in enumerate(text.split("\n"), 1):
        for part in parts_of(raw):
            line = BULLET_OF_TEX.sub("• ", part)
            bare = line.strip()
            is_rule = RULE.fullmatch(bare) and not MARK.fullmatch(bare)
            if not bare or is_rule or NO_CELLS.fullmatch(bare):
                underlined = bare and not gap and re.fullmatch(r"={3,}|-{3,}|[._~*…]{5,}", bare)
                gap = True
                if underlined:
                    yield TextLine("", number, level=UNDERLINE)
                continue
            if FENCE.fullmatch(line) or (gap and NUMBER_OF_PAGE.fullmatch(bare)):
                gap = True
                continue
            yield parse_line(line, bare, number, gap)
            gap = False


def parts_of(raw: str) -> Iterator[str]:
    """Splits a line at form feeds and the like, and at the maximum length."""
    for part in re.split(r"[\f\v\r]", raw):
        yield from (part[at : at + MOST_LETTERS] for at in range(0, len(part) or 1, MOST_LETTERS))


def parse_line(line: str, bare: str, number: int, gap: bool) -> TextLine:
    breaks = line.endswith("  ") or bare.endswith("\\")
    indent = len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip())
    bare, level, mark = bare.removesuffix("\\").rstrip(), 0, ""
    if bare.startswith(">") and not bare.startswith(">>"):
        bare = bare[1:].strip()
    if bare.startswith(ROW):
        named = tuple(unmarked(cell) for cell in bare[1:].split(ROW))
        return TextLine(" | ".join(filter(None, named)), number, indent, ROW, 0, gap, True, named)
    if bare.startswith(ASIDE):
        return TextLine(bare[1:].strip(), number, indent, ASIDE, 0, gap)
    if cells := cells_of(bare):
        return TextLine(" | ".join(cells), number, indent, "|", 0, gap)
    if found := HEADING.fullmatch(bare):
        bare, level = found[2], len(found[1])
    while bare and (found := MARK.match(bare)):
        mark, bare = found[1], bare[found.end() :].strip()
    return TextLine(bare, number, indent, mark, level, gap, breaks)


def cells_of(bare: str) -> list[str]:
    """The cells of a table row; empty for other lines and separator rows."""
    if not re.fullmatch(r"\|.*\|", bare):
        return []
    cells = [cell.strip() for cell in bare.strip("|").split("|")]
    return [cell for cell in cells if not re.fullmatch(r":?-*:?", cell)]


def join_wrapped(lines: list[TextLine], width: int, text: str) -> list[TextLine]:
    compounds = set(COMPOUND.findall(text))
    groups: list[list[TextLine]] = []
    letters = 0  # in the group
    for line in lines:
        if line.level == UNDERLINE:
            if groups and is_underlined(groups[-1][-1]):
                groups[-1] = [replace(groups[-1][-1], level=2)]
            continue
        goes_on = groups and letters < MOST_LETTERS and continues(groups[-1], line, width)
        if goes_on:
            groups[-1].append(line)
        elif line.text:
            groups.append([line])
        letters = letters * bool(goes_on) + len(line.text)
    return [
        replace(group[0], text=join_lines([each.text for each in group], compounds))
        for group in groups
    ]


def is_underlined(line: TextLine) -> bool:
    return not line.level and not line.mark and len(line.text) < 80


def continues(group: list[TextLine], line: TextLine, width: int) -> bool:
    """Whether a line continues the one before it, which was wrapped."""
    first, before = group[0], group[-1]
    is_new = line.mark or line.level or first.level or before.breaks or not line.text
    if is_new or begins_with_date(line) or ends_with_date(before):
        return False
    word = line.text.split(maxsplit=1)[0]
    if line.gap:  # a page break inside a sentence
        ends_open = re.search(r"[a-zà-ÿ,][-,]?$", before.text) and len(before.text) > 50
        return word[:1].islower() and bool(ends_open)
    is_open = OPEN.search(before.text) and (word[:1].islower() or CONNECTOR.search(before.text))
    is_inside = is_open and len(before.text) >= SHORT  # a sentence
    is_unfinished = is_inside or can_go_on(first, before)
    hangs = is_unfinished and has_hanging_indent(first, before, line)
    is_apart = not before.mark and abs(before.indent - line.indent) > 1
    in_columns = len(before.columns) > 1 or len(line.columns) > 1
    if not hangs and ((is_apart and not (is_inside and first.mark)) or in_columns):
        return False
    is_item = first.mark and line.indent > first.indent and len(before.text) >= FULL
    if hangs or is_inside or (is_item and first.mark != "|"):
        return True
    is_emphasised = sum(each.text.count("*") for each in group) % 2 == 1  # emphasis is still open
    if is_emphasised or (re.search(r"[a-zà-ÿ]-$", before.text) and word[:1].islower()):
        return True
    return bool(width) and before.indent + len(before.text) + 1 + len(word) > width


def begins_with_date(line: TextLine) -> bool:
    """Whether a line, or the first of its cells, is a date."""
    return whole_date(unmarked(line.text.partition(" | ")[0])) is not None


def ends_with_date(line: TextLine) -> bool:
    """Whether the last of several cells of a line is a date."""
    _, bar, last = line.text.rpartition(" | ")
    return bool(bar) and whole_date(unmarked(last)) is not None


def has_hanging_indent(first: TextLine, before: TextLine, line: TextLine) -> bool:
    """Whether a line has the hanging indent of a paragraph: below its last column, or deeper than
    its first line.
    """
    if len(line.columns) > 1:
        return False
    if len(first.columns) > 1:
        return abs(first.indent + first.text.rfind(first.columns[-1]) - line.indent) <= 1
    return line.indent > first.indent + 1 and before.indent in (first.indent, line.indent)


def can_go_on(first: TextLine, before: TextLine) -> bool:
    """Whether more can follow a line: it is long, ends with a comma, or is part of a reference."""
    is_long = len(before.text) >= FULL - SHORT // 2 and re.search(r"[^\W\d]$", before.text)
    return bool(is_long or before.text.endswith(",") or REFERENCE.search(first.text))


def join_lines(texts: list[str], compounds: set[str]) -> str:
    """Joins lines and hyphenated words, except compounds that occur with a hyphen in the text."""
    found = texts[:1]
    for after in texts[1:]:
        start, word = re.search(r"([^\W\d_]{1,40})-$", found[-1]), re.match(r"[^\W\d_]+", after)
        if start and word and word[0][0].islower():
            if f"{start[1]}-{word[0]}" not in compounds:
                found[-1] = found[-1][:-1]
            found.append(after)
        else:
            found += [" ", after]
    return "".join(found)
