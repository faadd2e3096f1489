"""What the sources say that a CV does not say, or says differently: one proposal for each line.

A proposal is written without asking only if it adds something that the CV does not have, and no
source contradicts it. All others need the author's consent, line by line.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Any

from kg.plugins.exchange.edits.entry_matching import ARXIV_DOI, WHERE, is_version, text_of
from kg.plugins.exchange.edits.joined_entries import shown
from kg.plugins.sources.crossref import Crossref
from kg.plugins.sources.datacite import DataCite
from kg.plugins.sources.dblp import Dblp
from kg.plugins.sources.doi import Doi
from kg.plugins.sources.found import FreeCopy
from kg.plugins.sources.openalex import OpenAlex
from kg.plugins.sources.orcid import Orcid
from kg.plugins.sync.found_works import FoundWork, ids_of
from kg.plugins.sync.own_works import OwnWork, is_doubtful
from kg.plugins.sync.people import Person
from kg.text.normalize import squeeze

TITLES = {each.name: each.title for each in (Crossref, DataCite, Dblp, Doi, OpenAlex, Orcid)}
WORK, PAPER, STATUS, PDF, PREPRINT = "work", "paper", "status", "pdf", "preprint"
RETRACTED = "retracted"
RETRACTIONS = ("retraction", "withdrawal", "removal", "retracted_article")
VENUE = "venue"
VENUES = ("journal", "conference", "venue")
# Fields that are true of any description of a work; others only if the kinds agree.
OF_ANY_KIND = ("doi", "arxiv", "pmid", "year")
NUMBERS = ("volume", "issue", "pages", "articleNumber")
COMPARED = ("year", *NUMBERS)
ADDED = (VENUE, *NUMBERS, "doi", "arxiv", "pmid")
OPEN_LICENCE = re.compile(r"cc-?by|cc-?0|public-?domain|creativecommons\.org/", re.IGNORECASE)
OPEN_VERSIONS = ("publishedVersion", "acceptedVersion")
DASHES = re.compile(r"\s*[-\u2010-\u2015]+\s*")


@dataclass(frozen=True)
class Proposal:
    """A line to add or to change. `said` are all values that sources give, for comparison."""

    person: str
    title: str
    ids: tuple[str, ...]
    field: str
    value: Any
    said: tuple[str, ...]
    reason: str
    needs_consent: bool = True
    mine: Any = None
    own: OwnWork | None = None

    @property
    def key(self) -> str:
        """A short name for `--accept` and `--refuse`, the same as long as the values are."""
        text = "\n".join([self.person, self.ids[0], self.field, *self.said[:1]])
        return hashlib.blake2b(text.encode(), digest_size=4).hexdigest()

    @property
    def place(self) -> str:
        return str(self.own.place) if self.own else ""

    @property
    def can_be_written(self) -> bool:
        return self.own is None or self.own.is_editable

    @property
    def change(self) -> str:
        """`year: 2023 -> 2024`, `+ volume: 12`, or `+ Title (2024)`."""
        if self.field == WORK:
            year = comparable("year", self.value.get("date", ""))
            return f"+ {self.title}{f' ({year})' if year else ''}"
        if self.field == PAPER:
            where = next((text_of(self.value[name]) for name in WHERE if name in self.value), "")
            return f"preprint -> paper{f' in {where}' if where else ''}"
        if self.mine is None:
            return f"+ {self.field}: {shown(self.value)}"
        return f"{self.field}: {shown(self.mine)} -> {shown(self.value)}"


@dataclass
class Comparison:
    """The proposals about one person, and how often each source agrees with the CV."""

    proposals: list[Proposal] = field(default_factory=list)
    agreed: Counter[str] = field(default_factory=Counter)
    differed: Counter[str] = field(default_factory=Counter)


def comparable(name: str, value: Any) -> str:
    """A value for comparison: the year of a date, pages with plain hyphens, lower case."""
    text = squeeze(text_of(value)).casefold()
    if name == "year":
        return text[:4] if text[:4].isdigit() else ""
    if name == "pages":
        first, dash, last = DASHES.sub("-", text.removeprefix("pp. ")).partition("-")
        is_short = last.isdigit() and first.isdigit() and len(last) < len(first)
        return f"{first}{dash}{first[: len(first) - len(last)] if is_short else ''}{last}"
    return text.lstrip("0") or text


def agree(name: str, one: str, other: str) -> bool:
    """Whether two comparable values agree; a first page agrees with its pages."""
    if name == "pages":
        return one == other or one.partition("-")[0] == other or other.partition("-")[0] == one
    return one == other


def listing(names: Sequence[str]) -> str:
    """`Crossref, dblp and OpenAlex`"""
    found = [TITLES[name] for name in names]
    return " and ".join(filter(None, [", ".join(found[:-1]), found[-1]]))


def says(names: Sequence[str]) -> str:
    return f"{listing(names)} {'says' if len(names) == 1 else 'say'}"


def raw_value(name: str, entry: Mapping[str, Any]) -> Any:
    """The value of a field of an entry: of `year`, the date."""
    if name == "year":
        return entry.get("date") or entry.get("year")
    if name == VENUE:
        return next((entry[each] for each in WHERE if each in entry), None)
    return entry.get(name)


class Values:
    """What the sources say about one field: the sources by value, the best supported first."""

    def __init__(self, work: FoundWork, name: str) -> None:
        self.name, self.raw = name, dict[str, Any]()
        # Years that Crossref has beside the first one.
        self.years = {each for record in work.records for each in record.years if name == "year"}
        self.entries = dict[str, Mapping[str, Any]]()
        found = dict[str, list[str]]()
        for source, record in work.by_source().items():
            value = raw_value(name, record.entry)
            if value is not None and (text := comparable(name, value)):
                found.setdefault(text, []).append(source)
                if len(str(value)) > len(str(self.raw.get(text, ""))):
                    self.raw[text], self.entries[text] = value, record.entry
        self.sources = dict(sorted(found.items(), key=lambda each: -len(each[1])))

    @property
    def best(self) -> str:
        return next(iter(self.sources), "")

    @property
    def is_agreed(self) -> bool:
        return len(self.sources) == 1

    def reason(self) -> str:
        """`Crossref and OpenAlex say 2024; dblp says 2022`"""
        parts = [
            f"{says(names)} {shown(self.printed(text))}" for text, names in self.sources.items()
        ]
        return "; ".join(parts)

    def printed(self, text: str) -> str:
        return text if self.name == "year" else text_of(self.raw[text])


def compare(
    person: Person,
    own: Sequence[OwnWork],
    works: Sequence[FoundWork],
    pairs: Mapping[FoundWork, OwnWork],
) -> Comparison:
    """All proposals about the works of a person."""
    found, taken = Comparison(), {each for mine in own for each in mine.ids}
    ids = Counter(each for work in works for each in work.ids)
    for work in works:
        mine = pairs.get(work)
        if mine:
            found.proposals += differences(person, taken, work, mine, found)
        elif work.listed_by:
            found.proposals += new_work(person, taken, work, ids)
    return found


def new_work(
    person: Person, taken: Set[str], work: FoundWork, ids: Mapping[str, int]
) -> Iterator[Proposal]:
    """A work that the sources list for the person and the CV does not have. `taken` are the
    identifiers of the works in the CV; `ids` are those of all found works, with their numbers.
    """
    title, numbers = work.ids[-1], work.ids[:-1]
    if taken & {*numbers}:
        return  # a source has another work at this DOI, or several versions of it
    entry, listed = work.entry(), [name for name in work.sources if name in work.listed_by]
    listed = listed or sorted(work.listed_by)
    reason, is_sure = f"{listing(listed)} {'lists' if len(listed) == 1 else 'list'} it", True
    doubts = list[str]()
    if not entry.get("authors") and not entry.get("editors"):
        entry["authors"] = [person.name]
        entry["moreAuthors"] = "unknown"
        doubts.append("no source names its authors, so complete them")
    elif not person.has_signed(entry):
        doubts.append(f"none of its authors is called {person.name}")
    if listed == ["openalex"]:
        doubts.append("OpenAlex also lists works of people with the same name")
    if title in taken:
        doubts.append("you have a work with this title")
    if any(ids[each] > 1 for each in numbers):
        doubts.append("the sources have different works with its DOI")
    for notice in [each for record in work.records for each in record.amends][:1]:
        kind, about = notice.kind.replace("_", " "), notice.doi or "another work"
        doubts.append(f"it is a notice about {about} ({kind})")
    if is_retracted(work):
        doubts.append("it was retracted")
        entry[STATUS] = RETRACTED
    years = Values(work, "year")
    if not years.best:
        doubts.append("no source has its year")
    elif not years.is_agreed:
        entry["date"] = years.raw[years.best]
        entry.pop("year", None)
        reason += f"; for the year, {years.reason()}"
        is_sure = len(years.sources[years.best]) > 1
    if doubts:
        reason += f". Is it yours? {doubts[0][0].upper()}{'; '.join(doubts)[1:]}"
    consent = bool(doubts) or not is_sure
    said = (work.ids[0],)
    yield Proposal(person.slug, work.title, work.ids, WORK, entry, said, f"{reason}.", consent)


def is_retracted(work: FoundWork) -> bool:
    return any(each.kind in RETRACTIONS for record in work.records for each in record.updates)


def differences(
    person: Person, taken: Set[str], work: FoundWork, mine: OwnWork, found: Comparison
) -> Iterator[Proposal]:
    """Fields that the CV lacks or has differently."""
    base = Proposal(person.slug, mine.title, mine.ids, "", None, (), "", own=mine)
    if is_version(mine.fields, work.first):
        yield became_paper(base, work)
        return
    if is_version(work.first, mine.fields):
        yield from earlier_version(base, taken, work.ids, work.sources)
        return
    if work.preprint:
        yield from earlier_version(base, taken, work.preprint.ids, work.preprint.sources)
    for source, record in work.by_source().items() if not work.preprint else ():
        ids = ids_of({"doi": record.preprint})
        for each in earlier_version(base, taken, ids, [source]):
            yield replace(each, needs_consent=False)
    is_other = is_doubtful(mine.fields, work.first)
    same_kind = mine.fields.get("kind") in (None, work.first.get("kind"))
    for name in (*COMPARED, *(each for each in ADDED if each not in COMPARED)):
        if name not in OF_ANY_KIND and not same_kind:
            continue
        if is_other and name != "doi":
            continue
        values, there = Values(work, name), raw_value(name, mine.fields)
        if there is not None and name in COMPARED:
            yield from changed(base, values, there, found)
        elif there is None and values.best and is_missing(name, values, mine.fields):
            yield added(base, values, is_other)
    if not is_other:
        yield from other_lines(base, work)


def changed(base: Proposal, values: Values, there: Any, found: Comparison) -> Iterator[Proposal]:
    """A value that no source agrees with."""
    mine = comparable(values.name, there)
    is_confirmed = False
    for text, names in values.sources.items():
        is_same = agree(values.name, mine, text) or ("crossref" in names and mine in values.years)
        (found.agreed if is_same else found.differed).update(names)
        is_confirmed |= is_same
    if mine and values.best and not is_confirmed:
        reason = f"{values.reason()}; you say {shown(mine if values.name == 'year' else there)}."
        is_dated = values.name == "year" and "date" not in (base.own.fields if base.own else ())
        yield replace(
            base,
            field=values.name,
            value=values.best if is_dated else values.raw[values.best],
            said=tuple(values.sources),
            reason=reason,
            mine=there,
        )


def is_missing(name: str, values: Values, fields: Mapping[str, Any]) -> bool:
    if name == "doi" and values.best.startswith(ARXIV_DOI):
        return False
    if name == "arxiv":
        return PREPRINT not in fields and fields.get("kind") == "preprint"
    if name == VENUE:
        return not any(each in fields for each in (*WHERE, "book", "series", "institution"))
    return name != "articleNumber" or "pages" not in fields


def added(base: Proposal, values: Values, is_other: bool) -> Proposal:
    """A value that the CV does not have."""
    value = values.raw[values.best]
    entry, names = values.entries[values.best], values.sources[values.best]
    name = next((each for each in VENUES if each in entry), VENUE)
    reason = f"{says(names)} so." if values.is_agreed else f"{values.reason()}."
    if is_other:
        reason = f"{says(names)} so of a work with this title. Is it yours?"
    return replace(
        base,
        field=name if values.name == VENUE else values.name,
        value=text_of(value) if values.name == VENUE else value,
        said=tuple(values.sources),
        reason=reason,
        needs_consent=is_other or not values.is_agreed,
    )


def became_paper(base: Proposal, work: FoundWork) -> Proposal:
    """A preprint that was published."""
    where = work.entry()
    doi = next((each.partition(":")[2] for each in work.ids if each.startswith("doi:")), "")
    what = f" ({doi})" if doi else ""
    reason = f"{says(work.sources)} that it was published{what}; you have the preprint."
    return replace(base, field=PAPER, value=where, said=(work.ids[0],), reason=reason)


def earlier_version(
    base: Proposal, taken: Set[str], ids: Sequence[str], sources: Sequence[str]
) -> Iterator[Proposal]:
    """The preprint of a work."""
    fields = base.own.fields if base.own else {}
    numbers = [each for each in ids if each.startswith(("arxiv:", "doi:"))]
    if PREPRINT in fields or "arxiv" in fields or not numbers or taken & {*numbers}:
        return
    scheme, _, number = numbers[-1].partition(":")
    reason = f"{says(sources)} so."
    yield replace(base, field=PREPRINT, value={scheme: number}, said=(number,), reason=reason)


def other_lines(base: Proposal, work: FoundWork) -> Iterator[Proposal]:
    """A retraction, and a free copy."""
    fields = base.own.fields if base.own else {}
    for source, record in work.by_source().items():
        notices = [each for each in record.updates if each.kind in RETRACTIONS]
        if notices and fields.get(STATUS) != RETRACTED:
            date = f" on {notices[0].date}" if notices[0].date else ""
            doi = f" ({notices[0].doi})" if notices[0].doi else ""
            reason = f"{says([source])} that it was retracted{date}{doi}."
            mine = fields.get(STATUS)
            yield replace(
                base, field=STATUS, value=RETRACTED, said=(RETRACTED,), reason=reason, mine=mine
            )
            break
    for source, record in work.by_source().items():
        copy = record.free_copy
        if copy and is_open(copy) and PDF not in fields:
            reason = f"{says([source])} that this copy is free ({copy.licence})."
            yield replace(
                base,
                field=PDF,
                value=copy.url,
                said=(copy.url,),
                reason=reason,
                needs_consent=False,
            )
            break


def is_open(copy: FreeCopy) -> bool:
    """Whether a copy may be linked as the full text: a PDF with an open licence, no draft."""
    is_web = copy.url.startswith(("https://", "http://"))
    is_licensed = bool(OPEN_LICENCE.search(copy.licence))
    return copy.is_pdf and is_web and is_licensed and copy.version in OPEN_VERSIONS
