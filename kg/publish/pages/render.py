"""Renders documents as HTML and Markdown. Blocks define the content by kind of page, `templates/`
and `static/` the layout.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import fields, is_dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any

from markupsafe import Markup

from kg.check import blocks
from kg.graph.describe import Description, describe
from kg.mapping import iris
from kg.publish.citations import citation
from kg.publish.citations.citation import FOLDERS
from kg.publish.formats.media import CITATION_SUFFIXES, LIST_SUFFIXES
from kg.publish.formats.slim import Excerpt, VisibleContent, home
from kg.publish.formats.urls import Cell, Link, TypedLink, contact, file_of
from kg.publish.page_files import PageFile, by_address
from kg.publish.pages.frame import Frame
from kg.publish.pages.head import embedded
from kg.publish.pages.markdown import MarkdownValues
from kg.publish.pages.page import Page
from kg.publish.pages.page_maker import PageMaker
from kg.publish.pages.person_head import ContactLine
from kg.publish.pages.rows import Row
from kg.publish.questions.results import names_of
from kg.settings import Site, query
from kg.store.protocol import Store
from kg.vocab import schema


class Renderer(Frame):
    has_pages = True
    example = """# Who has written most works?
PREFIX bibo: <http://purl.org/ontology/bibo/>
PREFIX cv: <https://w3id.org/cv-kg/terms#>
PREFIX foaf: <http://xmlns.com/foaf/0.1/>
PREFIX schema: <http://schema.org/>
SELECT ?name (COUNT(DISTINCT ?work) AS ?works) WHERE {
  ?work a foaf:Document ; schema:author|schema:editor|schema:translator ?person .
  ?person a schema:Person ; schema:name ?name .
  # A preprint and its article count once, and patents are apart.
  FILTER NOT EXISTS { ?work a bibo:Patent }
  FILTER NOT EXISTS { ?work cv:laterVersion ?later . ?later schema:author ?person }
} GROUP BY ?person ?name ORDER BY DESC(?works) LIMIT 10"""

    def __init__(
        self,
        site: Site,
        store: Store,
        suffixes: Mapping[str, str],
        files: Sequence[PageFile] = (),
    ) -> None:
        super().__init__(site)
        self.beside = by_address(files, store, site.base)
        self.store, self.suffixes = store, suffixes
        self.citations = citation.Citations(store, site.base)

    @cached_property
    def documents(self) -> frozenset[str]:
        return frozenset(self.store.documents())

    @cached_property
    def empty_lists(self) -> frozenset[str]:
        sizes = self.store.select(query("site/sizes"))
        return frozenset(row["list"].value for row in sizes if row["size"].value == "0")

    def has_list(self, path: str) -> bool:
        return super().has_list(path) and f"{self.site.base}{path}#it" not in self.empty_lists

    @cached_property
    def is_of_one(self) -> bool:
        return len(self.store.select(query("site/owners"))) == 1

    @cached_property
    def cited(self) -> frozenset[str]:
        """The addresses with citation formats."""
        return citation.cited(self.store, self.site.base)

    @cached_property
    def all_blocks(self) -> list[blocks.Block]:
        return blocks.blocks(self.site)

    def blocks(self, kind: str) -> list[blocks.Block]:
        """The blocks of a kind of page, in order."""
        placed = [
            (place, block.name, block)
            for block in self.all_blocks
            if (place := block.place(kind)) is not None
        ]
        return [block for *_, block in sorted(placed, key=lambda item: item[:2])]

    def called(self, address: str) -> str:
        things = [f"{self.site.base}{address}#it", f"{self.site.base}{address}"]
        names = (name for _, name in self.store.labels(things).values() if name)
        return next(names, address)

    def names_of(self, things: Sequence[str]) -> Mapping[str, str]:
        return {self.site.base: self.site.title, **names_of(self.store, self.site.base, things)}

    def page(
        self,
        description: Description,
        links: Iterable[TypedLink],
        given: Mapping[str, Sequence[str]] = MappingProxyType({}),
    ) -> Page:
        """The content of the page of a document; `links` are for its head. The home page of a site
        with one CV is the page of that CV. `given` is the query of the address of a list.
        """
        base, path = self.site.base, iris.path_of(self.site.base, description.document) or ""
        if not path and (owner := description.value(schema.mainEntity, base)):
            description = describe(self.store, iris.document_of(owner))
        maker = PageMaker(self, description, path, given)
        page = maker.make(links)
        excerpt = Excerpt(description, shown_on(page, self))
        if description.document == base:
            owners = [row["item"] for row in self.store.select(query("site/owners"))]
            data = home(self.site, excerpt, owners)
        else:
            beside = self.beside.get(maker.address, {}).items()
            copies = [suffix for suffix, file in beside if file.is_encoding]
            data = excerpt.page(embedded(maker.crumbs), copies)
        return replace(page, head=replace(page.head, data=data))

    def html(self, page: Page) -> bytes:
        return self.rendered("page.html", page=page)

    def markdown(self, page: Page, addresses: Set[str]) -> bytes:
        """The page as Markdown; `addresses` are those of all documents."""
        written = MarkdownValues(page.path, addresses)
        canonical = [link.target for link in page.head.links if link.rel == "canonical"]
        body = self.rendered(
            "markdown/page.md",
            page=written.of(page),
            title=written.of(self.site.title),
            contact=written.of(contact(self.site.contact)),
            canonical=written.of([Link(address, address) for address in canonical]),
        )
        return body.strip() + b"\n"

    def picture(self, description: Description) -> str | None:
        """The path of a picture in the folder of the site; None for others, which `kg check`
        reports.
        """
        picture = iris.path_of(self.site.base, description.value(schema.image) or "")
        return picture if picture and (self.site.folder / picture).is_file() else None

    def forms(self, path: str) -> dict[str, str]:
        cited = LIST_SUFFIXES if path in FOLDERS else CITATION_SUFFIXES
        beside = self.beside.get(path, {}).items()
        more = {suffix: file.media_type for suffix, file in beside if not file.is_preview}
        return {**self.suffixes, **(cited if path in self.cited else {}), **more}

    def preview(self, path: str) -> str | None:
        """The address of the preview image of a page."""
        found = self.beside.get(path, {}).items()
        suffixes = (suffix for suffix, file in found if file.is_preview)
        return next((f"{self.site.base}{file_of(path, each)}" for each in suffixes), None)


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
