"""The texts and links that a page shows, in display order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from markupsafe import Markup

from kg.publish.formats.slim import VisibleContent
from kg.publish.formats.urls import Cell, Link, TypedLink
from kg.publish.pages.frame import Frame
from kg.publish.pages.page import Page
from kg.publish.pages.person_head import ContactLine
from kg.publish.pages.rows import Row

# Fields of a page and columns of rows that templates do not print.
UNPRINTED = {
    *(
        "head",
        "path",
        "kind",
        "here",
        "root",
        "run",
        "picture_size",
        "question",
        "letters",
        "contents",
    ),
    *("works", "cite", "twins", "anchor", "start", "end", "edtf", "face", "size", "mark", "verb"),
    *("bibtex", "sheet", "figure", "details", "name", "template", "more", "shows"),
}


def shown_on(page: Page, frame: Frame) -> VisibleContent:
    menu = [Link(name, page.root + address) for address, name in frame.menu]
    shown = [*parts([page.head.links, frame.site.title, menu]), *parts(page)]
    return VisibleContent(
        frame.site.base,
        page.path,
        (text for text, _ in shown),
        (href for _, href in shown if href),
    )


def printed_head(work: Row) -> dict[str, list[Cell]]:
    """The parts of a work that `work.html` prints: the summary is on the page itself, and the
    publisher is shown only without a venue.
    """
    hidden = {"said", "group", "owner", "equal", *(["house"] if work.get("venue") else [])}
    if not any(map(work.get, ("venue", "house", "pages", "doi"))):
        hidden |= {"series", "accepted", "submitted", "rate"}
    return {name: cells for name, cells in work.items() if name not in hidden}


def parts(value: Any) -> Iterator[tuple[str, str]]:
    """Texts, each with its link target or an empty string."""
    if isinstance(value, Link | ContactLine):
        yield from ((text, value.href) for text, _ in parts(value.text) if text)
    elif isinstance(value, TypedLink):
        yield "", value.target
    elif isinstance(value, str):
        yield value.striptags() if isinstance(value, Markup) else value, ""
    elif isinstance(value, dict):
        for name, each in value.items():  # a name is the text of a link
            if name not in UNPRINTED and name.removesuffix("Name") not in value.keys() - {name}:
                yield from parts(each)
    elif is_dataclass(value):
        for each in fields(value):
            found = getattr(value, each.name)
            if each.name == "work" and found:
                yield from parts(printed_head(found))
            elif each.name not in UNPRINTED:
                yield from parts(found)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from parts(each)
