"""Reads one-line entries: awards, talks, service, memberships, languages, skills, mentees …

Each function returns None if the parts of the line are unclear.
"""

from __future__ import annotations

import re
from typing import Any

from kg.facts.values.languages import language_tag
from kg.plugins.prose.author_lists import is_name
from kg.plugins.prose.date_spans import DateSpan, date_spans
from kg.plugins.prose.lexicon import has_organization, has_role, has_school
from kg.plugins.prose.pieces import is_place, trimmed, without_place
from kg.plugins.prose.plain_markdown import unmarked
from kg.text.transliterate import plain

Fields = dict[str, Any]
AWARD_VERBS = re.compile(
    r"^(?:was\s+)?(?:awarded|received|recipient of|winner of|won)\s+(?:the\s+|a\s+)?", re.IGNORECASE
)
BEFORE_A_DATE = re.compile(
    r"[\s,;:(\[–—-]*(?:\b(?:in|for|of|on|since|am|im|en|year)\b)?[\s,;:(\[–—-]*$", re.IGNORECASE
)
OPEN_BRACKET = re.compile(r"[(\[]\s*(?:in\s+)?$")
TALK_SENTENCE = re.compile(
    r"(?:(?:invited|keynote|plenary|guest)\s+)?(?:talk|lecture|speech|keynote|seminar|presentation)"
    r"\s+on\s+(?P<title>[A-Z](?:(?! at ).){10,200})\s+at\s+(?:the\s+)?(?P<rest>(?:(?! at ).)+)",
    re.IGNORECASE,
)
QUOTED = re.compile(r"[“«„]([^”»“]{5,300})[”»“]|\"([^\"]{5,300})\"")
EMPHASISED = re.compile(r"(?<!\w)(\*{1,2}|_{1,2})([^*_]{5,300})\1(?!\w)")
TALKS = {
    "keynote": r"keynote|plenary",
    "poster": r"poster",
    "panel": r"panel(?:ist)?",
    "lecture": r"(?:guest |invited )?lecture",
    "seminar": r"seminar|colloquium",
    "invited": r"invited",
    "presentation": r"presented|presentation|talk|oral",
}
AT = re.compile(r"^[\s,;:.]*(?:at|@|in|bei|à)?\s*(?:the\s+)?", re.IGNORECASE)
DUTIES = {
    "program-committee": r"(?:shadow |technical |senior )?(?:program(?:me)? committee|t?pc)"
    r"(?: member)?s?",
    "editor": r"(?:associate |guest |managing )?editors?(?:[ -]in[ -]chief)?"
    r"|editorial board(?: member)?",
    "chair": r"(?:\w+ )?(?:co-?)?chairs?",
    "organizer": r"(?:co-?)?organi[sz]ers?|organi[sz]ing committee(?: member)?",
    "committee": r"(?:\w+ ){1,2}committee(?: member)?",
    "reviewing": r"(?:journal |external |conference |peer |paper |sub-?|ad hoc )?"
    r"(?:sub)?(?:reviewers?|referees?|reviewing|reviews?)",
}
DUTY = re.compile(
    rf"({'|'.join(f'(?:{words})' for words in DUTIES.values())})"
    r"\s*(?::|,|\bfor\b|\bat\b|\bof\b|–|-)\s*(?:the\s+)?(.+)",
    re.IGNORECASE,
)
EVENT = re.compile(
    r"\b(?:conference|symposium|workshop|congress|meeting|forum|summit|festival)\b", re.IGNORECASE
)
EDITION = re.compile(r"^(?:the\s+)?(?:\d{1,3}(?:st|nd|rd|th)\s+)?", re.IGNORECASE)
VENUE = re.compile(
    r"(?i:conference|symposium|workshop|congress|meeting|challenge|proceedings|journal|intl\."
    r"|transactions?|letters|magazine|access|practice and experience)|\b[A-Z][A-Za-z]*[A-Z]\w*\b"
)
PERIODICAL = re.compile(
    r"\b(?:journal|transactions?|letters|magazine|access|annals|review|bulletin"
    r"|practice and experience)\b",
    re.IGNORECASE,
)
LEVELS = re.compile(
    r"(?:(?:student|senior|life|associate|honorary|founding|active|professional|lifetime)\s+)?"
    r"(?:members?|fellow|mitglied|membre|miembro)\b",
    re.IGNORECASE,
)
STUDENTS = {
    "doctoral": r"ph\.?\s?d\.?,? (?:student|candidate)|doctoral (?:student|candidate)",
    "master": r"(?:m\.?sc?\.?|master'?s?) student",
    "bachelor": r"(?:b\.?sc?\.?|bachelor'?s?) student",
    "undergraduate": r"undergraduate(?: student)?",
    "graduate": r"graduate student",
    "postdoc": r"postdoc\w*",
    "intern": r"intern",
}
MOST_LETTERS = 170


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


