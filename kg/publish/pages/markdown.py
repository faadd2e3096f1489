"""The value of a page for Markdown templates: text is escaped, links are written.

`templates/markdown/` print values as they are, so that nothing an author wrote becomes markup.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Set
from dataclasses import fields, is_dataclass, replace
from posixpath import dirname, join, normpath
from typing import Any, Self

from markupsafe import Markup
from pyoxigraph import Literal

from kg.publish.figures import Figure
from kg.publish.formats.urls import Link, ascii_url
from kg.publish.pages.person_head import ContactLine
from kg.publish.pages.work_head import CitedForm
from kg.text.markdown import (
    Prose,
    Title,
    escape_markdown,
    fenced,
    prose_markdown,
    title_markdown,
)

# Fields of pages and sections that templates do not print.
UNPRINTED = {
    *("head", "path", "kind", "here", "root", "run", "picture", "picture_size", "contents"),
    *("letters", "works", "twins", "question", "name", "template", "anchor", "shows", "details"),
}
TARGETS = ("href", "previous", "next")  # fields with link targets
ENTITY = re.compile(r"&(?=#?\w+;)")
HREF = re.compile(r"([^#?]*)(.*)", re.DOTALL)
SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//|\\")
SAFE = ("https:", "http:", "mailto:", "tel:")
NOWHERE = "#"


def destination(url: str) -> str:
    """An address as a link target."""
    return ENTITY.sub("&amp;", ascii_url(url).replace("(", "%28").replace(")", "%29"))


class WrittenLink(str, Link):
    """A Markdown link. A link to the page itself is bold; a link to a place on the page is text,
    since Markdown has no anchors.
    """

    def __new__(cls, text: str, href: str) -> Self:
        if href.startswith(NOWHERE) or not text:
            return super().__new__(cls, text)
        return super().__new__(cls, f"[{text}]({href})" if href else f"**{text}**")


class MarkdownValues:
    """Converts the values of the page at a path. Links to documents with these addresses lead to
    their Markdown pages.
    """

    def __init__(self, path: str, addresses: Set[str]) -> None:
        self.path, self.addresses = path, addresses

    def of(self, value: Any) -> Any:
        """Converts a value and all nested values."""
        found: Any = value
        match value:
            case str():
                found = self.text(value)
            case Literal():
                found = escape_markdown(value.value)
            case Link():
                found = self.link(value)
            case ContactLine():
                found = (
                    self.link(Link(value.text, value.href)) if value.href else self.text(value.text)
                )
            case CitedForm():
                found = value._replace(text=fenced(value.text), href=self.target(value.href))
            case dict():
                found = defaultdict(list, {name: self.of(each) for name, each in value.items()})
            case list():
                found = [self.of(each) for each in value]
            case tuple() if hasattr(value, "_asdict"):
                found = type(value)(**self.fields_of(value._asdict()))
            case tuple():
                found = tuple(map(self.of, value))
            case _ if is_dataclass(value) and not isinstance(value, type):
                printed = (each.name for each in fields(value) if each.name not in UNPRINTED)
                found = replace(
                    value, **self.fields_of({name: getattr(value, name) for name in printed})
                )
        return found

    def text(self, text: str) -> str:
        """Converts a text; a figure is replaced by its note."""
        if isinstance(text, Prose):
            return prose_markdown(text, lambda href: self.target(href).removeprefix(NOWHERE))
        if isinstance(text, Title):
            return title_markdown(text)
        if isinstance(text, Markup):
            return escape_markdown(text.note) if isinstance(text, Figure) else ""
        return escape_markdown(text)

    def link(self, link: Link) -> WrittenLink:
        return WrittenLink(self.text(link.text).strip(), self.target(link.href))

    def fields_of(self, values: dict[str, Any]) -> dict[str, Any]:
        return {
            name: self.target(each) if name in TARGETS and each else self.of(each)
            for name, each in values.items()
        }

    def target(self, href: str) -> str:
        """The target of a link on the Markdown page; `#` for links within the page and unsafe
        schemes.
        """
        if SCHEME.match(href):
            return destination(href) if href.lower().startswith(SAFE) else NOWHERE
        place, rest = HREF.findall(href)[0]
        if not place:
            return NOWHERE if href else ""
        there = normpath(join(dirname(self.path), place)).removeprefix(".")
        is_folder = place.endswith(("/", "."))
        address = (f"{there}/" if there else "") if is_folder else there.removesuffix(".html")
        if address in self.addresses:
            place = f"{place}index.md" if is_folder else f"{place.removesuffix('.html')}.md"
        return destination(place + rest)
