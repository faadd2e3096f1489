"""A document -> a page value -> HTML.

A page is a head and some blocks. A block is a query of `queries/pages/` and a template of the same shape: rows of cells, a cell
being text or a link. Templates print what they are given and decide nothing. All links are relative, so that a page works at any
address, live or from a folder.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property

from pyoxigraph import Literal, NamedNode

from kg.engine.store import Solution, Store, Term
from kg.graph.describe import Description
from kg.mapping import iris
from kg.publish import asking, citations, jsonld, reference, sorting, words
from kg.publish.document import file_of, root_of
from kg.publish.formats import CITATION_SUFFIXES, HTML, NAMES, PAGE_SUFFIXES
from kg.publish.frame import Frame
from kg.settings import Site, shipped
from kg.vocab import schema, xsd


@dataclass(frozen=True)
class Link:
    text: str
    href: str


Cell = str | Link
Row = defaultdict[str, list[Cell]]


@dataclass(frozen=True)
class Block:
    """A part of a page: its template, its title, the query that fills it, and the column whose value makes a row."""

    template: str
    title: str
    query: str
    key: str


MENTIONS = Block("links", "Mentioned by", "mentions", "item")
RUNS = Block("entries", "Given", "runs", "run")
NUMBERS = Block("entries", "Known as", "identifiers", "identifier")
BLOCKS: dict[str, tuple[Block, ...]] = {
    "people": (
        Block("positions", "Positions", "positions", "role"),
        Block("studies", "Education", "studies", "role"),
        Block("works", "Publications and patents", "works", "work"),
        Block("entries", "Talks and tutorials", "talks", "event"),
        Block("entries", "Teaching", "teaching", "role"),
        Block("entries", "Mentoring", "mentoring", "role"),
        Block("entries", "Service", "service", "role"),
        Block("entries", "Awards", "awards", "award"),
        Block("entries", "Systems and projects", "projects", "project"),
        Block("entries", "Memberships and activities", "memberships", "role"),
        Block("links", "Knows about", "skills", "item"),
        Block("links", "Co-authors", "coauthors", "item"),
    ),
    "orgs": (Block("links", "Units", "units", "item"), Block("members", "People", "members", "role"), MENTIONS),
    "venues": (Block("entries", "Editions", "editions", "edition"), Block("works", "Works", "venue-works", "work"), MENTIONS),
    "publications": (Block("links", "Authors", "authors", "position"), NUMBERS, MENTIONS),
    "patents": (Block("links", "Inventors", "authors", "position"), NUMBERS, MENTIONS),
    "courses": (RUNS, MENTIONS),
    "tutorials": (RUNS, MENTIONS),
    "terms": (Block("links", "Terms", "terms", "item"),),
    "": (Block("people", "People", "owners", "item"), Block("links", "Everything", "lists", "item")),
}
LIST_BLOCKS = (Block("links", "", "listed", "item"),)
SORTED = ("listed", "owners")  # queries whose rows are put into the order of names
DATES = (xsd.gYear, xsd.gYearMonth, xsd.date)


@dataclass(frozen=True)
class Page:
    """What a template is given."""

    title: str
    kind: str
    lead: str | None
    description: str | None
    facts: list[tuple[str, list[Cell]]]
    blocks: list[tuple[Block, list[Row]]]
    crumbs: list[Link]
    twins: list[tuple[str, str, str]]  # media type, name, address
    canonical: str
    root: str
    question: str  # where it is asked, seen from the top
    script: str
    sources: list[Cell]
    modified: str | None


class Renderer(Frame):
    """Makes the pages of one site."""

    has_pages = True
    example = """# Who wrote most, and how many works?
