"""Reads printed titles of proceedings: the name of the series, and what is said about its edition.

`Proc. of the 12th Conference on Ice, ICI 2020, Oslo, Norway, May 18-22, 2020` -> `Conference on
Ice`, so that all years are one series, with place and dates.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from html import unescape
from typing import NamedTuple

from kg.facts.values.regions import countries
from kg.plugins.bibliography.latex import Latex
from kg.text import months

TAG = re.compile(r"</?[a-z][\w:-]*(?:\s[^<>]*)?/?>", re.IGNORECASE)  # HTML or JATS
# Tags that are not between two words; of others, some sources leave out the spaces.
INLINE_TAG = re.compile(r"</?(?:\w+:)?su[bp]>|</[\w:]+>(?=[,.;:)\]])", re.IGNORECASE)
EMPHASIS = re.compile(r"(?<![\w*])\*{1,3}(?=[^\s*])|(?<=[^\s*])\*{1,3}(?![\w*])")
MAX_DELAY = 5  # years between a conference and a work in its proceedings
LAST_SHORT_YEAR = 60  # `'61` is 1961

# The edition at the end of a DBLP title: `…, ICI 2020, Oslo, Norway, May 18-22, 2020`.
EDITION = re.compile(r",\s+[^,\d]{1,20}\s(?:19|20)\d\d\b.*$", re.DOTALL)
# Serials whose names begin with `Proceedings of`.
SERIALS = (
    r"acm on\b|vldb|machine learning\b|spie\b|ieee$|(?:[\w.]+\s+){0,2}"
    r"(?:academy|society|institution|institute)\b"
)
TENS = "twent|thirt|fort|fift|sixt|sevent|eight|ninet"
NUMBERED = (
    r"(?:\w+\s+)?(?:international\w*|annual|biennial|joint|european|conference|workshop|symposium"
    r"|meeting|congress|school|reuni[oó]n|congresso?|congr[eè]s|jornadas|simp[oó]sio|encontro"
    r"|encuentro|seminario|convegno|conferenza|confer[eê]ncia|colloque|coloquio|journées|tagung"
    r"|konferenz|kongress|(?-i:[A-Z]{2,}\S*))"
)
# Parts of a proceedings title that are not the name of the conference.
PROCEEDINGS = re.compile(
    rf"^(?:in:?\s+)?(?:the\s+)?(?:(?:19|20)\d\d\s+)?"
    rf"(?!proc(?:eedings)?\.?\s+(?:of\s+)?(?:the\s+)?(?:{SERIALS}))"
    r"(?:proc(?:eedings)?\.?|companion|extended abstracts)\s+(?:of\s+|to\s+)?(?:the\s+)?"
    r"|\s*[:,(]\s*(?:main (?:volume|conference)|(?:long|short) papers|volume \d+(?:: [\w ]+)?)\)?$"
    r"|,\s*(?:(?:19|20)\d\d\.\s*)?proceedings\.?$",
    re.IGNORECASE,
)
YEARS = re.compile(r"(?<![\d/–-])(?:19|20)\d\d\b(?![/–-]\d)|(?<!\w)['’]\d\d\b")
# The number of an edition: `19th`, `XIX`, `twelfth`, `3.`
NUMBER = re.compile(
    r",?\s*\(?\b\d+(?:st|nd|rd|th)\s+edition\b\)?|\b\d+[\s-]*(?:st|nd|rd|th)\b"
    r"|\b\d+(?:\.?[ªºᵃᵒ]|\.(?=\s)|(?:e|ème|er|ère)(?=\s))"
    rf"|(?:\bthe\s+)?\b(?:(?:{TENS})y[\s-])?(?:first|second|third|fifth|eighth|ninth|twelfth"
    rf"|(?:four|six|seven|ten|eleven|\w+teen|(?:{TENS})ie)th)(?=\s+{NUMBERED})"
    rf"|(?-i:\b[IVXL]+\b)\.?(?=\s+{NUMBERED})|(?<=[a-z])\s+(?-i:[IVXL]{{2,}})$",
    re.IGNORECASE,
)
# An acronym with a year before the name, as ACM prints it: `LAK '17: 7th International …`.
EDITION_BEFORE = re.compile(
    r"^[A-Z][\w&/+-]*?\s*(?:['’]|19|20)?\d\d\s*:\s*+(?:the\s+)?+"
    r"(?=.*\b(?:conference|congress|meeting|symposium|workshop)\b)"
    r"(?!(?:\d+\w\w\s+)?(?:international\s+)?(?:conference|congress|symposium|workshop)\s*(?:,|$))",
    re.IGNORECASE,
)
WORKSHOP = re.compile(r"(?!.*\b(?:and|&)\s+workshops?\b).*\bworkshops?\b", re.I | re.DOTALL)
ACRONYM = re.compile(r"\(\s*[A-Z][\w&/'’-]*\s*\)$")  # of the conference, after its name
EMPTY = re.compile(r"\(\s*\)$")  # where a year was
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
# A text with a day or the end of a sentence before its last words, which has no parts to divide.
DATED_IN_THE_MIDDLE = re.compile(
    r"\b\d{1,2}\.?\s+(?:de\s+)?[^\W\d_]{3,}\.?,?\s+(?:de\s+)?(?:19|20)\d\d\b\W+[^\W\d_]"
    r"|\b(?:19|20)\d\d\)?\.\s+(?!proceedings\b)[^\W\d_]\w+\s+\w",
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
# `Journal of Stones, 3(2), 1-10`, `Ice Letters, vol. 3, no. 2`
JOURNAL_NUMBERS = re.compile(
    r"(?P<journal>.*[^\W\d_][^,;]*?)(?:,?\s+vol(?:ume|\.)?\s*|,\s*|\s+)(?P<volume>\d{1,4})"
    r"(?:\s*\((?P<issue>\d+(?:[-–/]\d+)?)\)"
    r"|,?\s*(?:nos?|issues?|iss|nr)\.?\s*(?P<issue2>\d+(?:[-–/]\d+)?))"
    r"(?:\s*[,:]\s*(?:pp?\.?\s*)?(?P<pages>\d+(?:\s*[-–]+\s*\d+)?))?\W*",
    re.IGNORECASE,
)
# A word for any volume, which names none.
GENERIC = re.compile(
    r"(?:in:?\s+)?(?:the\s+)?(?:(?:(?:conference|congress|symposium|workshop|full|extended)\s+)?"
    r"(?:proceedings|abstracts|papers)(?:\s+book)?|book of abstracts|proc\.?|atti|actas|actes|anais"
    r"|tagungsband|konferenzband|abstractband|libro de (?:actas|res[uú]menes)|annals|conference"
    r"|congress|symposium|workshop)(?:\W*(?:19|20)\d\d)?\W*",
    re.IGNORECASE,
)
PARTS = re.compile(r",\s*proceedings,\s*part\s+[ivxl\d]+(?:\s+\d+)?$", re.IGNORECASE)
NO_CITY = re.compile(r"\b(?:and|on|of|for|in)\b|&", re.IGNORECASE)
HOST = re.compile(
    r"(?P<own>.*\bworkshop\b.*?)\s+(?:at|@|co-?located with|in conjunction with)\s+(?:the\s+)?"
    r"(?P<host>(?=[^,]*[A-Z]{2})[^,]+)$",
    re.IGNORECASE,
)


class PrintedTitle(NamedTuple):
    """The name of a series, and the parts of the title about one edition. Dates are ISO, without
    the year if the title does not have it; `host` is the conference of a workshop; `edition` is
    the name of an edition that has a number: `19th Conference on Ice`.
    """

    name: str
    year: str = ""
    edition: str = ""
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


def read_title(text: str, year: str = "") -> PrintedTitle:
    """The parts of a title. A place is only read if it is a city and a country. `year` is that of
    the work: a year in the title that is far from it belongs to the name.
    """
    text = PARTS.sub("", without_distinction(without_markup(text))[0])
    if DATED_IN_THE_MIDDLE.search(text):
        return PrintedTitle(text)
    found = {whole_year(each) for each in YEARS.findall(text)}
    years = {each for each in found if not year or abs(int(each) - int(year)) <= MAX_DELAY}
    years = years if len(years) == 1 else set()
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
    own, host = (hosted["own"], series_name(hosted["host"], years)) if hosted else (text, "")
    name = series_name(own, years)
    edition = bare_title(own, years)
    numbered = "" if edition == name else edition
    return PrintedTitle(name, "".join(years), numbered, place, dates[0], dates[1], host)


def without_markup(text: str) -> str:
    """A title without HTML, emphasis of Markdown and LaTeX: `39<sup>th</sup>` -> `39th`."""
    text = EMPHASIS.sub("", without_tags(unescape(text)))
    return " ".join((Latex(text).decode() if "\\" in text or "$" in text else text).split())


def without_tags(text: str) -> str:
    return " ".join(TAG.sub(" ", INLINE_TAG.sub("", text)).split())


def whole_year(text: str) -> str:
    """`'21` -> `2021`"""
    short = text.strip("'’")
    return short if len(short) == 4 else f"{'19' if int(short) > LAST_SHORT_YEAR else '20'}{short}"


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


def series_name(title: str, years: Collection[str]) -> str:
    """The name without number, years and acronym."""
    name = bare_title(NUMBER.sub("", EDITION_BEFORE.sub("", title)), years)
    return ACRONYM.sub("", name).strip(" ,;:-–") or title


def bare_title(title: str, years: Collection[str]) -> str:
    """The name of an edition, without words for proceedings and these years."""
    name = PROCEEDINGS.sub("", EDITION.sub("", EDITION_BEFORE.sub("", title)))
    name = YEARS.sub(lambda year: "" if whole_year(year[0]) in years else year[0], name)
    name = PROCEEDINGS.sub("", " ".join(name.split()))
    name = EMPTY.sub("", name.rstrip(" ,;:-–"))
    name = re.sub(r"\s+(?=[,:)])", "", " ".join(name.split()))
    return re.sub(r"\W+\.$", "", name).strip(" ,;:-–")
