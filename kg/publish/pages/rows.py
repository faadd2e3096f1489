"""Rows of a block for one page: solutions with the same key are one row, and each of its columns is
a list of different cells.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence, Set
from dataclasses import replace

from pyoxigraph import NamedNode

from kg.mapping import iris
from kg.publish.figures import FIGURES
from kg.publish.formats.urls import Cell, Link, href, query_page
from kg.publish.pages.blocks import Block
from kg.publish.pages.page import Group, Row, Section
from kg.publish.text import sorting, wording
from kg.store.describe import Description
from kg.store.protocol import Solution, Store
from kg.vocab import dcterms

MOST_AUTHORS, FIRST_AUTHORS = 12, 6
DATES = ("when", "start", "end", "edtf", "anchor")


class BlockFiller:
    """Fills blocks for one page. A column `?group` divides the rows; `?org` and `?orgName` together
    are a link.
    """

    def __init__(
        self, base: str, store: Store, description: Description, kind: str, thing: str, path: str
    ) -> None:
        self.base, self.store, self.description = base, store, description
        self.kind, self.thing, self.path = kind, thing, path

    def sections(self, blocks: Iterable[Block], shown: Iterable[Cell]) -> list[Section]:
        """Those that have rows, in order. `shown` is what the page links to already."""
        wanted = list(blocks)
        filled = {block.name: self.section(block) for block in wanted if not block.is_new}
        links = {cell.href.partition("#")[0] for cell in shown if isinstance(cell, Link)}
        links.update(
            cell.href.partition("#")[0] for section in filled.values() for cell in links_of(section)
        )
        filled |= {block.name: self.section(block, links) for block in wanted if block.is_new}
        return [section for block in wanted if (section := filled[block.name]).groups]

    def section(self, block: Block, links: Set[str] = frozenset()) -> Section:
        """A filled block, without what the page links to elsewhere; a figure with nothing to draw
        is empty.
        """
        solutions = self.store.select(
            block.query, **({"thing": self.thing} if block.is_about_one else {})
        )
        groups, more = self.groups(block, solutions, links)
        section = sourced(
            Section(block.name, block.template, block.title(self.kind), groups),
            "?source" in block.query,
        )
        if more:
            section = replace(section, more=more, question=query_page(block.question(self.thing)))
        if not block.figure:
            return section
        figure = FIGURES[block.figure](section.rows, self.description.title)
        return replace(section, figure=figure, groups=section.groups if figure else [])

    def groups(
        self, block: Block, solutions: Sequence[Solution], links: Set[str]
    ) -> tuple[list[Group], int]:
        """The rows, and how many more there are than are shown."""
        groups: dict[str, tuple[Cell, dict[str, Row]]] = {}
        listed = self.path.partition("/")[0]  # the kind of a list; the home page lists people
        shown: set[str] = set()
        left: set[str] = set()
        for solution in (
            sorting.in_order(listed or "people", solutions) if block.is_sorted else solutions
        ):
            key, item = solution[block.row], solution.get("item")
            if item is not None and links and href(self.base, item.value, self.path) in links:
                continue
            if block.most and len(shown) >= block.most and str(key) not in shown:
                left.add(str(key))
                continue
            shown.add(str(key))
            cells = self.cells(solution)
            heading = cells.pop("group", "")
            if block.is_sorted and listed:
                heading = sorting.heading(listed, solution)
            _, rows = groups.setdefault(str(heading), (heading, {}))
            row = rows.get(str(key))
            if row is None:
                row = rows[str(key)] = (
                    self.row(key.value) if isinstance(key, NamedNode) else defaultdict(list)
                )
            for name, cell in cells.items():
                if cell not in row[name]:
                    row[name].append(cell)
        filled = [
            (heading, [shortened(row) for row in rows.values()])
            for heading, rows in groups.values()
        ]
        return [
            Group(heading, rows if block.figure else joined(rows)) for heading, rows in filled
        ], len(left)

    def row(self, iri: str) -> Row:
        """A row about a thing: one of the page's own has an anchor, and says where it was taken
        from.
        """
        row: Row = defaultdict(list)
        if "#" in iri and iris.document_of(iri) == self.description.document:
            row["anchor"] = [iri.partition("#")[2]]
            row["source"] = [
                Link(
                    self.description.labels[source][1] or source, href(self.base, source, self.path)
                )
                for source in self.description.values(dcterms.source, iri)
                if source in self.description.labels
            ]
        return row

    def cells(self, solution: Solution) -> dict[str, Cell]:
        """Start, end and EDTF together are a period."""
        cells: dict[str, Cell] = {}
        for name, term in solution.items():
            if isinstance(term, NamedNode):
                if f"{name}Name" in solution:
                    cells[name] = Link(
                        solution[f"{name}Name"].value, href(self.base, term.value, self.path)
                    )
            elif term.value:
                cells[name] = term.value
        start, end, edtf = (
            solution[name].value if name in solution else None for name in ("start", "end", "edtf")
        )
        if when := wording.period(start, end, edtf):
            cells["when"] = when
        if "date" in solution:
            cells["date"] = wording.date(solution["date"].value)
        return cells


def shortened(row: Row) -> Row:
    """The row with its authors, or the first of very many and the one whose page it is on; the work
    itself names all. A date that is in the title or the occasion is left out.
    """
    texts = [
        cell.text if isinstance(cell, Link) else cell
        for name in ("item", "title", "where")
        for cell in row.get(name, [])
    ]
    if row.get("when") and all(any(str(when) in text for text in texts) for when in row["when"]):
        row["when"] = []
    authors = row.get("author", [])
    if len(authors) > MOST_AUTHORS:
        later = [
            cell for cell in authors[FIRST_AUTHORS:] if isinstance(cell, Link) and not cell.href
        ]
        row["author"] = [
            *authors[:FIRST_AUTHORS],
            *later,
            f"{len(authors) - FIRST_AUTHORS - len(later)} more",
        ]
    return row


def joined(rows: Iterable[Row]) -> list[Row]:
    """The rows, where those that differ by their dates alone are one, with the date and the anchor
    of each.
    """
    found: dict[Hashable, Row] = {}
    for row in rows:
        is_dated = len(row.get("when", [])) == 1
        same = (
            tuple(
                sorted(
                    (name, tuple(cells))
                    for name, cells in row.items()
                    if name not in DATES and cells
                )
            )
            if is_dated
            else id(row)
        )
        first = found.setdefault(same, row)
        if first is not row and row["when"][0] not in first["when"]:
            for name in ("when", "anchor"):
                first[name] += row[name]
        elif first is not row:
            found[id(row)] = row
    return list(found.values())


def sourced(section: Section, is_of_others: bool) -> Section:
    """The section with the most frequent source of its rows stated once, if each has one; the other
    rows keep theirs. A thing with a page of its own has its source there, unless the block selects
    it (`is_of_others`).
    """
    named = Counter(tuple(row["source"]) for row in section.rows if is_of_others or row["anchor"])
    if not named or () in named:
        return section
    usual = max(named, key=lambda source: named[source])
    for row in section.rows:
        if tuple(row["source"]) == usual:
            row["source"] = []
    return replace(section, source=list(usual))


def links_of(section: Section) -> Iterable[Link]:
    """All links of a section."""
    columns = [
        section.source,
        [group.heading for group in section.groups],
        *(cells for row in section.rows for cells in row.values()),
    ]
    return (cell for cells in columns for cell in cells if isinstance(cell, Link))
