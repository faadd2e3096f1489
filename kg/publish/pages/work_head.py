"""The head of the page of a work, and its citation formats."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from kg.publish.citations.citation import CitedWork
from kg.publish.citations.writers import bibtex, csl, plain_text, ris
from kg.publish.formats.media import BIBTEX, CSL, NAMES
from kg.publish.formats.urls import Cell, Link, cell_text
from kg.publish.pages.rows import BlockFiller, PageSection, Row, RowGroup
from kg.publish.pages.work_list import has_equals, kind_of
from kg.text import wording
from kg.vocab import schema

# Facts that the head shows in another way.
IN_HEAD = {
    wording.FACTS[each]
    for each in (
        *(schema.datePublished, schema.genre, schema.creativeWorkStatus),
        *(schema.alternativeHeadline, schema.pagination, schema.reportNumber, schema.award),
    )
} | {"Keywords", "About", "Pages"}


class CitedForm(NamedTuple):
    """A citation format: its name, the text, and its file, if any."""

    name: str
    text: str
    href: str = ""
    type: str = ""


def work_row(filler: BlockFiller) -> Row:
    """The data of the head: everything from lists, and more, with all authors."""
    row = filler.described("works", "work")
    row.pop("face", None)  # the picture is above the title
    kind = kind_of(row)
    row["mark"], row["code"] = [kind.mark], [kind.letter]
    row["house"] = [] if row["venue"] else row["house"]  # the publisher only without a venue
    row["equal"] = ["*"] if has_equals([row]) else []
    pills = {cell.href: cell for cell in reversed(row["pill"]) if isinstance(cell, Link)}
    # each address once
    once = [in_words(cell) for cell in row["pill"] if cell in pills.values()]
    row["pill"] = sorted(once, key=lambda cell: not cell_text(cell).startswith("Download"))
    topics = [cell.text for cell in row["topic"] if isinstance(cell, Link)]
    row["keyword"] = [keyword for keyword in row["keyword"] if keyword not in topics]
    return row


def in_words(pill: Cell) -> Cell:
    """A link to a copy of the work, with a longer text than in lists."""
    if isinstance(pill, Link) and pill.text == "DOI":
        return Link("Publisher’s page", pill.href)
    if isinstance(pill, Link) and pill.text == "arXiv":
        return Link(f"arXiv {pill.href.partition('/abs/')[2]}", pill.href)
    return pill


def other_facts(facts: list[tuple[str, list[Cell]]], row: Row) -> list[tuple[str, list[Cell]]]:
    """The facts that the head does not show."""
    links = {cell.href for cells in row.values() for cell in cells if isinstance(cell, Link)}
    left = (
        (name, [cell for cell in cells if not isinstance(cell, Link) or cell.href not in links])
        for name, cells in facts
        if name not in IN_HEAD
    )
    return [(name, cells) for name, cells in left if cells]


def with_terms(
    facts: list[tuple[str, list[Cell]]],
) -> tuple[list[Cell], list[tuple[str, list[Cell]]]]:
    """Version and licence, which are in the first line of the head; and the other facts."""
    named = dict(facts)
    version = [f"v{cell}" for cell in named.pop("Version", []) if isinstance(cell, str)]
    return [*version, *named.pop("Licence", [])], list(named.items())


def with_details(
    sections: list[PageSection], facts: list[tuple[str, list[Cell]]]
) -> list[PageSection]:
    """The sections, with one for further facts before the mentions, if there are any."""
    rows: list[Row] = [defaultdict(list, label=[name], item=cells) for name, cells in facts]
    last = [section for section in sections if section.name == "mentions"]
    details = [PageSection("details", "related", "Details", [RowGroup("", rows)])] if rows else []
    return [*(section for section in sections if section not in last), *details, *last]


def cited_forms(works: list[CitedWork], twins: Iterable[tuple[str, str, str]]) -> list[CitedForm]:
    """`twins` are the data files of the page: media type, name, address."""
    files = {media: address for media, _, address in twins}
    return [
        CitedForm(NAMES[BIBTEX], bibtex(works).decode(), files.get(BIBTEX, ""), BIBTEX),
        CitedForm("Plain text", "\n".join(map(plain_text, works))),
        CitedForm(NAMES[CSL], csl(works).decode(), files.get(CSL, ""), CSL),
        CitedForm("RIS", "".join(map(ris, works)), type="application/x-research-info-systems"),
    ]
