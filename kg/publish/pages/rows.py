"""Blocks filled for one page, as templates print them: sections, groups and rows.

Solutions with the same key are one row, and each of its columns is a list of distinct cells.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import NamedTuple, Self

from markupsafe import Markup
from pyoxigraph import Literal, NamedNode

from kg.check.blocks import Block
from kg.check.images import shown_size
from kg.facts.models.sections import HIDES
from kg.facts.values.text import slugify
from kg.graph.describe import Description, has_language
from kg.mapping import iris
from kg.publish.figures import draw
from kg.publish.formats.urls import Cell, Link, cell_text, href, query_page, written_link
from kg.settings import query
from kg.store.protocol import Solution, Store, Term
from kg.text import dates, sorting
from kg.text.markdown import prose_html, title_html
from kg.text.person_names import initials
from kg.vocab import cv, dcterms, home, schema

LINE, FEW = ("coauthors", "labelled"), 6  # templates of one paragraph; rows of a short section
BRIEF, SHORT_TEXT = ("entries", "links", "memberships", "projects", "sections", "tree"), 80
PROSE = ("text", "said")  # Markdown columns
MOST_AUTHORS, FIRST_AUTHORS = 12, 6
DATES = ("when", "start", "end", "edtf", "anchor")

Row = defaultdict[str, list[Cell]]


class RowGroup(NamedTuple):
    """Rows under a heading, such as a year, a letter or a person; the heading is empty if the
    section has no groups.
    """

    heading: Cell
    rows: list[Row]

    def shared(self, column: str) -> list[Cell]:
        """The cells of a column, if they are the same in all rows."""
        first, *others = (row[column] for row in self.rows)
        return first if all(other == first for other in others) else []


@dataclass
class PageSection:
    """A filled block, or a group of one. Its name is its CSS class; its anchor is `section-` and
    its name, unless set. `figure` shows the rows as a picture; `more` rows are not shown, and
    `question` links to a query that lists them.
    """

    name: str
    template: str
    title: str
    groups: list[RowGroup]
    figure: Markup = field(default_factory=Markup)
    more: int = 0
    question: str = ""
    anchor: str = ""
    shows: tuple[str, ...] = ()  # sections of the CV
    details: str = ""  # the query for details of its rows

    def __post_init__(self) -> None:
        self.anchor = self.anchor or f"section-{self.name}"

    @property
    def rows(self) -> list[Row]:
        return [row for group in self.groups for row in group.rows]

    @property
    def is_brief(self) -> bool:
        """Whether its title fits beside its text, a paragraph or a few lines without dates."""
        if len(self.groups) != 1 or self.groups[0].heading:
            return False
        is_short = len(self.rows) <= FEW and not any(
            row["when"] or len(cell_text(row["text"][0]) if row["text"] else "") > SHORT_TEXT
            for row in self.rows
        )
        return self.template in LINE or (self.template in BRIEF and is_short)

    @property
    def links(self) -> list[Link]:
        headings = [group.heading for group in self.groups]
        columns = [headings, *(cells for row in self.rows for cells in row.values())]
        return [cell for cells in columns for cell in cells if isinstance(cell, Link)]


class BlockFiller:
    """Fills blocks for one page. A column `?group` divides the rows; `?org` and `?orgName` together
    are a link; `?text` is prose.
    """

    def __init__(
        self,
        base: str,
        store: Store,
        description: Description,
        kind: str,
        thing: str,
        path: str,
        hidden: Set[str],
        now: str = "",
    ) -> None:
        """`hidden` are sections of a CV that are not shown; `now` is the date of the present in
        figures.
        """
        self.now = now
        self.base, self.store, self.description = base, store, description
        self.kind, self.thing, self.path, self.hidden = kind, thing, path, hidden
        self.shown = iris.path_of(base, description.document)

    def sections(self, blocks: Iterable[Block], shown: Iterable[Cell]) -> list[PageSection]:
        """The non-empty sections, in order. `shown` are links already on the page."""
        wanted = list(blocks)
        filled = {block.name: self.section(block) for block in wanted if not block.is_new}
        linked = [cell for cell in shown if isinstance(cell, Link)]
        linked += [link for section in filled.values() for link in section.links]
        pages = {link.href.partition("#")[0] for link in linked}
        filled |= {block.name: self.section(block, pages) for block in wanted if block.is_new}
        for block in wanted:
            if block.within in filled:
                filled[block.within].figure = filled[block.name].figure
        anchors = {section.anchor for section in filled.values()}
        return [
            section
            for block in wanted
            if not block.within
            for section in divided(filled[block.name], anchors, block.is_divided)
            if section.groups
        ]

    def section(self, block: Block, pages: Set[str] = frozenset()) -> PageSection:
        """A filled block, without pages linked elsewhere on the page; empty if its figure has
        nothing to draw.
        """
        about = {"thing": self.thing} if block.is_about_one else {}
        solutions = [
            solution
            for solution in self.store.select(block.query, **about)
            if block.row in solution
            and (
                not pages
                or "item" not in solution
                or self.href(solution["item"].value) not in pages
            )
            and (not self.hidden or section_of(solution) not in self.hidden)
        ]
        solutions = without_translations(solutions, block.row)
        if block.details:
            solutions = self.with_details(block, solutions)
        solutions = self.with_open_ends(block, solutions)
        groups, more = self.groups(block, solutions)
        title = block.title(self.kind)
        section = PageSection(
            block.name,
            block.template,
            title,
            [
                group._replace(heading="") if is_same(group.heading, title) else group
                for group in groups
            ],
            more=more,
            shows=block.sections,
            details=block.details,
        )
        if more:
            section.question = query_page(block.question(self.thing))
        if block.figure:
            for row in section.rows:
                row["until"] = [self.now]
            section.figure = draw(block.figure, section.rows, self.description.title) or Markup()
            section.groups = section.groups if section.figure else []
        return section

    def with_open_ends(self, block: Block, solutions: list[Solution]) -> list[Solution]:
        """The solutions; a period without an end becomes EDTF that says so: `2019/`. The dates are
        those of `period`, or else of the row.
        """
        begun = [
            (solution.get("period", solution[block.row]), start.value)
            if "end" not in solution and (start := solution.get("edtf", solution.get("start")))
            else (None, "")
            for solution in solutions
        ]
        things = {
            thing.value
            for thing, start in begun
            if isinstance(thing, NamedNode) and "/" not in start
        }
        if not things:
            return solutions
        found = self.store.select(query("site/endless"), thing=sorted(things))
        endless = {row["thing"] for row in found}
        return [
            solution | {"edtf": Literal(f"{start}/")} if thing in endless else solution
            for solution, (thing, start) in zip(solutions, begun, strict=True)
        ]

    def with_details(self, block: Block, solutions: list[Solution]) -> list[Solution]:
        """The solutions, each row followed by the details from a query; the first group is used."""
        keys = list(dict.fromkeys(solution[block.row].value for solution in solutions))
        found: dict[str, list[Solution]] = {key: [] for key in keys}
        if keys:
            about = {block.row: keys[: block.most or None]}
            solutions = [*solutions, *self.store.select(query(f"site/{block.details}"), **about)]
        years = [solution["year"].value for solution in solutions if "year" in solution]
        changed = self.description.value(schema.dateModified, self.description.document) or ""
        newest = max([changed[:4], *years])
        for solution in solutions:
            year = solution.get("year")
            is_past = year is not None and year.value < newest  # no longer in press
            found[solution[block.row].value].append(
                solution | {"group": year} if year and is_past else solution
            )
        return [
            solution | group
            for rows in found.values()
            for group in [next(({"group": row["group"]} for row in rows if "group" in row), {})]
            for solution in rows
        ]

    def described(self, *details: str) -> Row:
        """The results of some queries about the work of the page, as one row."""
        row: Row = defaultdict(list)
        for name in details:
            for solution in self.store.select(query(f"site/{name}"), work=self.thing):
                for column, cell in self.cells(solution).items():
                    if cell not in row[column]:
                        row[column].append(cell)
        return row

    def groups(self, block: Block, solutions: list[Solution]) -> tuple[list[RowGroup], int]:
        """The rows, and the number of rows that are not shown."""
        groups: dict[str, tuple[Cell, dict[str, Row]]] = {}
        known = set[tuple[int, str, Cell]]()  # works can have a thousand authors
        listed = self.path.partition("/")[0]  # the kind of list; the home page lists people
        if block.is_sorted:
            solutions = sorting.in_order(listed or "people", solutions)
        named = [str(solution[block.row]) for solution in solutions]
        keys = list(dict.fromkeys(named))
        shown = set(keys[: block.most or None])
        for key, solution in zip(named, solutions, strict=True):
            if key not in shown:
                continue
            cells = self.cells(solution)
            cells.pop("section", None)
            heading = cells.pop("group", "")
            if block.is_sorted and listed:
                heading = sorting.heading(listed, solution)
            _, rows = groups.setdefault(str(heading), (heading, {}))
            row = rows.get(key)
            if row is None:
                row = rows[key] = self.row(solution[block.row])
                known |= {(id(row), name, cell) for name in row for cell in row[name]}
            for name, cell in cells.items():
                if (id(row), name, cell) not in known:
                    known.add((id(row), name, cell))
                    row[name].append(cell)
        filled = [
            (heading, [shortened(row) for row in rows.values()])
            for heading, rows in groups.values()
        ]
        return [
            RowGroup(heading, rows if block.figure else joined(rows)) for heading, rows in filled
        ], len(keys) - len(shown)

    def href(self, iri: str) -> str:
        return href(self.base, iri, self.path, self.shown)

    def prose(self, text: str) -> Markup:
        return prose_html(text, partial(written_link, self.base, path=self.path))

    def row(self, key: Term) -> Row:
        """An empty row; a part of the page's own document has an anchor and its sources."""
        row: Row = defaultdict(list)
        iri = key.value if isinstance(key, NamedNode) else ""
        if "#" in iri and home(self.base, iri) == self.description.document:
            row["anchor"] = [iri.partition("#")[2]]
            row["source"] = [
                Link(self.description.labels[source][1] or source, self.href(source))
                for source in self.description.values(dcterms.source, iri)
                if source in self.description.labels
            ]
        return row

    def cells(self, solution: Solution) -> dict[str, Cell]:
        """Start, end and EDTF are combined into a period."""
        cells: dict[str, Cell] = {}
        for name, term in solution.items():
            if isinstance(term, NamedNode):
                if f"{name}Name" in solution:
                    text = title_html(solution[f"{name}Name"].value)
                    cells[name] = Link(text, self.href(term.value))
            elif term.value:
                cells[name] = self.prose(term.value) if name in PROSE else term.value
        start, end, edtf = (
            solution[name].value if name in solution else None for name in ("start", "end", "edtf")
        )
        if when := dates.period(start, end, edtf):
            cells["when"] = when
        if "date" in solution:
            cells["date"] = dates.date(solution["date"].value)
        return cells


