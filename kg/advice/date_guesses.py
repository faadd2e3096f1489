"""Guesses the date that a text means: `May 2019`, `17.5.2019`, `Sommer 2019`, `bis heute`.

Each guess is a valid text; which of them a field accepts is up to the field. Ambiguous years and
numbers are not guessed, except for the order of day and month.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator

from kg.text import months
from kg.text.nearest import alike
from kg.text.transliterate import plain


def by_word(table: str) -> dict[str, str]:
    """`value: word, word; value: word` as a mapping from word to value."""
    lines = (line.partition(":") for line in " ".join(table.split()).split(";"))
    return {word.strip(): value.strip() for value, _, words in lines for word in words.split(",")}


SEASONS = by_word("""
spring: spring, fruhling, fruhjahr, fruehling, fruehjahr, printemps, primavera, var, forar, lente;
summer: summer, sommer, sommersemester, sose, ss, ete, verano, verao, estate, sommar, zomer;
autumn: autumn, fall, herbst, automne, otono, outono, autunno, host, efterar, herfst;
winter: winter, wintersemester, wise, ws, hiver, invierno, inverno, vinter
""")
OPEN_ENDS = by_word("""
present: present, now, today, current, currently, ongoing, continuing, to date, till date, date,
to present, till now, until now, up to now, to now, heute, bis heute, jetzt, laufend, gegenwart,
aktuell, derzeit, bis dato, aujourd hui, a aujourd hui, jusqu a aujourd hui, a ce jour, ce jour,
a present, maintenant, en cours, actuel, actuellement, actualidad, la actualidad, actual,
actualmente, presente, el presente, al presente, hoy, hasta hoy, fecha, la fecha, a la fecha,
hasta la fecha, hasta la actualidad, en curso, atual, atualmente, hoje, ate hoje, momento,
o momento, ate o momento, ao presente, o presente, em curso, em andamento, oggi, ad oggi, a oggi,
tutt oggi, attuale, attualmente, in corso, heden, tot heden, vandaag, nu, lopend, pagaende,
naverende, idag, dags dato;
unknown: unknown, n a, n d, tbd, tba, none, null, unbekannt, inconnu, desconocido
""")
FILLERS = {"the", "of", "de", "del", "st", "nd", "rd", "th", "term", "semester", "er", "le", "den"}
EXPECTED = {"expected", "anticipated", "exp", "planned", "voraussichtlich", "prevu", "previsto"}
DAY = r"(\d{1,2})"
YEAR = r"([12]\d{3})"
APART = r" ?[-./] ?"
YEAR_FIRST = re.compile(rf"{YEAR}[-./ ]{DAY}(?:[-./ ]{DAY})?\.?", re.ASCII)
YEAR_LAST = re.compile(rf"(?:{DAY}({APART})){{1,2}}{YEAR}", re.ASCII)
COMPACT = re.compile(rf"{YEAR}(\d\d)(\d\d)?", re.ASCII)
WITH_TIME = re.compile(r"(\d{4}-\d\d-\d\d)[T ]\d\d:.*", re.ASCII)
BESIDE = {"to", "till", "until", "bis", "a", "al", "since", "from", "seit", "now", "present"}
TWO_YEARS = re.compile(r"\d{4}[-./ ]+(?:1[0-2]|0[1-9])", re.ASCII)
ISO = re.compile(rf"{YEAR}(-\d\d){{0,2}}", re.ASCII)
BETWEEN = re.compile(  # between start and end
    r"\s*[-–—/]\s*|\s+(?:to|till|until|through|bis|a|à|al|au|hasta|até|ate|tot|t/m)\s+",
    re.IGNORECASE,
)
FROM = re.compile(r"(?:from|von|vom|de|du|del|da|dal|van)\s+", re.IGNORECASE)
SINCE = re.compile(
    r"(?:since|from|seit|depuis|desde|dal|sinds|sedan)\s+(.*)|(.*\d{4})\s*[-–—]", re.IGNORECASE
)


def words_in(text: str) -> list[str]:
    return re.findall(r"[a-z]+|\d+", plain(text))


def guesses(text: str) -> list[str]:
    """The dates that may be meant, as valid texts."""
    text, words = text.strip(), words_in(text)
    if end := OPEN_ENDS.get(" ".join(words)):
        return [end]
    if not words:
        return ["unknown"] if text else []
    found = [*in_digits(text)] or in_words(words)
    return [each for each in dict.fromkeys(found) if not why_impossible(each)]


def is_sure(text: str) -> bool:
    """Whether all of a text belongs to its date, and no part can be read in two ways. `2011/12` can
    be two years.
    """
    text, words = text.strip(), words_in(text)
    if WITH_TIME.fullmatch(text) or " ".join(words) in OPEN_ENDS:
        return True
    names = {plain(name) for line in months.names() for name in line}
    others = {word for word in words if word.isalpha()} - names - FILLERS - BESIDE
    return others <= SEASONS.keys() and not TWO_YEARS.fullmatch(text)


def in_digits(text: str) -> Iterator[str]:
    if found := WITH_TIME.fullmatch(text):
        yield found[1]
    elif found := COMPACT.fullmatch(text) or YEAR_FIRST.fullmatch(text):
        yield joined(*found.groups())
        if found[3] and found.re is YEAR_FIRST:
            yield joined(found[1], found[3], found[2])
    elif YEAR_LAST.fullmatch(text):
        *first, year = re.findall(r"\d+", text)
        yield joined(year, *reversed(first))
        if len(first) > 1 and "." not in text:  # the American order
            yield joined(year, *first)


def in_words(words: list[str]) -> list[str]:
    """One year, with a season or with a month and perhaps a day; no expected years."""
    years = [word for word in words if re.fullmatch(YEAR, word)]
    names = [word for word in words if word.isalpha() and word not in FILLERS]
    days = [word for word in words if word.isdigit() and word not in years]
    name = names[0] if len(names) == 1 else ""
    season, month = alike(name, SEASONS, most=1, cutoff=0.85), months.number_of(name)
    if season and years and len(years) + len(days) <= 2:  # winter 2019/20
        return [f"{SEASONS[season[0]]} {years[0]}"]
    if len(years) != 1 or len(days) > 1:
        return []
    if month:
        return [joined(years[0], str(month), *days)]
    return [] if days or EXPECTED & {*names} else years


def expected_year(text: str) -> str:
    """The year in `expected 2027`; empty if the text is not about an expected date."""
    year = re.search(YEAR, text)
    return year[0] if year and EXPECTED & {*re.findall(r"[a-z]+", plain(text))} else ""


def joined(year: str, *parts: str | None) -> str:
    return "-".join([year, *(f"{int(part):02}" for part in parts if part)])


def why_impossible(text: str) -> str:
    """Why a well-formed date does not exist; empty if it does."""
    found = re.fullmatch(r"([1-9]\d{3})-(\d\d)(?:-(\d\d))?", text, re.ASCII)
    year, month, day = (int(part or 1) for part in found.groups()) if found else (1, 1, 1)
    if not 1 <= month <= 12:
        return f"There is no month {found[2] if found else ''}. "
    days = monthrange(year, month)[1]
    return "" if 1 <= day <= days else f"{text[:7]} has {days} days. "


def period_guess(text: str) -> tuple[str, str] | None:
    """The start and end that one text may mean: `2018-2022`, `May 2018 to now`."""
    text = text.strip()
    bare = FROM.sub("", text, count=1) if FROM.match(text) else text
    pairs = [(bare[: each.start()], bare[each.end() :]) for each in BETWEEN.finditer(bare)]
    if since := SINCE.fullmatch(text):
        pairs.append((since[1] or since[2], "present"))
    for first, end in pairs:
        start = with_year(first, end)
        is_short = re.fullmatch(YEAR, start) and re.fullmatch(r"\d\d", end)  # 2018-22
        last = start[:2] + end if is_short and "12" < end > start[2:] else end
        starts, ends = date_or_guesses(start), date_or_guesses(last)
        if len(starts) == len(ends) == 1 and starts[0] not in OPEN_ENDS.values():
            return starts[0], ends[0]
    return None


def with_year(start: str, end: str) -> str:
    """Adds the year of the end to a month without one: `Jan – Mar 2021`, `Nov – Jan 2021`."""
    year, first = re.search(YEAR, end), re.match(r"[^\W\d_]+", start)
    if not (year and first and months.number_of(first[0])) or re.search(r"\d{4}", start):
        return start
    last = re.search(r"[^\W\d_]{3,}", end)
    is_earlier = last and months.number_of(last[0]) < months.number_of(first[0])
    return f"{start} {int(year[0]) - bool(is_earlier)}"


def date_or_guesses(text: str) -> list[str]:
    return [text] if ISO.fullmatch(text) and not why_impossible(text) else guesses(text)
