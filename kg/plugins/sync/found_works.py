"""Asks the sources of a person, and joins their answers: each work once, with all its records."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from kg.plugins.exchange.draft import with_leaves
from kg.plugins.exchange.edits.entry_matching import (
    ARXIV_DOI,
    KnownEntries,
    folded,
    identifiers,
    is_same_work,
    is_version,
)
from kg.plugins.exchange.edits.joined_entries import Joining
from kg.plugins.sources.client import Client, WebSource
from kg.plugins.sources.doi import Doi
from kg.plugins.sources.found import NotFetched, Record, Update
from kg.plugins.sources.openalex import KEY
from kg.plugins.sources.schemes import sources_of
from kg.plugins.sync.people import SOURCES, Person

FIRST_FIELDS = ("kind", "title", "authors")
NOT_ADDED = ("abstract", "summary", "language")
MOST_RESOLVED = 50  # DOIs per person that doi.org is asked about
MOST_FAILURES = 3  # of doi.org; some agencies do not describe works
PUBLICATIONS = "publications"


def ids_of(entry: Mapping[str, Any], more: Iterable[tuple[str, str]] = ()) -> list[str]:
    """What identifies a work: `doi:10.5555/ice.1`, and its title last."""
    pairs = [*identifiers(entry), *((scheme, value.lower()) for scheme, value in more)]
    known = [
        f"{scheme}:{value}" for scheme, value in pairs if scheme in ("doi", "arxiv", "openalex")
    ]
    known = [each for each in known if not each.startswith(f"doi:{ARXIV_DOI}")]
    return list(dict.fromkeys([*known, f"title:{folded(str(entry.get('title', '')))}"]))


def are_one_work(one: Iterable[str], other: Iterable[str]) -> bool:
    """Whether identifiers name the same work. Titles count only if no scheme contradicts them."""
    mine, theirs = {*one}, {*other}
    if any(not each.startswith("title:") for each in mine & theirs):
        return True
    schemes = [{each.partition(":")[0] for each in ids} - {"title"} for ids in (mine, theirs)]
    return bool(mine & theirs) and not schemes[0] & schemes[1]


@dataclass(eq=False)
class FoundWork:
    """A work as the sources describe it; `preprint` is its earlier version."""

    records: list[Record]
    listed_by: set[str] = field(default_factory=set)  # sources that list it among the person's
    preprint: FoundWork | None = None

    @property
    def first(self) -> Mapping[str, Any]:
        return self.records[0].entry

    @property
    def title(self) -> str:
        return str(self.first.get("title", ""))

    @cached_property
    def ids(self) -> tuple[str, ...]:
        every = (ids_of(each.entry, each.also_as) for each in self.records)
        found = dict.fromkeys(each for ids in every for each in ids)
        return tuple(sorted(found, key=lambda each: each.startswith("title:")))

    @property
    def sources(self) -> list[str]:
        """Names of the sources, the most believed first."""
        found = {each.origin.source for each in self.records}
        return [name for name in (*SOURCES, "doi") if name in found]

    def by_source(self) -> dict[str, Record]:
        found = {each.origin.source: each for each in reversed(self.records)}
        return {name: found[name] for name in self.sources}

    def entry(self) -> dict[str, Any]:
        """One entry from all records; of two values, that of the more believed source."""
        first, *others = (each.entry for each in self.by_source().values())
        joining, found = Joining(), dict(with_leaves(first))
        for other in others:
            found = joining.fields(found, with_leaves(other))
        if self.preprint:
            found = joining.fields(found, self.preprint.entry())
        found = {name: found[name] for name in found if name not in NOT_ADDED}
        return {**{name: found[name] for name in FIRST_FIELDS if name in found}, **found}


@dataclass
class Survey:
    """What the sources answered about a person."""

    works: list[FoundWork] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)
    answered: list[str] = field(default_factory=list)  # sources without a failure
    unknown: list[str] = field(default_factory=list)  # DOIs that do not exist
    gone: list[str] | None = None  # links that do not exist; None if they were not requested


def survey(person: Person, dois: Sequence[str], client: Client) -> Survey:
    """Asks the sources for the works of a person, and for the works with these DOIs.

    A source that fails is reported; what the others say is used.
    """
    found, every = Survey(), sources_of(client)
    sources = [every[name] for name in SOURCES if name in person.sources]
    records, listed = list[Record](), list[Record]()
    failed = set[str]()
    for source in sources:
        listed += fetched(source, source.works_of(person.identifiers), found, failed)
    records += listed
    wanted = list(dict.fromkeys([*dois, *(each for record in listed for each in dois_of(record))]))
    for source in sources:
        if source.name in failed or not can_look_up(source.name, client):
            continue
        known = answered_dois(records, source.name)
        if source.name == "datacite":
            known |= answered_dois(records, "crossref")
        asked = [doi for doi in wanted if doi not in known]
        if source.name == "crossref":
            asked = [doi for doi in asked if not doi.startswith(ARXIV_DOI)]
        records += fetched(source, source.works(asked), found, failed)
    if {"crossref", "datacite"} <= {*person.sources} - failed:
        known = answered_dois(records, "crossref") | answered_dois(records, "datacite")
        others = [each for each in wanted if each not in known][:MOST_RESOLVED]
        answers = resolved(others, client)
        records += [each for every in answers.values() for each in every if each.entry]
        found.unknown = [doi for doi in dois if answers.get(doi) == []]
    found.answered = [source.name for source in sources if source.name not in failed]
    if sources and not found.answered:
        raise NotFetched(" ".join(found.messages))
    found.works = joined(records, {id(each) for each in listed})
    return found


def can_look_up(source: str, client: Client) -> bool:
    """Whether a source can be asked for many DOIs; OpenAlex needs a key for that."""
    is_open = client.is_offline or bool(client.variables.get(KEY))
    return source in ("crossref", "datacite") or (source == "openalex" and is_open)


def fetched(
    source: WebSource, answers: Iterator[Record], found: Survey, failed: set[str]
) -> list[Record]:
    """The records that a source gives before it fails."""
    records = list[Record]()
    try:
        for record in answers:
            if record.entry:
                records.append(record)
    except NotFetched as error:
        failed.add(source.name)
        found.messages.append(str(error))
    return records


def dois_of(record: Record) -> list[str]:
    return [value.lower() for scheme, value in record.also_as if scheme == "doi"]


def answered_dois(records: Iterable[Record], source: str) -> set[str]:
    return {doi for each in records if each.origin.source == source for doi in dois_of(each)}


def resolved(dois: Iterable[str], client: Client) -> dict[str, list[Record]]:
    """What doi.org says about DOIs: an empty list about one that does not exist. Those for which it
    fails are left out, and after several failures all others.
    """
    found, failures = dict[str, list[Record]](), 0
    for doi in dois:
        try:
            found[doi] = [*Doi(client).works([doi])]
        except NotFetched:
            failures += 1
        if failures == MOST_FAILURES:
            break
    return found


def joined(records: Iterable[Record], listed: set[int]) -> list[FoundWork]:
    """Joins records of one work by DOI, then by title, year and authors. Preprints are joined with
    the works that they became, and works know the notices that amend them.
    """
    known, works, there = KnownEntries(), list[FoundWork](), dict[str, list[FoundWork]]()
    papers, notices = dict[str, str](), defaultdict[str, list[Update]](list)
    for record in records:
        for doi in dois_of(record):
            papers |= {record.preprint: doi} if record.preprint else {}
            papers |= {doi: record.published_as} if record.published_as else {}
            for each in record.amends:
                notices[each.doi].append(replace(each, doi=doi))
    for record in records:
        hints = known.lookup_keys(PUBLICATIONS, record.entry)
        near = [work for hint in hints for work in there.get(hint, ())]
        work = next((each for each in near if is_one(each.first, record.entry)), None)
        if work is None:
            works.append(work := FoundWork([]))
        own = dict(record.also_as).get("doi", "") if record.origin.source == "crossref" else ""
        every = {(each.kind, each.doi): each for each in (*notices[own], *record.updates)}
        work.records.append(replace(record, updates=tuple(every.values())))
        if id(record) in listed:
            work.listed_by.add(record.origin.source)
        for hint in hints:
            there.setdefault(hint, []).append(work)
    rank = {name: number for number, name in enumerate(SOURCES)}
    for work in works:
        work.records.sort(key=lambda each: rank.get(each.origin.source, len(rank)))
    return [work for work in works if not is_attached(work, known, there, papers)]


def is_one(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    is_other_version = is_version(one, other) or is_version(other, one)
    return not is_other_version and is_same_work(one, other)


def is_attached(
    work: FoundWork,
    known: KnownEntries,
    there: Mapping[str, Sequence[FoundWork]],
    papers: Mapping[str, str],
) -> bool:
    """Makes a preprint the `preprint` of its paper, if that was found, too. `papers` are the DOIs
    of papers by those of their preprints.
    """
    related = {
        f"doi {papers[doi]}" for each in work.records for doi in dois_of(each) if doi in papers
    }
    for hint in known.lookup_keys(PUBLICATIONS, work.first) | related:
        for paper in there.get(hint, ()):
            is_same = hint in related or is_same_work(work.first, paper.first)
            if is_same and is_version(work.first, paper.first):
                paper.preprint, paper.listed_by = work, paper.listed_by | work.listed_by
                return True
    return False
