"""The values of a page template: a page, its sections, their rows. Templates print them and decide
nothing.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import NamedTuple

from markupsafe import Markup

from kg.publish.formats.media import CITATION_SUFFIXES
from kg.publish.formats.urls import Cell, Link
from kg.publish.pages.head import Head
from kg.publish.pages.pagination import Pagination
from kg.publish.queries.examples import FeaturedAnswer

Row = defaultdict[str, list[Cell]]


class Group(NamedTuple):
    """Rows under a heading: a year, a letter, a person; without one where a section is not
    divided.
    """

    heading: Cell
    rows: list[Row]


@dataclass(frozen=True)
class Section:
    """A filled block. Its name is its class in the page, and `section-` and its name the anchor.
    `source` is that of all rows that do not name another, `figure` the rows as a picture; `more`
    rows are not shown, and `question` links to a query that lists them.
    """

    name: str
    template: str
    title: str
    groups: list[Group]
    source: list[Cell] = field(default_factory=list)
    figure: Markup = field(default_factory=Markup)
    more: int = 0
    question: str = ""

    @property
    def is_of_one_source(self) -> bool:
        return not any(row["source"] for row in self.rows)

    @property
    def rows(self) -> list[Row]:
        return [row for group in self.groups for row in group.rows]


@dataclass(frozen=True)
class PageContent:
    """A document as a page. `contents` lead to its sections, where there are many."""

    head: Head
    title: str
    kind: str
    lead: str | None
    description: str | None
    notice: str | None
    picture: str | None
    facts: list[tuple[str, list[list[Cell]]]]
    sections: list[Section]
    crumbs: list[Link]
    twins: list[tuple[str, str, str]]  # media type, name, address
    parts: Pagination | None  # of a long list
    root: str
    question: str  # link to a query about the page, from the top of the site
    sources: list[Cell]
    modified: str | None
    contents: list[Link] = field(default_factory=list)
    answers: list[FeaturedAnswer] = field(default_factory=list)

    @property
    def citations(self) -> list[tuple[str, str, str]]:
        """The forms for reference managers."""
        return [twin for twin in self.twins if twin[0] in CITATION_SUFFIXES.values()]
