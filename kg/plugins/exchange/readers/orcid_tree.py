"""Normalises ORCID records in JSON and XML to one tree, and finds the activities in it.

The files of an ORCID data export have one section or one activity each, in XML.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from kg.facts.values.regions import country_names
from kg.facts.yaml.rows import Row, Rows, Spot
from kg.plugins.exchange.draft import SourceRecord

# Fields about the account, or that repeat other fields.
SKIPPED = {
    *("put-code", "path", "source", "created-date", "last-modified-date", "history", "host", "uri"),
    *("display-index", "external-id-normalized", "external-id-normalized-error", "citation"),
    *("verified", "primary", "media-type", "contributor-sequence"),
}
NEEDED = {"path": "uri", "display-index": "title"}  # skipped fields that are kept beside these
DATE = ("year", "month", "day")
PLACE = ("city", "region", "country")
REGIONS = ("US", "CA", "AU")  # countries whose regions are part of an address
VISIBILITY, OPEN = "visibility", ("public", "registered-only")
RECORD = "record"
# Sections of activities, and the name of one activity.
ACTIVITIES = {
    **{"employments": "employment", "invited-positions": "invited-position"},
    **{"educations": "education", "qualifications": "qualification"},
    **{"distinctions": "distinction", "memberships": "membership", "services": "service"},
    **{"works": "work", "fundings": "funding", "research-resources": "research-resource"},
    "peer-reviews": "peer-review",
}
ALTERNATIVES = ("works", "fundings")  # sections with groups of one activity from several sources
SECTION_OF = {kind: section for section, kind in ACTIVITIES.items()}
GROUPS = ("affiliation-group", "group", "summaries", "peer-review-group")
ORCID = re.compile(r"^/((?:\d{4}-){3}\d{3}[\dX])\b")  # in the path of an element


def normalised(row: Row) -> Row:
    """A mapping without wrappers and skipped fields; dates and places are texts."""
    found = Row(row.file, row.spot, row.path)
    for name, item in row.items():
        inner, at = unwrapped(item, row.values_at[name])
        is_kept = name not in SKIPPED or NEEDED.get(name, "") in row
        if is_kept and not (name == VISIBILITY and str(inner).lower() in OPEN):
            found.put(name, inner, row.keys_at[name], at)
    if VISIBILITY in found:
        for part in [each for each in found.values() if isinstance(each, Rows)]:
            for item in part:  # what is not public has no public parts
                if isinstance(item, Row) and VISIBILITY not in item:
                    item.copy_keys(found, [VISIBILITY])
    return found


def unwrapped(value: Any, at: Spot) -> tuple[Any, Spot]:
    """The text that a mapping stands for, with its position; other values are unchanged."""
    fields = {*value} if isinstance(value, Row) else set()
    if fields == {"value"}:
        return value["value"], value.values_at["value"]
    if "year" in fields and fields <= {*DATE}:
        parts = [str(value[name]) for name in DATE if value.get(name) not in (None, "", "null")]
        return "-".join(part.zfill(2) for part in parts), value.values_at["year"]
    if fields & {*PLACE} and fields <= {*PLACE}:
        city, region, land = (str(value.get(name) or "null") for name in PLACE)
        region = region if land in REGIONS else "null"
        named = [city, region, country_names().get(land.upper(), land)]
        return ", ".join(part for part in named if part != "null"), value.spot
    return value, at


def as_json(root: Row) -> Row:
    """Converts the rows of an XML file to those of JSON: a record, section or single activity."""
    ((name, inner),) = root.items()
    if name == RECORD or not isinstance(inner, Row):
        return inner if isinstance(inner, Row) else root
    tree = Row(inner.file, inner.spot)
    if found := ORCID.match(str(inner.get("path", ""))):
        tree.fill("orcid-identifier", found[1])
    if name not in (*ACTIVITIES, *SECTION_OF):
        return tree.fill(name, inner)
    activities, section = Row(inner.file, inner.spot), SECTION_OF.get(name, name)
    whole = Row(inner.file, inner.spot).fill(name, inner) if name in SECTION_OF else inner
    return tree.fill("activities-summary", activities.fill(section, whole))


def activities_in(section: SourceRecord, name: str) -> Iterator[SourceRecord]:
    """The activities of a section or group; of alternatives, only the preferred one."""
    found = section.records(f"{ACTIVITIES[name]}-summary", ACTIVITIES[name])
    for group in section.records(*GROUPS):
        group.skip("external-ids")
        found += activities_in(group, name)
    is_group = section.path.endswith("]")
    best = max(found, key=rank) if found and is_group and name in ALTERNATIVES else None
    for each in found:
        if best is None or each is best:
            yield each
        else:
            each.skip(*each)


def rank(record: SourceRecord) -> int:
    """The display index of an activity; the preferred source has the highest."""
    index = record.text("display-index")
    return int(index) if index and index.isdecimal() else 0
