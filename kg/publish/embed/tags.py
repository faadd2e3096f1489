"""A tokenizer of HTML tags, as browsers see them: not in comments, scripts, styles or the values of
attributes.

The text of a page stands for its bytes one to one, so that places in it are places in the file.
Nothing is repaired and no tree is made: what is added to a page must not touch the rest of it.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass

SPACE = r"[ \t\n\f\r]"
VALUE = r"""(?:"([^"]*)"|'([^']*)'|([^ \t\n\f\r>]*))"""
ATTRIBUTE = rf"(?>([^ \t\n\f\r/>][^ \t\n\f\r/>=]*)(?:{SPACE}*={SPACE}*{VALUE})?)"
ATTRIBUTES = re.compile(ATTRIBUTE)
TOKEN = re.compile(
    r"<!--(?:-?>|.*?(?:--!?>|\Z))"  # a comment
    r"|<[!?][^>]*>|</[^a-z>][^>]*>"  # the document type, and what browsers take for a comment
    rf"|<(?P<name>/?[a-z][^ \t\n\f\r/>]*)(?P<attributes>(?:[ \t\n\f\r/]|{ATTRIBUTE})*+)>",
    re.IGNORECASE | re.DOTALL,
)
TEXT_ONLY = {
    "style",
    "textarea",
    "title",
    "xmp",
    "iframe",
    "noembed",
    "noframes",
}  # what is in these is no markup
IN_SCRIPT = re.compile(r"<!(?=--)|-->|<(/?)script(?=[ \t\n\f\r/>])", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Tag:
    """`<name …>` or `</name>`; the latter's name begins with a slash. What has no markup inside
    ends where its end tag begins.
    """

    name: str
    start: int
    end: int
    attributes: str
    text_end: int

    def get(self, wanted: str) -> str | None:
        """The value of an attribute; the first of equals counts."""
        for name, *values in ATTRIBUTES.findall(self.attributes):
            if name.lower() == wanted:
                return html.unescape("".join(values))
        return None


def tags(page: str) -> Iterator[Tag]:
    place = 0
    while found := TOKEN.search(page, place):
        place = found.end()
        if found["name"] is None:
            continue
        name = found["name"].lower()
        start, end = found.span()
        if name == "script":
            place = end_of_script(page, end)
        elif name in TEXT_ONLY:
            closing = re.compile(rf"</{name}(?=[ \t\n\f\r/>])", re.IGNORECASE).search(page, end)
            place = closing.start() if closing else len(page)
        elif name == "plaintext":
            place = len(page)
        yield Tag(name, start, end, found["attributes"], place)


def end_of_script(page: str, start: int) -> int:
    """Where its end tag begins. In `<!-- <script> … </script> -->` inside a script, that end tag is
    text.
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
