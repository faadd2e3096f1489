"""Renders a document as HTML. `blocks` say what the page of a kind shows, `templates/` and
`static/` how it looks.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property

from pyoxigraph import NamedNode

from kg.check.own import blocks
from kg.mapping import iris
from kg.publish.citations import citation
from kg.publish.citations.writers import bibtex_entry
from kg.publish.embed.slim import PLACEHOLDER, Excerpt, home
from kg.publish.embed.visible import VisibleContent
from kg.publish.formats import jsonld
from kg.publish.formats.jsonld import Json
from kg.publish.formats.media import CITATION_SUFFIXES, HTML, NAMES
from kg.publish.formats.urls import Cell, Link, TypedLink, file_of, href, query_page, root_of
from kg.publish.pages import format_page
from kg.publish.pages.arrangement import SUMMARY, Arrangement, summary_section
from kg.publish.pages.breadcrumbs import Crumb, embedded, trail
from kg.publish.pages.faces import add_faces
from kg.publish.pages.frame import Frame
from kg.publish.pages.head import head
from kg.publish.pages.person_head import PersonHead, person_head
from kg.publish.pages.question_page import page_with_values
from kg.publish.pages.rows import BlockFiller, PageSection, Row, RowGroup, number_sources
from kg.publish.pages.thing_head import thing_head
from kg.publish.pages.work_head import cited_forms, other_facts, with_details, work_row
from kg.publish.pages.work_list import arrange_works
from kg.publish.queries.questions import featured
from kg.publish.queries.results import QueryResult, names_of
from kg.publish.queries.starters import starter_query
from kg.publish.queries.values import Things
from kg.publish.text import wording
from kg.publish.text.markdown import title_html
from kg.settings import Site, query
from kg.sparql.reading.questions import Question
from kg.store.describe import Description, describe, has_language
from kg.store.memory import Memory
from kg.store.protocol import Store, Term
from kg.vocab import cv, rdf, schema

FEWEST_CONTENTS = 4  # sections of a page that says at its head what is in it
WORKS = ("publications", "patents")
NEAR = 2  # so many parts of a list on each side are linked to, beside the first and the last


class Renderer(Frame):
    has_pages = True
    example = """# Who wrote most, and how many works?