def one_date(spans: list[DateSpan]) -> Fields:
    (span,) = spans
    if span.others:
        return {"dates": [span.start, *span.others]}
    return {"startDate": span.start, "endDate": span.end} if span.end else {"date": span.start}


def award(text: str, under: str) -> list[Fields] | None:
    title, spans = split_dates(unmarked(text))
    title = AWARD_VERBS.sub("", title)
    if len(spans) > 1 or not 4 < len(title) < MOST_LETTERS or re.search(r"\.\s+[A-Z]", title):
        return None
    return [{"title": title[:1].upper() + title[1:], **(one_date(spans) if spans else {})}]


def talk(text: str, under: str) -> list[Fields] | None:
    """Reads a talk whose title is quoted, emphasised, or between `on` and `at`."""
    quoted, slanted = QUOTED.search(text), EMPHASISED.search(text)
    if found := quoted or slanted:
        title = unmarked(found[1] if len(found[1] or "") > 2 else found[2]).strip(" ,.")
        before, after = unmarked(text[: found.start()]), unmarked(text[found.end() :])
    elif found := TALK_SENTENCE.fullmatch(unmarked(text)):
        title, before, after = found["title"], found[0][: found.start("title")], found["rest"]
    else:
        return None
    rest, spans = split_dates(after)
    _, earlier = split_dates(before)
    spans += earlier
    words = f"{before} {under}"
    is_title = len(title.split()) > 1 and title[:1].isupper()
    if len(spans) != 1 or spans[0].end or spans[0].others or not is_title:
        return None
    entry = {"title": title, **talk_kind(words), "date": spans[0].start, **talk_place(rest, after)}
    if slanted and not quoted and (EVENT.search(title) or date_spans(title) or entry.get("rest")):
        return None
    if by := re.search(r"\b(?:by|host(?:ed by)?:?)\s+(.+?)(?:\s+on)?\s*$", before):
        entry["rest"] = [*entry.get("rest", []), by[1]]
    return [entry]


def talk_kind(words: str) -> Fields:
    for kind, word in TALKS.items():
        if re.search(rf"\b(?:{word})", words, re.IGNORECASE):
            return {"kind": kind}
    return {"kind": "presentation"}


def talk_place(text: str, after: str) -> Fields:
    """The organisation or event of a talk, and the town; unclear parts go into `rest`."""
    name, place = without_place(AT.sub("", text, count=1).strip(" ,."))
    if is_place(name):
        return {"location": name}
    found: Fields = {"location": place} if place else {}
    if "," in name or not name or len(name) > 120 or name[:1].islower():
        return found | {"rest": [name] if name else []}
    is_edition = re.search(rf"{re.escape(name)}\s+(?:(?:19|20)\d\d|['’]\d\d)\b", after)
    if EVENT.search(name) or (is_edition and VENUE.search(name)):
        return found | {"conference": name}
    if has_organization(name) or has_school(name):
        return found | {"at": name}
    return found | {"rest": [name]}


def service(text: str, under: str) -> list[Fields] | None:
    """Reads a duty and its venue; the duty can be the heading."""
    text = unmarked(text)
    role = under
    if found := DUTY.fullmatch(text):
        role, text = found[1], found[2]
    kind = duty_kind(role)
    if not kind:
        return None
    rest, spans = split_dates(re.sub(r"\((\d+\+?)\)$", "", text))
    parts = re.split(r"\s*[;,]\s*(?:and\s+)?(?![^()]*\))", rest)
    if not venue_name(rest)[:1].isupper() or re.search(r"['’]\d\d\b", rest):
        return None
    if not spans and len(parts) > 1:
        is_list = all(
            1 < len(part) < 60 and (part.isupper() or VENUE.search(part)) for part in parts
        )
        served = [{**venue_of(part), "role": role_name(role), "kind": kind} for part in parts]
        return served if is_list else None
    if len(spans) > 1 or not VENUE.search(rest) or len(rest) > MOST_LETTERS or ". " in rest:
        return None
    return [{**venue_of(rest), "role": role_name(role), "kind": kind, **years(spans)}]


def event_help(text: str) -> list[Fields] | None:
    """Reads an event at which the person helped."""
    rest, spans = split_dates(unmarked(text))
    is_event = VENUE.search(rest) and not re.search(r"[,:;]|\. ", rest) and not has_role(rest)
    if len(spans) != 1 or not is_event or len(rest) > MOST_LETTERS:
        return None
    return [{"conference": venue_of(rest).popitem()[1], **years(spans)}]