def is_same(heading: Cell, title: str) -> bool:
    """Whether the heading of a group repeats the title of its section."""
    return cell_text(heading).casefold() == title.casefold()


def without_translations(solutions: list[Solution], row: str) -> list[Solution]:
    """Drops solutions that repeat a row in other languages."""
    foreign = [any(map(has_language, solution.values())) for solution in solutions]
    if not any(foreign):
        return solutions
    pairs = list(zip(solutions, foreign, strict=True))
    plain = {str(solution[row]) for solution, is_foreign in pairs if not is_foreign}
    return [each for each, is_foreign in pairs if not is_foreign or str(each[row]) not in plain]


def section_of(solution: Solution) -> str:
    """The section of a CV that a solution comes from, if the block shows several."""
    return solution["section"].value if "section" in solution else ""


def divided(section: PageSection, anchors: Set[str], by_group: bool) -> Iterator[PageSection]:
    """The section, or each of its groups as a section, with the anchor of the heading's target."""
    if not by_group:
        yield section
        return
    for heading, rows in section.groups:
        link = heading if isinstance(heading, Link) else Link(heading, slugify(heading))
        anchor = link.href.removeprefix("#")
        yield replace(
            section,
            title=link.text,
            groups=[RowGroup("", rows)],
            anchor=f"own-{anchor}" if anchor in anchors else anchor,
        )


