"""Builds the value of a page from the description of its document and the queries of its blocks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from typing import Any, Protocol, TypeVar

from markupsafe import Markup
from pyoxigraph import NamedNode

from kg.check.blocks import Block
from kg.check.images import shown_size
from kg.graph.describe import Description, describe, has_language
from kg.mapping import iris
from kg.publish.citations.citation import Citations
from kg.publish.citations.writers import bibtex_entry
from kg.publish.formats.media import HTML, LIST_SUFFIXES, PDF, VCARD, name_of
from kg.publish.formats.urls import Cell, Link, TypedLink, file_of, href, query_page, root_of
from kg.publish.pages.head import Crumb, head, trail
from kg.publish.pages.list_filter import ListFilter
from kg.publish.pages.page import (
    Facts,
    HomePage,
    ListPage,
    Page,
    Pagination,
    PersonPage,
    ThingPage,
    Twin,
    WorkPage,
)
from kg.publish.pages.person_head import PersonHead, person_head
from kg.publish.pages.rows import (
    SUMMARY,
    Arrangement,
    BlockFiller,
    PageSection,
    Row,
    RowGroup,
    add_faces,
    number_sources,
    summary_section,
)
from kg.publish.pages.thing_head import thing_head
from kg.publish.pages.work_head import (
    cited_forms,
    other_facts,
    with_details,
    with_terms,
    work_row,
)
from kg.publish.pages.work_list import WorkList, arrange_works
from kg.publish.questions.answer_words import headlines
from kg.publish.questions.questions import starter_query
from kg.settings import Site, query
from kg.sparql.reading.questions import Question
from kg.store.protocol import Store, Term
from kg.text import dates, wording
from kg.text.markdown import title_html
from kg.vocab import cv, rdf, schema

MIN_CONTENTS = 4  # sections from which a page has a table of contents
MIN_WORK_CONTENTS = 2
WORKS = ("publications", "patents")
MOST_QUESTIONS = 3  # on the home page
NEIGHBOUR_PAGES = 2  # page links on each side of the current one, besides first and last
P = TypeVar("P", bound=Page)


class PageSource(Protocol):
    """The inputs of a page: `kg.publish.pages.render.Renderer`."""

    site: Site
    store: Store
    citations: Citations

    @property
    def now(self) -> str: ...

    @property
    def menu(self) -> Sequence[tuple[str, str]]: ...

    @property
    def questions(self) -> Sequence[Question]: ...

    def blocks(self, kind: str) -> list[Block]: ...

    def page_of(self, iri: str) -> str: ...

    def picture(self, description: Description) -> str | None: ...

    def forms(self, path: str) -> dict[str, str]: ...

    def preview(self, path: str) -> str | None: ...


@dataclass(frozen=True)
class PageMaker:
    """Builds one page from the `description` of a document, at a `path`. These differ on the home
    page of a site with one CV, which shows that CV.
    """

    pages: PageSource
    description: Description
    path: str
    given: Mapping[str, Sequence[str]] = field(default_factory=dict)  # the query of the address

    @property
    def base(self) -> str:
        return self.pages.site.base

    @property
    def document(self) -> str:
        return self.description.document

    @cached_property
    def address(self) -> str:
        """The address of the document below the base."""
        return iris.path_of(self.base, self.document) or ""

    @property
    def kind(self) -> str:
        return self.address.partition("/")[0]

    @property
    def is_list(self) -> bool:
        return iris.is_list(self.address)

    @property
    def has_cv(self) -> bool:
        return cv.Owner in self.description.kinds

    @property
    def place(self) -> str:
        """The kind of page, as used in blocks."""
        if self.kind == "people" and not self.is_list and not self.has_cv:
            return "others"
        return f"{self.kind}/" if self.is_list else self.kind or "home"

    @cached_property
    def layout(self) -> Arrangement:
        return Arrangement.of(self.description, self.base)

    @cached_property
    def filler(self) -> BlockFiller:
        thing = self.document if self.kind in ("", "terms") else f"{self.document}#it"
        return BlockFiller(
            self.base,
            self.pages.store,
            self.description,
            self.place,
            thing,
            self.path,
            self.layout.hidden,
            self.description.value(schema.dateModified, self.document) or self.pages.now,
        )

    @cached_property
    def prose(self) -> Markup | None:
        """The description of the subject."""
        stated = self.description.value(schema.description) or self.description.value(
            schema.description, self.document
        )
        return self.filler.prose(stated) if stated and SUMMARY not in self.layout.hidden else None

    @cached_property
    def crumbs(self) -> list[Crumb]:
        return trail(self.pages.site, self.path, self.description.title)

    @property
    def steps(self) -> list[Link]:
        """The breadcrumbs that are not in the menu."""
        return [
            Link(crumb.title, href(self.base, crumb.address, self.path))
            for crumb in self.crumbs[1:-1]
            if crumb.address.removeprefix(self.base) not in dict(self.pages.menu)
        ]

    def make(self, links: Iterable[TypedLink]) -> Page:
        """The page; `links` are for its head."""
        if self.is_list:
            return self.list_page(links)
        if self.kind == "people":
            return self.person(links)
        if self.kind in WORKS:
            return self.work(links)
        return self.thing(links) if self.address else self.home(links)

    def home(self, links: Iterable[TypedLink]) -> HomePage:
        facts = self.facts()
        sections = self.sections(cells_of(facts))
        works = arrange_works(sections, {}, is_list=False)
        found = headlines(self.pages.questions, self.pages.store, self.base, self.pages.page_of)
        sections = with_questions(sections, islice(found, MOST_QUESTIONS))
        return self.page(HomePage, links, sections, works, facts=facts, crumbs=self.steps)

    def list_page(self, links: Iterable[TypedLink]) -> ListPage:
        sections = self.sections([])
        works = arrange_works(sections, {}, is_list=True)
        parts = pagination(self.pages.store, self.base, self.description, self.path)
        filter = None
        if works and (not parts or not parts.previous):
            (found,) = works.values()
            groups = self.all_groups(next(iter(works))) if parts else found.groups
            filter = ListFilter.of(groups, self.given)
            if filter.is_active:
                found.groups, parts = filter.shown, None
        neighbours = {"prev": parts.previous, "next": parts.next} if parts else {}
        links = [*links, *(TypedLink(rel, there) for rel, there in neighbours.items() if there)]
        return self.page(
            ListPage, links, sections, works, parts=parts, filter=filter, crumbs=self.steps
        )

    def all_groups(self, name: str) -> list[RowGroup]:
        """The works of a list on several pages, by year."""
        store = self.pages.store
        found: dict[Cell, list[Row]] = defaultdict(list)
        for row in store.select(query("site/parts"), thing=self.document):
            part = describe(store, row["item"].value)
            for section in PageMaker(self.pages, part, self.path).sections([]):
                for group in section.groups:
                    found[group.heading].extend(group.rows)
        for group in next(section for section in self.sections([])).groups:
            found[group.heading][:0] = group.rows
        groups = [RowGroup(heading, rows) for heading, rows in found.items()]
        whole = PageSection(name, name, "", groups, details="works")
        return arrange_works([whole], {}, is_list=True)[name].groups

    def thing(self, links: Iterable[TypedLink]) -> ThingPage:
        facts = self.facts()
        sections = self.sections(cells_of(facts))
        works = arrange_works(sections, {}, is_list=False)
        top = thing_head(self.kind, facts, sections, self.steps)
        return self.page(
            ThingPage,
            links,
            sections,
            works,
            facts=top.facts,
            above=top.above,
            said=top.said,
            crumbs=[] if top.above else self.steps,
        )

    def person(self, links: Iterable[TypedLink]) -> PersonPage:
        who = self.who()
        sections = self.sections(who.cells)
        works = arrange_works(sections, self.bibtex() if self.has_cv else {}, is_list=False)
        return self.page(
            PersonPage, links, sections, works, who=who, facts=who.facts, crumbs=self.steps
        )

    def work(self, links: Iterable[TypedLink]) -> WorkPage:
        row = work_row(self.filler)
        row["terms"], facts = with_terms(other_facts(self.facts(), row))
        sections = self.sections(
            [*cells_of(facts), *(cell for each in row.values() for cell in each)]
        )
        sections = with_details(sections, facts)
        works = arrange_works(sections, {}, is_list=False)
        cited = cited_forms(self.pages.citations.of(self.path), self.twins)
        return self.page(WorkPage, links, sections, works, work=row, cite=cited, crumbs=self.steps)

    def page(
        self,
        kind: type[P],
        links: Iterable[TypedLink],
        sections: list[PageSection],
        works: dict[str, WorkList],
        **own: Any,
    ) -> P:
        """A page with the common fields and its `own`."""
        description, document, path = self.description, self.document, self.path
        stated = [self.cell(source) for source in description.terms(schema.isBasedOn, document)]
        notes = number_sources(sections, stated)
        add_faces(sections, self.pages.site.folder)
        picture = self.pages.picture(description)
        wrote = any(section.name == "coauthors" for section in sections)
        headline = description.value(schema.headline)
        labels = description.terms(schema.disambiguatingDescription)
        fewest = MIN_WORK_CONTENTS if kind is WorkPage else MIN_CONTENTS
        has_summary_first = self.layout.has_summary_first
        return kind(
            head=head(
                self.pages.site,
                self.pages.store,
                description,
                links,
                self.pages.preview(self.address),
            ),
            path=path,
            kind=self.kind,
            here=path[: path.find("/") + 1],
            root=root_of(path),
            run=wording.running_line(
                description.title, description.canonical(self.base), self.has_cv
            ),
            # only titles of works can have tags; names are shown as written
            title=title_html(headline) if headline else description.title,
            picture=f"{root_of(path)}{picture}" if picture else None,
            picture_size=shown_size(self.pages.site.folder / picture) if picture else None,
            lead=description.value(schema.disambiguatingDescription),
            leads=[term for term in labels if has_language(term)],
            description=self.prose if has_summary_first else None,
            contents=contents(sections, fewest) if self.address else [],
            letters=letters(sections),
            sections=sections,
            works=works,
            sources=notes.main,
            source_notes=notes.notes,
            modified=dates.date((description.value(schema.dateModified, document) or "")[:7]),
            twins=self.twins,
            citations=[twin for twin in self.twins if twin.media_type in LIST_SUFFIXES.values()],
            downloads=[twin for twin in self.twins if twin.media_type in (PDF, VCARD)],
            question=query_page(
                starter_query(self.address, description.title, wrote, self.is_list)
            ),
            **own,
        )

    def sections(self, shown: Iterable[Cell]) -> list[PageSection]:
        """The sections in the order set in the CV; `shown` is already in the head."""
        sections = self.filler.sections(self.layout.shown(self.pages.blocks(self.place)), shown)
        if self.prose and not self.layout.has_summary_first:
            sections = [*sections, summary_section(self.prose)]
        return self.layout.arranged(sections)

    @cached_property
    def twins(self) -> list[Twin]:
        return [
            Twin(media, name_of(media, suffix), root_of(self.path) + file_of(self.address, suffix))
            for suffix, media in self.pages.forms(self.address).items()
            if media != HTML
        ]

    def bibtex(self) -> dict[str, str]:
        """The BibTeX of a person's works by their links, without long fields."""
        return {
            href(self.base, f"{self.base}{work.address}", self.path): bibtex_entry(
                replace(work, abstract="", keywords=())
            )
            for work in self.pages.citations.of(self.address)
        }

    def who(self) -> PersonHead:
        posts = self.posts(f"{self.document}#it")
        return person_head(self.description, self.base, self.cell, posts, self.layout.hidden)

    def posts(self, person: str) -> list[list[Cell]]:
        """The current positions of a person, main positions first."""
        return [
            [
                row["title"].value,
                *(
                    Link(row[f"{name}Name"].value, href(self.base, row[name].value, self.path))
                    for name in ("org", "employer")
                    if f"{name}Name" in row
                ),
            ]
            for row in self.pages.store.select(query("site/now"), thing=person)
        ]

    def facts(self) -> Facts:
        """The facts in the head of a page: labels, and values as cells."""
        found: dict[str, list[Cell]] = {}
        description, kind = self.description, self.path.partition("/")[0]
        labels = description.labels
        about = description.terms(schema.about)
        topics = {labels[term.value][1]: term for term in about if term.value in labels}
        for predicate, name in wording.FACTS.items():
            terms = description.terms(predicate)
            if predicate == schema.keywords:  # keywords that are topics become links
                terms = [topics.pop(term.value, term) for term in terms]
            elif predicate == cv.refereed:  # most works are
                terms = [term for term in terms if term.value != "true"]
            elif predicate == schema.about:
                terms = [term for term in terms if term in topics.values()]
            if predicate == schema.sameAs:  # without the website and former addresses
                known = description.values(schema.url)
                terms = [
                    term
                    for term in terms
                    if term.value not in known and not term.value.startswith(self.base)
                ]
            word = wording.FACTS_OF.get((kind, predicate), name)
            cells = [self.cell(term) for term in terms]
            if predicate == schema.temporalCoverage:
                cells = [dates.date(term.value) for term in terms]
            if not cells and predicate == schema.keywords and word not in found:
                classes = description.values(rdf.type)
                cells = [wording.CLASSES[each] for each in classes if each in wording.CLASSES]
            if cells:
                found.setdefault(word, []).extend(cells)
        first, last = description.value(schema.pageStart), description.value(schema.pageEnd)
        if first and last:
            found["Pages"] = [f"{first}–{last}"]
        return list(found.items())

    def cell(self, term: Term) -> Cell:
        """A link to a resource or an external page; a date in words; any other value unchanged."""
        value, description = term.value, self.description
        if value in description.labels:
            return Link(description.labels[value][1] or value, href(self.base, value, self.path))
        if own := description.value(schema.name, value):  # a part of this document
            return own
        if isinstance(term, NamedNode) and value.startswith(("http://", "https://")):
            return Link(wording.address(value), value)
        return wording.value(term)


