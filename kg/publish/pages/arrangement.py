"""The order of the sections of a person's page, and which of them are hidden, as `layout` in the CV
says it. Nothing else on the site follows it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple, Self

from markupsafe import Markup

from kg.check.own.blocks import Block
from kg.facts.models.sections import HIDES
from kg.mapping import iris
from kg.publish.pages.rows import PageSection, Row, RowGroup
from kg.store.describe import Description
from kg.vocab import cv

SUMMARY = "summary"  # at the head of a page, unless the order puts it elsewhere


class Arrangement(NamedTuple):
    """Names of sections, without case: those that come first, in order, and those that are not
    shown.
    """

    order: tuple[str, ...]
    hidden: frozenset[str]

    @classmethod
    def of(cls, description: Description, base: str) -> Self:
        lines = description.value(iris.resolve(base, cv.layout), description.document) or ""
        names = lines.casefold().splitlines()
        return cls(
            tuple(name for name in names if not name.startswith(HIDES)),
            frozenset(name.removeprefix(HIDES) for name in names if name.startswith(HIDES)),
        )

    @property
    def has_summary_first(self) -> bool:
        return SUMMARY not in self.order[1:]

    def shown(self, blocks: Iterable[Block]) -> list[Block]:
        """The blocks of which some section is shown."""
        return [block for block in blocks if not self.hidden.issuperset(block.sections)]

    def arranged(self, sections: Iterable[PageSection]) -> list[PageSection]:
        """Those that are named, in order, then the others as they come."""
        left = (section for section in sections if section.title.casefold() not in self.hidden)
        return sorted(left, key=self.place)

    def place(self, section: PageSection) -> int:
        names = {section.title.casefold(), *section.shows}
        places = (place for place, name in enumerate(self.order) if name in names)
        return next(places, len(self.order))


def summary_section(text: Markup) -> PageSection:
    """The summary as a section among others."""
    row: Row = defaultdict(list, text=[text])
    return PageSection(SUMMARY, "sections", "Summary", [RowGroup("", [row])], shows=(SUMMARY,))
