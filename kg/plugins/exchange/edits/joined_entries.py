"""Joins two descriptions of the same entry: a CV and a bibliography, or two files of one person.

Missing fields are filled in. Where both have a value, the first is kept and the other is reported.
Better values replace it: fuller names of the same authors, a more precise date, a kind instead of
`other`, and the name of a venue without its volume. A published work keeps its preprint as
`preprint`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from kg.facts.notes import comparable
from kg.facts.yaml.rows import flow
from kg.plugins.exchange.author_names import SIGNED, format_names, join_authors, name_of
from kg.plugins.exchange.draft import Unplaced, values_in
from kg.plugins.exchange.edits.entry_matching import (
    WHERE,
    KnownEntries,
    identifiers,
    instead_of,
    is_more_exact,
    is_numbered,
    is_same_work,
    is_version,
    text_of,
)

LONGEST = 60  # characters of a value in a message
VERSIONED = ("arxiv", "doi", "url", "date")  # fields of `preprint`
# What a preprint states about itself, not about the published work.
OF_PREPRINT = (
    *VERSIONED,
    *WHERE,
    "kind",
    "status",
    "year",
    "publisher",
    "volume",
    "issue",
    "pages",
)


class Difference(NamedTuple):
    """A field with two values, of which the first is kept."""

    field: str
    kept: Any
    other: Any

    @property
    def place(self) -> str:
        """Where the other value is."""
        return next((str(value.place) for value in values_in(self.other)), "the source")


class Joining:
    """Joins entries and collects the values that differ."""

    def __init__(self, known: KnownEntries | None = None) -> None:
        self.known = known or KnownEntries()
        self.differences: list[Difference] = []

    def fields(self, mine: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
        if is_version(mine, other):
            mine, other = other, self.as_version(mine, other)
        elif is_version(other, mine):
            other = self.as_version(other, mine)
        have, more = without_venue(mine, other), without_venue(other, mine)
        for name, value in more.items():
            there = name if name in have else instead_of(name, have)
            best = self.better(name, have[there], value) if there else value
            if best is None or (name == "visibility" and not there):
                self.differences.append(Difference(name, have.get(there, "public"), value))
            elif there in ("", name):
                have[name] = best
            elif best is value:  # a date instead of a year
                have = {(name if each == there else each): have[each] for each in have}
                have[name] = value
        if is_complete(mine, other, have) or is_complete(other, mine, have):
            have.pop("moreAuthors", None)
        return have

    def as_version(self, preprint: Mapping[str, Any], of: Mapping[str, Any]) -> dict[str, Any]:
        """The fields that a published work takes from its preprint. The server of a preprint
        without an identifier differs from the place where the work was published.
        """
        own, theirs = dict(identifiers(preprint)), dict(identifiers(of))
        fields = {name: value for name, value in preprint.items() if name not in OF_PREPRINT}
        where = {name: preprint[name] for name in VERSIONED if name in preprint}
        if where.keys() - {"date"} and ("arxiv" not in own or own["arxiv"] != theirs.get("arxiv")):
            year = {"date": preprint["year"]} if "year" in preprint else {}
            fields["preprint"] = {**year, **where}
        elif "publisher" in preprint and not where.keys() - {"date"}:
            published = next((of[name] for name in WHERE if name in of), of.get("kind"))
            self.differences.append(Difference("publisher", published, preprint["publisher"]))
        return fields

    def better(self, name: str, kept: Any, value: Any) -> Any:
        """The value to keep of two; None if they differ."""
        if isinstance(kept, dict) and isinstance(value, dict):
            return self.fields(kept, value)
        if isinstance(kept, list) or isinstance(value, list):
            mine, other = (each if isinstance(each, list) else [each] for each in (kept, value))
            if name in SIGNED:
                return join_authors(mine, other, self.known.person)
            return self.lists(name, mine, other)
        one, two = text_of(kept), text_of(value)
        is_weak = (name, one) == ("kind", "other") or (name in WHERE and is_numbered(one, two))
        if is_weak or is_more_exact(two, one):
            return value
        is_same = self.is_same_text(one, two) or is_more_exact(one, two)
        if is_same or (name, two) == ("kind", "other") or (name in WHERE and is_numbered(two, one)):
            return value if isinstance(value, dict) else kept
        return None

    def is_same_text(self, one: str, other: str) -> bool:
        if "://" in one and "://" in other:
            return one.partition("://")[2].rstrip("/") == other.partition("://")[2].rstrip("/")
        return self.known.normal_name(one) == self.known.normal_name(other)

    def unplaced(self) -> Iterator[Unplaced]:
        """Each value that differs from a kept one, with the place of that."""
        for each in self.differences:
            at = next((value.place for value in values_in(each.kept)), None)
            place = f" ({at if at.line else at.file})" if at else ""
            is_list = isinstance(each.other, list)
            text = format_names(each.other) if is_list else text_of(each.other)
            for first in [*values_in(each.other)][:1]:
                why = f"differs from {shown(each.kept)}{place}, which is kept"
                yield Unplaced(first.with_text(text), why)

    def lists(self, section: str, mine: list[Any], other: list[Any]) -> list[Any]:
        """Adds missing entries, and missing fields to entries that both have."""
        found, same = [*mine], self.known.pairs(section, other, mine)
        for number, item in enumerate(other):
            there = found[same[number]] if number in same else None
            if there is None:
                found.append(item)
            elif isinstance(there, dict) and isinstance(item, dict):
                found[same[number]] = self.fields(there, item)
        return found

    def unique(self, works: list[Any]) -> tuple[list[Any], list[tuple[Any, Any]]]:
        """Joins duplicates in one list of works; returns also each duplicate with its first."""
        found, twice, there = list[Any](), list[tuple[Any, Any]](), dict[str, list[int]]()
        for work in works:
            hints = self.known.lookup_keys("publications", work) if isinstance(work, dict) else ()
            near = (number for hint in hints for number in there.get(hint, ()))
            same = next((each for each in near if is_same_work(work, found[each], True)), None)
            if same is None:
                same = len(found)
                found.append(work)
            else:
                twice.append((work, found[same]))
                found[same] = self.fields(found[same], work)
            for hint in hints:
                there.setdefault(hint, []).append(same)
        return found, twice


def is_complete(work: Mapping[str, Any], other: Mapping[str, Any], joined: Any) -> bool:
    """Whether the joined work has all authors of a work, and not the list of the other."""
    count, others, all_ = (len(each.get("authors", ())) for each in (work, other, joined))
    is_new = count != others or other.get("moreAuthors") == "unknown"
    return "moreAuthors" not in work and count == all_ and is_new


def without_venue(work: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """Leaves out a publisher that is the venue in the other record, as JSON Resume has it."""
    named = [comparable(text_of(other[name])) for name in WHERE if name in other]
    publisher = comparable(text_of(work.get("publisher", "")))
    is_venue = any(name and name in publisher for name in named)
    return {name: work[name] for name in work if name != "publisher" or not is_venue}


def shown(value: Any) -> str:
    """Formats a value for a message, shortened if necessary."""
    is_list = isinstance(value, list) and all(map(name_of, value))
    text = format_names(value) if is_list else flow(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