def cells_of(facts: Facts) -> list[Cell]:
    return [cell for _, cells in facts for cell in cells]


def with_questions(
    sections: list[PageSection], questions: Iterable[tuple[Question, list[Cell]]]
) -> list[PageSection]:
    """The sections of the home page, with the questions and their answers before the network."""
    rows: list[Row] = [
        defaultdict(list, item=[Link(each.summary, f"queries/{each.name}.html")], note=answer)
        for each, answer in questions
    ]
    asked = PageSection("questions", "questions", "Explore", [RowGroup("", rows)])
    last = [section for section in sections if section.name == "explore"]
    return [*(each for each in sections if each not in last), *([asked] if rows else []), *last]


def contents(sections: list[PageSection], fewest: int) -> list[Link]:
    """The table of contents; empty if there are few sections, or letters to navigate by."""
    links = [Link(section.title, f"#{section.anchor}") for section in sections if section.title]
    return links if len(links) >= fewest and not letters(sections) else []


def letters(sections: list[PageSection]) -> list[Link]:
    """Links to the groups of a list; empty if there are few."""
    links = [
        Link(str(group.heading), f"#group-{number}")
        for section in sections
        if section.template == "listed"
        for number, group in enumerate(section.groups, 1)
    ]
    return links if len(links) >= MIN_CONTENTS else []


def pagination(store: Store, base: str, description: Description, path: str) -> Pagination | None:
    """None for a list on a single page."""
    document = description.document
    is_part = description.terms(schema.hasPart, document) or description.terms(
        schema.position, document
    )
    found = store.select(query("site/parts"), thing=document) if is_part else []
    if not found:
        return None
    addresses = [found[0]["whole"].value, *(row["item"].value for row in found)]
    here = addresses.index(document)
    links = [None, *(href(base, address, path) for address in addresses), None]
    shown = [
        (place + 1, links[place + 1] or "", gap) for place, gap in shown_parts(here, len(addresses))
    ]
    return Pagination(shown, links[here], links[here + 2])


def shown_parts(here: int, count: int) -> Iterator[tuple[int, bool]]:
    """The page numbers to show, and whether there is a gap before each."""
    last = -1
    for place in sorted(
        {
            0,
            count - 1,
            *range(max(here - NEIGHBOUR_PAGES, 0), min(here + NEIGHBOUR_PAGES + 1, count)),
        }
    ):
        yield place, place > last + 1
        last = place
