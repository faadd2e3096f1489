"""Reads the text of a PDF as Markdown, by its layout.

Large type becomes headings, bold type bold, wide gaps ` | `. Columns are read one after the other,
unless one of them only has dates or labels for the lines of the other.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from itertools import groupby
from typing import Any

from pdfminer.converter import PDFPageAggregator
from pdfminer.layout import LAParams, LTChar, LTContainer, LTTextLine
from pdfminer.pdfdocument import PDFDocument
from pdfminer.pdfinterp import PDFPageInterpreter, PDFResourceManager
from pdfminer.pdfpage import PDFPage
from pdfminer.pdfparser import PDFParser
from pdfminer.pdftypes import resolve1

from kg.plugins.documents.markdown_lines import linked, marked, tidy

MOST_PAGES = 100
BOLD = re.compile(r"bold|black|heavy|demi|medi|cmbx|sfbx|-bd", re.IGNORECASE)
ITALIC = re.compile(r"ital|obli|cmti|slant|-it$", re.IGNORECASE)
BULLETS = "•●▪◦○■□‣⁃∙·–—-➢➤➔✓❖♦◆*\uf0b7\uf0a7"
ICON = re.compile(r"\(cid:\d+\)|[\ue000-\uf8ff]")
ICON_FONT = re.compile(r"awesome|academicon|icomoon|marvosym|webdings", re.IGNORECASE)
BULLET_FONT = re.compile(r"dingbats|wingdings|symbolmt", re.IGNORECASE)
ACCENT = re.compile(r"([´`¨ˆ˜ˇ¸˘˚])\s?([^\W\d_])")  # TeX prints accents before letters
COMBINING = dict(zip("´`¨ˆ˜ˇ¸˘˚", "\u0301\u0300\u0308\u0302\u0303\u030c\u0327\u0306\u030a", strict=True))
LIGATURE = re.compile("[\ufb00-\ufb06]")
DATED = re.compile(r"(?:19|20)\d\d|present|current|heute|présent", re.IGNORECASE)
NO_HEADING = re.compile(r" \| |@|://|\d{4}")
STARTS = re.compile(r"\d{4}|\*\*|\[\d")
FEW = 5  # lines that make a column


@dataclass(frozen=True)
class Run:
    """Letters of one style."""

    text: str
    bold: bool
    italic: bool
    link: str

    @property
    def markdown(self) -> str:
        text = self.text.replace("*", "\\*")
        if self.link and " | " not in text and text.strip():
            spaces = [" " * text[:1].isspace(), " " * text[-1:].isspace()]
            text = linked(text, self.link).join(spaces)
        return marked(text, "**" * self.bold + "*" * self.italic)


@dataclass(frozen=True)
class Segment:
    """Letters next to each other on a line; y grows upwards."""

    x0: float
    x1: float
    y0: float
    y1: float
    size: float
    runs: tuple[Run, ...]

    @property
    def mid(self) -> float:
        return (self.y0 + self.y1) / 2

    @cached_property
    def text(self) -> str:
        return "".join(run.text for run in self.runs).strip()


@dataclass
class Row:
    """The segments of one line in a column."""

    segments: list[Segment]
    right: float  # right edge of the column
    is_filled: bool  # whether several lines of the column reach it

    @property
    def first(self) -> Segment:
        return self.segments[0]

    @property
    def size(self) -> float:
        return max(self.segments, key=lambda each: len(each.text)).size

    @property
    def x1(self) -> float:
        return max(each.x1 for each in self.segments)

    @cached_property
    def text(self) -> str:
        return " ".join(each.text for each in self.segments)

    @cached_property
    def markdown(self) -> str:
        parts = list[str]()
        for at, each in enumerate(self.segments):
            before = self.segments[at - 1] if at else None
            if before:
                is_label = before is self.first and before.text in BULLETS
                is_wide = each.x0 - before.x1 > 1.2 * each.size and not is_label
                parts.append(" | " if is_wide else " ")
            parts.append("".join(run.markdown for run in each.runs).strip())
        return "".join(parts)

    @property
    def is_item(self) -> bool:
        text = self.text
        return text[:1] in BULLETS and (text[1:2].isspace() or text[0] not in "–—-*·")

    @property
    def is_bold(self) -> bool:
        return all(run.bold for each in self.segments for run in each.runs if run.text.strip())


def read_pdf(data: bytes) -> str:
    """The text of a PDF as Markdown; empty if it has none."""
    pages = [*page_segments(data)]
    letters = Counter[bool]()
    for segment in (segment for page in pages for segment in page):
        letters.update({run.bold: len(run.text) for run in segment.runs})
    marks_bold = letters[True] < letters[False]
    pages = without_running_heads([[*page] for page in pages])
    regions = [region for page in pages for region in columns(page)]
    all_rows = [[*rows(region)] for region in regions]
    flat = [row for region in all_rows for row in region]
    sizes = Counter[float]()
    for row in flat:
        sizes[row.size] += len(row.text)
    body = sizes.most_common(1)[0][0] if sizes else 0
    levels = heading_levels(flat, body)
    compounds = {*re.findall(r"\w+-\w+", " ".join(row.text for row in flat))}
    lines = [line for region in all_rows for line in lines_of(region, levels, body, compounds)]
    text = "\n".join(lines)
    return tidy(text if marks_bold else text.replace("**", "")) if flat else ""


def page_segments(data: bytes) -> Iterator[list[Segment]]:
    manager = PDFResourceManager()
    layout = LAParams(boxes_flow=None, char_margin=1.5, all_texts=True)
    device = PDFPageAggregator(manager, laparams=layout)
    interpreter = PDFPageInterpreter(manager, device)
    document = PDFDocument(PDFParser(BytesIO(data)))
    for number, page in enumerate(PDFPage.create_pages(document)):
        if number >= MOST_PAGES:
            break
        interpreter.process_page(page)
        links = [*page_links(page)]
        found = (segment(line, links) for line in text_lines(device.get_result()))
        yield [each for each in found if each]


def text_lines(item: Any) -> Iterator[LTTextLine]:
    if isinstance(item, LTTextLine):
        yield item
    elif isinstance(item, LTContainer):
        for each in item:
            yield from text_lines(each)


def page_links(page: PDFPage) -> Iterator[tuple[list[float], str]]:
    """The rectangles of a page that link to web addresses."""
    for each in resolve1(page.annots) or []:
        note = resolve1(each)
        action = resolve1(note.get("A")) if isinstance(note, dict) else None
        target = resolve1(action.get("URI")) if isinstance(action, dict) else None
        area = resolve1(note.get("Rect")) if target else None
        if isinstance(target, bytes) and isinstance(area, list) and len(area) == 4:
            yield [float(resolve1(side)) for side in area], target.decode("utf-8", "replace")


def segment(line: LTTextLine, links: list[tuple[list[float], str]]) -> Segment | None:
    letters = list[tuple[str, tuple[bool, bool, str]]]()
    chars = [each for each in line if isinstance(each, LTChar)]
    style = (False, False, "")
    for each in line:
        if isinstance(each, LTChar):
            name = each.fontname.partition("+")[2] or each.fontname
            x, y = (each.x0 + each.x1) / 2, (each.y0 + each.y1) / 2
            inside = (link for (x0, y0, x1, y1), link in links if x0 <= x <= x1 and y0 <= y <= y1)
            if each.get_text().strip():
                style = bool(BOLD.search(name)), bool(ITALIC.search(name)), next(inside, "")
            text = "" if ICON_FONT.search(name) else each.get_text()
            letters.append(("•" if text.strip() and BULLET_FONT.search(name) else text, style))
        else:
            letters.append((each.get_text(), style))
    grouped = ((key, "".join(text for text, _ in run)) for key, run in groupby(letters, lambda at: at[1]))
    runs = tuple(Run(clean(text), *key) for key, text in grouped)
    if not chars or not any(run.text.strip() for run in runs):
        return None
    sizes = Counter(round(each.size * 2) / 2 for each in chars)
    return Segment(line.x0, line.x1, line.y0, line.y1, sizes.most_common(1)[0][0], runs)


def clean(text: str) -> str:
    text = LIGATURE.sub(lambda at: unicodedata.normalize("NFKC", at[0]), text)
    text = ACCENT.sub(lambda at: at[2].replace("ı", "i") + COMBINING[at[1]], text)
    text = ICON.sub(lambda at: at[0] if at[0] in BULLETS else "", text)
    text = re.sub(r"\s{4,}", " | ", unicodedata.normalize("NFC", text))
    return re.sub(r"\s+", " ", text)


def without_running_heads(pages: list[list[Segment]]) -> list[list[Segment]]:
    """Removes page numbers, and lines at the edge of pages that repeat, but for the first."""

    def same(each: Segment) -> tuple[str, int]:
        return re.sub(r"\d+", "#", each.text), round(each.mid)

    seen = Counter(same(each) for page in pages for each in {same(at): at for at in page}.values())
    kept = set[tuple[str, int]]()
    for page in pages:
        for each in [*page]:
            key = same(each)
            is_edge = each in (max(page, key=lambda at: at.mid), min(page, key=lambda at: at.mid))
            is_number = re.fullmatch(r"(?:page )?\d{1,3}(?: ?(?:/|of) ?\d{1,3})?", each.text.lower())
            if (is_number and is_edge) or (seen[key] > 1 and key in kept):
                page.remove(each)
            kept.add(key)
    return pages


def columns(segments: list[Segment]) -> list[list[Segment]]:
    """The parts of a page in reading order."""
    best, gain = None, 0
    ordered = sorted(segments, key=lambda each: -each.mid)
    for x in {round(each.x0) - 1 for each in segments}:
        for crosses, run in groupby(ordered, lambda each: each.x0 < x - 1 and each.x1 > x + 1):
            inside = [] if crosses else [*run]
            left, right = [at for at in inside if at.x0 < x - 1], [at for at in inside if at.x0 >= x - 1]
            fewest = min(len(left), len(right))
            if fewest >= FEW and fewest > gain and not is_table(left, right):
                best, gain = (left, right), fewest
    if best is None:
        return [segments] if segments else []
    left, right = best
    top = max(each.mid for side in best for each in side)
    bottom = min(each.mid for side in best for each in side)
    above = [each for each in segments if each.mid > top]
    below = [each for each in segments if each.mid < bottom]
    return [part for each in (above, left, right, below) for part in columns(each)]


def is_table(left: list[Segment], right: list[Segment]) -> bool:
    """Whether one side has dates or labels for the lines of the other."""
    small, large = sorted((left, right), key=lambda side: sum(len(each.text) for each in side))
    paired = [each for each in small if any(abs(each.mid - at.mid) < 3 for at in large)]
    if len(paired) < 0.8 * len(small):
        return False
    dated = sum(bool(DATED.search(each.text)) for each in small)
    is_flush = Counter(round(each.x1 / 3) for each in right).most_common(1)[0][1] > 0.6 * len(right)
    return dated >= 0.4 * len(small) or len(small) <= 0.6 * len(large) or is_flush


def rows(segments: Iterable[Segment]) -> Iterator[Row]:
    """Groups the segments of a column into lines, from top to bottom."""
    found = list[list[Segment]]()
    for each in sorted(segments, key=lambda at: -at.mid):
        last = found[-1][0] if found else None
        shared = min(last.y1, each.y1) - max(last.y0, each.y0) if last else 0
        if last and shared > 0.5 * min(last.y1 - last.y0, each.y1 - each.y0):
            found[-1].append(each)
        else:
            found.append([each])
    ends = [max(each.x1 for each in row) for row in found]
    is_filled = sum(end > 0.95 * max(ends) for end in ends) >= FEW
    for row in found:
        yield Row(sorted(row, key=lambda each: each.x0), max(ends), is_filled)


def heading_levels(flat: list[Row], body: float) -> dict[float, int]:
    """The heading level of each size of type that is larger than the text."""
    large = Counter(row.size for row in flat if row.size > 1.12 * body)
    sizes = sorted(large, reverse=True)
    first = 1 if sizes and large[sizes[0]] <= 2 else 2
    return {size: min(at + first, 4) for at, size in enumerate(sizes)}


def lines_of(
    region: list[Row], levels: dict[float, int], body: float, compounds: set[str]
) -> Iterator[str]:
    """The lines of a column; wrapped ones are joined."""
    line, before = "", None
    for row in region:
        if before and continues(before, row, levels):
            line = join(line, row.markdown, compounds)
        else:
            yield line
            gap = before.first.y0 - row.first.y1 if before else 0
            if before is None or gap > 0.5 * body or levels.get(row.size):
                yield ""
            line = opening(row, levels)
        before = row
    yield from (line, "")


def opening(row: Row, levels: dict[float, int]) -> str:
    level = levels.get(row.size)
    if row.is_item:
        return "- " + re.sub(r"^(\**)\s*\\?[^\w(\[]\s*", r"\1", row.markdown)
    if level and len(row.text) < 80 and not NO_HEADING.search(row.markdown):
        return f"{'#' * level} {row.markdown.replace('**', '')}"
    return row.markdown


def continues(before: Row, row: Row, levels: dict[float, int]) -> bool:
    """Whether a line was wrapped: its first word did not fit on the line before."""
    gap = before.first.y0 - row.first.y1
    is_alike = before.size == row.size and gap < 0.7 * row.size
    if not is_alike or row.is_item or " | " in row.markdown or row.size in levels:
        return False
    if row.first.x0 < before.first.x0 - 2 or before.is_bold != row.is_bold:
        return False
    if STARTS.match(row.markdown) and STARTS.match(before.markdown):  # such as dates or labels
        return False
    *_, last = before.markdown.split(" | ")
    if last != before.markdown and len(last) < 40:  # such as a date at the right edge
        return False
    is_lower = row.text[:1].islower()
    word = len(row.text.split(maxsplit=1)[0]) * (row.x1 - row.first.x0) / max(len(row.text), 1)
    room = word + (8 if is_lower and before.text[-1] not in ".:;" else 0.3) * row.size
    return (is_lower or row.is_filled) and before.right - before.x1 < room


def join(line: str, more: str, compounds: set[str]) -> str:
    """Joins a wrapped line, and a word that was hyphenated."""
    start, rest = re.search(r"(\w+)-$", line), re.match(r"[^\W\d_]+", more)
    if start and rest and rest[0].islower():
        is_compound = f"{start[1]}-{rest[0]}" in compounds
        return (line if is_compound else line[:-1]) + more
    mark = re.search(r"(?<!\\)\*+$", line)
    if mark and re.match(rf"{re.escape(mark[0])}\w", more):  # emphasis continues
        return f"{line[: mark.start()]} {more[len(mark[0]) :]}"
    return f"{line} {more}"
