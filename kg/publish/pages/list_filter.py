"""Filters of a list of works by the query of its address: `?kind=journal&year=2020-&person=ada`.

`static/filters.js` does the same in the browser. A folder without a script shows the whole list.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple
from urllib.parse import urlencode

from kg.publish.formats.urls import Link, cell_text, slug_of
from kg.publish.pages.rows import Row, RowGroup
from kg.publish.pages.work_list import IN_PRESS, is_year, kind_of, link_of

EDITION = re.compile(r"\s+\d[\d().–-]*$")  # "IPDPS 2021", "IEEE Micro 42(1)"
YEARS = re.compile(r"(\d{4})?(-?)(\d{4})?")
FACETS = {"person": "Person", "venue": "Venue", "topic": "Topic"}
TEXTS = ("work", "author", "venue", "house", "pages", "note", "award")
ANY = ("", "")  # no first and no last year


class Choice(NamedTuple):
    """A value of a facet with its number of works; `mark` and `letter` are those of a kind."""

    value: str
    label: str
    works: int
    mark: str = ""
    letter: str = ""


@dataclass(frozen=True)
class ListFilter:
    """The filter of a list with the `groups` of all its works, and the values `given` in the
    address. `years` are the first and the last one, or empty.
    """

    groups: Sequence[RowGroup]
    given: Mapping[str, frozenset[str]] = field(default_factory=dict)
    years: tuple[str, str] = ANY

    @classmethod
    def of(cls, groups: Sequence[RowGroup], query: Mapping[str, Sequence[str]]) -> ListFilter:
        """Reads the query of an address. Unknown names, and years that are none, filter nothing."""
        given = {
            name: frozenset(filter(None, query.get(name, ())))
            for name in ("kind", "words", *FACETS)
        }
        found = YEARS.fullmatch(next(iter(query.get("year", ())), ""))
        first, dash, last = found.groups(default="") if found else ("", "", "")
        span = [next(iter(query.get(name, ())), "") for name in ("from", "to")]
        years = (first, last if dash else first) if first or last else (span[0], span[1])
        return cls(groups, given, years if all(map(YEARS.fullmatch, years)) else ANY)

    @property
    def rows(self) -> list[Row]:
        return [row for group in self.groups for row in group.rows]

    @property
    def is_active(self) -> bool:
        return self.years != ANY or any(self.given.values())

    @property
    def query(self) -> str:
        """The filter as the query of an address; empty if it is not active."""
        first, last = self.years
        span = first if first == last else f"{first}-{last}"
        given = [(name, value) for name, found in self.given.items() for value in sorted(found)]
        return (
            f"?{urlencode([*given, *([('year', span)] if span else [])])}" if self.is_active else ""
        )

    @property
    def words(self) -> str:
        return " ".join(sorted(self.given.get("words", ())))

    @property
    def shown(self) -> list[RowGroup]:
        """The groups with the works that pass."""
        kept = (
            RowGroup(group.heading, [row for row in group.rows if self.passes(row, group)])
            for group in self.groups
        )
        return [group for group in kept if group.rows]

    def passes(self, row: Row, group: RowGroup) -> bool:
        given = self.given
        text = plain(" ".join(cell_text(cell) for name in TEXTS for cell in row[name]))
        return (
            all(
                given[name].intersection(dict(values(row, name)))
                for name in ("kind", *FACETS)
                if given.get(name)
            )
            and all(word in text for word in plain(self.words).split())
            and (self.years == ANY or self.in_years(str(group.heading)))
        )

    def in_years(self, heading: str) -> bool:
        """Whether works under a heading are of these years; those in press are of the last."""
        first, last = self.years
        if heading == IN_PRESS:
            return not last
        return is_year(heading) and (first or heading) <= heading <= (last or heading)

    @property
    def kinds(self) -> list[Choice]:
        """The kinds of work, most frequent first."""
        counts = Counter(map(kind_of, self.rows))
        return [
            Choice(kind_value(row), kind.name, count, kind.mark, kind.letter)
            for kind, count in counts.most_common()
            for row in [next(row for row in self.rows if kind_of(row) == kind)]
        ]

    @property
    def selects(self) -> list[tuple[str, str, list[Choice]]]:
        """The other facets with a choice: name, title and values, most frequent first."""
        found = ((name, title, self.choices(name)) for name, title in FACETS.items())
        return [each for each in found if len(each[2]) > 1]

    def choices(self, name: str) -> list[Choice]:
        counts: Counter[str] = Counter()
        labels: dict[str, Counter[str]] = defaultdict(Counter)
        for row in self.rows:
            for value, label in dict(values(row, name)).items():
                counts[value] += 1
                labels[value][label] += 1
        found = [Choice(value, best(labels[value]), count) for value, count in counts.items()]
        return sorted(found, key=lambda each: (-each.works, each.label.casefold()))

    @property
    def all_years(self) -> list[str]:
        return [str(group.heading) for group in self.groups if is_year(group.heading)]


def best(labels: Counter[str]) -> str:
    """The most frequent label, the longest of several."""
    return max(labels, key=lambda label: (labels[label], len(label), label))


def values(row: Row, name: str) -> Iterator[tuple[str, str]]:
    """The values of a work in a facet, with labels."""
    if name == "kind":
        yield kind_value(row), kind_of(row).name
    for cell in row["owner" if name == "person" else name] if name in FACETS else ():
        if isinstance(cell, Link) and cell.href:
            label = cell.text.removesuffix("*") if name == "person" else cell.text
            yield slug_of(cell.href), EDITION.sub("", label) if name == "venue" else label


def kind_value(row: Row) -> str:
    """`Data, software` -> `data`"""
    return kind_of(row).name.partition(",")[0].lower()


def slugs(groups: Sequence[RowGroup]) -> frozenset[str]:
    """The works of a list by the last part of their addresses."""
    return frozenset(slug_of(link_of(row)) for group in groups for row in group.rows)


def plain(text: str) -> str:
    """A text for comparison: without accents, in lower case."""
    letters = unicodedata.normalize("NFKD", text)
    return "".join(each for each in letters if unicodedata.category(each)[0] != "M").lower()
