"""Reads the text of a PDF as Markdown, by its layout.

Large type becomes headings, bold type bold, wide gaps ` | `. Columns are read one after the other,
unless one of them only has dates or labels for the lines of the other.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from io import BytesIO
from itertools import groupby, pairwise
from statistics import median, mode
from typing import Any, NamedTuple

from pdfminer.converter import PDFPageAggregator
from pdfminer.layout import LAParams, LTAnno, LTChar, LTContainer, LTTextLine
from pdfminer.pdfdocument import PDFDocument
from pdfminer.pdfinterp import PDFPageInterpreter, PDFResourceManager
from pdfminer.pdfpage import PDFPage
from pdfminer.pdfparser import PDFParser
from pdfminer.pdftypes import resolve1

from kg.plugins.documents.markdown_lines import append_marked, linked, marked, tidy

MOST_PAGES = 100
FONTS = {
    "**": re.compile(r"bold|black|heavy|demi|medi|cmbx|sfbx|-bd", re.IGNORECASE),
    "*": re.compile(r"ital|obli|cmti|slant|-it$", re.IGNORECASE),
    "": re.compile(r"awesome|academicon|icomoon|marvosym|webdings", re.IGNORECASE),  # icons
    "•": re.compile(r"dingbats|wingdings|symbolmt", re.IGNORECASE),
}
BULLETS = "•●▪◦○■□‣⁃∙➢➤➔✓❖♦◆\uf0b7\uf0a7"
ITEM = re.compile(rf"\s*(?:[{BULLETS}]\s*|[–—·*-]\s+)(?=\S)")
LABEL = re.compile(rf"{ITEM.pattern}\Z".replace(r"(?=\S)", ""))
ICON = re.compile(r"\(cid:\d+\)|[\ue000-\uf0a6\uf0a8-\uf0b6\uf0b8-\uf8ff]")
ACCENTS = dict(
    zip("´`¨ˆ˜ˇ¸˘˚", "\u0301\u0300\u0308\u0302\u0303\u030c\u0327\u0306\u030a", strict=True)
)
ACCENT = re.compile(r"([´`¨ˆ˜ˇ¸˘˚])\s?([^\W\d_])")  # TeX prints accents before letters
SPACED = re.compile(r"(?:\S\s+){4,}\S")  # letters apart
SMALL_CAPITALS = re.compile(r"\b(?=\w*[A-Z]{2})[A-ZÀ-ÖØ-öø-ÿ]+\b")  # accented letters stay small
DATED = re.compile(r"(?:19|20)\d\d|present|current|heute|présent", re.IGNORECASE)
PAGE_NUMBER = re.compile(
    r"(\d{1,3})|(?:page |seite )?\d{1,3}(?: ?(?:/|of|von) ?\d{1,3})?|\d+/\d+/\d+, \d+:\d+",
    re.IGNORECASE,  # or when it was printed
)
NO_HEADING = re.compile(r"@|://|\d{4}|.{80}|^[\W\d]*$")
STARTS = re.compile(r"\d{4}|\*\*|\[\d")
HEADING, MOST_LABEL = 1.1, 25  # size beside that of the text, letters of a date or label
SHADOW = 3  # points between two drawings of one text
FEW = 5  # lines that make a column
Links = list[tuple[list[float], str]]


class Segment(NamedTuple):
    """Letters next to each other on a line, or a whole line; y grows upwards."""

    x0: float
    x1: float
    y0: float
    y1: float
    size: float
    text: str
    markdown: str
    is_bold: bool
    is_even: bool = True  # of one size
    last: float = 0  # where the last part starts

    @property
    def mid(self) -> float:
        return (self.y0 + self.y1) / 2


def read_pdf(data: bytes) -> str:
    """The text of a PDF as Markdown; empty if it has none."""
    pages = without_running_heads([*page_segments(data)])
    regions = [[*rows(region)] for page in pages for region in columns(page)]
    letters, bold, large = Counter[float](), Counter[bool](), Counter[float]()
    for row in (row for region in regions for row in region):
        letters[row.size] += len(row.text)
        bold[row.is_bold] += len(row.text)
        large[row.size] += 1 if row.is_even else -3
    body = letters.most_common(1)[0][0] if letters else 0
    sizes = sorted((at for at in large if at > 1.12 * body and large[at] > 0), reverse=True)
    first = 1 if sizes and large[sizes[0]] <= 2 else 2
    levels = {size: min(at + first, 4) for at, size in enumerate(sizes)}
    text = "\n".join(row.text for region in regions for row in region)
    words = {*re.findall(r"\w+-\w+|(?<= )\w+(?=[ .,;:)])", text)}
    lines = "\n".join(line for each in regions for line in lines_of(each, levels, body, words))
    return tidy(lines if bold[False] > bold[True] else lines.replace("**", "")) if text else ""


def page_segments(data: bytes) -> Iterator[list[Segment]]:
    manager = PDFResourceManager()
    layout = LAParams(boxes_flow=None, char_margin=1.5, all_texts=True)
    device = PDFPageAggregator(manager, laparams=layout)
    interpreter = PDFPageInterpreter(manager, device)
    pages = PDFPage.create_pages(PDFDocument(PDFParser(BytesIO(data))))
    for page, _ in zip(pages, range(MOST_PAGES), strict=False):
        interpreter.process_page(page)
        links = [*page_links(page)]
        found = (segment(line, links) for line in text_lines(device.get_result()))
        yield [*without_shadows(each for each in found if each.text)]


def without_shadows(segments: Iterable[Segment]) -> Iterator[Segment]:
    """Each text once that is drawn several times at almost the same place, as an outline."""
    placed: dict[str, list[Segment]] = {}
    for each in segments:
        others = placed.setdefault(each.text, [])
        if not any(abs(each.x0 - at.x0) + abs(each.y0 - at.y0) < SHADOW for at in others):
            others.append(each)
            yield each


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


def segment(line: LTTextLine, links: Links) -> Segment:
    letters, style = list[tuple[str, tuple[str, str]]](), ("", "")
    sizes = Counter[float]()
    is_spaced = SPACED.fullmatch(line.get_text().strip())
    for each in unspaced(line) if is_spaced else drawn_once(line):
        text = each.get_text()
        if isinstance(each, LTChar) and text.strip():
            name = each.fontname.partition("+")[2] or each.fontname
            x, y = (each.x0 + each.x1) / 2, (each.y0 + each.y1) / 2
            inside = (link for (x0, y0, x1, y1), link in links if x0 <= x <= x1 and y0 <= y <= y1)
            mark = "".join(mark for mark in ("**", "*") if FONTS[mark].search(name))
            style = mark, next(inside, "")
            sizes[round(each.size * 2) / 2] += 1
            text = next((sign for sign in ("", "•") if FONTS[sign].search(name)), text)
        letters.append((text, style))
    runs = [
        (key, clean("".join(at[0] for at in run)))
        for key, run in groupby(letters, lambda at: at[1])
    ]
    text, parts = "".join(text for _, text in runs).strip(), list[str]()
    for key, run in runs:
        append_marked(parts, run_markdown(run, *key))
    markdown = "".join(parts).strip()
    written = [(mark, text) for (mark, _), text in runs if text.strip()]
    is_bold = all("**" in mark for mark, text in written if not LABEL.fullmatch(text))
    size = sizes.most_common(1)[0][0] * (1.5 if is_spaced else 1) if sizes else 0
    return Segment(line.x0, line.x1, line.y0, line.y1, size, text, markdown, is_bold)


def drawn_once(line: LTTextLine) -> Iterator[LTChar | LTAnno]:
    """The letters of a line; each once that is drawn several times at almost the same place."""
    last: dict[str, tuple[float, float]] = {}
    for each in line:
        if isinstance(each, LTChar) and each.get_text().strip():
            x, y = last.get(each.get_text(), (-SHADOW, -SHADOW))
            if abs(each.x0 - x) + abs(each.y0 - y) < each.size / 10:
                continue
            last[each.get_text()] = each.x0, each.y0
        if isinstance(each, LTChar | LTAnno):
            yield each


def unspaced(line: LTTextLine) -> Iterator[LTChar | LTAnno]:
    """The letters of words that are set with wide spacing."""
    letters = [each for each in line if isinstance(each, LTChar) and each.get_text().strip()]
    gap = median(after.x0 - before.x1 for before, after in pairwise(letters))
    yield letters[0]
    for before, after in pairwise(letters):
        if after.x0 - before.x1 > gap + 0.2 * after.size:
            yield LTAnno(" ")
        yield after


def run_markdown(text: str, mark: str, link: str) -> str:
    text = text.replace("*", "\\*")
    if link and " | " not in text and text.strip():
        spaces = [" " * text[:1].isspace(), " " * text[-1:].isspace()]
        text = linked(text, link).join(spaces)
    return marked(text, mark)


def clean(text: str) -> str:
    text = re.sub("[\ufb00-\ufb06]", lambda at: unicodedata.normalize("NFKC", at[0]), text)
    text = re.sub(r"(?<=[A-Z])(?:ff|f?fi|fl)(?=[A-Z])", lambda at: at[0].upper(), text)
    text = SMALL_CAPITALS.sub(lambda at: at[0].upper(), text)
    text = ACCENT.sub(lambda at: at[2].replace("ı", "i") + ACCENTS[at[1]], ICON.sub("", text))
    return re.sub(r"\s+", " ", re.sub(r"\s{4,}", " | ", text))


def without_running_heads(pages: list[list[Segment]]) -> list[list[Segment]]:
    """Removes page numbers, and repeated lines at the top and bottom, but for the first."""
    seen, found = set[tuple[str, int]](), list[list[Segment]]()
    for page in pages:
        heights = sorted(round(each.mid) for each in page)
        found.append([])
        for each in page:
            key = re.sub(r"\d+", "#", each.text), round(each.mid)
            number = PAGE_NUMBER.fullmatch(each.text)
            is_number = number and (not number[1] or heights.count(key[1]) == 1)
            is_repeated = key in seen and re.search(r"[^\W\d_]", each.text)
            if not (is_number or is_repeated) or key[1] not in (*heights[:2], *heights[-2:]):
                found[-1].append(each)
            seen.add(key)
    return found


def is_across(x: float, segment: Segment) -> bool:
    """Whether a segment is on both sides of a vertical line."""
    return segment.x0 < x - 1 and segment.x1 > x + segment.size / 2


def columns(segments: list[Segment]) -> list[list[Segment]]:
    """The parts of a page in reading order."""
    best, most = list[list[Segment]](), 0
    ordered = sorted(segments, key=lambda each: -each.mid)
    for x in sorted({round(each.x0) - 1 for each in segments}):
        for is_crossed, run in groupby(ordered, partial(is_across, x)):
            inside = [] if is_crossed else [*run]
            left = [each for each in inside if each.x0 < x - 1]
            right = [each for each in inside if each.x0 >= x - 1]
            is_long = len(inside) > most and min(len(left), len(right)) >= FEW
            if is_long and not is_table(left, right) and not has_all_headings(left, right):
                best, most = [left, right], len(inside)
    if not best:
        return [segments] if segments else []
    heights = [each.mid for side in best for each in side]
    taken = {id(each) for side in best for each in side}
    others = [each for each in segments if id(each) not in taken]
    middle = (max(heights) + min(heights)) / 2
    above = [each for each in others if each.mid >= middle]
    below = [each for each in others if each.mid < middle]
    best.sort(key=lambda side: -max(each.size for each in side))  # the name comes first
    return [part for each in (above, *best, below) for part in columns(each)]


def has_all_headings(left: list[Segment], right: list[Segment]) -> bool:
    """Whether the left side has the headings of the right one, and else only dates or labels."""
    usual = HEADING * median(each.size for each in right)
    headings = [each for each in left if each.size > usual]
    are_short = all(len(each.text) < MOST_LABEL for each in left if each.size <= usual)
    return len(headings) > 1 and are_short and not any(each.size > usual for each in right)


def is_table(left: list[Segment], right: list[Segment]) -> bool:
    """Whether one side has dates or labels for the lines of the other."""
    top, bottom = min(left[0].mid, right[0].mid) + 3, max(left[-1].mid, right[-1].mid) - 3
    small, large = ([at for at in side if bottom < at.mid < top] for side in (left, right))
    if min(len(small), len(large)) < 2:
        return True
    small, large = sorted((small, large), key=lambda side: sum(len(each.text) for each in side))
    pairs = [(each, at) for each in small for at in large if abs(each.mid - at.mid) < 3]
    paired = len({id(each) for each, _ in pairs}), len({id(at) for _, at in pairs})
    dated = sum(bool(DATED.search(each.text)) for each in small)
    is_flush = Counter(round(each.x1 / 3) for each in right).most_common(1)[0][1] > 0.6 * len(right)
    is_sparse = line_height(small) > 1.3 * line_height(large)
    is_short = 3 * median(len(each.text) for each in small) < median(len(at.text) for at in large)
    is_label = is_flush or is_sparse or is_short or dated >= 0.4 * len(small)
    share = max(paired[0] / len(small), paired[1] / len(large))
    return len(small) in (paired[0], dated) or (share >= 0.8 and is_label)


def line_height(segments: list[Segment]) -> float:
    tops = sorted(each.mid for each in segments)
    return median(after - before for before, after in pairwise(tops))


def rows(segments: Iterable[Segment]) -> Iterator[Segment]:
    """Joins the segments of a column into lines, from top to bottom."""
    found = list[list[Segment]]()
    for each in sorted(segments, key=lambda at: -at.mid):
        last = found[-1][0] if found else each
        shared = min(last.y1, each.y1) - max(last.y0, each.y0)
        small, large = sorted((last.size, each.size))
        is_apart = large > 1.4 * small and min(len(last.text), len(each.text)) > 3  # a name
        if found and not is_apart and shared > 0.5 * min(last.y1 - last.y0, each.y1 - each.y0):
            found[-1].append(each)
        else:
            found.append([each])
    for row in found:
        row.sort(key=lambda each: each.x0)
        parts = [row[0].markdown]
        for before, each in pairwise(row):
            is_wide = each.x0 - before.x1 > 1.2 * each.size and not LABEL.match(before.text)
            parts += [" | " if is_wide else " ", each.markdown]
        text, is_bold = " ".join(each.text for each in row), all(each.is_bold for each in row)
        end, main = max(each.x1 for each in row), max(row, key=lambda each: len(each.text))
        is_even = all(each.size == main.size for each in row)
        yield Segment(
            *(row[0].x0, end, row[0].y0, row[0].y1, main.size, text, "".join(parts)),
            *(is_bold, is_even, row[-1].x0),
        )


def lines_of(
    region: list[Segment], levels: dict[float, int], body: float, words: set[str]
) -> Iterator[str]:
    """The lines of a column; wrapped ones are joined."""
    right = max(row.x1 for row in region)
    starts, ends = [round(row.x0) for row in region], [round(row.x1) for row in region]
    is_flush = ends.count(mode(ends)) > max(FEW, 1.5 * starts.count(mode(starts)))
    is_filled = sum(row.x1 > 0.95 * right for row in region) >= FEW and not is_flush
    line, before, first = "", None, None
    for row in region:
        if before and first and continues(first, before, row, right, is_filled):
            line = join(line, row.markdown, words)
        else:
            first = row
            yield line
            if before is None or before.y0 - row.y1 > 0.5 * body or row.size in levels:
                yield ""
            is_heading = " | " not in row.markdown and not NO_HEADING.search(row.text)
            level = levels.get(row.size, 0) * is_heading
            if ITEM.match(row.text):
                line = "- " + re.sub(r"^(\**)\s*\\?[^\w(\[]\s*", r"\1", row.markdown)
            else:
                line = f"{'#' * level} {row.markdown}" if level else row.markdown
        before = row
    yield from (line, "")


def continues(first: Segment, before: Segment, row: Segment, right: float, is_filled: bool) -> bool:
    """Whether a line was wrapped: its first word did not fit on the line before. `first` is the
    first line of the entry.
    """
    is_alike = before.size == row.size and before.y0 - row.y1 < 0.7 * row.size
    *others, last = before.markdown.split(" | ")
    left, is_bold = before.x0, before.markdown.endswith("**") and row.markdown.startswith("**")
    if (
        not is_alike
        or (before.is_bold != row.is_bold and not is_bold)
        or not (left - 2 < row.x0 < left + 4 * row.size or abs(row.x0 - before.last) < 3)
        or "@" in before.text.split()[-1]
        or ITEM.match(row.text)
        or " | " in row.markdown
        or (
            STARTS.match(row.markdown) and STARTS.match(first.markdown) and not is_bold
        )  # dates or labels
        or (others and len(last) < 40)  # such as a date at the right edge
    ):
        return False
    is_lower = row.text[:1].islower()
    word = len(row.text.split(maxsplit=1)[0]) * (row.x1 - row.x0) / len(row.text)
    is_open = before.text[-1] not in ".:;" if is_lower else before.text[-1] in ",&("
    more = 0.25 * (right - before.x0) if is_open else 0
    is_filled = is_filled and len(before.text) > 30  # shorter lines are often a list
    hangs = row.x0 > first.x0 + row.size / 2
    return (is_lower or is_filled or hangs) and right - before.x1 < max(word + 0.7 * row.size, more)


def join(line: str, more: str, words: set[str]) -> str:
    """Joins a wrapped line, and a word that was hyphenated."""
    mark = re.search(r"(?<!\\)\*+$", line)
    if mark and re.match(rf"{re.escape(mark[0])}[\w(“]", more):  # emphasis continues
        line, more = line[: mark.start()], more[len(mark[0]) :]
    start, rest = re.search(r"(\w+)-$", line), re.match(r"[^\W\d_]+", more)
    if start and rest:
        halves = {start[1], rest[0]}
        is_compound = f"{start[1]}-{rest[0]}" in words or (len(start[1]) > 3 and halves <= words)
        return (line if is_compound or not rest[0].islower() else line[:-1]) + more
    return f"{line} {more}"
