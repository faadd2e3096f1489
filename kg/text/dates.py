"""Dates and periods as pages show them: never in ISO 8601 or EDTF."""

from __future__ import annotations

import re
from collections.abc import Iterable

from kg.text.months import short_names

DATE = r"\d{4}(?:-\d\d){0,2}"
SEASONS = {"21": "Spring", "22": "Summer", "23": "Autumn", "24": "Winter"}
SEASON_NAMES = tuple(SEASONS.values())
YEARLY = re.compile(rf"((?:(?:{'|'.join(SEASON_NAMES)}) )?)(\d{{4}})")
BREAKS = re.compile(r"(?<=\d) (?=[A-Z])|(?<=[a-z.]) (?=\d{4})")  # spaces inside a date
UNDATED_YEAR = 9999  # sorts undated periods last


def date(text: str) -> str:
    """`2024-08` -> `Aug 2024`, `2020-22` -> `Summer 2020`, `2019/2022` -> `2019–2022`; a year stays
    a year.
    """
    if re.fullmatch(rf"{DATE}/(?:{DATE}|\.\.)", text):
        return period(None, None, text)
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
    if first == last:
        return date(first)
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


def folded(periods: Iterable[str], is_merged: bool = True) -> str:
    """Joins periods in chronological order, merging consecutive years: `2019–2021, 2023`, `Spring
    2021–2022, autumn 2022`. Prizes of several years are not merged: `2019, 2020`.
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
        is_run = is_merged or season  # `2020–2021` can be one period, `Summer 2020–2021` none
        each = runs(sorted(within)) if is_run else [(at, str(at)) for at in sorted(within)]
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
