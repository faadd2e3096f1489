"""HTML tokenizer that follows browsers: texts and tags of a page with their positions.

Used for data in pages and Markdown (`plugins/exchange`) and verification of pages
(`publish/verify`). `html.parser` is not used: in supported versions of Python it takes quadratic
time on unclosed elements, and misses the end of a script that contains a comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import NamedTuple

SPACE = r"[ \t\n\f\r]"
NAME = r"[^ \t\n\f\r/>][^ \t\n\f\r/>=]*"
ATTRIBUTE = rf"""(?>{NAME}(?:{SPACE}*={SPACE}*(?:"[^"]*"|'[^']*'|[^ \t\n\f\r>]*))?)"""
ATTRIBUTES = re.compile(
    rf"""({NAME})(?:{SPACE}*={SPACE}*(?:"([^"]*)"|'([^']*)'|([^ \t\n\f\r>]*)))?"""
)
TAG = re.compile(
    rf"<(/?[a-zA-Z][^ \t\n\f\r/>]*)((?:[ \t\n\f\r/]|{ATTRIBUTE})*+)(?:>|\Z)"
    # comments, the doctype, and what browsers treat as comments
    r"|<!--(?:-?>|.*?(?:--!?>|\Z))|<[!?][^>]*(?:>|\Z)|</[^a-zA-Z>][^>]*(?:>|\Z)|<",
    re.DOTALL,
)
# Elements that contain no markup.
TEXT_ONLY = frozenset(
    ("script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes", "plaintext")
)
IN_SCRIPT = re.compile(r"<!(?=--)|-->|<(/?)script(?=[ \t\n\f\r/>])", re.IGNORECASE)
COMMENT = "!"  # name of comment tokens

VOID = {  # without an end tag
    *("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source"),
    *("track", "wbr"),
}
FOREIGN = frozenset(("svg", "math"))  # <x/> inside them is an empty element
# Elements whose start closes an open paragraph.
NOT_IN_A_PARAGRAPH = frozenset(
    (
        *("address", "article", "aside", "blockquote", "details", "div", "dl", "ol", "ul", "hr"),
        *("fieldset", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header"),
        *("main", "menu", "nav", "p", "pre", "section", "table"),
    )
)
UNSEEN = frozenset(("head", "script", "style", "template"))


class Piece(NamedTuple):
    """A token: a tag `<name …>` or `</name>`, whose name begins with a slash; a comment or
    declaration; or text, without a name.

    `written` is the text or the attributes as written. The text of an element without markup ends
    at `text_end`, where its end tag begins.
    """

    name: str
    start: int
    end: int
    written: str
    text_end: int

    @property
    def attributes(self) -> dict[str, str]:
        """The first of duplicate attributes wins."""
        found = reversed(ATTRIBUTES.findall(self.written))
        return {name.lower(): unescape("".join(values)) for name, *values in found}


def pieces(page: str) -> Iterator[Piece]:
    """The tokens of a page. A `<` that begins no tag is text; a tag without an end is skipped."""
    place, size, new = 0, len(page), tuple.__new__  # a third faster than its constructor
    while place < size:
        start = page.find("<", place)
        end = size if start < 0 else start
        if end > place:
            yield new(Piece, ("", place, end, page[place:end], end))
        if not (found := TAG.match(page, end)):
            return
        name, attributes = found.groups()
        place = end = found.end()
        if name is None:
            yield new(Piece, (COMMENT if end - start > 1 else "", start, end, found[0], end))
        elif page[end - 1] == ">":
            name = name.lower()
            if name in TEXT_ONLY:
                place = end_of_text(page, name, end)
            yield new(Piece, (name, start, end, attributes, place))


def end_of_text(page: str, name: str, start: int) -> int:
    """Where the end tag of an element without markup begins, or the end of the page."""
    if name == "script":
        return end_of_script(page, start)
    closing = re.compile(rf"</{name}(?=[ \t\n\f\r/>])", re.IGNORECASE).search(page, start)
    return closing.start() if closing and name != "plaintext" else len(page)


def end_of_script(page: str, start: int) -> int:
    """Where the end tag of a script begins. In `<!-- <script> … </script> -->` inside a script,
    that end tag is text.
    """
    is_hidden = is_inside = False
    for found in IN_SCRIPT.finditer(page, start):
        match found[0][:3].lower():
            case "<!":
                is_hidden = True
            case "-->":
                is_hidden = is_inside = False
            case "</s" if not is_inside:
                return found.start()
            case opening:
                is_inside = is_hidden and opening == "<sc"
    return len(page)
