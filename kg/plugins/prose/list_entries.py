"""Reads entries of one line: awards, memberships, languages, skills.

Each function returns nothing if the parts of the line are unclear.
"""

from __future__ import annotations

import re
from typing import Any

from kg.facts.values.languages import language_tag
from kg.plugins.prose.date_spans import DateSpan, date_spans
from kg.plugins.prose.heads import trimmed
from kg.plugins.prose.lexicon import has_word, words_in
from kg.plugins.prose.plain_markdown import unmarked

Fields = dict[str, Any]
BEFORE_A_DATE = re.compile(
    r"[\s,;:(\[–—-]*(?:\b(?:in|for|of|on|since|am|im|en|em|year)\b)?[\s,;:(\[–—-]*$", re.IGNORECASE
)
OPEN_BRACKET = re.compile(r"[(\[]\s*(?:in\s+)?$")
SEPARATOR = re.compile(r"\s*[,;•|·、]\s*(?![^()]*\))|\s{3,}|\t")
LANGUAGE = re.compile(r"([^\W\d_]+(?: [^\W\d_]+)?)\s*(?:[:(–—-]+\s*(.{1,60}?)\s*\)?)?\.?")
MEMBER = re.compile(r"((?:[A-Z]\w+ )?(?:[Mm]ember|[Ff]ellow))(?:,| of the| of) ([A-Z][^,;:]{2,80})")
MOST_LETTERS = 170
AWARD = re.compile(
    r"award|pri[zx]|preis|premi|scholar|stipend|fellow|medal|grant|honou?r|best|first|win"
)
NO_ITEM = re.compile(r"(?:and|or|und|oder|et|ou|y|e|og|och|a|an|the)\s|[a-zà-ÿ]+\s\S")  # goes on
MOST_SKILL_WORDS, MOST_SKILL_LETTERS = 6, 60


def split_dates(text: str) -> tuple[str, list[DateSpan]]:
    """Splits a text into the rest and its dates, without duplicates."""
    spans = date_spans(text)
    for span in reversed(spans):
        before, after = text[: span.at[0]], text[span.at[1] :]
        if OPEN_BRACKET.search(before) and after[:1] in (")", "]"):
            after = after[1:]
        shorter = BEFORE_A_DATE.sub("", before)
        between = ", " if before.rstrip().endswith(",") or after[:1] == "," else " "
        after = after.lstrip(" ,;:.–—-")
        text = f"{shorter}{between}{after}" if shorter and after[:1].isalnum() else shorter + after
    return trimmed(text), list({span[1:]: span for span in spans}.values())


def award(text: str) -> list[Fields]:
    text, spans = split_dates(unmarked(text))
    if len(spans) > 1 or not 4 < len(text) < MOST_LETTERS or re.search(r"\.\s+[A-Z]", text):
        return []
    return [{"title": text, **(one_date(spans[0]) if spans else {})}]


def is_no_award(text: str) -> bool:
    """Whether a line is only a date or an organisation, so that an award takes several lines."""
    name, _ = split_dates(unmarked(text))
    found = words_in(name)
    is_giver = has_word("schools", name) or has_word("organizations", name)
    return not found or (is_giver and not any(AWARD.match(word) for word in found))


def one_date(span: DateSpan) -> Fields:
    return {"startDate": span.start, "endDate": span.end} if span.end else {"date": span.start}


def membership(text: str) -> list[Fields]:
    """Reads `Member, River Society, 2018-2022`."""
    name, spans = split_dates(unmarked(text))
    found = MEMBER.fullmatch(name)
    if not found or not spans or len(spans) > 1 or not spans[0].end:
        return []
    return [{"organization": found[2], "level": found[1], **one_date(spans[0])}]


def languages(text: str) -> list[Fields]:
    """Reads `English (native), German: B2`; empty if any language is unknown."""
    found = []
    apart = re.sub(r"(?<=\))\s+[-–]\s+", ", ", trimmed(unmarked(text)))  # `Ido (C1) - Thai (A1)`
    for part in SEPARATOR.split(apart):
        parted = LANGUAGE.fullmatch(part.strip())
        if not parted or not language_tag(parted[1]):
            return []
        level = parted[2] or ""
        level += ")" * (level.count("(") - level.count(")"))
        found.append({"language": parted[1], "level": level})
    return found


def skills(text: str) -> list[Fields]:
    """Reads a list of skills, with or without a label."""
    text = unmarked(text)
    column = text.count("|") == 1 and "," in text.partition("|")[2]  # `Frameworks | Django, React`
    label, mark, words = text.partition("|" if column else ":")
    if not mark:
        label, words = "", label
    names = [name for each in SEPARATOR.split(words) if (name := each.strip(" ."))]
    is_sentence = not label and words.strip()[:1].isupper() and any(map(NO_ITEM.match, names[1:]))
    if "," in label or is_sentence or (not label and "|" in words and "," in words):
        return []
    are_long = any(
        len(name.split()) > MOST_SKILL_WORDS
        or len(name) > MOST_SKILL_LETTERS
        or re.search(r"://|:\s|\s[-–]\s", name)  # another list begins
        for name in names
    )
    if not names or are_long or len(label) > MOST_SKILL_LETTERS or re.search(r"\s[-–]\s", label):
        return []
    if label:
        are_spoken = has_word("tongues", label) and languages(words)
        return [] if are_spoken else [{"name": trimmed(label), "keywords": names}]
    return [{"name": name} for name in names]
