"""Reads printed titles of proceedings: the name of the series, and what is said about its edition.

`Proc. of the 12th Conference on Ice, ICI 2020, Oslo, Norway, May 18-22, 2020` -> `Conference on
Ice`, so that all years are one series, with place and dates.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from kg.facts.values.regions import countries
from kg.text import months

# The edition at the end of a DBLP title: `…, ICI 2020, Oslo, Norway, May 18-22, 2020`.
EDITION = re.compile(r",\s+[^,\d]{1,20}\s(?:19|20)\d\d\b.*$", re.DOTALL)
# Serials whose names begin with `Proceedings of`.
SERIALS = (
    r"acm on\b|vldb|machine learning\b|spie\b|ieee$|(?:[\w.]+\s+){0,2}"
    r"(?:academy|society|institution|institute)\b"
)
TENS = "twent|thirt|fort|fift|sixt|sevent|eight|ninet"
NUMBERED = (
    r"(?:international|annual|joint|european|conference|workshop|symposium|meeting|congress"
    r"|reuni[oó]n|congreso|jornadas|simposio|(?-i:[A-Z]{2,}\S*))"
)
# Parts of a proceedings title that are not the name of the conference.
PROCEEDINGS = re.compile(
    rf"^(?:in:?\s+)?(?:the\s+)?(?!proc(?:eedings)?\.?\s+(?:of\s+)?(?:the\s+)?(?:{SERIALS}))"
    r"(?:proc(?:eedings)?\.?|companion|extended abstracts)\s+(?:of\s+|to\s+)?(?:the\s+)?"
    r"|\s*[:,(]\s*(?:main (?:volume|conference)|(?:long|short) papers|volume \d+(?:: [\w ]+)?)\)?$"
    r"|,\s*(?:19|20)\d\d\.\s*proceedings\.?$|\b(?:19|20)\d\d\b|(?<!\w)'\d\d\b"
    r"|\b\d+(?:st|nd|rd|th)\b|^\d+\.(?=\s)"
    rf"|(?:\bthe\s+)?\b(?:(?:{TENS})y[\s-])?(?:first|second|third|fifth|eighth|ninth|twelfth"
    rf"|(?:four|six|seven|ten|eleven|\w+teen|(?:{TENS})ie)th)(?=\s+{NUMBERED})"
    rf"|^[IVX]+(?=\s+{NUMBERED})",
    re.IGNORECASE,
)
# An acronym with a year before the name, as ACM prints it: `LAK '17: 7th International …`.
EDITION_BEFORE = re.compile(
    r"^[A-Z][\w&/+-]*?\s*(?:['’]|19|20)?\d\d\s*:\s*(?:the\s+)?"
    r"(?=.*\b(?:conference|congress|meeting|symposium|workshop)\b)",
    re.IGNORECASE,
)
WORKSHOP = re.compile(r"(?!.*\b(?:and|&)\s+workshops?\b).*\bworkshops?\b", re.I | re.DOTALL)
ACRONYM = re.compile(r"\(\s*(?:[A-Z][\w&/'’-]*)?\s*\)$")  # of the conference, after its name
ACRONYM_AND_YEAR = re.compile(r"\W*[A-Z][\w/&+-]*\W*(?:\s|['’])\s*(?:(?:19|20)\d)?\d\d?\W*")
# How a work was shown, at the end of the title: `NeurIPS 2022, Spotlight`.
AWARD = (
    r"spotlight|highlight|honou?rable mention|notable[- ]top[- ]\d+\\?%"
    r"|(?:best|outstanding|distinguished)[\w -]{0,20} "
    r"(?:paper|poster|demo|presentation|thesis|award)"
    r"(?:[ ,-]*(?:award|nominee|nomination|finalist|candidate|runner[- ]?up|honou?rable mention))*"
)
SHOWN = (
    r"(?:oral|poster|demo|(?:long|short|full|late-breaking) paper)"
    r"(?: (?:presentation|paper|session|track))?"
)
DISTINCTION = re.compile(
    rf"\s*[,;:–—(\[-]\s*(?:(?P<award>(?:{AWARD})(?: (?:presentation|paper))?)"
    rf"|(?P<remark>{SHOWN}))"
    r"\s*[)\]]?\s*$",
    re.IGNORECASE,
)
MONTHS = "|".join(sorted({name[:3] for name in months.short_names()}))
DAYS = re.compile(
    rf",\s*(?:(?P<month>{MONTHS})[a-z]*\.?\s+(?P<first>\d{{1,2}})"
    rf"(?:\s*[-–—]+\s*(?:(?P<other>{MONTHS})[a-z]*\.?\s+)?(?P<last>\d{{1,2}}))?"
    rf"|(?P<first2>\d{{1,2}})(?:\s*[-–—]+\s*(?P<last2>\d{{1,2}}))?"
    rf"\s+(?P<month2>{MONTHS})[a-z]*\.?)"
    r"(?:,?\s*(?P<year>(?:19|20)\d\d))?\s*\.?\s*$",
    re.IGNORECASE,
)
NO_CITY = re.compile(r"\b(?:and|on|of|for|in)\b|&", re.IGNORECASE)
HOST = re.compile(
    r"(?P<own>.*\bworkshop\b.*?)\s+(?:at|@|co-?located with|in conjunction with)\s+(?:the\s+)?"
    r"(?P<host>(?=[^,]*[A-Z]{2})[^,]+)$",
    re.IGNORECASE,
)


class PrintedTitle(NamedTuple):
    """The name of a series, and the parts of the title about one edition. Dates are ISO, without
    the year if the title does not have it; `host` is the conference of a workshop.
    """

    name: str
    location: str = ""
    date: str = ""
    end: str = ""
    host: str = ""


def without_distinction(text: str) -> tuple[str, str, str]:
    """Separates a title from the award or the remark at its end."""
    found = DISTINCTION.search(text)
    if not found:
        return text, "", ""
    return text[: found.start()], found["award"] or "", found["remark"] or ""


def read_title(text: str) -> PrintedTitle:
    """The parts of a title. A place is only read if it is a city and a country."""
    text = without_distinction(text)[0]
    dates = ["", ""]
    if days := DAYS.search(text):
        text, dates = text[: days.start()], iso_days(days)
    *parts, country = [part.strip() for part in text.split(",")]
    place = ""
    if is_country(country) and len(parts) > 1 and not NO_CITY.search(parts[-1]):
        has_state = re.fullmatch(r"[A-Z]{2}", parts[-1]) and len(parts) > 2
        city = parts[-2:] if has_state else parts[-1:]
        place = ", ".join([*city, country])
        text = ", ".join(parts[: -len(city)])
    hosted = HOST.fullmatch(text)
    own, host = (hosted["own"], series_name(hosted["host"])) if hosted else (text, "")
    return PrintedTitle(series_name(own), place, dates[0], dates[1], host)


def is_country(text: str) -> bool:
    return text.casefold().removeprefix("the ") in countries()


def iso_days(days: re.Match[str]) -> list[str]:
    """The first and the last day: `2020-05-18`, or `05-18` without a year."""
    first, last = days["first"] or days["first2"], days["last"] or days["last2"]
    month = days["month"] or days["month2"]
    other = days["other"] or month
    year = f"{days['year']}-" if days["year"] else ""
    found = [(month, first), (other, last)] if last else [(month, first)]
    iso = [f"{year}{months.number_of(name):02}-{int(day):02}" for name, day in found]
    return [iso[0], iso[1] if last else ""]


def kind_at(kind: str, venue: str) -> str:
    """A conference paper at a workshop is a workshop paper."""
    is_workshop = kind == "conference" and venue and WORKSHOP.match(venue)
    return "workshop" if is_workshop else kind


def series_name(title: str) -> str:
    """The name without number, year and acronym."""
    name = EDITION_BEFORE.sub("", EDITION.sub("", title))
    name = ACRONYM.sub("", PROCEEDINGS.sub("", name).rstrip(" ,;:-–"))
    return re.sub(r"\W+\.$", "", " ".join(name.split())).strip(" ,;:-–") or title
