"""Wording of values on pages: dates, periods, labels of properties."""

from __future__ import annotations

import re
from collections.abc import Iterable
from textwrap import shorten

from pyoxigraph import Literal

from kg.settings import Withdrawn
from kg.store.protocol import Term
from kg.text.months import short_names
from kg.vocab import cv, schema, xsd

DATES = (xsd.gYear, xsd.gYearMonth, xsd.date)
SEASONS = {"21": "Spring", "22": "Summer", "23": "Autumn", "24": "Winter"}
SEASON_NAMES = tuple(SEASONS.values())
YEARLY = re.compile(rf"((?:(?:{'|'.join(SEASON_NAMES)}) )?)(\d{{4}})")
BREAKS = re.compile(r"(?<=\d) (?=[A-Z])|(?<=[a-z.]) (?=\d{4})")  # spaces inside a date
UNDATED_YEAR = 9999  # sorts undated periods last
MAX_NAME_LENGTH = 80  # in the footer of printed pages

# kind -> singular, in the order of search results
KINDS = {
    "people": "Person",
    "publications": "Publication",
    "patents": "Patent",
    "software": "Software",
    "topics": "Topic",
    "venues": "Venue",
    "orgs": "Organisation",
    "projects": "Project",
    "grants": "Grant",
    "courses": "Course",
    "tutorials": "Tutorial",
    "press": "Press",
    "places": "Place",
    "languages": "Language",
    "sources": "Source",
}

# Properties at the top of a page, in this order, with their labels; equal labels share a line.
FACTS = {
    schema.alternateName: "Also known as",
    schema.termCode: "Language tag",
    schema.alternativeHeadline: "Subtitle",
    schema.isPartOf: "Appeared in",
    schema.itemReviewed: "Reviews",
    schema.translationOfWork: "Translation of",
    schema.targetProduct: "Version of",
    schema.datePublished: "Published",
    schema.creativeWorkStatus: "Status",
    schema.genre: "Kind",
    schema.keywords: "Kind",
    cv.refereed: "Refereed",
    schema.pagination: "Pages",
    schema.bookEdition: "Edition",
    schema.volumeNumber: "Volume",
    schema.numberOfPages: "Number of pages",
    schema.version: "Version",
    schema.inLanguage: "Language",
    schema.temporalCoverage: "Period",
    schema.spatialCoverage: "Area",
    schema.inSupportOf: "Degree",
    schema.sourceOrganization: "School",
    schema.reportNumber: "Report number",
    schema.publisher: "Publisher",
    schema.courseCode: "Code",
    schema.partOfSeries: "Programme",
    schema.provider: "Given by",
    schema.educationalLevel: "Level",
    schema.numberOfCredits: "Credits",
    schema.softwareVersion: "Version",
    schema.programmingLanguage: "Written in",
    schema.license: "Licence",
    schema.copyrightHolder: "Owner",
    schema.award: "Awards",
    schema.funder: "Funder",
    schema.sponsor: "Programme",
    schema.parentOrganization: "Part of",
    schema.location: "Place",
    schema.about: "About",
    schema.mentions: "Mentions",
    schema.dateCreated: "Date",
    schema.url: "Website",
    schema.codeRepository: "Repository",
    schema.sameAs: "Also at",
    schema.isbn: "ISBN",
    schema.issn: "ISSN",
}

# Labels that differ on some kinds of pages.
FACTS_OF = {
    ("publications", schema.keywords): "Keywords",
    ("publications", schema.sourceOrganization): "Institution",
}

# Labels of kinds that are given by the class alone.
CLASSES: dict[str, str] = {
    schema.CollegeOrUniversity: "University",
    schema.Corporation: "Company",
    schema.ResearchOrganization: "Laboratory",
    schema.FundingScheme: "Programme",
    schema.Periodical: "Journal",
    schema.BlogPosting: "Blog",
    schema.PodcastEpisode: "Podcast",
    schema.RadioEpisode: "Radio",
    schema.TVEpisode: "TV",
    schema.VideoObject: "Video",
}
COMMONS = re.compile(r"https://creativecommons\.org/licenses/([a-z-]+)/([\d.]+)/")
SPDX = re.compile(r"https://spdx\.org/licenses/([^/]+)\.html")


def value(term: Term) -> str:
    """A date in words, yes or no; other values unchanged."""
    if not isinstance(term, Literal):
        return term.value
    if term.datatype.value == xsd.boolean:
        return "Yes" if term.value == "true" else "No"
    return date(term.value) if term.datatype.value in DATES else term.value


