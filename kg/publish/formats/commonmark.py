"""Writes a page as Markdown (CommonMark), for agents and for all who read plain text.

The twin is written from the rendered page, so that it says what the page says, also where a site
has templates of its own. What only a screen needs is left out: pictures, buttons, forms, the ways
within a page. Texts are escaped: what an author wrote stays text.
"""

from __future__ import annotations

import re
import string
import unicodedata
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from html import unescape
from posixpath import dirname, join, normpath

from kg.publish.formats.urls import ascii_url
from kg.text.html import VOID

UNREAD = {"button", "figure", "form", "svg", "template"}
RAW = {"<!--": "-->", "script": "</script>", "style": "</style>"}  # and where each ends
# What needs a script, ways within the page, a second copy of a citation, the list of twins.
UNREAD_CLASSES = {"js", "toc", "contents", "kinds", "sheet", "cite", "data"}
TOKEN = re.compile(r"<(/?)([a-z][a-z0-9]*)\b([^<>]*)>|<!--|[^<]+")
ATTRIBUTE = re.compile(r'([a-z-]+)="([^"]*)"')
CANONICAL = re.compile(r'<link rel="canonical" href="([^"]*)"')
SIDE_BY_SIDE = ("a", "span", "td", "th")  # which styles keep apart
INLINE = {*SIDE_BY_SIDE, "b", "bdi", "code", "em", "i", "label", "strong", "sub", "sup"}
LISTS = ("dl", "ol", "ul")
LABELS = {"when", "top"}  # paragraphs that what follows belongs to
HEADING = re.compile(r"h([1-6])")

# Signs that stand for marks while a line is put together: where emphasis begins and ends, and the
# gap between neighbours. A label ends with RUN_IN, and what follows stays in its line.
MARKS = {"b": "\x01", "strong": "\x01", "i": "\x03", "em": "\x03"}
STARS = {"\x01": "**", "\x03": "*"}
EMPHASIS = re.compile(r"([\x01\x03])([^\x01-\x04]*)[\x02\x04]")
STRONG = re.compile(r"[\x01\x02]")
GAP, RUN_IN, BREAK = "\x05", "\x06", "\n"
GAPS = re.compile(r" *\x05[ \x05]*")
EDGES = f" {GAP}"

SPACE = re.compile(r"[\s\x00-\x1f]+")
SPECIAL = re.compile(
    r"[\\`*\[\]<>~|]"
    r"|(?<![^\W_])_|_(?![^\W_])"  # but not within a word
    r"|&(?=#?\w+;|#?\w*$)"  # where an entity may begin
    r"|!$"  # before a link it would be a picture
)
LINE_START = re.compile(r"^(?:(?=[#+=-])|\d{1,9}(?=[.)]))")
CLOSING = re.compile(r"(?<!\\)((?:\\\\)*)#$")  # of a heading, where it is not escaped
ENTITY = re.compile(r"&(?=#?\w+;)")
HREF = re.compile(r"([^#?]*)(.*)", re.DOTALL)
SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//|\\")
SAFE = ("https:", "http:", "mailto:", "tel:")


def escape(text: str) -> str:
    """Text that Markdown leaves as it is, in one line."""
    return SPECIAL.sub(r"\\\g<0>", SPACE.sub(" ", text))


def destination(url: str) -> str:
    """An address as that of a link."""
    return ENTITY.sub("&amp;", ascii_url(url).replace("(", "%28").replace(")", "%29"))


def twin(page: bytes, path: str, addresses: Set[str]) -> bytes:
    """The page of the document at a path as Markdown; links to documents, which have these
    addresses, lead to their twins.
    """
    text = page.decode("utf-8", "replace")
    writer = PageWriter(lambda href: link_from(path, href, addresses))
    writer.read(text[max(text.find("<main"), 0) :])
    if canonical := CANONICAL.search(text):
        url = unescape(canonical[1])
        writer.write([f"Address: [{escape(url)}]({destination(url)})"])
    return ("".join(lines for _, lines in writer.blocks).lstrip("\n") + "\n").encode()


def link_from(path: str, href: str, addresses: Set[str]) -> str:
    """Where a link of the page leads from its twin; empty where it stays on the page, or does
    something else than lead.
    """
    if SCHEME.match(href):
        return destination(href) if href.lower().startswith(SAFE) else ""
    place, rest = HREF.findall(href)[0]
    if not place:
        return ""
    there = normpath(join(dirname(path), place)).removeprefix(".")
    is_folder = place.endswith(("/", "."))
    address = (f"{there}/" if there else "") if is_folder else there.removesuffix(".html")
    if address in addresses:
        place = f"{place}index.md" if is_folder else f"{place.removesuffix('.html')}.md"
    return destination(place + rest)


