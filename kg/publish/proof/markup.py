"""A page as its readers' programs see it: links, anchors, data, and whether it is well formed.

Strict: each element is closed where it was opened, though HTML would let some be left open.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from html import unescape

from kg.publish.formats.commonmark import VOID
from kg.publish.formats.media import JSONLD

FOREIGN = frozenset(("svg", "math"))  # inside them <x/> is an element without content
# A paragraph ends by itself where one of these begins, so that its end tag has nothing to close.
NOT_IN_A_PARAGRAPH = re.compile(
    "address|article|aside|blockquote|details|div|[dou]l|fieldset|figure|footer|form|"
    "h[1-6]|header|hr|main|menu|nav|p|pre|section|table"
)
LINKS = ("href", "src")
UNSEEN = frozenset(("head", "script", "style", "template"))
NAME = r"[a-zA-Z][a-zA-Z0-9-]*"
VALUE = r"""(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+))"""
TOKEN = re.compile(
    rf"""(?P<text>[^<]+)|<(?P<end>/?)(?P<tag>{NAME})"""
    r"""(?P<attributes>(?:[^<>"'/]+|"[^"]*"|'[^']*'|/(?!>))*+)(?P<empty>/?)>"""
    r"""|<!--.*?-->|<!doctype[^<>]*>|<!\[(?P<section>[^>]*)>?|(?P<bare><)""",
    re.DOTALL | re.IGNORECASE,
)
ATTRIBUTE = re.compile(rf"""([^\s"'<>/=]+)(?:\s*=\s*{VALUE})?""")
RAW = {  # elements that hold no markup, and where they end
    tag: re.compile(rf"</{tag}\s*>", re.IGNORECASE) for tag in ("script", "style")
}
AtLine = tuple[int, str]  # a line, and what is there


class Markup:
    """What a page holds. `faults` are what is wrong, `scripts` the data, `texts` what it shows,
    `twins` the alternates it announces, by media type.
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
        self.hidden = 0  # open elements whose text nobody sees
        self.place = 0
        try:
            text = body.decode()
        except UnicodeDecodeError as error:
            self.faults.append((body[: error.start].count(b"\n") + 1, "this is not UTF-8"))
            return
        self.line_ends = [found.start() for found in re.finditer("\n", text)]
        if not text[:15].lower().startswith("<!doctype html>"):
            self.wrong("a page begins with <!doctype html>")
        self.read(text)
        self.faults += [(line, f"<{tag}> is never closed") for tag, line in self.open]

    @property
    def line(self) -> int:
        return bisect_left(self.line_ends, self.place) + 1

    def wrong(self, message: str) -> None:
        self.faults.append((self.line, message))

    def read(self, page: str) -> None:
        begin = 0
        for token in TOKEN.finditer(page):
            self.place = token.start()
            if self.place < begin:  # in a script
                continue
            text, end, tag, attributes, empty, section, bare = token.groups()
            if text:
                if not self.hidden:
                    self.texts.append(unescape(text) if "&" in text else text)
            elif end:
                self.end(tag.lower())
            elif tag:
                begin = self.start(page, tag.lower(), attributes, empty, token.end())
            elif bare:
                self.wrong("a bare '<' stands in the text")
            elif section is not None:
                self.wrong(f"<![{section[:20]}… is no part of HTML")

    def start(self, page: str, tag: str, attributes: str, empty: str, end: int) -> int:
        """Where markup goes on, after an element that holds none."""
        line = self.line
        is_data = self.element(tag, attributes, line)
        if empty:
            if tag not in VOID and FOREIGN.isdisjoint([tag, *(each for each, _ in self.open)]):
                self.wrong(f"<{tag}/> does not close itself in HTML")
        elif tag not in VOID:
            self.open.append((tag, line))
            self.hidden += tag in UNSEEN
        if tag not in RAW:
            return end
        closing = RAW[tag].search(page, end)
        begin = closing.start() if closing else len(page)
        if is_data:
            self.scripts.append((line, page[end:begin]))
        return begin

    def end(self, tag: str) -> None:
        if self.open[-1:] and self.open[-1][0] == tag:
            self.open.pop()
            self.hidden -= tag in UNSEEN
            return
        if all(each != tag for each, _ in self.open):
            self.wrong(f"</{tag}> closes nothing")
            return
        while True:
            last, line = self.open.pop()
            self.hidden -= last in UNSEEN
            if last == tag:
                return
            self.wrong(f"</{tag}> comes before <{last}> of line {line} is closed")

    def element(self, tag: str, written: str, line: int) -> bool:
        """Whether it holds data."""
        if NOT_IN_A_PARAGRAPH.fullmatch(tag) and any(each == "p" for each, _ in self.open):
            self.wrong(f"<{tag}> stands in a paragraph")
        values: dict[str, str] = {}
        for name, *given in ATTRIBUTE.findall(written) if written else ():
            if (known := name.lower()) in values:
                self.wrong(f"<{tag}> says an attribute twice")
            value = "".join(given)
            values[known] = unescape(value) if "&" in value else value
        if "id" in values:
            if values["id"] in self.anchors:
                self.wrong(f"the id '{values['id']}' is used twice")
            self.anchors.add(values["id"])
        self.links += [(line, values[name]) for name in LINKS if name in values]
        relations = values.get("rel", "").split() if tag == "link" else []
        if "canonical" in relations:
            self.canonical = values.get("href", "")
        if "alternate" in relations and "type" in values:
            self.twins.setdefault(values["type"], values.get("href", ""))
        return tag == "script" and values.get("type") == JSONLD
