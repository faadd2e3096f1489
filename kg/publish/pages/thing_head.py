"""The head of a page that is neither of a person nor of a work: kind, place, and a sentence that
summarizes its sections.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from kg.publish.formats.urls import Cell, Link
from kg.publish.pages.rows import PageSection, Row
from kg.text.wording import KINDS

Facts = list[tuple[str, list[Cell]]]
Line = list[Cell]  # texts and links, in sequence

OWN_HEADS = ("people", "publications", "patents")
# The facts above the title, in order, and the words before them.
ABOVE = {
    "Kind": "",
    "Place": "",
    "Part of": "part of ",
    "Given by": "given by ",
    "Funder": "from ",
    "Publisher": "",
    "Published": "",
}
# Section -> the column to count, and the text for one and for several.
COUNTED = {
    "venue-works": (
        "work",
        "{} work on this site appeared here",
        "{} works on this site appeared here",
    ),
    "served": ("item", "{} person served here", "{} people served here"),
    "makers": ("item", "{} person worked on it", "{} people worked on it"),
    "knowers": ("item", "{} person lists it", "{} people list it"),
    "runs": ("run", "it was given once", "it was given {} times"),
}
DISCUSSING = ("work", "talk", "course", "grant", "press article")  # in this order
COUNTED_ON = {("languages", "knowers"): ("item", "{} person speaks it", "{} people speak it")}
PRESENCE = ("members", "stays")  # sections about people who were there
MOST_NAMES = 4
NUMBERS = ["No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten"]


class ThingHead(NamedTuple):
    """`above` are the segments of the line above the title, `said` is the sentence below it."""

    above: list[Line]
    said: Line
    facts: Facts


def thing_head(
    kind: str, facts: Facts, sections: Sequence[PageSection], crumbs: Sequence[Link]
) -> ThingHead:
    """`crumbs` are its lists that the page does not link elsewhere."""
    if kind in OWN_HEADS or kind not in KINDS:
        return ThingHead([], [], facts)
    known = dict(facts)
    above: list[Line] = [[crumb] for crumb in crumbs]
    if not above and "Kind" not in known:
        above = [[KINDS[kind]]]
    for name, words in ABOVE.items():
        cells = joined(known.get(name, []), ", ")
        above += [[words, *cells] if words else cells] if cells else []
    rest = [(name, cells) for name, cells in facts if name not in ABOVE]
    return ThingHead(above, sentence(kind, {section.name: section for section in sections}), rest)


def sentence(kind: str, sections: Mapping[str, PageSection]) -> Line:
    """Who was there, or else counts of the sections; empty without either."""
    for name in PRESENCE:
        if name in sections and (found := presence(sections[name])):
            return found
    counts = [
        counted(sections[name], *COUNTED_ON.get((kind, name), of))
        for name, of in COUNTED.items()
        if name in sections
    ]
    counts += [discussed(sections["about"])] if "about" in sections else []
    line = "; ".join(filter(None, counts))
    return [f"{line[0].upper()}{line[1:]}."] if line else []


def presence(section: PageSection) -> Line:
    """`Three people on this site have worked here since 2015; Ada Berg still does.`"""
    rows = [row for row in section.rows if row["start"] or row["edtf"]]
    people = list(dict.fromkeys(person_of(row) for row in rows))
    years = sorted(year for row in rows for year in years_of(row))
    if not people or not years:
        return []
    here = list(dict.fromkeys(person_of(row) for row in rows if is_current(row)))
    verbs = {str(verb) for row in rows for verb in row["verb"]}
    verb = "been" if "been" in verbs else " or ".join(sorted(verbs, reverse=True))
    still = ("are", "is") if verb == "been" else ("do", "does")
    is_one = len(people) == 1
    who = f"{number(len(people))} {'person' if is_one else 'people'} on this site"
    if not here:
        is_endless = any(str(period).endswith("/") for row in rows for period in row["edtf"])
        several = years[0] if years[0] == years[-1] else f"{years[0]}–{years[-1]}"
        span = f"from {years[0]}" if is_endless else several
        was = ("was" if is_one else "were") if verb == "been" else verb
        return [f"{who} {was} here, {span}."]
    start = f"{who} {'has' if is_one else 'have'} {verb} here since {years[0]}"
    if is_one:
        return [f"{start}."]
    names = joined(here, ", ", " and ") if len(here) <= MOST_NAMES else [number(len(here)).lower()]
    return [f"{start}; ", *names, f" still {still[len(here) == 1]}."]


def counted(section: PageSection, column: str, one: str, many: str) -> str:
    found = {cell for row in section.rows for cell in row[column][:1]}
    count = (len(found) if found else len(section.rows)) + section.more
    return (one if count == 1 else many).format(number(count).lower()) if count else ""


def discussed(section: PageSection) -> str:
    """`three works and two press articles discuss it`"""
    found = Counter(str(row["kind"][0]) for row in section.rows)
    names = [
        f"{number(found[kind]).lower()} {kind}{'s' * (found[kind] > 1)}"
        for kind in DISCUSSING
        if found[kind]
    ]
    words = "".join(map(str, joined(names, ", ", " and ")))
    return f"{words} discuss{'es' * (found.total() == 1)} it"


def number(count: int) -> str:
    return NUMBERS[count] if count < len(NUMBERS) else f"{count:,}"


def person_of(row: Row) -> Cell:
    return (row["person"] or row["item"])[0]


def years_of(row: Row) -> Iterable[str]:
    """The stated years of a row; an ongoing one has no last year."""
    return [str(date)[:4] for name in ("start", "end") for date in row[name]]


def is_current(row: Row) -> bool:
    return any(str(period).endswith("/..") for period in row["edtf"])


def joined(cells: Sequence[Cell], between: str, last: str = "") -> Line:
    """The cells with separators."""
    found: Line = []
    for place, cell in enumerate(cells):
        is_last = place == len(cells) - 1
        found += [(last or between) if is_last else between] if place else []
        found.append(cell)
    return found