PREFIX schema: <http://schema.org/>
SELECT ?name (COUNT(?work) AS ?works) WHERE {
  ?work schema:author ?person .
  ?person schema:name ?name .
} GROUP BY ?name ORDER BY DESC(?works) LIMIT 10"""

    def __init__(self, site: Site, store: Store) -> None:
        super().__init__(site)
        self.store = store

    @cached_property
    def documents(self) -> frozenset[str]:
        return frozenset(self.store.documents())

    @cached_property
    def cited(self) -> frozenset[str]:
        """The addresses that can be had as citations too."""
        return citations.cited(self.store, self.site.base)

    def page_of(self, iri: str) -> str:
        return self.href(iri, "") if iris.document_of(iri) in self.documents else ""

    def html(self, description: Description) -> bytes:
        page = self.page(description)
        return self.templates.get_template("page.html").render(page=page, site=self.site).encode()

    def format(self) -> bytes:
        """The reference of the YAML format."""
        template = self.templates.get_template("format.html")
        return template.render(kinds=list(reference.kinds()), ordinary=reference.ordinary(), root="./", site=self.site).encode()

    def page(self, description: Description) -> Page:
        path = iris.path_of(self.site.base, description.document) or ""
        kind = path.partition("/")[0]
        is_list = path.endswith("/")
        thing = description.document if kind in ("", "terms") else f"{description.document}#it"
        blocks = LIST_BLOCKS if is_list else BLOCKS.get(kind, (MENTIONS,))
        filled = [(block, self.rows(block, thing, path)) for block in blocks]
        wrote = any(block.query == "coauthors" and rows for block, rows in filled)
        modified = description.value(schema.dateModified, description.document)
        return Page(
            title=description.title,
            kind=kind,
            lead=description.value(schema.disambiguatingDescription),
            description=description.value(schema.description) or description.value(schema.description, description.document),
            facts=[] if is_list else self.facts(description, path),
            blocks=[(block, rows) for block, rows in filled if rows],
            crumbs=self.crumbs(description, path),
            twins=[
                (media, NAMES[media], root_of(path) + file_of(path, suffix))
                for suffix, media in {**PAGE_SUFFIXES, **(CITATION_SUFFIXES if path in self.cited else {})}.items()
                if media != HTML
            ],
            canonical=description.document,
            root=root_of(path),
            question=asking.address(asking.about(path, description.title, wrote)),
            script=jsonld.script(jsonld.document(self.site.base, description)),
            sources=[self.cell(source, path, description) for source in description.terms(schema.isBasedOn, description.document)],
            modified=words.date(modified) if modified else None,
        )

    def facts(self, description: Description, path: str) -> list[tuple[str, list[Cell]]]:
        """The properties at the head of a page: their words, and their values as cells."""
        found = []
        for predicate, name in words.FACTS.items():
            cells = [self.cell(term, path, description) for term in description.terms(predicate)]
            if cells:
                found.append((name, cells))
        first, last = description.value(schema.pageStart), description.value(schema.pageEnd)
        return [*found, ("Pages", [f"{first}–{last}"])] if first and last else found

    def cell(self, term: Term, path: str, description: Description) -> Cell:
        """A link to a thing or a page elsewhere; a date in words; any other value as it is."""
        value = term.value
        if value in description.labels:
            return Link(description.labels[value][1] or value, self.href(value, path))
        if isinstance(term, NamedNode) and value.startswith(("http://", "https://")):
            return Link(value.removeprefix("https://").removesuffix("/"), value)
        return words.date(value) if isinstance(term, Literal) and term.datatype.value in DATES else value

    def crumbs(self, description: Description, path: str) -> list[Link]:
        steps = sorted(
            (int(node[schema.position][0].value), node[schema.name][0].value, node[schema.item][0].value)
            for iri, node in description.nodes.items()
            if "#crumb-" in iri
        )
        return [Link(name, self.href(item, path)) for _, name, item in steps[:-1]]

    def rows(self, block: Block, thing: str, path: str) -> list[Row]:
        """The rows of a block: solutions with the same key are one row, and each of its columns a list of different cells."""
        query = shipped("queries").joinpath("pages", f"{block.query}.rq").read_text(encoding="utf-8")
        bound = {"thing": thing} if "?thing" in query else {}
        rows: dict[str, Row] = {}
        solutions = self.store.select(query, **bound)
        if block.query in SORTED:
            solutions = sorting.in_order(path.partition("/")[0] or "people", solutions)
        for solution in solutions:
            key = solution[block.key]
            row = rows.setdefault(str(key), defaultdict(list))
            if isinstance(key, NamedNode) and iris.document_of(key.value) == iris.document_of(thing) and "#" in key.value:
                row["anchor"] = [key.value.partition("#")[2]]
            for name, cell in self.cells(solution, path).items():
                if cell not in row[name]:
                    row[name].append(cell)
        return list(rows.values())

    def cells(self, solution: Solution, path: str) -> dict[str, Cell]:
        """`?org` and `?orgName` together are a link; start, end and EDTF together are a period."""
        made: dict[str, Cell] = {}
        for name, term in solution.items():
            if isinstance(term, NamedNode) and f"{name}Name" in solution:
                made[name] = Link(solution[f"{name}Name"].value, self.href(term.value, path))
            elif not isinstance(term, NamedNode) and term.value:
                made[name] = term.value
        start, end, edtf = (solution[name].value if name in solution else None for name in ("start", "end", "edtf"))
        if when := words.period(start, end, edtf):
            made["when"] = when
        if "date" in solution:
            made["date"] = words.date(solution["date"].value)
        return made

    def href(self, iri: str, path: str) -> str:
        """The way from the page at a path to a thing, as a relative address; things elsewhere keep theirs."""
        target = iris.path_of(self.site.base, iri)
        if target is None:
            return iri
        fragment = iri.partition("#")[2]
        page = target if not target or target.endswith("/") else f"{target}.html"
        return (root_of(path) + page or "./") + (f"#{fragment}" if fragment and fragment != "it" else "")