@dataclass(slots=True)
class OpenElement:
    """An open element: where its text begins, and what is to stand around that."""

    tag: str
    begin: int = 0
    before: str = ""
    after: str = ""


@dataclass(slots=True)
class OpenList:
    """The number of its next item, or 0; and how many items are open around it."""

    number: int
    depth: int
    is_empty: bool = True


@dataclass(slots=True)
class ListItem:
    """`marker` stands before its first line; later ones are indented as far."""

    marker: str
    is_first: bool
    is_written: bool = False


class PageWriter:
    """Reads elements, and writes `blocks`: the level of a heading, or 0, and the lines."""

    def __init__(self, link: Callable[[str], str]) -> None:
        self.link = link
        self.blocks: list[tuple[int, str]] = []
        self.text: list[str] = []  # of the block that is open
        self.level = 0  # of the heading that is open
        self.skipped = 0  # open elements from one on that is not read
        self.is_code = self.is_after_element = self.is_in_list = False
        self.open: list[OpenElement] = []
        self.lists: list[OpenList] = []
        self.items: list[ListItem] = []

    def read(self, page: str) -> None:
        begin = 0
        for token in TOKEN.finditer(page):
            end, tag, attributes = token.groups()
            if token.start() < begin:
                continue
            if (name := tag or token[0]) in RAW and not end:
                begin = page.find(RAW[name], token.end()) + len(RAW[name])
                if begin < token.end():  # it never ends
                    return
            elif self.skipped:
                if tag and tag not in VOID and not attributes.endswith("/"):
                    self.skipped += -1 if end else 1
            elif not tag:
                self.add_text(unescape(token[0]))
            elif end:
                self.end(tag)
            elif tag == "br":
                self.text.append(BREAK)
            elif tag not in VOID:
                self.start(tag, dict(ATTRIBUTE.findall(attributes)) if attributes else {})

    def add_text(self, text: str) -> None:
        if self.is_code:
            self.text.append(text)
        elif not text.isspace() or (self.text and self.text[-1] != RUN_IN):
            self.text.append(escape(text))
            self.is_after_element = False

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        classes = attributes.get("class", "").split()
        if (
            tag in UNREAD
            or attributes.get("aria-hidden") == "true"
            or not UNREAD_CLASSES.isdisjoint(classes)
        ):
            self.skipped = 1
        elif tag in INLINE:
            self.start_inline(tag, attributes, classes)
        elif "inline" in classes:  # a list in a sentence
            self.open.append(OpenElement("inline"))
        elif tag == "li" and self.open and self.open[-1].tag == "inline":
            self.open.append(OpenElement("span"))
        else:
            self.start_block(tag, attributes, classes)

    def start_inline(self, tag: str, attributes: Mapping[str, str], classes: list[str]) -> None:
        is_note = "source" in classes
        if self.is_after_element and tag in SIDE_BY_SIDE:
            self.text.append(" " if is_note else GAP)
        self.is_after_element = False
        element = OpenElement(tag, len(self.text))
        if is_note:
            element.before, element.after = r"\[", r"\]"
        elif tag == "a" and (target := self.link(unescape(attributes.get("href", "")))):
            element.before, element.after = "[", f"]({target})"
        elif tag in MARKS:
            element.before, element.after = MARKS[tag], chr(ord(MARKS[tag]) + 1)
        self.is_code = self.is_code or tag == "code"
        self.open.append(element)

    def start_block(self, tag: str, attributes: Mapping[str, str], classes: list[str]) -> None:
        if self.text[-1:] != [RUN_IN]:
            self.end_block()
        is_label = tag == "dt" or (tag == "p" and not LABELS.isdisjoint(classes))
        self.open.append(OpenElement(tag, after=RUN_IN if is_label else ""))
        if tag in LISTS:
            start = attributes.get("start", "1")
            number = int(start) if tag == "ol" and start.isdecimal() else 0
            self.lists.append(OpenList(number, len(self.items)))
        elif tag in ("li", "dt") and self.lists:
            here = self.lists[-1]
            marker = f"{here.number}. " if here.number else "- "
            self.items[here.depth :] = [ListItem(marker, here.is_empty)]
            here.is_empty, here.number = False, here.number and here.number + 1
        elif tag == "footer":
            self.write(["---"], 2)
        elif tag == "pre":
            self.is_code = True
        elif heading := HEADING.fullmatch(tag):
            self.level = int(heading[1])

    def end(self, tag: str) -> None:
        element = self.open.pop() if self.open else OpenElement(tag)
        if tag in INLINE:
            self.end_inline(element)
            self.is_after_element = True
        elif element.after == RUN_IN:
            if "".join(self.text).strip():
                self.text.append(RUN_IN)
        elif element.tag not in ("inline", "span"):
            self.end_block()
            if tag in LISTS and self.lists:
                del self.items[self.lists.pop().depth :]

    def end_inline(self, element: OpenElement) -> None:
        inner = "".join(self.text[element.begin :])
        del self.text[element.begin :]
        if element.tag == "code":
            self.is_code = any(each.tag in ("code", "pre") for each in self.open)
            inner = inner if self.is_code else code_span(SPACE.sub(" ", inner).strip())
        if not inner.strip():
            if self.text[-1:] == [GAP]:
                self.text.pop()
        elif element.before and all(each.before != element.before for each in self.open):
            before, after = inner[: -len(inner.lstrip())], inner[len(inner.rstrip()) :]
            inner = f"{before}{element.before}{inner.strip()}{element.after}{after}"
        if inner:
            self.text.append(inner)

    def end_block(self) -> None:
        """Writes what was read since the last one ended."""
        if not self.text:
            self.level, self.is_code = 0, False
            return
        if self.text[-1:] == [RUN_IN]:
            self.text.pop()
        text, level = "".join(self.text), self.level
        self.text, self.level = [], 0
        for element in self.open:
            element.begin = 0
        if self.is_code:
            self.is_code = False
            self.write(fenced(text))
        elif not level:
            self.write(lines_of(text))
        elif self.items:  # a heading within a list is a line in bold
            self.write(lines_of(f"\x01{STRONG.sub('', text)}\x02"))
        else:
            line = " ".join(lines_of(text.replace(BREAK, " ")))
            line = CLOSING.sub(r"\1\\#", line)
            self.write([f"{'#' * level} {line}"] if line else [], level)

    def write(self, lines: Sequence[str], level: int = 0) -> None:
        if not lines:
            return
        while level and self.blocks and self.blocks[-1][0] >= level:  # headings of nothing
            self.blocks.pop()
        start = "".join(
            " " * len(item.marker) if item.is_written else item.marker for item in self.items
        )
        is_next = self.is_in_list and start.strip() and not self.items[-1].is_first
        text = f"\n{' ' * len(start)}".join(lines)
        self.blocks.append((level, ("\n" if is_next else "\n\n") + start + text))
        self.is_in_list = bool(self.items)
        for item in self.items:
            item.is_written = True


