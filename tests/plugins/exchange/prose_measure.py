"""How much of text CVs is placed rightly, compared with data written by hand.

    python -m tests.plugins.exchange.prose_measure FOLDER [SITE]

FOLDER has text CVs, SITE is one whose CVs were written by hand from the same texts. An entry that
was found is right where an entry by hand has the same names and the same years; by kind: found,
right, wrong, and how many by hand were missed. This is a measure and no test: the texts are not
ours to keep.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from kg.plugins.exchange.formats import format_named
from kg.plugins.exchange.source_files import sources
from kg.text.transliterate import plain

Entry = tuple[str, dict[str, Any]]  # its kind and its fields
# The fields of an entry by which it is known, of which the first ones must agree.
NAMES = {
    "work": ("organization", "unit", "position"),
    "education": ("institution", "studyType", "area"),
    "publications": ("title",),
    "awards": ("title",),
    "talks": ("title", "at", "conference", "venue"),
    "service": ("venue", "conference", "journal", "organization"),
    "volunteer": ("venue", "conference", "organization"),
    "memberships": ("organization",),
    "mentoring": ("person",),
    "projects": ("name", "project"),
    "skills": ("name",),
    "interests": ("name",),
    "languages": ("language",),
    "references": ("person",),
}
DATES = ("startDate", "endDate", "date", "year", "dates", "years")
NEAR = 0.6  # of the words of the shorter text that are in the longer one


def words(text: str) -> set[str]:
    return {word for word in re.findall(r"[a-z0-9]+", plain(text)) if len(word) > 1}


def alike(one: str, other: str) -> bool:
    a, b = words(one), words(other)
    return bool(a and b) and len(a & b) >= NEAR * min(len(a), len(b))


def years(entry: dict[str, Any]) -> set[str]:
    return set(re.findall(r"\d{4}", " ".join(str(entry.get(name, "")) for name in DATES)))


def by_hand(site: Path) -> Iterator[Entry]:
    """All entries of all CVs, with the names of what they refer to in place of keys."""
    files = [*(site / "data").glob("*.yaml"), *(site / "data/publications").glob("*.yaml")]
    names = {
        str(key): [str(row.get("name") or row.get("title")), *row.get("alternateNames", [])]
        for rows in map(content, files)
        for key, row in rows.items()
        if isinstance(row, dict)
    }
    dates = {
        str(key): {name: row[name] for name in DATES if name in row}
        for rows in map(content, files)
        for key, row in rows.items()
        if isinstance(row, dict)
    }
    for path in sorted((site / "data/cv").glob("*.yaml")):
        for kind, row in rows_of(content(path)):
            entry = {name: " / ".join(names.get(str(row[name]), [str(row[name])])) for name in row}
            yield kind, entry | dates.get(str(row.get("key")), {})


def rows_of(cv: dict[str, Any]) -> Iterator[Entry]:
    """The rows of each section, those with several positions one by one."""
    for kind in NAMES:
        for row in cv.get(kind, []):
            given = row if isinstance(row, dict) else {NAMES[kind][0]: row, "key": row}
            if kind == "publications":
                given = {**given, "title": given["key"]}
            for each in given.get("positions", [{}]):
                yield from one_by_one(kind, {**given, **each})


def one_by_one(kind: str, row: dict[str, Any]) -> Iterator[Entry]:
    """A group of skills is each of them."""
    if kind == "skills" and row.get("keywords"):
        yield from ((kind, {"name": name}) for name in row["keywords"])
    else:
        yield kind, row


def content(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = yaml.load(path.read_bytes(), yaml.CSafeLoader)
    return found


def same(kind: str, one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether two entries are one: a name of each is alike, and no year contradicts."""
    a = [str(one[name]) for name in NAMES[kind] if one.get(name)]
    b = [str(other[name]) for name in NAMES[kind] if other.get(name)]
    named_alike = sum(any(alike(x, y) for y in b) for x in a)
    wanted = 2 if kind in ("work", "education") and len(a) > 1 else 1
    dates = years(one), years(other)
    return named_alike >= wanted and (not all(dates) or bool(dates[0] & dates[1]))


def measured(folder: Path, site: Path) -> Iterator[str]:
    hand = list(by_hand(site))
    found, right, free = Counter[str](), Counter[str](), Counter[str]()
    reached = set[int]()
    for kind, row in read_in(folder):
        found[kind] += 1
        matches = [at for at, (of, each) in enumerate(hand) if of == kind and same(kind, row, each)]
        right[kind] += bool(matches)
        reached |= {*matches}
        if not matches:
            free[kind] += 1
            told = {name: str(row[name])[:70] for name in (*NAMES[kind], *DATES) if name in row}
            yield f"not by hand: {kind}: {told}"
    yield f"{'':14}found right wrong by-hand missed"
    for kind in NAMES:
        total = [at for at, each in enumerate(hand) if each[0] == kind]
        numbers = found[kind], right[kind], free[kind], len(total), len({*total} - reached)
        yield f"{kind:14}{numbers[0]:5} {numbers[1]:5} {numbers[2]:5} {numbers[3]:7} {numbers[4]:6}"


def read_in(folder: Path) -> Iterator[Entry]:
    for source in sources(folder):
        for draft in format_named("text").read(source):
            for kind in NAMES:
                for row in draft.cv.get(kind, []):
                    yield from one_by_one(kind, row)


if __name__ == "__main__":
    lines = measured(Path(sys.argv[1]), Path(sys.argv[2] if len(sys.argv) > 2 else "."))
    sys.stdout.writelines(f"{line}\n" for line in lines)
