"""Lists of works: ordered by year, versions folded into their work, kinds with letters and numbers.

The letter is the kind of a work, the number counts from the oldest: C30 to C1.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import NamedTuple

from kg.errors import counted
from kg.publish.formats.urls import Cell, Link, cell_text
from kg.publish.pages.rows import PageSection, Row, RowGroup

IN_PRESS = "In press"
EQUAL = re.compile(r"\*(?: \([a-z ]+\))?$")  # after a name, as the query writes it
MAX_OPEN, MIN_OPEN = 30, 20  # of more than 30 works, the newest 20 are open, in whole years
MIN_CHIPS = 5


class WorkKind(NamedTuple):
    """`mark` is its CSS class, which sets the colour."""

    letter: str
    mark: str
    name: str


CONFERENCE = WorkKind("C", "c", "Conference")
JOURNAL = WorkKind("J", "j", "Journal")
BOOK = WorkKind("B", "b", "Book")
DATA = WorkKind("D", "d", "Data, software")
OTHER = WorkKind("O", "m", "Other")
WORK_KINDS = {
    "Conference paper": CONFERENCE,
    "Paper": CONFERENCE,
    "Abstract": CONFERENCE,
    "Workshop paper": WorkKind("W", "w", "Workshop"),
    "Journal article": JOURNAL,
    "Editorial": JOURNAL,
    "Review": JOURNAL,
    "Poster": WorkKind("Po", "o", "Poster"),
    "Preprint": WorkKind("P", "p", "Preprint"),
    "Report": WorkKind("R", "r", "Report"),
    "Working paper": WorkKind("R", "r", "Report"),
    "Thesis": WorkKind("T", "t", "Thesis"),
    "Patent": WorkKind("Pat", "x", "Patent"),
    "Dataset": DATA,
    "Software": DATA,
    **dict.fromkeys(
        (
            *("Book", "Edited book", "Book chapter", "Encyclopedia entry", "Proceedings"),
            *("Special issue", "Translation"),
        ),
        BOOK,
    ),
}


@dataclass
class WorkList:
    """The works of a section for its template: `chips` are the kinds with their counts, most
    frequent first; `older` works are collapsed.
    """

    groups: list[RowGroup]
    older: list[RowGroup] = field(default_factory=list)

    @property
    def rows(self) -> list[Row]:
        return [row for group in [*self.groups, *self.older] for row in group.rows]

    @property
    def chips(self) -> list[tuple[WorkKind, int]]:
        """Empty if there is little to choose from."""
        found = Counter(map(kind_of, self.rows)).most_common()
        return found if len(found) > 1 and len(self.rows) >= MIN_CHIPS else []

    @property
    def has_equals(self) -> bool:
        return has_equals(self.rows)

    @property
    def older_title(self) -> str:
        """`22 earlier works, 2010–2019`"""
        years = [str(group.heading) for group in self.older if is_year(group.heading)]
        count = sum(len(group.rows) for group in self.older)
        span = f", {years[-1]}–{years[0]}" if len(years) > 1 else "".join(f", {y}" for y in years)
        return f"{counted(count, 'earlier work')}{span}"


def has_equals(rows: Iterable[Row]) -> bool:
    """Whether an author is marked as having contributed equally."""
    return any(EQUAL.search(cell_text(cell)) for row in rows for cell in row["author"])


def kind_of(row: Row) -> WorkKind:
    return WORK_KINDS.get(str(next(iter(row["kind"]), "")), OTHER)


def link_of(row: Row) -> str:
    return next((cell.href for cell in row["work"] if isinstance(cell, Link)), "")


def is_year(heading: Cell) -> bool:
    return str(heading).isdecimal()


def arranged(groups: Iterable[RowGroup]) -> list[RowGroup]:
    """In press, the years in descending order, undated; without versions that another work in the
    list is based on, which names them.
    """
    found = list(groups)
    versions = {
        cell.href
        for group in found
        for row in group.rows
        for cell in row["earlier"]
        if isinstance(cell, Link)
    }
    kept = (
        RowGroup(group.heading, [row for row in group.rows if link_of(row) not in versions])
        for group in found
    )
    return sorted((group for group in kept if group.rows), key=place)


def place(group: RowGroup) -> tuple[bool, int]:
    """In press, the years, the rest."""
    heading = str(group.heading)
    if is_year(heading):
        return False, -int(heading)
    return heading != IN_PRESS, -9999


def arrange_works(
    sections: Iterable[PageSection], bibtex: Mapping[str, str], is_list: bool
) -> dict[str, WorkList]:
    """The lists of works among the sections of a page, by name. Sorts their groups and adds to
    their rows what depends on the page: mark, code and, by the link to the work, BibTeX. Many older
    works are collapsed and have no BibTeX here, except on a page that lists all (`is_list`).
    """
    chosen = [section for section in sections if section.details == "works"]
    for section in chosen:
        section.groups = arranged(section.groups)
    rows = [row for section in chosen for row in section.rows]
    listed = [row for section in chosen if section.template == "works" for row in section.rows]
    codes = numbered(listed) if bibtex else {}
    for row in rows:
        link, kind = link_of(row), kind_of(row)
        row["mark"], row["code"] = [kind.mark], [codes.get(link, kind.letter)]
        row["offers"] = row["pill"] + row["award"] + row["said"]
        if link in codes and link in bibtex:
            row["bibtex"] = [bibtex[link]]
            row["sheet"] = [f"cite-{codes[link]}"]
    found = {
        section.name: WorkList(section.groups) if is_list else folded(section.groups)
        for section in chosen
    }
    others = [section for section in chosen if section.template != "works"]
    cards = {link_of(row) for section in others for row in section.rows}
    for row in (row for each in found.values() for group in each.older for row in group.rows):
        if link_of(row) not in cards:  # "Cite" leads to the page of the work
            row["bibtex"], row["sheet"] = [], []
    return found


def folded(groups: list[RowGroup]) -> WorkList:
    """The list with older works separated, if there are many."""
    sizes = accumulate(len(group.rows) for group in groups)
    number = next(
        number for number, size in enumerate(sizes, 1) if size >= MIN_OPEN or number == len(groups)
    )
    is_long = sum(len(group.rows) for group in groups) > MAX_OPEN
    return WorkList(groups[:number], groups[number:]) if is_long else WorkList(groups)


def numbered(rows: Sequence[Row]) -> dict[str, str]:
    """The code of each work by its link: letter and number within its kind."""
    found: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for row in reversed(rows):
        letter = kind_of(row).letter
        counts[letter] += 1
        found[link_of(row)] = f"{letter}{counts[letter]}"
    return found
