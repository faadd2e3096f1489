"""Parses a page and its Markdown: links, anchors, JSON-LD, visible text, and well-formedness.

Strict: every element must be closed explicitly, although HTML lets some stay open.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cache, lru_cache
from html import unescape

from markdown_it import MarkdownIt

from kg.publish.formats.media import JSONLD
from kg.text.html import (
    ATTRIBUTES,
    COMMENT,
    FOREIGN,
    NOT_IN_A_PARAGRAPH,
    UNSEEN,
    VOID,
    Piece,
    pieces,
)

LINKS = ("href", "src")
NAME = re.compile(r"/?[a-z][a-z0-9-]*")
QUOTED = re.compile(r"""=\s*(?:"[^"]*"|'[^']*')""")
# Valid HTML comments, and the doctype.
ALLOWED = re.compile(r"<!--.*-->|<!doctype[^<>]*>", re.DOTALL | re.IGNORECASE)
AtLine = tuple[int, str]  # line number and content


class Markup:
    """The content of a page. `faults` are its errors, `scripts` the JSON-LD, `texts` the visible
    text, `twins` the alternates in its head, by media type.
    """

    def __init__(self, body: bytes) -> None:
        self.faults: list[AtLine] = []
        self.links: list[AtLine] = []
        self.scripts: list[AtLine] = []
        self.texts: list[str] = []
        self.anchors: set[str] = set()
        self.twins: dict[str, str] = {}
        self.canonical = ""
        self.open: list[tuple[str, int]] = []
        self.hidden = 0  # number of open elements with invisible text
        self.place = 0
        try:
            text = body.decode()
        except UnicodeDecodeError as error:
            self.faults.append((body[: error.start].count(b"\n") + 1, "this is not UTF-8"))
            return
        self.line_ends = [found.start() for found in re.finditer("\n", text)]
        if not text[:15].lower().startswith("<!doctype html>"):
            self.wrong("the page must start with <!doctype html>")
        self.read(text)
        self.faults += [(line, f"<{tag}> is never closed") for tag, line in self.open]

    @property
    def line(self) -> int:
        return bisect_left(self.line_ends, self.place) + 1

    def wrong(self, message: str) -> None:
        self.faults.append((self.line, message))

    def read(self, page: str) -> None:
        for piece in pieces(page):
            name, self.place, end, written, text_end = piece
            if not name:
                if written == "<":
                    self.wrong("there is a bare '<' in the text")
                else:
                    self.add_text(unescape(written) if "&" in written else written)
            elif name == COMMENT:
                if not ALLOWED.fullmatch(written):
                    self.wrong(f"{written[:20]}… is not valid HTML")
            elif not is_name(name) or (written and not is_plain(written)):
                self.wrong(f"<{name}> is written ambiguously")
            elif name[0] == "/":
                self.end(name[1:])
            elif self.start(piece):
                self.scripts.append((self.line, page[end:text_end]))
            elif text_end > end and name not in UNSEEN:
                self.add_text(unescape(page[end:text_end]))

    def add_text(self, text: str) -> None:
        if not self.hidden:
            self.texts.append(text)

    def start(self, piece: Piece) -> bool:
        """Whether the element holds data."""
        tag, line, written = piece.name, self.line, piece.written
        if tag in NOT_IN_A_PARAGRAPH and any(each == "p" for each, _ in self.open):
            self.wrong(f"<{tag}> is not allowed in a paragraph")
        is_data = bool(written) and self.element(tag, written, line)
        if written.endswith("/"):
            if tag not in VOID and FOREIGN.isdisjoint([tag, *(each for each, _ in self.open)]):
                self.wrong(f"<{tag}/> is not self-closing in HTML")
        elif tag not in VOID:
            self.open.append((tag, line))
            self.hidden += tag in UNSEEN
        return is_data

    def end(self, tag: str) -> None:
        if self.open and self.open[-1][0] == tag:
            self.open.pop()
            if tag in UNSEEN:
                self.hidden -= 1
            return
        if all(each != tag for each, _ in self.open):
            self.wrong(f"</{tag}> has no opening tag")
            return
        while True:
            last, line = self.open.pop()
            self.hidden -= last in UNSEEN
            if last == tag:
                return
            self.wrong(f"</{tag}> comes before <{last}> of line {line} is closed")

    def element(self, tag: str, written: str, line: int) -> bool:
        """Whether the element holds data."""
        values: dict[str, str] = {}
        for name, double, single, bare in ATTRIBUTES.findall(written):
            if (known := name.lower()) in values:
                self.wrong(f"<{tag}> has a duplicate attribute")
            value = double or single or bare
            values[known] = unescape(value) if "&" in value else value
        if "id" in values:
            if values["id"] in self.anchors:
                self.wrong(f"the id '{values['id']}' is used twice")
            self.anchors.add(values["id"])
        for name in LINKS:
            if name in values:
                self.links.append((line, values[name]))
        if tag == "link":
            relations = values.get("rel", "").split()
            if "canonical" in relations:
                self.canonical = values.get("href", "")
            if "alternate" in relations and "type" in values:
                self.twins.setdefault(values["type"], values.get("href", ""))
        return tag == "script" and values.get("type") == JSONLD