def running_line(title: str, url: str, is_cv: bool) -> str:
    """The footer of each printed page."""
    name = shorten(title, MAX_NAME_LENGTH, placeholder="…")
    return " · ".join([name, *(["Curriculum vitae"] if is_cv else []), address(url)])


def address(url: str) -> str:
    """A web address without scheme; the short name of a well-known licence."""
    if found := COMMONS.fullmatch(url):
        return f"CC {found[1].upper()} {found[2]}"
    if found := SPDX.fullmatch(url):
        return found[1]
    return url.removeprefix("https://").removesuffix("/")


def date(text: str) -> str:
    """`2024-08` -> `Aug 2024`, `2020-22` -> `Summer 2020`; a year stays a year."""
    found = re.fullmatch(r"(\d{4})(?:-(\d\d))?(?:-(\d\d))?", text)
    if not found or not found[2]:
        return text
    if found[2] in SEASONS:
        return f"{SEASONS[found[2]]} {found[1]}"
    if not 1 <= int(found[2]) <= 12:
        return text
    month = f"{short_names()[int(found[2]) - 1]} {found[1]}"
    return f"{int(found[3])} {month}" if found[3] else month


def period(start: str | None, end: str | None, edtf: str | None) -> str:
    """A period in words; EDTF, if given, is more precise than the typed dates. Days are left out,
    unless the period is within one month.
    """
    first, slash, last = (edtf or "").partition("/")
    if not slash:
        if edtf or not (start and end) or start == end:
            return date(edtf or start or end or "")
        first, last = start, end
    if first[:7] == last[:7] and len(first) == len(last) == len("2021-09-18"):
        return f"{int(first[-2:])}–{date(last)}"
    months = (each[: len("2021-09")] for each in (first.strip("."), last))
    return between(*("present" if each == ".." else date(each) for each in months))


def between(first: str, last: str) -> str:
    """`2018–2022`, `May – Aug 2016`, `Aug 2020 – present`, `from 2020`"""
    if not first or not last:
        return f"from {first}" if first else last if last == "present" else f"until {last}"
    if first.isdigit() and last.isdigit():
        return f"{first}–{last}"
    month, _, year = first.rpartition(" ")
    is_within = {month, last.rpartition(" ")[0]} <= {*short_names()} and last.endswith(year)
    return f"{month if is_within else first} – {last}"


def unbroken(text: str) -> str:
    """A period whose lines never break inside a date."""
    return BREAKS.sub("\N{NO-BREAK SPACE}", text)


def folded(periods: Iterable[str]) -> str:
    """Joins periods in chronological order, merging consecutive years: `2019–2021, 2023`, `Spring
    2021–2022, autumn 2022`.
    """
    years: dict[str, set[int]] = {}
    pieces: list[tuple[int, str]] = []
    for text in periods:
        if found := YEARLY.fullmatch(text):
            years.setdefault(found[1], set()).add(int(found[2]))
        else:
            known = re.search(r"\d{4}", text)
            pieces.append((int(known[0]) if known else UNDATED_YEAR, text))
    for season, within in years.items():
        each = runs(sorted(within))
        whole = f"{season}{', '.join(text for _, text in each)}"
        pieces += [(each[0][0], whole)] if season else each
    words = [text for _, text in sorted(dict.fromkeys(pieces))]
    return ", ".join(
        text.lower() if place and text.startswith(SEASON_NAMES) else text
        for place, text in enumerate(words)
    )


def runs(years: list[int]) -> list[tuple[int, str]]:
    """Merges consecutive years: 2019, 2020, 2022 -> `2019–2020`, `2022`."""
    starts = [year for year in years if year - 1 not in years]
    ends = [year for year in years if year + 1 not in years]
    return [
        (first, str(first) if first == last else f"{first}–{last}")
        for first, last in zip(starts, ends, strict=True)
    ]


CREATIVE_COMMONS = re.compile(r"creativecommons\.org/licenses/([a-z-]+)/([0-9.]+)")
ERRORS = {404: "Page not found", 410: "Page withdrawn"}  # status -> heading


def farewell(gone: Withdrawn) -> str:
    """The message for a withdrawn document."""
    when = f" ({date(gone.date)})" if gone.date else ""
    return (
        f"{gone.address} was withdrawn{when} and is no longer "
        f"available.{f' {gone.reason}' if gone.reason else ''}"
    )


def licence(address: str) -> str:
    """`https://creativecommons.org/licenses/by/4.0/` -> `CC BY 4.0`; others are called Licence."""
    found = CREATIVE_COMMONS.search(address)
    return f"CC {found[1].upper()} {found[2]}" if found else "Licence"
