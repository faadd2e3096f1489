"""Renders a document as HTML. `blocks` say what the page of a kind shows, `templates/` and
`static/` how it looks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from functools import cached_property, lru_cache

from pyoxigraph import NamedNode

from kg.facts.models import REGISTRIES
from kg.mapping import iris
from kg.publish.citations import citation
from kg.publish.formats.media import CITATION_SUFFIXES, HTML, NAMES, PAGE_SUFFIXES
from kg.publish.formats.urls import Cell, Link, TypedLink, file_of, href, query_page, root_of
from kg.publish.pages import blocks, format_page
from kg.publish.pages.frame import Frame
from kg.publish.pages.head import head
from kg.publish.pages.page import PageContent, Section
from kg.publish.pages.pagination import pagination
from kg.publish.pages.rows import BlockFiller
from kg.publish.queries.examples import featured_answers, starter_query
from kg.publish.text import wording
from kg.settings import Site, query
from kg.store.describe import Description
from kg.store.protocol import Store, Term
from kg.vocab import rdf, schema

MENU = ("people", "publications", "orgs", "venues", "topics")
FEWEST_CONTENTS = 4  # sections of a page that says at its head what is in it


class Renderer(Frame):
    """Renders the pages of one site."""

    has_pages = True
    example = """# Who wrote most, and how many works?