@lru_cache(maxsize=256)
def is_name(text: str) -> bool:
    return bool(NAME.fullmatch(text))


def is_plain(attributes: str) -> bool:
    """Whether all parsers see the same attributes: no bare markup characters among them."""
    is_simple = "<" not in attributes and "'" not in attributes and attributes.count('"') % 2 == 0
    return is_simple or not {*"<\"'"} & {*QUOTED.sub("", attributes)}


# Left out in Markdown: parts that need scripts, pictures, navigation within the page, repeated
# citations, the list of other formats.
PICTURES = ("figure", "svg")
LEFT_OUT = frozenset((*PICTURES, "button", "form", *UNSEEN))
LEFT_OUT_CLASSES = frozenset(
    ("js", "toc", "contents", "kinds", "sheet", "cite", "data", "side", "bar")
)
NOT_A_LETTER = re.compile(r"[\W_]+")
FOLDED = re.compile(r"\W*(?:and )?\d+ more\W*")  # collapsed authors

reader = cache(lambda: MarkdownIt("commonmark"))


class PageText(Markup):
    """The text of a page that Markdown has too: its `said` texts, each with whether it is optional,
    like the titles of collapsed parts and of pictures; and the targets of their links.
    """

    def __init__(self, body: bytes) -> None:
        self.said: list[tuple[str, bool]] = []
        self.targets: list[str] = []
        self.is_content, self.last_tag = False, ""
        self.left_out = 0  # number of open elements that are skipped
        super().__init__(body)

    @property
    def is_read(self) -> bool:
        if len(self.open) < self.left_out:
            self.left_out = 0
        return self.is_content and not self.left_out

    def add_text(self, text: str) -> None:
        super().add_text(text)
        if self.is_read and not text.isspace():
            self.last_tag = self.open[-1][0] if self.open else ""
            is_optional = self.last_tag == "summary" or bool(FOLDED.fullmatch(text))
            self.said.append((text, is_optional))

    def start(self, piece: Piece) -> bool:
        is_read, tag, values = self.is_read, piece.name, piece.attributes
        is_data = super().start(piece)
        self.is_content = self.is_content or tag == "main"
        is_left_out = (
            tag in LEFT_OUT
            or values.get("aria-hidden") == "true"
            or not LEFT_OUT_CLASSES.isdisjoint(values.get("class", "").split())
        )
        if is_read and is_left_out and tag not in VOID and not piece.written.endswith("/"):
            self.left_out = len(self.open)
            if tag in PICTURES and self.last_tag == "h2":
                self.said.append((self.said.pop()[0], True))
        elif is_read and tag == "a" and not values.get("href", "#").startswith("#"):
            self.targets.append(values["href"])
        return is_data


class MarkdownText:
    """The text and links of a Markdown page, as a CommonMark parser sees them."""

    def __init__(self, body: bytes) -> None:
        texts: list[str] = []
        self.links: list[AtLine] = []
        for block in reader().parse(body.decode("utf-8", "replace")):
            line = block.map[0] + 1 if block.map else 1
            for token in block.children or [block]:
                texts.append(token.content)
                if token.type == "link_open":
                    self.links.append((line, str(token.attrGet("href"))))
        self.letters = letters("".join(texts))

    def says(self, page: PageText) -> bool:
        """Whether it has the text of the page, its address and nothing else."""
        place = 0
        for text, is_optional in [*page.said, (f"Address: {page.canonical}", False)]:
            expected = letters(text)
            if self.letters.startswith(expected, place):
                place += len(expected)
            elif not is_optional:
                return False
        return place == len(self.letters)


def letters(text: str) -> str:
    """The letters and digits only."""
    return NOT_A_LETTER.sub("", text)