def lines_of(text: str) -> list[str]:
    """The lines of a paragraph, with their marks."""
    while EMPHASIS.search(text):
        text = EMPHASIS.sub(emphasis, text)
    text = text.replace(RUN_IN, ": ")
    found = [" ".join(GAPS.sub(" · ", line.strip(EDGES)).split()) for line in text.split(BREAK)]
    lines = [LINE_START.sub(r"\g<0>\\", line) for line in found if line]
    return [f"{line}\\" for line in lines[:-1]] + lines[-1:]


def emphasis(found: re.Match[str]) -> str:
    """A text with stars around it, where they are read as such; else without."""
    text, start, end = found[2], found.start(), found.end()
    before, after = found.string[max(start - 1, 0) : start], found.string[end : end + 1]
    if fits(text[:1], before, "*\x02\x04") and fits(text[-1:], after, "*\x01\x03"):
        return f"{STARS[found[1]]}{text}{STARS[found[1]]}"
    return text


def fits(edge: str, neighbour: str, others: str) -> bool:
    """Whether stars between the edge of a text and what is beside it belong to that text."""
    if neighbour and neighbour in others:
        return False
    is_apart = neighbour <= " " or neighbour in string.punctuation
    return edge.isalnum() or is_apart or unicodedata.category(neighbour).startswith("P")


def code_span(text: str) -> str:
    fence = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def fenced(text: str) -> list[str]:
    fence = "`" * max([3, *(1 + len(run) for run in re.findall("`+", text))])
    return [fence, *text.strip("\n").splitlines(), fence]