PREFIX schema: <http://schema.org/>
SELECT ?name (COUNT(?work) AS ?works) WHERE {
  ?work schema:author ?person .
  ?person schema:name ?name .
} GROUP BY ?name ORDER BY DESC(?works) LIMIT 10"""

    def __init__(
        self, site: Site, store: Store, suffixes: Mapping[str, str] = PAGE_SUFFIXES
    ) -> None:
        super().__init__(site)
        self.store, self.suffixes = store, suffixes
        self.blocks = lru_cache(maxsize=None)(self.blocks_of)

    @cached_property
    def documents(self) -> frozenset[str]:
        return frozenset(self.store.documents())

    @cached_property
    def cited(self) -> frozenset[str]:
        """The addresses that can be had as citations too."""
        return citation.cited(self.store, self.site.base)

    @property
    def menu(self) -> list[tuple[str, str]]:
        return menu(self.site.base, self.documents)

    @cached_property
    def all_blocks(self) -> list[blocks.Block]:
        return blocks.blocks(self.site)

    def blocks_of(self, kind: str) -> list[blocks.Block]:
        """What a page of a kind shows, in order."""
        placed = [
            (place, block.name, block)
            for block in self.all_blocks
            if (place := block.place(kind)) is not None
        ]
        return [block for *_, block in sorted(placed, key=lambda item: item[:2])]

    def page_of(self, iri: str) -> str:
        return page_of(self.site.base, self.documents, iri)

    def called(self, address: str) -> str:
        things = [f"{self.site.base}{address}#it", f"{self.site.base}{address}"]
        names = (name for _, name in self.store.labels(things).values() if name)
        return next(names, address)

    def html(self, description: Description, links: Iterable[TypedLink]) -> bytes:
        page = self.page(description, links)
        return self.rendered("page.html", page=page)

    def format(self) -> bytes:
        """The reference of the YAML format."""
        return self.rendered(
            "format.html",
            kinds=list(format_page.kinds()),
            ordinary=format_page.ordinary(),
            root="./",
        )

    def page(self, description: Description, links: Iterable[TypedLink]) -> PageContent:
        """The values of a page; `links` are for its head."""
        path = iris.path_of(self.site.base, description.document) or ""
        kind, is_list = path.partition("/")[0], iris.is_list(path)
        thing = description.document if kind in ("", "terms") else f"{description.document}#it"
        facts = [] if is_list else self.facts(description, path)
        has_cv = schema.ProfilePage in description.values(rdf.type, description.document)
        place = (
            f"{kind}/"
            if is_list
            else "others"
            if kind == "people" and not has_cv
            else kind or "home"
        )
        filler = BlockFiller(self.site.base, self.store, description, place, thing, path)
        sections = filler.sections(
            self.blocks(place), [cell for _, lines in facts for line in lines for cell in line]
        )
        modified = description.value(schema.dateModified, description.document)
        picture = description.value(schema.image)
        wrote = any(section.name == "coauthors" for section in sections)
        around = (
            pagination(self.store, description, lambda iri: href(self.site.base, iri, path))
            if is_list
            else None
        )
        return PageContent(
            head=head(self.site, self.store, description, around, links),
            title=description.title,
            kind=kind,
            lead=description.value(schema.disambiguatingDescription),
            description=description.value(schema.description)
            or description.value(schema.description, description.document),
            notice=None if facts or sections else "Nothing more is said about this here.",
            picture=root_of(path) + own
            if (own := iris.path_of(self.site.base, picture or ""))
            else None,
            facts=facts,
            sections=sections,
            crumbs=self.crumbs(description, path),
            twins=[
                (media, NAMES[media], root_of(path) + file_of(path, suffix))
                for suffix, media in self.forms(path).items()
                if media != HTML
            ],
            parts=around,
            root=root_of(path),
            question=query_page(starter_query(path, description.title, wrote, is_list)),
            sources=[
                self.cell(source, path, description)
                for source in description.terms(schema.isBasedOn, description.document)
            ],
            modified=wording.date(modified) if modified else None,
            contents=contents(sections),
            answers=[] if path else list(featured_answers(self.store, self.examples)),
        )

    def forms(self, path: str) -> dict[str, str]:
        """The forms of a document, by their suffixes."""
        return {**self.suffixes, **(CITATION_SUFFIXES if path in self.cited else {})}

    def facts(self, description: Description, path: str) -> list[tuple[str, list[list[Cell]]]]:
        """The properties at the head of a page: their words, and their values as cells of a line,
        or of several.
        """
        found: dict[str, list[list[Cell]]] = {}
        kind = path.partition("/")[0]
        if kind == "people" and (posts := self.posts(f"{description.document}#it", path)):
            found["Now"] = posts
        for predicate, name in wording.FACTS.items():
            cells = [
                self.cell(term, path, description)
                for term in description.terms(predicate)
                if not self.is_told(predicate, term, description)
            ]
            if cells and not (
                predicate == schema.award and kind == "people"
            ):  # they have a section of their own
                word = wording.FACTS_OF.get((kind, predicate), name)
                found.setdefault(word, [[]])[0].extend(cells)
        first, last = description.value(schema.pageStart), description.value(schema.pageEnd)
        if first and last:
            found["Pages"] = [[f"{first}–{last}"]]
        return list(found.items())

    def posts(self, person: str, path: str) -> list[list[Cell]]:
        """The positions a person holds now, each with its title, its unit and its employer."""
        return [
            [
                row["title"].value,
                *(
                    Link(row[f"{name}Name"].value, href(self.site.base, row[name].value, path))
                    for name in ("org", "employer")
                    if f"{name}Name" in row
                ),
            ]
            for row in self.store.select(query("site/now"), thing=person)
        ]

    def is_told(self, predicate: str, term: Term, description: Description) -> bool:
        """Whether this is another address of a thing that leads nowhere new: one it had here
        before, or its website.
        """
        return predicate == schema.sameAs and (
            term.value.startswith(self.site.base) or term.value in description.values(schema.url)
        )

    def cell(self, term: Term, path: str, description: Description) -> Cell:
        """A link to a thing or a page elsewhere; a date in words; any other value as it is."""
        value = term.value
        if value in description.labels:
            return Link(description.labels[value][1] or value, href(self.site.base, value, path))
        if isinstance(term, NamedNode) and value.startswith(("http://", "https://")):
            return Link(value.removeprefix("https://").removesuffix("/"), value)
        return wording.value(term)

    def crumbs(self, description: Description, path: str) -> list[Link]:
        steps = sorted(
            (
                int(node[schema.position][0].value),
                node[schema.name][0].value,
                node[schema.item][0].value,
            )
            for iri, node in description.nodes.items()
            if "#crumb-" in iri
        )
        return [Link(name, href(self.site.base, item, path)) for _, name, item in steps[:-1]]


def menu(base: str, documents: Set[str]) -> list[tuple[str, str]]:
    """The lists that every page leads to, of those that the site has."""
    return [(f"{kind}/", REGISTRIES[kind].title) for kind in MENU if f"{base}{kind}/" in documents]


def page_of(base: str, documents: Set[str], iri: str) -> str:
    """The page of a thing, seen from the top of the site; empty if it has none."""
    return (href(base, iri, "") or "./") if iris.document_of(iri) in documents else ""


def contents(sections: list[Section]) -> list[Link]:
    """The way to the sections of a page, or to the groups of a list; nothing where there are
    few.
    """
    titled = [
        Link(section.title, f"#section-{section.name}") for section in sections if section.title
    ]
    groups = [
        Link(str(group.heading), f"#group-{number}")
        for section in sections[:1]
        for number, group in enumerate(section.groups, 1)
    ]
    links = titled or groups
    return links if len(links) >= FEWEST_CONTENTS else []
