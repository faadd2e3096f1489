"""Splits the head of an entry into parts, at dates, dashes, bars, wide gaps and emphasis."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from kg.plugins.prose.date_spans import EXPECTED, DateSpan, date_spans
from kg.plugins.prose.entries import CvEntry
from kg.plugins.prose.lexicon import has_word, is_country, words_in
from kg.plugins.prose.plain_markdown import unmarked

CUT = "\x1f"  # marks the end of a part
BETWEEN = re.compile(
    rf"{CUT}|\t+|\s{{3,}}|\s+(?:-{{1,3}}|[–—|·•‖⋅/@]|//)\s+|\s*\|\s*|---|—|\s*-{{4,}}\s*"
)
EMPHASISED = re.compile(r"(\*{1,3}|(?<!\w)_{1,3}|`{1,2})(?=\S)([^*_`\n]{1,300})(?<=\S)\1")
LINKED = re.compile(r"\[([^\[\]]+)\]\(https?:")
LABELLED = re.compile(r"[^\W\d_]+(?:[ /-][^\W\d_]+){0,2}\s?:\s.+")
CITY = re.compile(r"[^\W\d_a-zà-ÿ][\w.'’-]*(?:[ -](?:[^\W\d_][\w.'’-]*)){0,3}")
NO_CITY = ("roles", "organizations", "units", "schools", "modes")
MOST_LETTERS = 100  # of a part


@dataclass
class Head:
    """The parts of a head with their line, its dates, places and links, and what is none of
    these.
    """

    parts: list[tuple[int, str]] = field(default_factory=list)
    spans: list[DateSpan] = field(default_factory=list)
    places: list[str] = field(default_factory=list)
    rest: list[str] = field(default_factory=list)
    linked: set[str] = field(default_factory=set)
    is_expected: bool = False


def head_of(entry: CvEntry) -> Head:
    found = Head()
    lines = [entry.under, *entry.head] if entry.under else entry.head
    for at, line in enumerate(lines):
        found.linked |= {trimmed(unmarked(name)) for name in LINKED.findall(line.text)}
        text = EXPECTED.sub(" ", line.text)
        spans = date_spans(text)
        found.is_expected |= bool(text != line.text and spans)
        found.spans += spans
        for span in reversed(spans):
            text = text[: span.at[0]] + CUT + text[span.at[1] :]
        for part in split_parts(text):
            add_part(found, at, part)
    return found


def split_parts(text: str) -> list[str]:
    """The parts of a line, without Markdown."""
    text = EMPHASISED.sub(lambda found: f"{CUT}{found[2]}{CUT}", text)
    return [part for each in BETWEEN.split(text) if (part := trimmed(unmarked(each)))]


def trimmed(text: str) -> str:
    """Removes surrounding punctuation; keeps brackets that are closed inside."""
    text = text.strip(" \t,;:*_`|·•–—-")
    while text and (text[0] in ")]" or text[-1] in "(["):
        text = text.strip(")]" if text[0] in ")]" else "([ ").strip(" ,;:")
    if re.fullmatch(r"\([^()]*\)|\[[^\[\]]*\]", text):
        text = text[1:-1]
    if text.count("(") != text.count(")"):
        text = text.rstrip(")") if text.count(")") > text.count("(") else text.lstrip("(")
    return "" if re.fullmatch(r"[\W_]*", text) else text.strip(" ,;:").removesuffix(".").strip()


def add_part(found: Head, at: int, part: str) -> None:
    is_name = len(part) < MOST_LETTERS and re.match(r"[^\W\d_]", part)
    if not is_name or is_mode(part) or re.search("@|://", part) or LABELLED.fullmatch(part):
        found.rest.append(part)
    elif is_place(part):
        found.places.append(part)
    else:
        name, place = without_place(part)
        found.places += [place] if place else []
        if is_mode(name):
            found.rest.append(name)
        else:
            found.parts.append((at, name))


def is_mode(text: str) -> bool:
    """Whether a text says only how one worked: `Part-time, remote`."""
    return all(has_word("modes", word) for word in words_in(text))


def is_place(text: str) -> bool:
    """Whether a text is a place: `Columbus, OH, USA`, `Redmond WA`, or a country."""
    *before, last = [part.strip() for part in text.split(",")]
    if not before and (found := re.fullmatch(r"(.{2,40}?)\s+([A-Z]{2,3})", last)):
        return (is_city(found[1]) and is_country(found[2])) or is_country(last)
    if not is_country(last):
        return False
    return len(before) <= 2 and all(map(is_country, before[1:])) and all(map(is_city, before[:1]))


def is_city(text: str) -> bool:
    is_name = any(has_word(name, text) for name in NO_CITY)
    return bool(CITY.fullmatch(text.strip())) and not is_name and len(text) < 40


def without_place(text: str) -> tuple[str, str]:
    """Splits off a place at the end of a text, if it is clear."""
    parts = [part.strip() for part in text.split(",")]
    for size in (3, 2, 1):
        if len(parts) > size and is_place(", ".join(parts[-size:])):
            return ", ".join(parts[:-size]), ", ".join(parts[-size:])
    return text, ""


def dates_in(head: Head, is_study: bool = False) -> dict[str, object] | None:
    """The date fields of an entry; None unless it has exactly one date."""
    if len(head.spans) != 1:
        return None
    (span,) = head.spans
    if span.end:
        is_ahead = head.is_expected and span.end != "present"
        return {"startDate": span.start, "expected" if is_ahead else "endDate": span.end}
    if is_study:
        return {"expected" if head.is_expected else "endDate": span.start}
    return {"dates": [span.start]}
