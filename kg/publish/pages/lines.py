"""Folds rows into lines: `Reviewer: ICLR 2020–2022, ASPLOS 2019, 2021 (external reviewer)`.

Rows have an `item` (a venue or an organisation), a `note` (the role there) and a `kind`.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from kg.publish.formats.urls import Cell, Link, cell_text
from kg.text.dates import folded

if TYPE_CHECKING:  # imports much that a server of RDF files does not need
    from kg.publish.pages.rows import Row

MIN_OCCURRENCES = 3  # occurrences from which a role has its own line
# The order of kinds; unlisted kinds come last.
KINDS = (
    "Editing",
    "Chairing",
    "Board",
    "Panel",
    "Committee",
    "Program committee",
    "Organizing",
    "Reviewing",
    "Examination",
    "Service",
    "Outreach",
    "Volunteering",
)
YEAR = re.compile(r"\d{4}")
OWN_LINE = ("text", "link")  # rows with these columns are not folded


class Stint(NamedTuple):
    """The dates at one venue in one role; `remark` is anything that the line does not say."""

    item: Cell
    when: str
    remark: str
    anchors: list[Cell]
    source: list[Cell]


class Line(NamedTuple):
    """Stints with the same role or kind; `text` and `link` belong to a single row, or to all."""

    label: str
    stints: list[Stint]
    text: list[Cell]
    link: list[Cell]


def by_role(rows: Iterable[Row]) -> list[Line]:
    """A line for each frequent role, by kind. Rare roles of a kind join the line of its most
    frequent role, or share one.
    """
    folding: dict[str, list[Row]] = defaultdict(list)
    lines: list[tuple[int, int, Line]] = []
    for row in rows:
        kind = first(row["kind"])
        if any(row[column] for column in OWN_LINE):
            lines.append((rank(kind), 0, line(role_of(row), [row])))
        else:
            folding[kind].append(row)
    for kind, within in folding.items():
        counts: Counter[str] = Counter()
        for row in within:
            counts[role_of(row)] += times(row)
        ((main, most), *_) = counts.most_common(1)
        rest = main if most >= MIN_OCCURRENCES or len(counts) == 1 else ""
        labels: dict[str, list[Row]] = defaultdict(list)
        for row in within:
            labels[role_of(row) if counts[role_of(row)] >= MIN_OCCURRENCES else rest].append(row)
        for label, those in labels.items():
            found = line(label or kind, those)
            lines.append((rank(kind), -sum(map(times, those)), found))
    return [found for *_, found in sorted(lines, key=lambda each: each[:2])]


def by_level(rows: Iterable[Row]) -> tuple[list[Line], list[Row]]:
    """People with nothing more than a role and a place: a line for each combination that is
    frequent; and the other rows.
    """
    alike: dict[tuple[Cell, ...], list[Row]] = defaultdict(list)
    for row in rows:
        is_plain = row["item"] and not any(row[name] for name in ("text", "about", "link"))
        alike[(role_of(row), *row["where"]) if is_plain else (str(id(row)),)].append(row)
    lines = [
        Line(role, [with_dates_in_remark(stint) for stint in stints(those, role)], [], where)
        for those in alike.values()
        if len(those) >= MIN_OCCURRENCES
        for role, where in [(role_of(those[0]), those[0]["where"])]
    ]
    return lines, [row for those in alike.values() if len(those) < MIN_OCCURRENCES for row in those]


def with_dates_in_remark(stint: Stint) -> Stint:
    """For people, whose names are not followed by years as those of venues are."""
    return stint._replace(when="", remark=", ".join(filter(None, [stint.remark, stint.when])))


def line(label: str, rows: list[Row]) -> Line:
    short = label.replace("committee member", "committee")
    return Line(short, stints(rows, label), rows[0]["text"], rows[0]["link"])


def stints(rows: Iterable[Row], label: str = "") -> list[Stint]:
    """One stint per venue and role; most dates first, then the latest."""
    found: dict[tuple[Cell, ...], list[Row]] = defaultdict(list)
    for row in rows:
        item = row["item"][0]
        place = item.href if isinstance(item, Link) and item.href else item
        found[place, remark(row, label), *row["source"]].append(row)
    ordered = sorted(
        found.values(),
        key=lambda those: (-sum(map(times, those)), -max(map(latest, those))),
    )
    return [
        Stint(
            those[0]["item"][0],
            folded(str(when) for row in those for when in row["when"]),
            remark(those[0], label),
            [anchor for row in those for anchor in row["anchor"]],
            those[0]["source"],
        )
        for those in ordered
    ]


def remark(row: Row, label: str) -> str:
    """The role, unless the label implies it, and further remarks."""
    role = role_of(row).removeprefix(f"{label}, ")
    is_said = label.casefold().startswith(role.casefold())
    return ", ".join(
        filter(None, ["" if is_said else role, *map(cell_text, row["more"] + row["written"])])
    )


def role_of(row: Row) -> str:
    return first(row["note"])


def times(row: Row) -> int:
    return max(len(row["when"]), 1)


def latest(row: Row) -> int:
    return max((int(year) for when in row["when"] for year in YEAR.findall(str(when))), default=0)


def rank(kind: str) -> int:
    return KINDS.index(kind) if kind in KINDS else len(KINDS)


def first(cells: list[Cell]) -> str:
    return cell_text(cells[0]) if cells else ""