def duty_kind(role: str) -> str:
    for kind, words in DUTIES.items():
        if re.fullmatch(words, role.strip(), re.IGNORECASE):
            return kind
    return ""


def role_name(role: str) -> str:
    text = role.strip().lower() if role.isupper() else role.strip()
    text = text[:1].upper() + text[1:]
    return re.sub(r"(?i)(review|refere)e?rs$", lambda found: found[0][:-1], text)


def venue_name(text: str) -> str:
    """A venue without the number of its edition."""
    return trimmed(EDITION.sub("", text))


def venue_of(text: str) -> Fields:
    name = venue_name(text)
    return {"journal" if PERIODICAL.search(name) else "conference": name}


def years(spans: list[DateSpan]) -> Fields:
    if not spans:
        return {}
    (span,) = spans
    if span.others:
        return {"years": [span.start, *span.others]}
    if span.end:
        return {"startDate": span.start, "endDate": span.end}
    return {"year": span.year}


def membership(text: str, under: str) -> list[Fields] | None:
    rest, spans = split_dates(unmarked(text))
    found = LEVELS.search(rest)
    name = (
        trimmed(
            re.sub(r"^(?:of|der|des)\s+(?:the\s+)?", "", trimmed(LEVELS.sub("", rest, count=1)))
        )
        if found
        else rest
    )
    has_name = re.match(r"[A-Z]", name) and len(name.split()) <= 9 and not re.search(r"[,:;]", name)
    is_known = found or has_organization(name) or re.search(r"\b[A-Z]{3,}\b", name)
    if not has_name or not is_known or len(spans) > 1 or has_role(name):
        return None
    dates = one_date(spans) if spans else {}
    if "date" in dates:
        dates = {"startDate": dates["date"]}
    return [{"organization": name, "level": found[0].capitalize() if found else "", **dates}]


def languages(text: str, under: str) -> list[Fields] | None:
    """Reads `English (native), German: B2`; None if any language is unknown."""
    found = []
    for part in re.split(r"[,;|](?![^()]*\))|\s{3,}|\t", unmarked(text)):
        parted = re.fullmatch(
            r"\s*([^\W\d_]+(?: [^\W\d_]+)?)\s*(?:[:(–—-]+\s*(.{1,60}?)\s*\)?)?\.?\s*", part
        )
        if not parted or not language_tag(parted[1]):
            return None
        level = parted[2] or ""
        found.append(
            {"language": parted[1], "level": level + ")" * (level.count("(") - level.count(")"))}
        )
    return found


def skills(text: str, under: str) -> list[Fields] | None:
    """Reads a list of skills, with or without a label."""
    label, colon, words = unmarked(text).partition(":")
    if not colon:
        label, words = under, label
    names = [
        each.strip(" .") for each in re.split(r"[,;•|·](?![^()]*\))", words) if each.strip(" .")
    ]
    if (
        not names
        or any(len(name.split()) > 6 or len(name) > 60 for name in names)
        or len(label) > 60
    ):
        return None
    if label:
        return [{"name": label.strip(), "keywords": names}]
    return [{"name": name} for name in names]


def interests(text: str, under: str) -> list[Fields] | None:
    names = [each.strip(" .") for each in re.split(r"[,;•|·](?![^()]*\))", unmarked(text))]
    names = [re.sub(r"^and\s+", "", name) for name in names if name]
    if any(len(name.split()) > 6 for name in names) or re.search(
        r"\b(?:my|i|is|are)\b", plain(text)
    ):
        return None
    return [{"name": name} for name in names]


def mentee(text: str, under: str) -> list[Fields] | None:
    """Reads `Kim Osei, Ph.D. student at Northfjord University, gravel, 2019-2021`."""
    text = unmarked(text).rstrip(" .")
    spans = [span for span in date_spans(text) if span.at[1] == len(text)]
    rest = text[: spans[0].at[0]].rstrip(" ,(") if spans else text
    name, _, more = (part.strip() for part in rest.partition(","))
    if not is_name(name) or (date_spans(text) and not spans):
        return None
    for level, words in STUDENTS.items():
        found = re.match(
            rf"\W*(?:{words})\s*(?:(?:at|of|from)\s+(?:the\s+)?([^,]+))?,?\s*(.*)",
            more,
            re.IGNORECASE,
        )
        if found:
            school = (found[1] or "").strip()
            dates = one_date(spans) if spans else {}
            if "date" in dates:
                dates = {"dates": [dates["date"]]}
            topic = re.sub(r"\s*,\s*$", "", found[2])
            return [
                {"person": name, "level": level, "organization": school, "topic": topic, **dates}
            ]
    return None
