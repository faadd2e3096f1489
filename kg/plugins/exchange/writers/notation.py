"""Helpers for writers: dates, places, profiles and addresses in the notation of other formats."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from kg.facts.values import dates
from kg.facts.values.regions import countries
from kg.facts.values.social_networks import network_of, page_of
from kg.plugins.exchange.draft import UNTITLED, SourceRecord, Value
from kg.plugins.exchange.titles import as_heading
from kg.plugins.exchange.writers.public_cv import PublicCv

NUMBER = re.compile(r"\[\d+\]")
# Fields with the address of a work, in order of preference.
ADDRESSES = {"url": "{}", "doi": "https://doi.org/{}", "arxiv": "https://arxiv.org/abs/{}"}
VENUES = ("journal", "conference", "venue", "book", "publisher", "institution")
WHERE = ("organization", "journal", "conference", "venue")
HEADINGS = (
    *("title", "name", "course", "tutorial", "person", "reason", "label", "text", UNTITLED),
    *("work", "at", *WHERE, "level"),
)
LINES = (UNTITLED, "text", "as", "value", "url", "title", "name")  # main field of an item


class Period(NamedTuple):
    """The start and end of a period, as the author wrote them."""

    start: Value | None
    end: Value | None


def period_of(record: SourceRecord) -> Period:
    """The period of an entry; a single date is both its start and end."""
    start, end = record.text("startDate"), record.text("endDate")
    if start or end:
        return Period(start, end)
    once = record.text("date", "year")
    return Period(once, once)


def iso(cv: PublicCv, value: Value | None) -> str:
    """`2019`, `2019-09` or `2019-09-01`; the year of a season; empty for an open end."""
    when = dates.read(str(value)) if value else None
    if value is None or when is None:
        return ""
    if str(value) == "unknown":
        return cv.report_reduced(value, "no date")[:0]
    return cv.report_reduced(value, when.iso) if when.is_season else when.iso


def main_texts(record: SourceRecord, *names: str) -> list[Value]:
    """The main texts of these fields; other fields of list items are not taken."""
    found: list[Value | None] = []
    for name in names:
        parts = record.records(name)
        found += [each.text(*LINES) for each in parts] if parts else record.texts(name)
    return [text for text in found if text]


def first(record: SourceRecord, name: str) -> Value | None:
    """The first text of a field, for formats with a single value; the others are reported."""
    parts = record.records(name)
    return parts[0].text(*LINES) if parts else record.text(name)


def address_of(work: SourceRecord) -> str:
    """The web address of a work."""
    name = next((name for name in ADDRESSES if name in work), "")
    value = work.text(name) if name else None
    return ADDRESSES[name].format(value) if value else ""


def container_of(work: SourceRecord) -> str:
    """The journal, conference or book of a work, or else its publisher."""
    inside = work.record("book").text("title") if "book" in work else None
    return str(inside or work.text(*VENUES) or "")


class OnlineProfile(NamedTuple):
    """An online account, with the official name of its network."""

    network: str
    username: str
    url: str


def profiles(basics: SourceRecord) -> Iterator[OnlineProfile]:
    """All accounts, including the ORCID."""
    for each in basics.records("profiles"):
        network, user = each.text("network"), each.text("username")
        known = network_of(network) if network else None
        name = known.title if known else str(network or each.text("label") or "")
        url = each.text("url") or (page_of(network, user) if network and user else "")
        yield OnlineProfile(name, str(user or ""), str(url))
    if orcid := basics.text("orcid"):
        yield OnlineProfile("ORCID", str(orcid), f"https://orcid.org/{orcid}")


class Town(NamedTuple):
    city: str
    country: str  # two letters


def town(place: str) -> Town:
    """Splits `Tromsø, Norway` into town and country code, if the last part is a country."""
    city, _, last = place.rpartition(", ")
    code = countries().get(last.casefold(), "")
    return Town(city or place, code) if city and code else Town(place, "")


def remaining_lines(record: SourceRecord) -> list[str]:
    """One line for each field not yet taken: `Host: Noor Haddad`."""
    found: dict[str, list[str]] = {}
    for value in record.left():
        name = value.path.removeprefix(f"{record.path}.")
        found.setdefault(NUMBER.sub("", name), []).append(value)
    record.skip(*record)
    return [f"{as_heading(name)}: {', '.join(values)}" for name, values in found.items()]


def heading(record: SourceRecord) -> str:
    """The name of any entry."""
    return str(record.text(*HEADINGS) or "")


def dated(record: SourceRecord) -> str:
    """Formats a period or date: `2020 – present`, `2020 –`, `– 2020`, `2020`."""
    start, end = period_of(record)
    if start == end:
        return str(start or "")
    return f"{start or ''} – {end or ''}".strip()


def line(record: SourceRecord) -> str:
    """Formats a whole entry as one line: `Boat licence (2017-05): Issuer: Harbour Office`."""
    name, when = heading(record), dated(record)
    text = record.text("details", "summary", "abstract")
    more = "; ".join([*filter(None, [text]), *remaining_lines(record)])
    return f"{name}{f' ({when})' if when else ''}{f': {more}' if more else ''}"


def group(record: SourceRecord) -> str:
    """Formats a skill or an interest: `Programming: Python, C`."""
    more = ", ".join(record.texts("keywords") or record.texts("level"))
    return f"{record.text('name')}: {more}" if more else str(record.text("name"))
