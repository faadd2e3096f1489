"""ORCID: the public record of a person, read by the ORCID reader of `kg import`.

The record has summaries of works without authors. They are replaced by the works themselves, which
are requested in groups of at most 100.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kg.plugins.exchange.draft import Draft, SourceRecord
from kg.plugins.exchange.readers.orcid import Orcid as OrcidReader
from kg.plugins.exchange.readers.orcid import normalised
from kg.plugins.exchange.source_rows import mapped
from kg.plugins.exchange.tidy_works import tidy_works
from kg.plugins.sources.answer_fields import Types, bare, check_types, field, mapping
from kg.plugins.sources.client import Client, Service, WebSource, batches, parsed
from kg.plugins.sources.csl_items import rows_of
from kg.plugins.sources.found import Identifiers, NotFetched, NotFound, Origin, Record
from kg.plugins.sources.ror import Ror

SERVICE = Service("ORCID", ("pub.orcid.org",))
ROOT = "https://pub.orcid.org/v3.0"
JSON = "application/vnd.orcid+json"
MOST_WORKS = 100  # per request
CLOSED = 409  # status of deactivated and locked records
OF_WORK: Types = {
    dict: ("title", "external-ids", "publication-date", "journal-title", "contributors", "url"),
    str: ("type",),
}
SCHEMES_OF_ROR = {"GRID": "grid", "FUNDREF": "fundref"}
SCHEMES = ("doi", "arxiv", "pmid", "pmcid", "isbn")


class Orcid(WebSource):
    """Asks the public API. A record is read once."""

    name, title = "orcid", SERVICE.title

    def __init__(self, client: Client, ror: Ror | None = None) -> None:
        super().__init__(client)
        self.ror = ror
        self.read = dict[str, tuple[Draft, dict[str, Origin]]]()

    def works_of(self, known: Identifiers) -> Iterator[Record]:
        if "orcid" not in known:
            return
        draft, origins = self.record(known["orcid"])
        for entry in draft.cv.get("publications", ()):
            numbers = tuple((name, str(entry[name])) for name in SCHEMES if name in entry)
            yield Record(origins[entry["title"].place.file], entry, numbers)

    def record(self, orcid: str) -> tuple[Draft, dict[str, Origin]]:
        """The record as a draft, and the origins of its values by address."""
        if orcid not in self.read:
            self.read[orcid] = self.read_record(orcid)
        return self.read[orcid]

    def read_record(self, orcid: str) -> tuple[Draft, dict[str, Origin]]:
        address = f"{ROOT}/{orcid}/record"
        answer = self.client.ask(SERVICE, address, JSON, expected=(CLOSED,))
        if answer is None:
            raise NotFound(f"ORCID does not know the iD {orcid}. Check its digits.")
        if answer.status == CLOSED:
            raise NotFound(f"The ORCID record {orcid} is deactivated or locked. Nothing was read.")
        tree = parsed(SERVICE, answer)
        field(SERVICE, answer, tree, str, "orcid-identifier", "path")
        field(SERVICE, answer, tree, dict, "person")
        activities = field(SERVICE, answer, tree, dict, "activities-summary")
        self.look_up_organizations(activities)
        works = activities.pop("works", None) or {}
        groups = field(SERVICE, answer, works, list, "group") if works else []
        origins, row = {address: answer.origin(self.name)}, rows_of(address, tree)
        found = dict[str, list[Any]]()
        for at, work in self.details(orcid, address, groups, origins):
            found.setdefault(at, []).append(rows_of(at, work))
        # One group for each work; the reader would use one work of a group only.
        listed = [rows_of(at, {}).fill("work", each) for at in found for each in found[at]]
        works_row = rows_of(address, {"group": []})
        for each in listed:
            works_row["group"].add(each, (0, 0))
        row["activities-summary"].fill("works", works_row)
        draft = OrcidReader(SourceRecord(mapped(row, normalised))).draft
        tidy_works(draft, "")
        return draft, origins

    def look_up_organizations(self, activities: Mapping[str, Any]) -> None:
        """Replaces other identifiers of organisations by their ROR, if that is known."""
        found = dict[tuple[str, str], str]()
        for each in disambiguated(activities) if self.ror else ():
            scheme = SCHEMES_OF_ROR.get(str(each.get("disambiguation-source")).upper(), "")
            number = bare(str(each.get("disambiguated-organization-identifier")))
            if self.ror and scheme and (scheme, number) not in found:
                try:
                    found[scheme, number] = self.ror.number_of(scheme, number)
                except NotFetched as error:
                    self.client.notes.append(f"{error} Some organisations have no ROR.")
                    return
            if ror := found.get((scheme, number)):
                each |= {"disambiguation-source": "ROR"}
                each |= {"disambiguated-organization-identifier": ror}

    def details(
        self, orcid: str, address: str, groups: Sequence[Any], origins: dict[str, Origin]
    ) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """The preferred work of each group in full, or its summary if it cannot be had, with the
        address of the answer.
        """
        chosen = {str(work.get("put-code")): work for work in map(preferred, groups) if work}
        for codes in batches([*chosen], MOST_WORKS):
            at, full = f"{ROOT}/{orcid}/works/{','.join(codes)}", dict[str, Any]()
            try:
                tree, answer = self.client.json(SERVICE, at, JSON)
                bulk = field(SERVICE, answer, tree, list, "bulk") if answer else ()
                works = [work for each in bulk if (work := mapping(each, "work"))]
                for work in works:
                    check_types(SERVICE, answer, work, OF_WORK)
                full = {str(work.get("put-code")): work for work in works}
                origins |= {at: answer.origin(self.name)} if answer else {}
            except NotFetched as error:
                self.client.notes.append(f"{error} Authors of works were not read from ORCID.")
            for code in codes:
                yield (at, full[code]) if code in full else (address, chosen[code])


def disambiguated(value: Any) -> Iterator[dict[str, Any]]:
    """The identifiers of organisations in a record."""
    for name, item in value.items() if isinstance(value, dict) else enumerate(value):
        if name == "disambiguated-organization" and isinstance(item, dict):
            yield item
        elif isinstance(item, dict | list):
            yield from disambiguated(item)


def preferred(group: Any) -> Mapping[str, Any] | None:
    """The summary with the highest display index."""
    summaries = group.get("work-summary") if isinstance(group, dict) else None
    found = [each for each in summaries or () if isinstance(each, dict)]
    return max(found, key=rank) if found else None


def rank(summary: Mapping[str, Any]) -> int:
    index = str(summary.get("display-index"))
    return int(index) if index.isdecimal() else 0