PREFIX schema: <http://schema.org/>
SELECT ?name (COUNT(?work) AS ?works) WHERE {
  ?work schema:author ?person .
  ?person schema:name ?name .
} GROUP BY ?name ORDER BY DESC(?works) LIMIT 10"""

    def __init__(self, site: Site, store: Store, suffixes: Mapping[str, str]) -> None:
        super().__init__(site)
        self.store, self.suffixes = store, suffixes
        self.citations = citation.Citations(store, site.base)

    @cached_property
    def documents(self) -> frozenset[str]:
        return frozenset(self.store.documents())

    @cached_property
    def is_of_one(self) -> bool:
        return len(self.store.select(query("site/owners"))) == 1

    @cached_property
    def cited(self) -> frozenset[str]:
        """The addresses that can be had as citations too."""
        return citation.cited(self.store, self.site.base)

    @cached_property
    def all_blocks(self) -> list[blocks.Block]:
        return blocks.blocks(self.site)

    def blocks(self, kind: str) -> list[blocks.Block]:
        """What a page of a kind shows, in order."""
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

    def html(self, description: Description, links: Iterable[TypedLink]) -> bytes:
        """A document as a page; `links` are for its head. The start of a site with one CV is the
        page of that.
        """
        base, path = self.site.base, iris.path_of(self.site.base, description.document) or ""
        if not path and (owner := description.value(schema.mainEntity, base)):
            description = describe(self.store, iris.document_of(owner))
        document = description.document
        address = iris.path_of(base, document) or ""
        kind, is_list = address.partition("/")[0], iris.is_list(address)
        is_person, has_cv = kind == "people" and not is_list, base + cv.Owner in description.kinds
        thing = document if kind in ("", "terms") else f"{document}#it"
        layout = Arrangement.of(description, base)
        who = self.who(description, path, layout.hidden) if is_person else None
        facts = [] if is_list or who else self.facts(description, path)
        place = f"{kind}/" if is_list else kind or "home"  # as blocks name the kinds of pages
        if is_person and not has_cv:
            place = "others"
        filler = BlockFiller(base, self.store, description, place, thing, path, layout.hidden)
        work = work_row(filler) if kind in WORKS and not is_list else None
        facts = other_facts(facts, work) if work else facts
        in_head = [*(cells for _, cells in facts), *(work or {}).values()]
        sections = filler.sections(
            layout.shown(self.blocks(place)),
            who.cells if who else [cell for cells in in_head for cell in cells],
        )
        stated = description.value(schema.description) or description.value(
            schema.description, document
        )
        prose = filler.prose(stated) if stated and SUMMARY not in layout.hidden else None
        if prose and not layout.has_summary_first:
            sections, prose = [*sections, summary_section(prose)], None
        sections = layout.arranged(sections)
        if work:
            sections, facts = with_details(sections, facts), []
        works = arrange_works(sections, self.bibtex(address, path) if is_person else {}, is_list)
        sources = number_sources(sections)
        if not address:
            sections = with_questions(sections, featured(self.questions))
        add_faces(sections, self.site.folder)
        wrote = any(section.name == "coauthors" for section in sections)
        parts = pagination(self.store, base, description, path) if is_list else None
        neighbours = {"prev": parts.previous, "next": parts.next} if parts else {}
        links = [*links, *(TypedLink(rel, href) for rel, href in neighbours.items() if href)]
        twins = [  # media type, name, address
            (media, NAMES[media], root_of(path) + file_of(address, suffix))
            for suffix, media in self.forms(address).items()
            if media != HTML
        ]
        crumbs = trail(self.site, path, description.title)
        steps = [  # that no link of the masthead is
            Link(crumb.title, href(base, crumb.address, path))
            for crumb in crumbs[1:-1]
            if crumb.address.removeprefix(base) not in dict(self.menu)
        ]
        top = thing_head("" if is_list else kind, facts, sections, steps)
        page = {
            "head": head(self.site, self.store, description, links),
            "title": title_html(description.value(schema.headline) or description.title),
            "who": who,  # the head of a person
            "work": work,  # that of a work
            "cite": cited_forms(self.citations.of(path), twins) if work else [],
            "kind": kind,
            "path": path,
            "is_thing": bool(address) and not is_list,
            "here": path[: path.find("/") + 1],  # the address of the list that it is in
            "run": wording.running_line(description.title, description.canonical(base), has_cv),
            "lead": description.value(schema.disambiguatingDescription),
            "leads": [  # the same in other languages
                term
                for term in description.terms(schema.disambiguatingDescription)
                if has_language(term)
            ],
            "description": prose,
            "notice": None
            if facts or sections or (who and who.cells)
            else "Nothing more is said here.",
            "picture": self.picture(description, path),
            "above": top.above,  # the name of a thing: kind and place
            "said": top.said,  # of a thing, in a sentence
            "facts": who.facts if who else top.facts,
            "sections": sections,
            "crumbs": [] if top.above else steps,
            "twins": twins,
            "citations": [twin for twin in twins if twin[0] in CITATION_SUFFIXES.values()],
            "parts": parts,  # of a long list
            "works": works,  # by the name of their section
            "root": root_of(path),
            # a link to a query about the page, from the top of the site
            "question": query_page(starter_query(address, description.title, wrote, is_list)),
            "sources": sources.main
            or [
                self.cell(source, path, description)
                for source in description.terms(schema.isBasedOn, document)
            ],
            "source_notes": sources.notes,
            "modified": wording.date(description.value(schema.dateModified, document) or ""),
            "contents": contents(sections, 2 if work else FEWEST_CONTENTS) if address else [],
            "letters": letters(sections),
        }
        rendered = self.rendered("page.html", page=page).decode()
        found = self.embed(description, path, rendered, crumbs)
        return rendered.replace(PLACEHOLDER, jsonld.script(found), 1).encode()

    def picture(self, description: Description, path: str) -> str | None:
        """The link to a picture that is in the folder of the site; the check reports others."""
        picture = iris.path_of(self.site.base, description.value(schema.image) or "")
        is_there = picture and (self.site.folder / picture).is_file()
        return f"{root_of(path)}{picture}" if is_there else None

    def bibtex(self, person: str, path: str) -> dict[str, str]:
        """The works of a person to cite from a page, by the links to them; without what makes them
        long.
        """
        return {
            href(self.site.base, f"{self.site.base}{work.address}", path): bibtex_entry(
                replace(work, abstract="", keywords=())
            )
            for work in self.citations.of(person)
        }

    def embed(
        self, description: Description, path: str, rendered: str, crumbs: list[Crumb]
    ) -> Json:
        """The JSON-LD of a rendered page."""
        shown = VisibleContent.on_page(self.site.base, path, rendered)
        if description.document != self.site.base:
            return Excerpt(description, shown).page(embedded(crumbs))
        owners = [row["item"] for row in self.store.select(query("site/owners"))]
        return home(self.site, Excerpt(description, shown), owners)

    def format(self) -> bytes:
        """The reference of the YAML format."""
        return self.rendered(
            "format.html",
            kinds=list(format_page.kinds()),
            ordinary=format_page.ordinary(),
            root="./",
        )

    def question(
        self,
        question: Question,
        given: Mapping[str, str],
        result: QueryResult | None = None,
        message: str = "",
    ) -> bytes:
        """The page of a question with values, and its answer or what is wrong with them."""
        things = Things.of(self.store) if isinstance(self.store, Memory) else None
        return page_with_values(self, question, given, things, result, message)

    def forms(self, path: str) -> dict[str, str]:
        return {**self.suffixes, **(CITATION_SUFFIXES if path in self.cited else {})}

    def who(self, description: Description, path: str, hidden: Set[str]) -> PersonHead:
        return person_head(
            description,
            self.site.base,
            lambda term: self.cell(term, path, description),
            self.posts(f"{description.document}#it", path),
            hidden,
        )

    def facts(self, description: Description, path: str) -> list[tuple[str, list[Cell]]]:
        """The properties at the head of the page of a thing: their words, and their values as
        cells.
        """
        found: dict[str, list[Cell]] = {}
        kind = path.partition("/")[0]
        labels = description.labels
        about = description.terms(schema.about)
        topics = {labels[term.value][1]: term for term in about if term.value in labels}
        for predicate, name in wording.FACTS.items():
            terms = description.terms(iris.resolve(self.site.base, predicate))
            if predicate == schema.keywords:  # those that are topics lead there
                terms = [topics.pop(term.value, term) for term in terms]
            elif predicate == schema.about:
                terms = [term for term in terms if term in topics.values()]
            if predicate == schema.sameAs:  # but for the website, and for former addresses
                known = description.values(schema.url)
                terms = [
                    term
                    for term in terms
                    if term.value not in known and not term.value.startswith(self.site.base)
                ]
            word = wording.FACTS_OF.get((kind, predicate), name)
            cells = [self.cell(term, path, description) for term in terms]
            if not cells and predicate == schema.keywords and word not in found:
                classes = description.values(rdf.type)
                cells = [wording.CLASSES[each] for each in classes if each in wording.CLASSES]
            if cells:
                found.setdefault(word, []).extend(cells)
        first, last = description.value(schema.pageStart), description.value(schema.pageEnd)
        if first and last:
            found["Pages"] = [f"{first}–{last}"]
        return list(found.items())

    def posts(self, person: str, path: str) -> list[list[Cell]]:
        """The positions a person holds now, the main ones first."""
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

    def cell(self, term: Term, path: str, description: Description) -> Cell:
        """A link to a thing or a page elsewhere; a date in words; any other value as it is."""
        value = term.value
        if value in description.labels:
            return Link(description.labels[value][1] or value, href(self.site.base, value, path))
        if own := description.value(schema.name, value):  # a part of the document itself
            return own
        if isinstance(term, NamedNode) and value.startswith(("http://", "https://")):
            return Link(wording.address(value), value)
        return wording.value(term)


def with_questions(sections: list[PageSection], questions: list[Link]) -> list[PageSection]:
    """The sections of the home page: questions to ask stand before the network."""
    rows: list[Row] = [defaultdict(list, item=[question]) for question in questions]
    asked = PageSection("questions", "questions", "What you can ask", [RowGroup("", rows)])
    last = [section for section in sections if section.name == "explore"]
    return [*(each for each in sections if each not in last), *([asked] if rows else []), *last]


def contents(sections: list[PageSection], fewest: int) -> list[Link]:
    """The way to the sections of a page; nothing where there are few, or where letters lead."""
    links = [Link(section.title, f"#{section.anchor}") for section in sections if section.title]
    return links if len(links) >= fewest and not letters(sections) else []


def letters(sections: list[PageSection]) -> list[Link]:
    """The way to the groups of a list; nothing where there are few."""
    links = [
        Link(str(group.heading), f"#group-{number}")
        for section in sections
        if section.template == "listed"
        for number, group in enumerate(section.groups, 1)
    ]
    return links if len(links) >= FEWEST_CONTENTS else []


@dataclass(frozen=True)
class Pagination:
    """The parts of a long list: number, link (empty on the part itself) and whether some before it
    are left out; and the neighbours, where there are any.
    """

    shown: list[tuple[int, str, bool]]
    previous: str | None
    next: str | None


def pagination(store: Store, base: str, description: Description, path: str) -> Pagination | None:
    """None for a list without parts."""
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
    """The places to show, and whether some before it are left out."""
    last = -1
    for place in sorted({0, count - 1, *range(max(here - NEAR, 0), min(here + NEAR + 1, count))}):
        yield place, place > last + 1
        last = place
