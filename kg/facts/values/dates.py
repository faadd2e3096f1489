"""Dates of any precision: `2019`, `2019-09`, `2019-09-01`, `summer 2019`, `present`, `unknown`.

No precision is added: a year stays a year. EDTF literals express what typed literals cannot:
seasons, and open or unknown ends. Each dated fact also gets a `DaySpan` of full days, which SPARQL
filters can compare.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable
from datetime import date
from functools import lru_cache
from operator import attrgetter
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import GetCoreSchemaHandler, PlainValidator, ValidationInfo
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from kg.advice.date_guesses import guesses, is_sure, period_guess, why_impossible
from kg.errors import Fix, fix
from kg.facts.values.terms import term
from kg.facts.values.text import shown
from kg.vocab import Iri, cv, xsd

SEASONS = {"spring": "21", "summer": "22", "autumn": "23", "fall": "23", "winter": "24"}
SEASON = re.compile(rf"({'|'.join(SEASONS)})[ -]([1-9]\d{{3}})", re.IGNORECASE | re.ASCII)
PLAIN = re.compile(r"[1-9]\d{3}(-\d\d){0,2}", re.ASCII)
# Day ranges that contain each season in both hemispheres.
SEASON_BOUNDS = {
    "21": ("01-01", "06-30"),
    "22": ("05-01", "09-30"),
    "23": ("08-01", "12-31"),
    "24": ("01-01", "12-31"),
}
ENDS = ("startDate", "endDate")  # of a period
DATATYPES = {4: xsd.gYear, 7: xsd.gYearMonth, 10: xsd.date}
DATE_FORMS = "Write 2019, 2019-09, 2019-09-01 or summer 2019"
DATE_HELP = f"{DATE_FORMS}; an end date can also be present or unknown."


class When(NamedTuple):
    """A date with its precision; `text` is the normalized input."""

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
    def check(cls, value: object, info: ValidationInfo) -> When:
        """Accepts a date, `present` or `unknown`."""
        if found := date_in(value):
            return found
        advice, more = hint(value, info.field_name, as_=attrgetter("text"))
        message = f"{shown(value)} is not a date. {advice}{DATE_HELP}"
        raise PydanticCustomError("bad-date", message, more)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.with_info_plain_validator_function(
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


class Edtf(str):
    __slots__ = ()


def interval(start: When | None, end: When | None) -> Edtf | None:
    """The EDTF text of a period, or None if typed dates express it fully."""
    untyped = any(when and (when.is_open or when.is_season) for when in (start, end))
    return period(start, end) if untyped else None


def period(start: When | None, end: When | None) -> Edtf:
    """A period in EDTF; at least one end is known."""
    if start and (end is None or start == end):
        return Edtf(start.edtf)
    return Edtf(f"{start.edtf if start else ''}/{end.edtf if end else ''}")


class Day(str):
    """A full date: `2019-09-01`."""

    __slots__ = ()


class DaySpan(NamedTuple):
    """Bounds of a period: the first day on which it can have started, the last on which it can have
    ended; None if unknown.
    """

    earliest: Day | None
    latest: Day | None
    year: int | None
    ongoing: Literal[True] | None


# Predicates for the span of a dated fact.
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
    """`2018/2022` -> start and end; any other text is both."""
    start, slash, end = text.partition("/")
    return (start.strip(), end.strip()) if slash else (text, text)


def date_in(value: object) -> When | None:
    return value if isinstance(value, When) else read(value) if isinstance(value, str) else None


def hint(
    value: object, field: str | None, as_: Callable[[When], str]
) -> tuple[str, dict[str, Any] | None]:
    """A suggestion for an invalid date, and its fix; `as_` extracts the part that the field
    accepts. Empty if there is no good guess.
    """
    if not isinstance(value, str):
        return "", None
    if field in ENDS and (both := period_guess(value)):
        return f"Write startDate: {both[0]} and endDate: {both[1]}. ", None
    whens = (read(guess) for guess in (value, *guesses(value)))
    found = {part: part == when.text for when in whens if when and (part := as_(when))}
    if not found:
        return why_impossible(value), None
    certain = all(found.values()) and is_sure(value)
    return f"Did you mean {' or '.join(found)}? ", {"fix": fix(value, *found, certain=certain)}


def period_hint(text: str) -> tuple[str, Fix | None]:
    """A suggestion for text that is neither a date nor a period, and its fix."""
    both = period_guess(text)
    found = ["/".join(both)] if both else [guess for guess in guesses(text) if read(guess)]
    if not found:
        return why_impossible(text), None
    return f"Did you mean {' or '.join(found)}? ", fix(text, *found, certain=is_sure(text))


def check_date(value: object, info: ValidationInfo) -> When:
    """Accepts a date, but not `present` or `unknown`."""
    found = date_in(value)
    if found and not found.is_open:
        return found
    advice, more = hint(value, info.field_name, as_=lambda when: when.iso and when.text)
    is_open = found or (isinstance(value, str) and {*guesses(value)} & {"present", "unknown"})
    raise PydanticCustomError(
        "bad-date",
        f"{shown(value)} is only allowed as an end date. Write a date, or remove the field."
        if is_open
        else f"{shown(value)} is not a date. {advice}{DATE_FORMS}.",
        more,
    )


def check_year(value: object, info: ValidationInfo) -> When:
    found = date_in(value)
    if found and len(found.text) == 4:
        return found
    advice, more = hint(value, info.field_name, as_=lambda when: when.iso[:4])
    message = f"{shown(value)} is not a year. {advice}Write four digits, e.g. 2019."
    raise PydanticCustomError("bad-year", message, more)


Date = Annotated[When, PlainValidator(check_date, json_schema_input_type=str)]
Year = Annotated[When, PlainValidator(check_year, json_schema_input_type=str)]
