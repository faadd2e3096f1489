"""Normalises ORCID records of all API versions to the names of API 3.0, and reads their parts.

The files of an ORCID data export have one section or one activity each, in XML.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from kg.facts.values.regions import country_names
from kg.facts.yaml.rows import Row, Rows
from kg.plugins.bibliography.csl_file import TAG
from kg.plugins.exchange.draft import Draft, SourceRecord, Value, join_values, parse_date
from kg.plugins.exchange.source_rows import TEXT

# API 1.2 -> 3.0
RENAMED = {
    "orcid-preferences": "preferences",
    "orcid-bio": "person",
    "personal-details": "name",
    "orcid-activities": "activities-summary",
    "orcid-works": "works",
    "orcid-work": "work-summary",
    "work-title": "title",
    "work-type": "type",
    "work-external-identifiers": "external-ids",
    "work-external-identifier": "external-id",
    "work-external-identifier-type": "external-id-type",
    "work-external-identifier-id": "external-id-value",
    "work-contributors": "contributors",
    "funding-list": "fundings",
    "funding": "funding-summary",
    "funding-title": "title",
    "funding-type": "type",
    "funding-external-identifiers": "external-ids",
    "funding-external-identifier": "external-id",
    "funding-external-identifier-type": "external-id-type",
    "funding-external-identifier-value": "external-id-value",
    "funding-contributors": "contributors",
    "external-id-common-name": "external-id-type",
    "external-id-reference": "external-id-value",
}
# Fields about the account, or that repeat other fields.
SKIPPED = {
    *("put-code", "path", "source", "created-date", "last-modified-date", "history", "host", "uri"),
    *(
        "display-index",
        "orcid-history",
        "external-id-normalized",
        "external-id-normalized-error",
        "orcid-type",
    ),
    *("message-version", "scope", "client-type", "group-type", "external-id-source", "orcid-id"),
    *("verified", "current", "primary", "verified-primary", "orcid-internal", "external-id-orcid"),
    *("work-source", "funding-source", "translated-title-language", "contributor-sequence"),
}
IDENTIFIER_FIELDS = {"doi": "doi", "arxiv": "arxiv", "pmid": "pmid", "pmc": "pmcid", "isbn": "isbn"}
INTERNAL = ("source-work-id", "put-code")  # identifiers within ORCID
VISIBILITY, OPEN = "visibility", ("public", "registered-only")
RECORD = "record"
# Sections of activities, and the name of one activity.
ACTIVITIES = {
    **{"works": "work", "fundings": "funding", "peer-reviews": "peer-review"},
    **{"employments": "employment", "invited-positions": "invited-position"},
    **{"educations": "education", "qualifications": "qualification"},
    **{"distinctions": "distinction", "memberships": "membership", "services": "service"},
    "research-resources": "research-resource",
}
LISTED = ("other-name", "keyword")  # lists in JSON, even with a single item
SECTION_OF = {kind: section for section, kind in ACTIVITIES.items()}
ORCID = re.compile(r"^/((?:\d{4}-){3}\d{3}[\dX])\b")  # in the path of an element
NEEDED = {"path": "uri", "display-index": "title"}  # skipped fields that are kept beside these


def normalised(value: Any) -> Any:
    """Renames and removes fields; unwraps mappings that only contain a text."""
    if isinstance(value, Rows):
        rows = Rows()
        for item, spot in zip(value, value.spots, strict=True):
            rows.add(normalised(item), spot)
        return rows
    if not isinstance(value, Row):
        return value
    row = Row(value.file, value.spot, value.path)
    for name, item in value.items():
        inner, at = normalised(item), value.values_at[name]
        for wrapper in ("value", "content"):
            if isinstance(inner, Row) and list(inner) == [wrapper]:
                inner, at = inner[wrapper], inner.values_at[wrapper]
        is_kept = name not in SKIPPED or NEEDED.get(name, "") in value
        if is_kept and not (name == VISIBILITY and str(inner).lower() in OPEN):
            row.put(RENAMED.get(name, name), inner, value.keys_at[name], at)
    if VISIBILITY in row:
        inherit_visibility(row)
    return row


def as_json(root: Row) -> Row:
    """Converts the rows of an XML file to those of JSON: a record, section or single activity."""
    ((name, content),) = root.items()
    inner = renamed_text(content)
    if name == RECORD or not isinstance(inner, Row):
        return inner if isinstance(inner, Row) else root
    tree = Row(inner.file, inner.spot)
    if found := ORCID.match(str(inner.get("path", ""))):
        tree.fill("orcid-identifier", found[1])
    if name not in (*ACTIVITIES, *SECTION_OF):
        return tree.fill(name, inner)
    activities = Row(inner.file, inner.spot)
    section = SECTION_OF.get(name, name)
    whole = Row(inner.file, inner.spot).fill(name, inner) if name in SECTION_OF else inner
    return tree.fill("activities-summary", activities.fill(section, whole))


def renamed_text(value: Any) -> Any:
    """Renames the text of elements with attributes, and makes lists, as in JSON."""
    if isinstance(value, Rows):
        rows = Rows()
        for item, spot in zip(value, value.spots, strict=True):
            rows.add(renamed_text(item), spot)
        return rows
    if not isinstance(value, Row):
        return value
    row = Row(value.file, value.spot)
    for name, item in value.items():
        at, inner = value.values_at[name], renamed_text(item)
        if name in LISTED and not isinstance(inner, Rows):
            inner = Rows.at(at, [inner])
        row.put("value" if name == TEXT else name, inner, at, at)
    return row


def inherit_visibility(row: Row) -> None:
    """Passes the visibility of a mapping on to the items of its lists."""
    at = row.values_at[VISIBILITY]
    for item in (each for part in row.values() if isinstance(part, Rows) for each in part):
        if isinstance(item, Row) and VISIBILITY not in item:
            item.put(VISIBILITY, row[VISIBILITY], at, at)


def summaries(section: SourceRecord, kind: str) -> Iterator[SourceRecord]:
    """The entries of a section, grouped or not."""
    names = (f"{kind}-summary", kind)
    for group in section.records("affiliation-group", "group"):
        group.skip("external-ids")
        for each in [group, *group.records("summaries")]:
            yield from each.records(*names)
    yield from section.records(*names)


def preferred(section: SourceRecord, kind: str) -> Iterator[SourceRecord]:
    """The preferred entry of each group; the others are the same work from other sources."""
    names = (f"{kind}-summary", kind)
    for group in section.records("group"):
        group.skip("external-ids")
        found = group.records(*names)
        best = max(found, key=rank, default=None)
        for each in found:
            if each is best:
                yield each
            else:
                each.skip(*each)
    yield from section.records(*names)


def rank(record: SourceRecord) -> int:
    index = record.text("display-index")
    return int(index) if index and index.isdecimal() else 0


def reviews_in(section: SourceRecord) -> Iterator[SourceRecord]:
    for group in section.records("group"):
        group.skip("external-ids")
        for inner in group.records("peer-review-group"):
            inner.skip("external-ids")
            yield from inner.records("peer-review-summary", "peer-review")
        yield from group.records("peer-review-summary", "peer-review")
    yield from section.records("peer-review-summary", "peer-review")


def date(record: SourceRecord) -> Value | None:
    """Converts `{year, month, day}`, as far as given."""
    year, month, day = (record.text(name) for name in ("year", "month", "day"))
    record.skip("media-type")
    parts = [year, month, day][: 1 if not month else 2 if not day else 3]
    if year is None:
        return None
    return parse_date(year.with_text("-".join(part.zfill(2) for part in parts if part)))


def identifiers_of(record: SourceRecord, draft: Draft) -> dict[str, Value]:
    """The identifiers of an activity by scheme, with the ISSN or ISBN of its container."""
    found: dict[str, Value] = {}
    for each in record.record("external-ids").records("external-id"):
        kind = (each.text("external-id-type") or "").lower().replace("_", "-")
        value = each.text("external-id-value")
        relation = (each.text("external-id-relationship") or "self").lower()
        is_own = relation == "self" or kind in ("issn", "isbn")
        each.skip("external-id-url")
        name = IDENTIFIER_FIELDS.get(kind, kind)
        if value is None or kind in INTERNAL:
            continue
        if not is_own or name in found or not name:
            draft.leave([value], f"{kind or 'identifier'} with relation '{relation}'")
            continue
        bare = re.sub(r"^(https?://(dx\.)?doi\.org/|doi:\s*)", "", value, flags=re.IGNORECASE)
        found[name] = value.with_text(bare if name == "doi" else str(value))
    return found


def translated(title: SourceRecord) -> list[Value]:
    title.record("translated-title").skip("language-code")
    return title.texts("translated-title") or title.record("translated-title").texts("value")


def place(address: SourceRecord) -> Value | None:
    """Formats a place: `Oslo, Norway`; with the region in the US, Canada and Australia."""
    city, region, land = (address.text(name) for name in ("city", "region", "country"))
    parts = [city, region if land in ("US", "CA", "AU") else None, land and country(land)]
    return join_values(filter(None, parts), ", ")


def country(value: Value) -> Value:
    return value.with_text(country_names().get(value.upper(), str(value)))


def other_tags(text: str) -> str:
    """Removes tags that our titles do not allow."""
    return " ".join(TAG.sub("", text).split())


def apply(change: Callable[[str], str], value: Value | None) -> Value | None:
    """Applies a function to the text of a value, if there is one."""
    return value and value.with_text(change(value))
