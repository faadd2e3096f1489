"""Splits the head of an entry into parts, at dates, dashes, bars, wide gaps and emphasis.

Places, labelled values and dates are recognised; the other parts are classified by the callers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from kg.plugins.prose.date_spans import EXPECTED, DateSpan, date_spans
from kg.plugins.prose.lexicon import (
    has_organization,
    has_role,
    has_school,
    has_unit,
    is_country,
    word_set,
)
from kg.plugins.prose.plain_markdown import unmarked
from kg.plugins.prose.text_lines import TextLine
from kg.text.transliterate import plain

CUT = "\x1f"  # marks the end of a part
BETWEEN = re.compile(
    rf"{CUT}|\t+|\s{{3,}}|\s+(?:-{{1,3}}|[–—|·•‖⋅/]|//)\s+|\s*\|\s*|---|—|\s*-{{4,}}\s*"
    r"|[,;]?\s+(?=(?:Advisors?|Mentors?|Supervisors?|Committee):\s)"
)
EMPHASISED = re.compile(r"(\*{1,3}|(?<!\w)_{1,3}|`{1,2})(?=\S)([^*_`\n]{1,300})(?<=\S)\1")
AT = re.compile(r"^(?:at|for|with|@|bei|beim|chez|en|in)\s+(?:the\s+(?=[A-Z]))?")
LABEL = re.compile(
    r"(?:(?:the|master|phd|ph\.d\.|bachelor|doctoral)\W+)?([^\W\d_]+(?:[ -][^\W\d_]+)?)\s*:\s*(.+)",
    re.IGNORECASE,
)
LABELS = {
    "advisor": "advisor adviser advisors supervisor supervisors betreuer betreuerin directeur",
    "mentors": "mentor mentors",
    "thesis": "thesis dissertation diplomarbeit masterarbeit bachelorarbeit dissertationsthema",
    "score": "gpa cgpa grade note notendurchschnitt",
    "committee": "committee",
    "location": "location ort lieu",
}
WORK_MODES = """
remote hybrid onsite on-site online part-time full-time contract freelance internship temporary
summer winter spring autumn fall teilzeit vollzeit
"""  # not names
BY_LABEL = {word: name for name, words in LABELS.items() for word in words.split()}
SCORE = re.compile(r"(\d{1,2}(?:[.,]\d{1,3})?)\s*/\s*(\d{1,2}(?:[.,]\d{1,3})?)")
CITY = re.compile(r"[^\W\d_a-zà-ÿ][\w.'’-]*(?:[ -](?:[^\W\d_][\w.'’-]*)){0,3}")


@dataclass
class Head:
    """The head of an entry: parts with their line number, dates, places, labelled values."""

    pieces: list[tuple[int, str]] = field(default_factory=list)
    spans: list[DateSpan] = field(default_factory=list)
    places: list[str] = field(default_factory=list)
    labelled: list[tuple[str, str]] = field(default_factory=list)
    others: list[str] = field(default_factory=list)
    expected: bool = False


def head_of(lines: list[TextLine]) -> Head:
    found = Head()
    for at, line in enumerate(lines):
        if named := labelled(line.plain):
            found.labelled.append(named)
            continue
        text = EXPECTED.sub(" ", line.text)
        found.expected |= text != line.text and bool(date_spans(text))
        spans = date_spans(text)
        found.spans += spans
        for span in reversed(spans):
            text = text[: span.at[0]] + CUT + text[span.at[1] :]
        for piece in split_parts(text):
            classify(found, at, piece)
    return found


def split_parts(text: str) -> list[str]:
    """The parts of a line, without Markdown."""
    text = EMPHASISED.sub(lambda found: f"{CUT}{found[2]}{CUT}", text)
    return [piece for each in BETWEEN.split(text) if (piece := trimmed(unmarked(each)))]


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


def classify(found: Head, at: int, piece: str) -> None:
    if "@" in piece or "://" in piece or plain(piece) in word_set(WORK_MODES):
        found.others.append(piece)
        return
    named = ("score", piece) if SCORE.fullmatch(piece) else labelled(piece)
    if named:
        found.labelled.append(named)
        return
    *before, last = re.split(r",\s+(?=[A-Z][\w.' ]+:\s)", piece, maxsplit=1)
    if before and (named := labelled(last)):
        found.labelled.append(named)
        piece = before[0]
    if is_place(piece):
        found.places.append(piece)
        return
    rest, place = without_place(piece)
    if place:
        found.places.append(place)
    found.pieces.append((at, rest))


def labelled(piece: str) -> tuple[str, str] | None:
    """Splits `Advisor: Ada Lindqvist` into field and value; None if the label is unknown."""
    label = LABEL.fullmatch(piece)
    name = BY_LABEL.get(label[1].casefold().split()[-1]) if label else None
    return (name, label[2].strip(' “”"')) if label and name else None


def is_place(text: str) -> bool:
    """Whether a text is a place: `Columbus, OH, USA`, `Redmond WA`, or a country."""
    *before, last = [part.strip() for part in text.split(",")]
    if not before and (found := re.fullmatch(r"(.{2,40}?)\s+([A-Z]{2,3})", last)):
        return (is_city(found[1]) and is_country(found[2])) or is_country(last)
    if not is_country(last) and not re.fullmatch(r"[A-Z]{2}[- ]?\d{5}.*", last):
        return False
    return len(before) <= 2 and all(map(is_country, before[1:])) and all(map(is_city, before[:1]))


def is_city(text: str) -> bool:
    names = has_role(text) or has_organization(text) or has_unit(text) or has_school(text)
    return bool(CITY.fullmatch(text.strip())) and not names and len(text) < 40


def without_place(text: str) -> tuple[str, str]:
    """Splits off a place at the end of a text, if it is clear."""
    parts = [part.strip() for part in text.split(",")]
    for size in (3, 2, 1):
        if len(parts) > size and is_place(", ".join(parts[-size:])):
            if size == 1 and not is_country(parts[-1]) and not is_place(parts[-1]):
                continue
            return ", ".join(parts[:-size]), ", ".join(parts[-size:])
    return text, ""


def dates_in(head: Head, is_study: bool = False) -> dict[str, object] | None:
    """The date fields of an entry; None unless it has exactly one date."""
    if len(head.spans) != 1:
        return None
    (span,) = head.spans
    if span.others:
        return {"dates": [span.start, *span.others]}
    if span.end:
        is_ahead = head.expected and span.end != "present"
        return {"startDate": span.start, "expected" if is_ahead else "endDate": span.end}
    if is_study:
        return {"expected" if head.expected else "endDate": span.start}
    return {"dates": [span.start]}
