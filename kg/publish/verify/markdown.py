"""Compares an HTML page with its Markdown version: text and link targets."""

from __future__ import annotations

import re
from functools import cache

from markdown_it import MarkdownIt

from kg.publish.verify.markup import AtLine, Markup
from kg.text.html import UNSEEN, VOID, Piece

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
