"""Which texts are values of the datatypes that a site uses: `2019-13` is no month, and `yes` is
neither true nor false. Other datatypes are refused by a shape.
"""

from __future__ import annotations

import datetime
import re

from kg.vocab import xsd

ZONE = r"(?:Z|[+-](?:0\d|1[0-3]):[0-5]\d|[+-]14:00)?"
YEAR = r"-?(?:[1-9]\d{3,}|0\d{3})"
MONTH = r"(?:0[1-9]|1[0-2])"
DAY = rf"(?P<day>{YEAR}-{MONTH}-(?:0[1-9]|[12]\d|3[01]))"
TIME = r"(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?|24:00:00(?:\.0+)?)"
# By the name of the type: what its texts are like, and what one is like.
FORMS = {
    "boolean": ("true|false|1|0", "true or false"),
    "integer": (r"[+-]?\d+", "12"),
    "decimal": (r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)", "3.9"),
    "gYear": (f"{YEAR}{ZONE}", "2019"),
    "gYearMonth": (f"{YEAR}-{MONTH}{ZONE}", "2019-09"),
    "date": (f"{DAY}{ZONE}", "2019-09-30"),
    "dateTime": (f"{DAY}T{TIME}{ZONE}", "2019-09-30T14:00:00Z"),
}
READERS = {f"{xsd}{name}": re.compile(form, re.ASCII) for name, (form, _) in FORMS.items()}


def ill_typed(value: str, datatype: str) -> str:
    """What is wrong with a text of this type, and what to write; empty where nothing is."""
    reader = READERS.get(datatype)
    found = reader.fullmatch(value) if reader else None
    if not reader or (found and is_a_day(found.groupdict().get("day"))):
        return ""
    name = datatype.removeprefix(str(xsd))
    return f"'{value}' is no xsd:{name}. Write it as {FORMS[name][1]}, or as a text without a type."


def is_a_day(text: str | None) -> bool:
    """Whether the calendar has this day; of any year, one with as many days is asked for."""
    if text is None:
        return True
    year, month, day = map(int, text.lstrip("-").split("-"))
    try:
        datetime.date(2000 + year % 400, month, day)
    except ValueError:
        return False
    return True
