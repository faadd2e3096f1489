"""Reads the few entries whose fields are certain by their shape.

These are labelled lists of skills, lists of known languages, and jobs and degrees that a LaTeX
class takes as separate arguments. All other entries stay as text.
"""

from __future__ import annotations

import re
from typing import Any

from kg.facts.values.languages import language_tag
from kg.plugins.exchange.draft import without_empty
from kg.plugins.exchange.line_entries import is_level, labelled_list, level_apart
from kg.plugins.prose.date_spans import EXPECTED, whole_date
from kg.plugins.prose.lexicon import has_word, pattern
from kg.plugins.prose.places import without_place
from kg.plugins.prose.plain_markdown import links, unmarked

Fields = dict[str, Any]
SEPARATOR = re.compile(r"\s*[,;•|·、]\s*(?![^()]*\))|\s{3,}|\t")
LANGUAGE = re.compile(r"([^\W\d_]+(?: [^\W\d_]+)?)\s*(?:[:(–—-]+\s*(.{1,60}?)\s*\)?)?\.?")
RATING = re.compile(r"(?<=\S): \d/\d$")  # beside a level
AREA = re.compile(r"\s*(?:,|\b(?:in|of|en|em|der|für|de)\b)\s+(?=[^\W\d_])")
MOST_LETTERS = 100  # of a position or an organisation


def languages(text: str) -> list[Fields]:
    """Reads `English (native), German: B2`; empty if any language is unknown."""
    first, *levels = [cell.strip() for cell in unmarked(text).split(" | ")]
    if levels and language_tag(first) and all(map(is_level, levels)):
        return [{"language": first, "level": ", ".join(levels)}]  # cells of a table
    found = []
    apart = re.sub(r"(?<=\))\s+[-–]\s+", ", ", unmarked(text).strip(" .,;|"))  # `Ido (C1) - Thai`
    for part in SEPARATOR.split(apart):
        parted = LANGUAGE.fullmatch(part.strip())
        name, level = level_apart(part.strip())
        if parted and language_tag(parted[1]):
            name, level = parted[1], RATING.sub("", parted[2] or "")
        elif not language_tag(name):
            return []
        level += ")" * (level.count("(") - level.count(")"))
        found.append({"language": name, "level": level})
    return found


def skills(text: str) -> list[Fields]:
    """Reads `Frameworks: Django, React`, or the same in two cells of a table."""
    listed = labelled_list(unmarked(text).replace(" | ", ":", 1))
    if listed is None or links(text) or "|" in text.replace(" | ", ":", 1):
        return []  # as text, links stay
    label, names = listed
    if has_word("tongues", label) and all(languages(name) for name in names):
        return []  # spoken languages are no skill
    return [{"name": label, "keywords": names}]


def job(cells: tuple[str, ...]) -> Fields:
    """Reads position, employer, place, dates; empty unless all are as the class says."""
    position, employer, place, when, *rest = cells
    dates = dates_of(when)
    is_swapped = (has_word("roles", employer) and not is_organization(employer)) or (
        is_organization(position) and not has_word("roles", position)
    )
    if not dates or is_swapped or not are_names(position, employer):
        return {}
    period = dates if "endDate" in dates else {"dates": [dates["startDate"]]}
    employer, location = with_place(employer, place)
    return {"position": position, "organization": employer, "location": location, **period} | {
        "rest": rest
    }


def study(cells: tuple[str, ...]) -> Fields:
    """Reads degree, school, place, dates; empty unless all are as the class says."""
    degree, school, place, when, *rest = cells
    dates = dates_of(EXPECTED.sub("", when))
    is_swapped = has_word("schools", degree) or pattern("degrees").match(school)
    is_clear = has_word("schools", school) or pattern("degrees").match(degree)
    if not dates or is_swapped or not is_clear or not are_names(degree, school):
        return {}
    start, end = (dates["startDate"] if "endDate" in dates else ""), [*dates.values()][-1]
    is_expected = EXPECTED.search(when) and end != "present"
    school, location = with_place(school, place)
    found = {"institution": school, "location": location, "startDate": start, "rest": rest}
    return {**degree_fields(degree), **found, "expected" if is_expected else "endDate": end}


def dates_of(text: str) -> dict[str, str]:
    """The period in a cell with nothing else."""
    span = whole_date(text.strip())
    return without_empty({"startDate": span.start, "endDate": span.end}) if span else {}


def are_names(*texts: str) -> bool:
    return all(
        text and len(text) <= MOST_LETTERS and not re.search(r"[|·]|[^\W\d_]{3,}[.!?]\s", text)
        for text in texts
    )


def is_organization(text: str) -> bool:
    return has_word("organizations", text) or has_word("schools", text)


def with_place(name: str, place: str) -> tuple[str, str]:
    return (name, place) if place else without_place(name)


def degree_fields(text: str) -> Fields:
    """Splits `Ph.D. in Computer Science` into degree and area; the whole is the printed name."""
    found = pattern("degrees").match(text)
    area = AREA.match(text, found.end()) if found else None
    if found is None or area is None or "(" in text:
        return {"studyType": text}
    has_comma = area[0].strip() == ","
    fields = {"studyType": found[0].strip(), "area": text[area.end() :]}
    return fields if has_comma else {**fields, "degree": text}
