"""A page as its readers' programs see it: links, anchors, data, and whether it is well formed.

Strict: each element is closed where it was opened, though HTML would let some be left open.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import NamedTuple

from kg.publish.formats.media import JSONLD

VOID = frozenset(
    (
        "area",
        "base",
        "br",
        "col",
        "embed",
        "hr",
        "img",
        "input",
        "link",
        "meta",
        "source",
        "track",
        "wbr",
    )
)
FOREIGN = frozenset(("svg", "math"))  # inside them <x/> is an element without content
# A paragraph ends by itself where one of these begins, so that its end tag has nothing to close.
NOT_IN_A_PARAGRAPH = re.compile(
    "address|article|aside|blockquote|details|div|[dou]l|fieldset|figure|footer|form|"
    "h[1-6]|header|hr|main|menu|nav|p|pre|section|table"
)
LINKS = ("href", "src")


class Link(NamedTuple):
    line: int
    address: str


class Script(NamedTuple):
    line: int
    text: str


@dataclass
class Markup:
    """What a page holds. `faults` are lines and what is wrong there, `twins` the alternates it
    announces, by media type.
    """

    faults: list[tuple[int, str]] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    anchors: set[str] = field(default_factory=set)
    scripts: list[Script] = field(default_factory=list)
    canonical: str = ""
    twins: dict[str, str] = field(default_factory=dict)


def read(body: bytes) -> Markup:
    reader = Reader()
    try:
        text = body.decode()
    except UnicodeDecodeError as error:
        reader.found.faults.append((body[: error.start].count(b"\n") + 1, "this is not UTF-8"))
        return reader.found
    if not text[:15].lower().startswith("<!doctype html>"):
        reader.found.faults.append((1, "a page begins with <!doctype html>"))
    reader.feed(text)
    reader.close()
    reader.end()
    return reader.found


class Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.found = Markup()
        self.open: list[tuple[str, int]] = []
        self.data: Script | None = None  # what was read of an embed that is still open

    @property
    def line(self) -> int:
        return self.getpos()[0]

    def wrong(self, message: str) -> None:
        self.found.faults.append((self.line, message))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.element(tag, attrs)
        if tag not in VOID:
            self.open.append((tag, self.line))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.element(tag, attrs)
        if (
            tag not in VOID
            and not any(each in FOREIGN for each, _ in self.open)
            and tag not in FOREIGN
        ):
            self.wrong(f"<{tag}/> does not close itself in HTML")

    def handle_endtag(self, tag: str) -> None:
        if self.open and self.open[-1][0] == tag:
            self.open.pop()
            if self.data is not None and tag == "script":
                self.found.scripts.append(self.data)
                self.data = None
        elif any(each == tag for each, _ in self.open):
            while self.open[-1][0] != tag:
                inner, line = self.open.pop()
                self.wrong(f"</{tag}> comes before <{inner}> of line {line} is closed")
            self.open.pop()
        else:
            self.wrong(f"</{tag}> closes nothing")

    def handle_data(self, data: str) -> None:
        if self.data is not None:
            self.data = Script(self.data.line, self.data.text + data)
        elif "<" in data and not self.cdata_elem:
            self.wrong("a bare '<' stands in the text")

    def unknown_decl(self, data: str) -> None:
        self.wrong(f"<![{data[:20]}… is no part of HTML")

    def element(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if any(each == "p" for each, _ in self.open) and NOT_IN_A_PARAGRAPH.fullmatch(tag):
            self.wrong(f"<{tag}> stands in a paragraph")
        values = {name: value or "" for name, value in attributes}
        if len(values) < len(attributes):
            self.wrong(f"<{tag}> says an attribute twice")
        if "id" in values:
            if values["id"] in self.found.anchors:
                self.wrong(f"the id '{values['id']}' is used twice")
            self.found.anchors.add(values["id"])
        self.found.links += [Link(self.line, values[name]) for name in LINKS if name in values]
        if tag == "link":
            self.announce(values)
        if tag == "script" and values.get("type") == JSONLD:
            self.data = Script(self.line, "")

    def announce(self, values: dict[str, str]) -> None:
        relations = values.get("rel", "").split()
        if "canonical" in relations:
            self.found.canonical = values.get("href", "")
        if "alternate" in relations and "type" in values:
            self.found.twins.setdefault(values["type"], values.get("href", ""))

    def end(self) -> None:
        for tag, line in self.open:
            self.found.faults.append((line, f"<{tag}> is never closed"))
        if self.data is not None:
            self.found.scripts.append(self.data)
