"""Reads CITATION.cff: software or a dataset, and its preferred citation, as two works.

The file does not say whose CV they belong to. Its references are listed, not imported, because the
authors of the file did not write them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kg.facts.yaml.rows import Row
from kg.plugins.bibliography.work_records import full_name
from kg.plugins.exchange.draft import Draft, Format, SourceRecord, Value, parse_date, without_empty
from kg.plugins.exchange.source_files import SourceFile

TYPES = {
    **{"software": "software", "dataset": "dataset", "data": "dataset", "database": "dataset"},
    **{"article": "journal", "conference-paper": "conference", "conference": "proceedings"},
    **{"proceedings": "proceedings", "book": "book", "edited-work": "edited-book"},
    **{"thesis": "thesis", "report": "report", "manual": "manual", "standard": "standard"},
    **{"encyclopedia": "encyclopedia-entry", "dictionary": "encyclopedia-entry"},
    **{"magazine-article": "magazine", "newspaper-article": "newspaper", "blog": "blog"},
    **{"unpublished": "working-paper", "website": "website", "video": "video", "map": "map"},
    **{"software-code": "software", "software-container": "software", "slides": "other"},
    **{"software-executable": "software", "software-virtual-machine": "software"},
}
TEXTS = {
    **{"title": "title", "abstract": "abstract", "version": "version", "doi": "doi", "url": "url"},
    **{"repository-code": "repository", "repository": "repository", "license": "license"},
    **{"journal": "journal", "volume": "volume", "issue": "issue", "number": "number"},
    **{"isbn": "isbn", "edition": "edition", "thesis-type": "degree", "pages": "numberOfPages"},
    **{"languages": "language", "pmcid": "pmcid"},
}
ONLY_FOR = {
    "repository": ("software",),
    "number": ("report", "working-paper", "standard", "manual"),
    "numberOfPages": ("book", "edited-book", "thesis", "report", "proceedings"),
}
DATES = ("date-published", "date-released", "issue-date")
FILE_FIELDS = ("cff-version", "message", "type", "schema-version")
STATUS = {"preprint": "preprint", "in-press": "to-appear", "submitted": "submitted"}
CITED = "cited work, not imported"
AUTHOR_DETAIL = "detail of an author, not imported"


def matches(source: SourceFile) -> bool:
    tree = source.tree if source.suffix in (".cff", ".yaml", ".yml") else None
    return isinstance(tree, Row) and "cff-version" in tree and "title" in tree


def read(source: SourceFile) -> Iterator[Draft]:
    root, draft = SourceRecord(source.root), Draft()
    for record in [root, *root.records("preferred-citation")]:
        record.skip(*FILE_FIELDS)
        type_ = str(record.row.get("type") or "software")
        draft.put("publications", work(record, TYPES.get(type_, "other"), draft))
    for cited in root.records("references"):
        draft.leave(cited.texts("title"), CITED)
        cited.skip(*cited)
    draft.leave_rest(root)
    yield draft


def work(record: SourceRecord, kind: str, draft: Draft) -> dict[str, Any]:
    title = record.text("title")
    entry: dict[str, Any] = {
        "kind": title and title.with_text(kind),
        "title": title,
        "authors": people(record, "authors", draft),
        "editors": people(record, "editors", draft),
        "date": date(record),
        "keywords": record.texts("keywords"),
        "publisher": record.record("publisher").text("name"),
        "institution": record.record("institution").text("name"),
        "pages": pages(record),
    }
    for theirs, ours in TEXTS.items():
        if ours not in entry and kind in ONLY_FOR.get(ours, (kind,)) and theirs in record:
            entry[ours] = record.text(theirs)
    container = record.text("collection-title") or record.record("conference").text("name")
    if container and kind == "conference":
        entry["conference"] = container
    elif container:
        entry["book"] = {"title": container}
    if issn := record.text("issn"):
        journal = entry.get("journal")
        entry |= {"journal": {"name": journal, "issn": issn}} if journal else {}
        draft.leave([] if journal else [issn])
    if (status := record.text("status")) and status in STATUS:
        entry["status"] = status.with_text(STATUS[status])
    for each in record.records("identifiers"):
        add_identifier(each, entry, draft)
    return without_empty(entry)


def people(record: SourceRecord, name: str, draft: Draft) -> list[Any]:
    """The names of authors: persons from their name parts, groups as a whole."""
    found: list[Any] = []
    for each in record.records(name):
        parts = [each.text(part) for part in ("given-names", "name-particle", "family-names")]
        suffix = each.text("name-suffix")
        first = next(filter(None, parts), None) or each.text("alias", "")
        if entity := each.text("name"):
            found.append({"organization": entity})
        if first is None:
            continue
        given, particle, family = (str(part or "") for part in parts)
        whole = full_name(given, particle, family, str(suffix or "")) or str(first)
        orcid = each.text("orcid")
        printed = first.with_text(whole)
        number = orcid and orcid.with_text(orcid.rstrip("/").rpartition("/")[2])
        found.append({"as": printed, "orcid": number} if number else printed)
        draft.leave(each.texts("affiliation", "email", "website"), AUTHOR_DETAIL)
        each.skip("affiliation", "email", "website", "alias")
    return found


def date(record: SourceRecord) -> Value | None:
    """The release date, or else year and month."""
    year, month = record.text("year"), record.text("month")
    whole = parse_date(record.text(*DATES))
    if whole or year is None:
        return whole
    return parse_date(year.with_text(f"{year}-{month.zfill(2)}" if month else str(year)))


def pages(record: SourceRecord) -> Value | None:
    start, end = record.text("start"), record.text("end")
    return start and start.with_text(f"{start}-{end}" if end else str(start))


def add_identifier(record: SourceRecord, entry: dict[str, Any], draft: Draft) -> None:
    """Adds a DOI, URL or SWHID that the entry does not have yet; lists other identifiers."""
    kind, value = record.text("type"), record.text("value")
    record.skip("description")
    if value is None or value == entry.get("doi"):
        return
    if kind == "doi" and "doi" not in entry:
        entry["doi"] = value
    elif kind == "url" and "url" not in entry:
        entry["url"] = value
    elif kind == "swh":
        entry["identifiers"] = {"swh": value}
    else:
        draft.leave([value])


FORMAT = Format("cff", "CITATION.cff", matches, read, priority=80)
