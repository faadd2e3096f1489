"""The content of a page as a value: made from queries, rendered as HTML, Markdown and JSON-LD.

Templates, including those of a site, access it as `page`; every page has all fields, and unused
ones are empty.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from markupsafe import Markup

from kg.publish.formats import jsonld
from kg.publish.formats.jsonld import Json
from kg.publish.formats.urls import Cell, Link, TypedLink
from kg.publish.pages.list_filter import ListFilter
from kg.publish.pages.person_head import PersonHead
from kg.publish.pages.rows import PageSection, Row
from kg.publish.pages.work_head import CitedForm
from kg.publish.pages.work_list import WorkList
from kg.store.protocol import Term

Facts = list[tuple[str, list[Cell]]]  # labels and values
Line = list[Cell]  # texts and links, in sequence


@dataclass(frozen=True)
class PageHead:
    """Metadata of a page for programs. Citation metadata has a `name`, Open Graph a `property`;
    `data` is the JSON-LD.
    """

    title: str
    description: str
    links: list[TypedLink]
    names: list[tuple[str, str]]
    properties: list[tuple[str, str]]
    data: Json = field(default_factory=dict)

    @property
    def script(self) -> str:
        return jsonld.script(self.data)


class Twin(NamedTuple):
    """A page in another format."""

    media_type: str
    name: str
    href: str


@dataclass(frozen=True)
class Pagination:
    """The pages of a long list: number, link (empty for the current one) and whether some before it
    are left out; and the neighbours, if any.
    """

    shown: list[tuple[int, str, bool]]
    previous: str | None
    next: str | None


@dataclass(frozen=True, kw_only=True)
class Page:
    """`path` is its address below the base, `here` that of its list, and `root` the relative link
    to the root of the site. The content fields are in display order.
    """

    head: PageHead
    path: str
    kind: str
    here: str
    root: str
    run: str  # the running head of printed pages
    title: str | Markup
    crumbs: list[Link] = field(default_factory=list)
    above: list[Line] = field(default_factory=list)
    who: PersonHead | None = None
    work: Row | None = None
    cite: list[CitedForm] = field(default_factory=list)
    picture: str | None = None
    picture_size: tuple[int, int] | None = None
    lead: str | None = None
    leads: list[Term] = field(default_factory=list)  # the same in other languages
    said: Line = field(default_factory=list)
    description: Markup | None = None
    facts: Facts = field(default_factory=list)
    contents: list[Link] = field(default_factory=list)
    letters: list[Link] = field(default_factory=list)
    sections: list[PageSection]
    works: Mapping[str, WorkList] = field(default_factory=dict)  # by section name
    parts: Pagination | None = None
    sources: list[Cell]
    source_notes: list[list[Cell]]
    modified: str
    twins: list[Twin]
    citations: list[Twin]  # citation formats
    downloads: list[Twin]  # PDF and vCard
    question: str  # a link to a query about the page, from the root of the site
    is_thing = False
    filter: ListFilter | None = None  # of a list of works


class HomePage(Page):
    """The home page of a site with several CVs."""


class ListPage(Page):
    """A list of all entries of a kind, or one page of it."""


@dataclass(frozen=True, kw_only=True)
class ThingPage(Page):
    """A page with kind and place above its title and a sentence below it."""

    is_thing = True


@dataclass(frozen=True, kw_only=True)
class PersonPage(ThingPage):
    who: PersonHead


@dataclass(frozen=True, kw_only=True)
class WorkPage(ThingPage):
    """`cite` are its citation formats."""

    work: Row
