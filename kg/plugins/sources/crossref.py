"""Crossref: journal articles, conference papers and books by DOI, and the works of an ORCID iD.

The REST API (https://api.crossref.org) answers with items that are almost CSL-JSON. A work that was
retracted or corrected names the notices in `updated-by`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from kg.plugins.sources.answer_fields import (
    Types,
    check_types,
    dictionaries,
    field,
    mapping,
    texts,
)
from kg.plugins.sources.answers import Answer
from kg.plugins.sources.client import Service, WebSource, batches
from kg.plugins.sources.csl_items import entry_of
from kg.plugins.sources.found import FreeCopy, Identifiers, Record, Update

SERVICE = Service("Crossref", ("api.crossref.org",))
ROOT = "https://api.crossref.org"
MOST_DOIS, ROWS = 50, 200  # per request
MOST_WORKS = 5_000
PUBLISHED = ("published-print", "published-online")
# Fields that are read; without `reference`, an answer is a tenth as large.
FIELDS = (
    *("DOI", "type", "title", "subtitle", "author", "editor", "translator", "issued", "publisher"),
    *("container-title", "volume", "issue", "page", "article-number", "ISBN", "ISSN"),
    *("abstract", "event", "license", "link", "relation", "degree"),
    *("update-to", "updated-by", *PUBLISHED),
)
TYPES: Types = {
    list: ("title", "subtitle", "author", "editor", "container-title", "license", "link"),
    dict: ("issued", "relation", *PUBLISHED),
    str: ("volume", "issue", "page", "publisher", "abstract"),
}
COPIED = ("type", "volume", "issue", "page", "publisher", "abstract", "language", "DOI")
KINDS = {
    **{"journal-article": "article-journal", "proceedings-article": "paper-conference"},
    **{"book-chapter": "chapter", "book-section": "chapter", "book-part": "chapter"},
    **{"posted-content": "article", "monograph": "book", "reference-book": "book"},
    **{"edited-book": "edited-book", "book-set": "book", "book-series": "book"},
    **{"proceedings": "book", "dissertation": "thesis", "report-component": "report"},
    **{"reference-entry": "entry-encyclopedia", "peer-review": "review", "database": "dataset"},
    **{"report-series": "report", "book-track": "chapter", "journal-issue": "periodical"},
}
NOT_CSL = ("component", "grant", "journal", "journal-volume", "proceedings-series")
VERSIONS = {"vor": "publishedVersion", "am": "acceptedVersion"}
CREATIVE_COMMONS = "creativecommons.org/"


class Crossref(WebSource):
    """Asks the REST API."""

    name, title = "crossref", SERVICE.title

    def works_of(self, known: Identifiers) -> Iterator[Record]:
        if orcid := known.get("orcid"):
            yield from self.listed(f"orcid:{orcid}")

    def works(self, dois: Sequence[str]) -> Iterator[Record]:
        """Those without a comma, which separates filters."""
        for batch in batches([doi for doi in dois if "," not in doi], MOST_DOIS):
            yield from self.listed(",".join(f"doi:{doi}" for doi in batch))

    def listed(self, filter_: str) -> Iterator[Record]:
        cursor, count = "*", 0
        while cursor and count < MOST_WORKS:
            query = {"filter": filter_, "select": ",".join(FIELDS), "rows": ROWS, "cursor": cursor}
            address = f"{ROOT}/works?{urlencode(query, safe=':,*/')}"
            found, answer = self.client.json(SERVICE, address)
            if answer is None:
                return
            items = field(SERVICE, answer, found, list, "message", "items")
            count += len(items)
            for item in items:
                yield record_of(answer, item)
            is_last = len(items) < ROWS
            cursor = "" if is_last else field(SERVICE, answer, found, str, "message", "next-cursor")


def record_of(answer: Answer, item: Any) -> Record:
    doi = field(SERVICE, answer, item, str, "DOI").lower()
    field(SERVICE, answer, item, str, "type")
    check_types(SERVICE, answer, item, TYPES)
    csl = csl_item(item)
    relation = mapping(item, "relation")
    return Record(
        answer.origin("crossref"),
        entry_of(answer.address, csl),
        (("doi", doi),),
        tuple(updates(item, "updated-by", doi)),
        tuple(each for each in updates(item, "update-to", doi) if each.kind != "new_version"),
        free_copy(item),
        related(relation, "is-preprint-of"),
        related(relation, "has-preprint"),
        tuple(date_of(mapping(item, name))[:4] for name in PUBLISHED if item.get(name)),
    )


def csl_item(item: Mapping[str, Any]) -> dict[str, Any]:
    """An item as CSL-JSON: single titles, names of types, and the date of publication."""
    found = {name: item[name] for name in COPIED if isinstance(item.get(name), str)}
    # Its posted content is blog posts, that of others preprints.
    kind = "post-weblog" if found.get("publisher") == "Front Matter" else str(found.get("type"))
    found["type"] = "document" if kind in NOT_CSL else KINDS.get(kind, kind)
    for theirs, ours in (("title", "title"), ("container-title", "container-title")):
        found |= {ours: texts(item, theirs)[0]} if texts(item, theirs) else {}
    if (subtitle := texts(item, "subtitle")) and subtitle[0] not in found.get("title", ""):
        found["title"] = f"{found.get('title', '')}: {subtitle[0]}"
    for name in ("author", "editor", "translator"):
        found[name] = [person(each) for each in dictionaries(item, name)]
    found |= {"issued": item["issued"]} if has_date(mapping(item, "issued")) else {}
    for name in ("ISBN", "ISSN"):
        found |= {name: texts(item, name)[0]} if texts(item, name) else {}
    if number := item.get("article-number"):
        found |= {"number": number} if found["type"] == "article-journal" else {}
    found["event-title"] = mapping(item, "event").get("name")
    if found["type"] == "thesis":
        found |= {"genre": texts(item, "degree")[0]} if texts(item, "degree") else {}
    return found


def person(name: Mapping[str, Any]) -> dict[str, Any]:
    """A name; that of an organisation is in `name`."""
    parts = ("given", "family", "suffix", "ORCID")
    found = {part: name[part] for part in parts if isinstance(name.get(part), str)}
    return found if "family" in found else {**found, "name": name.get("name")}


def has_date(date: Mapping[str, Any]) -> bool:
    """Whether a date is known: an unknown one is `[[null]]`."""
    parts = date.get("date-parts")
    first = parts[0] if isinstance(parts, list) and parts else None
    return isinstance(first, list) and bool(first) and all(isinstance(n, int) for n in first)


def updates(item: Mapping[str, Any], name: str, own: str) -> Iterator[Update]:
    """The notices that update a work, or the works that a notice updates."""
    for each in dictionaries(item, name):
        kind = str(each.get("type") or each.get("label") or "update").lower().replace(" ", "_")
        doi, by = str(each.get("DOI") or "").lower(), str(each.get("source") or "publisher")
        if doi != own:
            yield Update(kind, doi, date_of(mapping(each, "updated")), by)


def date_of(value: Mapping[str, Any]) -> str:
    if has_date(value):
        year, *rest = value["date-parts"][0]
        return "-".join([f"{int(year):04}", *(f"{int(part):02}" for part in rest)])
    return str(value.get("date-time") or "")[:10]


def free_copy(item: Mapping[str, Any]) -> FreeCopy | None:
    """A PDF at the publisher under a Creative Commons licence."""
    licences = {
        str(each.get("content-version")): str(each.get("URL"))
        for each in dictionaries(item, "license")
        if CREATIVE_COMMONS in str(each.get("URL")) and not each.get("delay-in-days")
    }
    for link in dictionaries(item, "link"):
        version = str(link.get("content-version"))
        licence = licences.get(version) or licences.get("unspecified")
        if licence and link.get("content-type") == "application/pdf" and link.get("URL"):
            return FreeCopy(str(link["URL"]), licence, VERSIONS.get(version, ""), True)
    return None


def related(relation: Mapping[str, Any], name: str) -> str:
    """The DOI that a work is related to."""
    for each in dictionaries(relation, name):
        if each.get("id-type") == "doi" and isinstance(each.get("id"), str):
            return str(each["id"]).lower()
    return ""
