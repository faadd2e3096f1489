"""Wording of values on pages: labels of properties, addresses, messages."""

from __future__ import annotations

import re
from textwrap import shorten

from pyoxigraph import Literal

from kg.settings import Withdrawn
from kg.store.protocol import Term
from kg.text.dates import date
from kg.vocab import cv, schema, xsd

DATES = (xsd.gYear, xsd.gYearMonth, xsd.date)
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
    schema.issueNumber: "Issue",
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


ERRORS = {404: "Page not found", 410: "Page withdrawn"}  # status -> heading


def farewell(gone: Withdrawn) -> str:
    """The message for a withdrawn document."""
    when = f" ({date(gone.date)})" if gone.date else ""
    return (
        f"{gone.address} was withdrawn{when} and is no longer "
        f"available.{f' {gone.reason}' if gone.reason else ''}"
    )
