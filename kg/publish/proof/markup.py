"""A page as its readers' programs see it: links, anchors, data, and whether it is well formed.

Strict: each element is closed where it was opened, though HTML would let some be left open.
"""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser

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
AtLine = tuple[int, str]  # a line, and what is there


class Markup(HTMLParser):
    """What a page holds. `faults` are what is wrong, `scripts` the data, `texts` what it shows,
    `twins` the alternates it announces, by media type.
    """

    def __init__(self, body: bytes) -> None:
        super().__init__(convert_charrefs=False)
        self.faults: list[AtLine] = []
        self.links: list[AtLine] = []
        self.scripts: list[AtLine] = []
        self.texts: list[str] = []
        self.anchors: set[str] = set()
        self.twins: dict[str, str] = {}
        self.canonical = ""
        self.open: list[tuple[str, int]] = []
        self.is_data = False  # whether the last script is still open
        try:
            text = body.decode()
        except UnicodeDecodeError as error:
            self.faults.append((body[: error.start].count(b"\n") + 1, "this is not UTF-8"))
            return
        if not text[:15].lower().startswith("<!doctype html>"):
            self.wrong("a page begins with <!doctype html>")
        self.feed(text)
        self.close()
        self.faults += [(line, f"<{tag}> is never closed") for tag, line in self.open]

    def wrong(self, message: str) -> None:
        self.faults.append((self.getpos()[0], message))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.element(tag, attrs)
        if tag not in VOID:
            self.open.append((tag, self.getpos()[0]))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.element(tag, attrs)
        if tag not in VOID and FOREIGN.isdisjoint([tag, *(each for each, _ in self.open)]):
            self.wrong(f"<{tag}/> does not close itself in HTML")

    def handle_endtag(self, tag: str) -> None:
        if all(each != tag for each, _ in self.open):
            self.wrong(f"</{tag}> closes nothing")
            return
        while (last := self.open.pop())[0] != tag:
            self.wrong(f"</{tag}> comes before <{last[0]}> of line {last[1]} is closed")
        self.is_data = False

    def handle_data(self, data: str) -> None:
        if self.is_data:
            line, text = self.scripts[-1]
            self.scripts[-1] = line, text + data
        elif "<" in data and not self.cdata_elem:
            self.wrong("a bare '<' stands in the text")
        else:
            self.read(data)

    def handle_entityref(self, name: str) -> None:
        self.read(unescape(f"&{name};"))

    def handle_charref(self, name: str) -> None:
        self.read(unescape(f"&#{name};"))

    def read(self, text: str) -> None:
        if UNSEEN.isdisjoint(each for each, _ in self.open):
            self.texts.append(text)

    def unknown_decl(self, data: str) -> None:
        self.wrong(f"<![{data[:20]}… is no part of HTML")

    def element(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if any(each == "p" for each, _ in self.open) and NOT_IN_A_PARAGRAPH.fullmatch(tag):
            self.wrong(f"<{tag}> stands in a paragraph")
        values = {name: value or "" for name, value in attributes}
        if len(values) < len(attributes):
            self.wrong(f"<{tag}> says an attribute twice")
        if "id" in values:
            if values["id"] in self.anchors:
                self.wrong(f"the id '{values['id']}' is used twice")
            self.anchors.add(values["id"])
        line = self.getpos()[0]
        self.links += [(line, values[name]) for name in LINKS if name in values]
        relations = values.get("rel", "").split() if tag == "link" else []
        if "canonical" in relations:
            self.canonical = values.get("href", "")
        if "alternate" in relations and "type" in values:
            self.twins.setdefault(values["type"], values.get("href", ""))
        if tag == "script" and values.get("type") == JSONLD:
            self.scripts.append((line, ""))
            self.is_data = True
