"""What a page shows: its text, and where it links to. Data in a page say nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import unescape

from kg.publish.formats.urls import href, relative
from kg.publish.text import wording

UNSEEN = re.compile(r"<(script|style)\b.*?</\1>|<[^>]*>", re.DOTALL)
LINK = re.compile(r'\s(?:href|src)="([^"]*)"')


class VisibleContent:
    """Space does not count: a text may stand in several elements of a page."""

    def __init__(self, base: str, path: str, text: str, links: Iterable[str]) -> None:
        """`path` is that of the document, from which its links begin."""
        self.base, self.path, self.text = base, path, squeezed(text)
        self.links = {link: place for place, link in reversed(list(enumerate(links)))}

    @classmethod
    def on_page(cls, base: str, path: str, page: str) -> VisibleContent:
        """What a page of ours shows, whose texts and attributes are escaped."""
        body = page[max(page.find("<body"), 0) :]
        links = map(unescape, LINK.findall(page))
        return cls(base, path, unescape(UNSEEN.sub("", body)), links)

    def text_place(self, text: str) -> int | None:
        """Where a text is first shown, as it is, or as a date in words."""
        places = (self.text.find(squeezed(each)) for each in (text, wording.date(text)))
        return next((place for place in places if place >= 0), None)

    def link_place(self, iri: str) -> int | None:
        """Where a link first leads to an address, or to the page of a thing."""
        forms = (iri, href(self.base, iri, self.path), relative(self.base, iri, self.path))
        places = [self.links[form] for form in forms if form in self.links]
        return min(places, default=0 if iri.partition("#")[0] == self.base + self.path else None)

    def shows(self, value: str) -> bool:
        return self.text_place(value) is not None or self.link_place(value) is not None


def squeezed(text: str) -> str:
    return "".join(text.split())