def shortened(row: Row) -> Row:
    """The row with its authors; of very many, only the first ones and the person of the page. A
    date that equals the title is left out.
    """
    if row.get("when") and row["when"] == row.get("title"):
        row["when"] = []
    authors = row.get("author", [])
    if len(authors) > MOST_AUTHORS:
        later = [
            cell
            for cell in authors[FIRST_AUTHORS:]
            if isinstance(cell, Link) and (not cell.href or cell in row.get("owner", ()))
        ]
        row["author"] = [
            *authors[:FIRST_AUTHORS],
            *later,
            f"{len(authors) - FIRST_AUTHORS - len(later)} more",
        ]
    return row


def joined(rows: Iterable[Row]) -> list[Row]:
    """Merges rows that differ only in dates into one, with the dates and anchors of all."""
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
            for name in DATES:
                first[name] += row[name]
        elif first is not row:
            found[id(row)] = row
    return list(found.values())


class SourceNotes(NamedTuple):
    """The common sources of a page (`main`), stated once. An entry with a source that is not among
    them has a number that links to a note.
    """

    main: list[Cell]
    notes: list[list[Cell]]


def number_sources(sections: Sequence[PageSection], stated: Sequence[Cell]) -> SourceNotes:
    """Replaces the sources of rows with links to notes; `stated` are the sources of the page. An
    entry with its own page has its sources there.
    """
    rows = [row for section in sections for row in section.rows]
    counts = Counter(tuple(row["source"]) for row in rows if row["source"])
    main = tuple(stated) or next((found for found, _ in counts.most_common(1)), ())
    notes = [found for found in counts if not {*found} <= {*main}]
    numbers = {found: number for number, found in enumerate(notes, 1)}
    for row in rows:
        number = numbers.get(tuple(row["source"]))
        row["source"] = [Link(str(number), f"#source-{number}")] if number else []
    return SourceNotes(list(main), [list(found) for found in notes])


