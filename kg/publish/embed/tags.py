"""The tags of a page that others made, as browsers see them: not in comments, scripts, styles or
the values of attributes.
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
    # the document type, and what browsers take for a comment
    r"|<[!?][^>]*(?:>|\Z)|</[^a-z>][^>]*(?:>|\Z)"
    rf"|<(?P<name>/?[a-z][^ \t\n\f\r/>]*)(?P<attributes>(?:[ \t\n\f\r/]|{ATTRIBUTE})*+)(?:>|\Z)",
    re.IGNORECASE | re.DOTALL,
)
# what is in these is no markup
TEXT_ONLY = ("style", "textarea", "title", "xmp", "iframe", "noembed", "noframes")
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
        if found["name"] is None or not found[0].endswith(">"):  # an unfinished tag is none
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
