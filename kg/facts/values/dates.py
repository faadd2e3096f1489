"""Dates as far as they are known.

`2019`, `2019-09`, `2019-09-01`, `summer 2019`, and at the end of a period `present` or `unknown`.
Nothing is filled in: a year stays a year. EDTF says what the typed literals cannot: seasons, and
ends that are open or not known. Beside them each dated fact has a `DaySpan`, whose days a
filter can compare.
"""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date
from functools import lru_cache
from operator import attrgetter
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import AfterValidator, GetCoreSchemaHandler
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from kg.facts.values.terms import term
from kg.facts.values.text import require
from kg.vocab import Iri, cv, xsd

SEASONS = {"spring": "21", "summer": "22", "autumn": "23", "fall": "23", "winter": "24"}
SEASON = re.compile(rf"({'|'.join(SEASONS)})[ -]([1-9]\d{{3}})", re.IGNORECASE | re.ASCII)
PLAIN = re.compile(r"[1-9]\d{3}(-\d\d){0,2}", re.ASCII)
MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
# The days between which a season lies, wherever on Earth it is.
SEASON_BOUNDS = {
    "21": ("01-01", "06-30"),
    "22": ("05-01", "09-30"),
    "23": ("08-01", "12-31"),
    "24": ("01-01", "12-31"),
}
DATATYPES = {4: xsd.gYear, 7: xsd.gYearMonth, 10: xsd.date}
FORMS = "Write 2019, 2019-09, 2019-09-01 or summer 2019; an end may also be present or unknown."


class When(NamedTuple):
    """A date at its own precision; `text` is what the author wrote, in one spelling."""

    text: str
    iso: str = ""
    edtf: str = ""

    @property
    def datatype(self) -> Iri:
        return DATATYPES[len(self.iso)]

    @property
    def is_open(self) -> bool:
        return not self.iso

    @property
    def is_season(self) -> bool:
        return self.edtf != self.iso and bool(self.iso)

    @classmethod
    def check(cls, value: object) -> When:
        if isinstance(value, When):
            return value
        if isinstance(value, str) and (found := read(value)):
            return found
        raise PydanticCustomError(
            "bad-date", f"{value!r} is not a date. {guess(str(value))}{FORMS}"
        )

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(
            cls.check, json_schema_input_schema=core_schema.str_schema()
        )


@lru_cache(maxsize=4096)
def read(text: str) -> When | None:
    if text in ("present", "unknown"):
        return When(text, "", ".." if text == "present" else "")
    if season := SEASON.fullmatch(text):
        name, year = season[1].lower().replace("fall", "autumn"), season[2]
        return When(f"{name} {year}", year, f"{year}-{SEASONS[name]}")
    is_plain = PLAIN.fullmatch(text)
    try:
        date.fromisoformat(f"{text}-01-01"[:10])
    except ValueError:
        is_plain = None
    return When(text, text, text) if is_plain else None


def guess(text: str) -> str:
    """`May 2019`, `05/2019` or `1.5.2019` -> a hint how to write it."""
    if text.strip().lower() in ("present", "now", "today", "current", "ongoing"):
        return "Did you mean present? "
    if numbers := re.fullmatch(
        r"(0?[1-9]|[12]\d|3[01])\.(0?[1-9]|1[0-2])\.([12]\d{3})", text.strip()
    ):
        return f"Did you mean {numbers[3]}-{numbers[2]:0>2}-{numbers[1]:0>2}? "
    year = re.search(r"(?<!\d)([12]\d{3})(?!\d)", text)
    month = next(
        (n for n, name in enumerate(MONTHS, 1) if re.search(rf"\b{name}", text.lower())), 0
    )
    if number := re.fullmatch(r"(\d\d?)[/.]([12]\d{3})", text.strip()):
        month = int(number[1])
    day = (
        re.search(r"(?<!\d)([0-3]?\d)(?:st|nd|rd|th)?(?!\d|[/.-])", text.replace(year[1], ""))
        if year
        else None
    )
    known = f"-{int(day[1]):02}" if day and not number and 1 <= int(day[1]) <= 31 else ""
    return f"Did you mean {year[1]}-{month:02}{known}? " if year and 1 <= month <= 12 else ""


class Edtf(str):
    __slots__ = ()


def interval(start: When | None, end: When | None) -> Edtf | None:
    """What only EDTF can say of a period, or None when the typed dates say it all."""
    untyped = any(when and (when.is_open or when.is_season) for when in (start, end))
    return period(start, end) if untyped else None


def period(start: When | None, end: When | None) -> Edtf:
    """A period in EDTF, of which at least one end is written."""
    if start and (end is None or start == end):
        return Edtf(start.edtf)
    return Edtf(f"{start.edtf if start else ''}/{end.edtf if end else ''}")


class Day(str):
    """A date in full: `2019-09-01`."""

    __slots__ = ()


class DaySpan(NamedTuple):
    """The bounds of a period, as days: the first on which it can have begun, the last on which it
    can have ended. None where the end is not known.
    """

    earliest: Day | None
    latest: Day | None
    year: int | None
    ongoing: Literal[True] | None


# How a dated fact is joined to its span.
SPAN_TERMS = (
    term(cv.earliest, as_=attrgetter("earliest")),
    term(cv.latest, as_=attrgetter("latest")),
    term(cv.year, as_=attrgetter("year")),
    term(cv.ongoing, as_=attrgetter("ongoing")),
)
OPEN_END = Day("9999-12-31")


@lru_cache(maxsize=4096)
def span(start: When | None, end: When | None) -> DaySpan | None:
    if start is None and end is None:
        return None
    earliest, latest = first_day(start) if start else None, last_day(end) if end else None
    is_ongoing = latest is OPEN_END or None
    return DaySpan(earliest, latest, int(earliest[:4]) if earliest else None, is_ongoing)


def first_day(when: When) -> Day | None:
    if when.is_open:
        return None
    if when.is_season:
        return Day(f"{when.iso}-{SEASON_BOUNDS[when.edtf[5:]][0]}")
    return Day(f"{when.iso}-01-01"[:10])


def last_day(when: When) -> Day | None:
    if when.is_open:
        return OPEN_END if when.edtf else None
    if when.is_season:
        return Day(f"{when.iso}-{SEASON_BOUNDS[when.edtf[5:]][1]}")
    year, month, day = [*when.iso.split("-"), "", ""][:3]
    month = month or "12"
    return Day(f"{year}-{month}-{day or monthrange(int(year), int(month))[1]}")


def split(text: str) -> tuple[str, str]:
    """`2018/2022` is a period; anything else starts and ends in the same year, month or season."""
    start, slash, end = text.partition("/")
    return (start.strip(), end.strip()) if slash else (text, text)


def not_open(when: When) -> When:
    message = f"{when.text!r} can only be an end. Write the date, or leave the field out."
    require(not when.is_open, "bad-date", message)
    return when


def only_year(when: When) -> When:
    message = f"{when.text!r} is not a year. Write four digits, e.g. 2019."
    require(len(when.text) == 4, "bad-year", message)
    return when


Date = Annotated[When, AfterValidator(not_open)]
Year = Annotated[When, AfterValidator(only_year)]
