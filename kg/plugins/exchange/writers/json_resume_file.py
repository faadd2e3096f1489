"""Writes JSON Resume, with the same field table as the reader."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from functools import cache
from typing import Any, NamedTuple

from kg.facts.bibliography.correspondence import correspondence
from kg.facts.values.regions import countries
from kg.plugins.exchange.draft import SourceRecord, without_empty
from kg.plugins.exchange.writers import notation
from kg.plugins.exchange.writers.public_cv import ExportFormat, PublicCv
from kg.text.markdown import plain_title

SCHEMA = "https://raw.githubusercontent.com/jsonresume/resume-schema/v1.0.0/schema.json"
PATH = re.compile(r"(?P<section>\w+)\[\]\.(?P<theirs>\w+)(?P<many>\[\])?")
# Alternatives to a field in the table; the first that is present is used.
FALLBACKS = {
    "awards.date": ("date", "year", "startDate"),
    "volunteer.organization": ("organization", "conference", "venue"),
    "volunteer.position": ("position", "role"),
    "volunteer.startDate": ("startDate", "year"),
    "volunteer.endDate": ("endDate", "year"),
}
DATES = ("date", "startDate", "endDate", "releaseDate")


class Column(NamedTuple):
    """A JSON Resume field, and the fields of ours it is made from."""

    theirs: str
    ours: tuple[str, ...]
    is_many: bool


@cache
def columns() -> dict[str, list[Column]]:
    """The fields of each section."""
    found: dict[str, list[Column]] = defaultdict(list)
    for path, targets in correspondence("json-resume").fields.items():
        if part := PATH.fullmatch(path):
            ours = next(iter(targets))
            names = FALLBACKS.get(ours, (ours.partition(".")[2],))
            found[part["section"]].append(Column(part["theirs"], names, bool(part["many"])))
    return {section: some for section, some in found.items() if section != "basics"}


def write(cv: PublicCv) -> bytes:
    resume: dict[str, Any] = {"$schema": SCHEMA, "basics": basics(cv)}
    for section, some in columns().items():
        entries = [entry(cv, record, section, some) for record in cv.entries(section)]
        resume[section] = [each for each in entries if each]
    resume["meta"] = without_empty({"lastModified": notation.iso(cv, cv.top.text("modified"))})
    return (json.dumps(without_empty(resume), ensure_ascii=False, indent=2) + "\n").encode()


def basics(cv: PublicCv) -> dict[str, Any]:
    own = cv.basics
    names = ("name", "label", "image", "email", "phone", "url", "summary")
    texts = {name: notation.first(own, name) for name in names}
    accounts = [without_empty(each._asdict()) for each in notation.profiles(own)]
    return without_empty({**texts, "location": location(own), "profiles": accounts})


def location(own: SourceRecord) -> dict[str, str]:
    """The parts of a public address, or else the town and country."""
    parts = own.record("address")
    where = notation.town(own.text("location") or "")
    country = parts.text("country")
    return without_empty(
        {
            "address": parts.text("street") or own.text("address"),
            "postalCode": parts.text("postalCode"),
            "city": parts.text("city") or where.city,
            "region": parts.text("region"),
            "countryCode": countries().get(country.casefold(), country)
            if country
            else where.country,
        }
    )


def entry(cv: PublicCv, record: SourceRecord, section: str, some: list[Column]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for theirs, ours, is_many in some:
        values = notation.main_texts(record, *ours)
        if is_many:
            found[theirs] = values
        elif theirs in DATES:
            found[theirs] = notation.iso(cv, record.text(*ours))
        else:
            found[theirs] = " and ".join(values)
    if section == "publications":
        found["name"] = plain_title(found["name"])
        found |= {
            "publisher": notation.container_of(record),
            "releaseDate": notation.iso(cv, record.text("date", "year")),
            "url": notation.address_of(record),
        }
    if section == "awards" and record.row.get("startDate") == record.row.get("endDate"):
        record.skip("endDate")
    return without_empty(found)


FORMAT = ExportFormat("JSON Resume", write)