NEWS = "news"
SUMMARY = "summary"  # in the head of a page, unless the CV orders it differently


class Arrangement(NamedTuple):
    """Section names in lower case: those that come first, in order, and those that are hidden."""

    order: tuple[str, ...]
    hidden: frozenset[str]

    @classmethod
    def of(cls, description: Description, base: str) -> Self:
        lines = description.value(cv.layout, description.document) or ""
        names = lines.casefold().splitlines()
        return cls(
            tuple(name for name in names if not name.startswith(HIDES)),
            frozenset(name.removeprefix(HIDES) for name in names if name.startswith(HIDES)),
        )

    @property
    def has_summary_first(self) -> bool:
        return SUMMARY not in self.order[1:]

    def shown(self, blocks: Iterable[Block]) -> list[Block]:
        """The blocks with at least one visible section."""
        return [block for block in blocks if not self.hidden.issuperset(block.sections)]

    def arranged(self, sections: Iterable[PageSection]) -> list[PageSection]:
        """News that are not listed, the listed sections in order, then the others. Sections with
        the same title, such as a free section `Education`, are together below one heading.
        """
        left = (section for section in sections if section.title.casefold() not in self.hidden)
        together: dict[str, list[PageSection]] = {}
        for section in sorted(left, key=self.place):
            together.setdefault(section.title.casefold() or section.name, []).append(section)
        for _, *others in together.values():
            for section in others:
                section.title = ""
        return [section for each in together.values() for section in each]

    def place(self, section: PageSection) -> int:
        names = {section.title.casefold(), *section.shows}
        places = (place for place, name in enumerate(self.order) if name in names)
        return next(places, -1 if NEWS in names else len(self.order))


def summary_section(text: Markup) -> PageSection:
    """The summary as a section."""
    row: Row = defaultdict(list, text=[text])
    return PageSection(SUMMARY, "sections", "Summary", [RowGroup("", [row])], shows=(SUMMARY,))


TEMPLATE = "people"


def add_faces(sections: Iterable[PageSection], folder: Path) -> None:
    """Gives each row of people a `face`: a picture or initials; each row of works its picture, if
    there is one.
    """
    for section in sections:
        shows_people = section.template == TEMPLATE
        for row in section.rows if shows_people or section.details == "works" else []:
            face = picture(row, folder)
            row["face"] = [face] if face else []
            if shows_people and not face:
                row["face"] = [initials(cell_text(row["item"][0]))]
            size = shown_size(folder / face.href.lstrip("./")) if face else None
            row["size"] = [*map(str, size or ())]


def picture(row: Row, folder: Path) -> Link | None:
    """The first picture of a row that is in the folder of the site. `kg check` reports missing
    ones; external ones are not loaded.
    """
    found = (
        cell
        for cell in row["face"]
        if isinstance(cell, Link) and (folder / cell.href.lstrip("./")).is_file()
    )
    return next(found, None)
