"""Finds dates in a line: `Jun 2019 – Present`, `(08/2020-)`, `Aug '24`.

Dates are interpreted by `kg.advice.date_guesses`; ambiguous ones are ignored.
"""

from __future__ import annotations

import re
from typing import NamedTuple
from unicodedata import normalize

from kg.advice.date_guesses import OPEN_ENDS, SEASONS, guesses, with_year
from kg.facts.values import dates
from kg.text import months


def unaccented(text: str) -> str:
    """A text of the same length without accents."""
    return "".join(normalize("NFD", letter)[0] for letter in text)


# Full and abbreviated names only, because `Marketing 2019` is not in March.
NAMES = {unaccented(name.lower()) for each in months.names() for name in each}
MONTH = rf"(?:{'|'.join(sorted(NAMES, key=lambda name: (-len(name), name)))})\b\.?"
SEASON = rf"(?:{'|'.join(sorted(SEASONS, key=len, reverse=True))})"
YEAR = r"(?:(?:19|20)\d\d)"
SHORT_YEAR = r"['’‘`´]\d\d"  # two digits
DASH = (
    r"\s*(?:-{1,4}|[‐-―−~]|→|\b(?:to|till|until|through|bis|a|al|au|hasta|ate|tot|t/m|do)\b"
    rf"|/(?={MONTH}))\s*"
)
OPEN_END = "|".join(
    sorted((re.escape(word).replace(r"\ ", r"\W") for word in OPEN_ENDS), key=len, reverse=True)
)
POINT = (
    rf"(?:\d{{1,2}}[./]\d{{1,2}}[./]{YEAR}|\d{{1,2}}[./]{YEAR}"
    rf"|{YEAR}[-./](?:0?[1-9]|1[0-2])(?:[-./]\d{{1,2}})?(?![\d/])"
    rf"|(?:{MONTH}|{SEASON})(?:[,\s]+|\s*[/-]\s*)"
    rf"(?:\d{{1,2}}(?:st|nd|rd|th)?[,\s]+)?(?:(?:of|de|del)\s+)?"
    rf"(?:{YEAR}|{SHORT_YEAR})"
    rf"|\d{{1,2}}(?:st|nd|rd|th|er|\.)?\s+(?:de\s+)?{MONTH},?\s+(?:de\s+)?{YEAR}"
    rf"|{SHORT_YEAR}|{YEAR})"
)
START = rf"(?:{POINT}|{MONTH}(?:\s+\d{{1,2}})?(?={DASH}(?:\d{{1,2}}\s+)?{MONTH}))"
END = rf"(?:{POINT}|(?:{OPEN_END})(?![^\W_])|\d\d(?!\d))"
SPAN = re.compile(
    rf"(?<![^\W_])(?<![./-])(?:(?:von|vom|de|du|del|da|van)\s+(?={START}{DASH}))?"
    rf"(?:(?P<since>since|from|seit|depuis|desde|sinds|a partir de|dal|ab)\s+)?"
    rf"(?:(?P<start>{START})(?:{DASH}(?P<end>{END})|(?P<open>\s*(?:-{{1,4}}|[–—])(?:on\b)?"
    rf"(?=\s*(?:[)\]`,:|]|$|\t|\s\s)))|"
    rf"(?P<more>(?:\s*(?:(?:,|&|and|und|et)\s*){{1,2}}(?:{SEASON}\s+)?"
    rf"(?:{YEAR}|{SHORT_YEAR}|\d\d(?!\d)))+))?)"
    r"(?![^\W_]|/|-[^\W_]|\.\d|\s*[-–—]+\s*\d|\s+(?:to|until|till|bis)\s)",
    re.IGNORECASE,
)
LONGEST_MONTH = 20  # with the word after it
SECOND = re.compile(rf"\b{MONTH}\s*(?:[,&]|and|und|et|y|e|o|en)\s*$", re.IGNORECASE)  # May & June
EXPECTED = re.compile(
    r"\b(?:expected|anticipated|exp\.?|voraussichtlich|prévue?)\b[:\s]*", re.IGNORECASE
)
PIVOT_YEAR = 50  # '49 is 2049, '50 is 1950


class DateSpan(NamedTuple):
    """A date in a line, with its position: a single date or a period."""

    at: tuple[int, int]
    start: str
    end: str = ""

    @property
    def year(self) -> str:
        return (re.search(r"\d{4}", self.start) or [""])[0]


def date_spans(text: str) -> list[DateSpan]:
    """All unambiguous dates, in order."""
    if not re.search(r"\d\d", text):
        return []
    bare = unaccented(text)
    return [
        span
        for found in SPAN.finditer(bare)
        if (span := parse_span(found)) and not SECOND.search(bare[: found.start()][-LONGEST_MONTH:])
    ]


def whole_date(text: str) -> DateSpan | None:
    """The date that is all of a text."""
    return next((span for span in date_spans(text) if span.at == (0, len(text))), None)


def parse_span(found: re.Match[str]) -> DateSpan | None:
    first, last = found["start"], found["end"] or ""
    if found["more"]:
        return None
    if not last and re.fullmatch(rf"{SHORT_YEAR}", first):
        return None  # SC '19 is not a date
    is_since = (found["since"] or "from").lower() not in ("from", "ab")
    if found["since"] and not is_since and not last:
        return None
    start = date_of(with_year(with_full_years(first), with_full_years(last)))
    if last and re.fullmatch(r"\d\d", last):
        last = start[:2] + last if re.fullmatch(r"\d{4}", start) and last > start[2:] else "?"
    end = "present" if found["open"] or (is_since and not last) else date_of(last)
    if not start or start in ("present", "unknown") or (last and not end):
        return None
    if end[:1].isdigit() and start[:4].isdigit() and end[:4] < start[:4]:
        return None
    return DateSpan(found.span(), start, end)


def date_of(text: str) -> str:
    """Converts a date to our notation; empty if it is ambiguous."""
    if not text:
        return ""
    text = with_full_years(text.strip())
    found = re.fullmatch(r"\d\d(\d\d)[-/](\d\d)", text)
    if found and int(found[2]) == int(found[1]) + 1:
        return ""  # an academic year, or a month of it
    if when := dates.read(text):
        return when.text
    readable = [guess for guess in guesses(text) if dates.read(guess)]
    return readable[0] if len(readable) == 1 else ""


def with_full_years(text: str) -> str:
    """Writes out years of two digits: `Aug '24`."""
    return re.sub(
        r"['’‘`´](\d\d)\b",
        lambda found: f"{19 if int(found[1]) >= PIVOT_YEAR else 20}{found[1]}",
        text,
    )
