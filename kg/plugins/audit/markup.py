"""A lenient HTML parser: elements, JSON-LD scripts and visible text of any page.

Like browsers, it tolerates missing end tags; an element that is never closed ends with the page.
The depth of the tree is limited, as in browsers.
"""

from __future__ import annotations

import codecs
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from html import unescape
from typing import NamedTuple

from kg.publish.formats.media import JSONLD
from kg.text.html import (
    COMMENT,
    FOREIGN,
    NOT_IN_A_PARAGRAPH,
    TEXT_ONLY,
    UNSEEN,
    VOID,
    Piece,
    pieces,
)

MAX_DEPTH = 400
LINE_ENDS = re.compile(r"\r\n?|\n")
CHARSET = re.compile(rb"""<meta[^>]{0,200}charset\s*=\s*["']?\s*([\w.:-]{1,40})""", re.IGNORECASE)
# Element -> start tags that end it implicitly.
CELLS = frozenset(("td", "th", "tr", "tbody", "tfoot"))
ENDED_BY = {
    "p": NOT_IN_A_PARAGRAPH,
    "li": frozenset(("li",)),
    "dt": frozenset(("dt", "dd")),
    "dd": frozenset(("dt", "dd")),
    "option": frozenset(("option", "optgroup")),
    "tr": frozenset(("tr", "tbody", "tfoot")),
    "td": CELLS,
    "th": CELLS,
    "head": frozenset(("body",)),
}


class DataBlock(NamedTuple):
    """The text of a JSON-LD script, and its line and column in the page, counted from 1."""

    text: str
    line: int
    column: int


@dataclass(slots=True)
class Element:
    """`start` is the offset of its start tag, `inside` that of its content."""

    name: str
    attributes: dict[str, str]
    start: int = 0
    inside: int = 0
    children: list[Element | str] = field(default_factory=list)

    def walk(self, unseen: Callable[[Element], bool]) -> Iterator[Element | str]:
        """This element and its descendants in document order, without those that are `unseen`."""
        waiting: list[Element | str] = [self]
        while waiting:
            each = waiting.pop()
            if isinstance(each, str):
                yield each
            elif not unseen(each):
                yield each
                waiting += reversed(each.children)

    def elements(self) -> Iterator[Element]:
        return (each for each in self.walk(lambda _: False) if isinstance(each, Element))

    def text(self) -> str:
        return "".join(each for each in self.walk(lambda _: False) if isinstance(each, str))

    def shown(self) -> str:
        """The visible text."""
        return "".join(each for each in self.walk(is_hidden) if isinstance(each, str))


def is_hidden(element: Element) -> bool:
    return element.name in (*UNSEEN, "title") or "hidden" in element.attributes


class Lines:
    """Converts offsets of a text to lines and columns, counted from 1."""

    def __init__(self, text: str) -> None:
        self.starts = [0, *(found.end() for found in LINE_ENDS.finditer(text))]

    def at(self, place: int) -> tuple[int, int]:
        line = bisect_right(self.starts, place)
        return line, place - self.starts[line - 1] + 1


def json_ld(html: str) -> list[DataBlock]:
    """The JSON-LD scripts of a page, verbatim."""
    lines = Lines(html)
    return [DataBlock(script.text(), *lines.at(script.inside)) for script in scripts(parsed(html))]


def scripts(page: Element) -> list[Element]:
    return [each for each in page.elements() if each.name == "script" and is_data(each)]


def is_data(script: Element) -> bool:
    return script.attributes.get("type", "").partition(";")[0].strip().lower() == JSONLD


def parsed(html: str) -> Element:
    """The page as a tree below a nameless root."""
    root = Element("", {})
    opened = [root]
    for piece in pieces(html):
        name = piece.name
        if not name:
            opened[-1].children.append(unescape(piece.written))
        elif name.startswith("/"):
            close(opened, name[1:])
        elif name != COMMENT:
            while (ended := ENDED_BY.get(opened[-1].name)) and name in ended:
                opened.pop()
            element = Element(name, piece.attributes, piece.start, piece.end)
            opened[-1].children.append(element)
            if name in TEXT_ONLY:
                raw = html[piece.end : piece.text_end]
                element.children.append(unescape(raw) if name in ("title", "textarea") else raw)
            elif name not in VOID and len(opened) < MAX_DEPTH and not is_closed(piece, opened):
                opened.append(element)
    return root


def close(opened: list[Element], name: str) -> None:
    """Closes the innermost open element with this name and everything in it, if there is one."""
    if any(each.name == name for each in opened[1:]):
        while opened.pop().name != name:
            pass


def is_closed(tag: Piece, opened: list[Element]) -> bool:
    """Whether a tag `<x/>` is self-closing, as in SVG and MathML."""
    return tag.written.endswith("/") and any(each.name in FOREIGN for each in opened)


def decoded(body: bytes) -> str:
    """The text of a page in its declared encoding; UTF-8 by default."""
    if body.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return body.decode("utf-16", "replace")
    declared = CHARSET.search(body[:1024])
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError:
        try:
            return body.decode(declared[1].decode() if declared else "cp1252", "replace")
        except (LookupError, UnicodeError):
            return body.decode("cp1252", "replace")
