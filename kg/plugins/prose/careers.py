"""Reads positions and degrees from text entries.

An entry is used only if it is clear which part of its head is the position and which the
organisation, or which is the degree and which the school. Word lists decide, or else the other
entries of the section that have the same layout.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from kg.plugins.prose.date_spans import OPEN_END, date_spans
from kg.plugins.prose.entries import CvEntry
from kg.plugins.prose.heads import LABELLED, Head, dates_in, head_of, trimmed, without_place
from kg.plugins.prose.lexicon import has_word, pattern

Fields = dict[str, Any]
AT = re.compile(r"\s+(?:at|@|bei|beim|chez)\s+(?:the\s+(?=[A-Z]))?")
AT_FIRST = re.compile(r"^(?:at|for|with|@|bei|beim|chez|en|in)\s+(?:the\s+(?=[A-Z]))?")
AT_LAST = re.compile(r"\s+(?:at|for|with|@|bei|beim|chez)$")
COMMA = re.compile(r",\s+(?![^()]*\))")
IN_BRACKETS = re.compile(r"(.+?)\s+\(([^()]+)\)")
LEGAL = re.compile(r"(?:Inc|Ltd|LLC|Co|Corp|GmbH|PLC|S\.?A|AG|Pvt|Limited)\b.*", re.IGNORECASE)
BEFORE_AREA = re.compile(
    r"^\s*(?:\([^()]{1,30}\)\s*)?(?:degree\s+)?(?:(?:in|of|en|em|der|für|de|,|:|-|–)?\s+)+",
    re.IGNORECASE,
)
STUDENT = re.compile(r"\b(?:student|candidate|researcher|fellow|assistant)\b", re.IGNORECASE)
CAMPUS = re.compile(r"(?:The )?University of [\w ]+, [A-Z]\w+(?: [A-Z]\w+){0,2}$")
RESULT = re.compile(
    r"[\s,]*\(([^()]*(?:\d|GPA|hono|complet|distinction|laude)[^()]*)\)$"
    r"|[\s,]+((?:first|(?:upper |lower )?second)[- ]class(?: honou?rs)?|with distinction|"
    r"(?:summa |magna )?cum laude)$",
    re.IGNORECASE,
)
LINES = ("line", "lines")  # layouts in which other entries of the section can decide
COMPANY = re.compile(r"\b(?:GmbH|AG|Ltd|LLC|Inc|Corp|PLC|Limited)\b")
PART = re.compile(r"(?:[\w-]+ )?(?:Institute?|School|College|Faculty|Cent(?:er|re)|Labs?)\b")
SENTENCE = re.compile(r"[^\W\d_]{3,}[.!?]\s+\S|^[a-zà-ÿ]+\s.*\s")


class Pair(NamedTuple):
    """Two parts of which one is the position, and how they are separated."""

    first: str
    second: str
    layout: str

    @property
    def evidence(self) -> int:
        """Positive if the first part is the position, negative if the second is."""
        return score(self.first) - score(self.second)

    @property
    def is_clear(self) -> bool:
        """Whether the word of a role decides."""
        return bool(self.evidence) and score(self.first if self.evidence > 0 else self.second) > 0


def score(part: str) -> int:
    return has_word("roles", part) - is_organization(part)


def is_organization(part: str) -> bool:
    return has_word("organizations", part) or has_word("schools", part)


def jobs(entries: list[CvEntry]) -> list[Fields | None]:
    """The fields of each `work` entry; None if they are unclear."""
    heads = [head_with_employer(entry) for entry in entries]
    found = [None if is_open(head) else pair_in(head) for head in heads]
    votes: dict[str, Counter[bool]] = {}
    for pair, head in zip(found, heads, strict=True):
        if pair and pair.is_clear and len(head.spans) == 1:
            votes.setdefault(pair.layout, Counter())[pair.evidence > 0] += 1
    fields = [
        job(head, pair, votes.get(pair.layout, Counter())) if pair else None
        for head, pair in zip(heads, found, strict=True)
    ]
    for at, entry in enumerate(entries[1:]):
        is_job = fields[at + 1] is not None
        if not is_job and not entry.lines[0].gap and have_one_date(heads[at], heads[at + 1]):
            fields[at] = None
    return fields


def is_open(head: Head) -> bool:
    """Whether a word such as `Present` is apart from its date, so that the period is unclear."""
    return any(re.fullmatch(OPEN_END, part, re.IGNORECASE) for _, part in head.parts)


def have_one_date(first: Head, second: Head) -> bool:
    """Whether two heads have one date each, perhaps the start and the end of one job."""
    spans = [*first.spans[:2], *second.spans[:2]]
    return len(first.spans) == len(second.spans) == 1 and not any(span.end for span in spans)


def head_with_employer(entry: CvEntry) -> Head:
    """The head of an entry; an employer that is its first detail belongs to the head."""
    head = head_of(entry)
    if len(head.parts) == 1 and score(head.parts[0][1]) > 0 and entry.details:
        name, *others = (trimmed(line.plain) for line in entry.details)
        if is_employer(name) and not any(map(is_employer, others)):
            head.parts.append((len(entry.head), name))
            entry.head.append(entry.details.pop(0))
    return head


def is_employer(text: str) -> bool:
    is_name = score(text) < 0 or is_unit(text)
    return is_name and not SENTENCE.search(text) and not date_spans(text)


def pair_in(head: Head) -> Pair | None:
    """The two main parts of a head; the others go to its unit or rest."""
    parts = [*head.parts]
    if len(parts) == 1:
        return pair_in_one(parts[0][1])
    inside = [part for _, part in parts if has_word("roles", AT.split(part)[0]) and AT.search(part)]
    if len(inside) == 1 and not any(
        is_organization(part) for _, part in parts if part not in inside
    ):
        return pair_in_one(inside[0])
    units = [each for each in parts if is_unit(each[1]) and not has_word("roles", each[1])]
    if len(parts) == 3 and len(units) == 1:
        parts.remove(units[0])
    if len(parts) != 2:
        roles = [each for each in parts if score(each[1]) > 0]
        names = [each for each in parts if score(each[1]) < 0]
        if len(roles) == 1 and len(names) > 1:
            names = [each for each in names if each[0] == roles[0][0]]
        if len(roles) != 1 or len(names) != 1:
            return None
        parts = sorted([*roles, *names])
    (line, first), (other, second) = parts
    pair = Pair(first, second, LINES[line != other])
    role, name = (first, second) if pair.evidence > 0 else (second, first)
    return pair if is_organization(name) or not COMMA.search(role) else None


def pair_in_one(part: str) -> Pair | None:
    """The parts of `Engineer at Acme`, `Engineer, Acme`, `Engineer, Boats Group, Acme Inc`."""
    if len(both := AT.split(part)) == 2:
        return Pair(both[0], both[1], "at")
    first, *others = COMMA.split(part)
    if len(others) == 1:
        return Pair(first, others[0], "comma")
    is_clear = len(others) == 2 and is_part(others[0]) and is_organization(others[1])
    return Pair(first, ", ".join(others), "comma") if is_clear and score(first) > 0 else None


def job(head: Head, pair: Pair, votes: Counter[bool]) -> Fields | None:
    dates = dates_in(head)
    is_first = pair.evidence > 0 if pair.is_clear else bool(votes[True])
    is_decided = pair.is_clear or (
        pair.layout in LINES and len(votes) == 1 and (pair.evidence >= 0) == is_first
    )
    if dates is None or not is_decided or (pair.layout == "at" and not is_first):
        return None
    position, name = (pair.first, pair.second) if is_first else (pair.second, pair.first)
    position = AT_LAST.sub("", position)
    name, share = without_share(AT_FIRST.sub("", name))
    place = name_and_place(name)
    found = organization(place[0])
    title, *beside = COMMA.split(position)
    if LABELLED.fullmatch(position) or LABELLED.fullmatch(name):
        return None  # `Manager: Ada Berg` is not a position
    is_employer_name = score(name) < 0 or is_unit(name) or name in head.linked
    if pair.layout == "comma" and not (is_employer_name or place[1] or head.places):
        return None  # `Engineer, Zavolzhie`: perhaps a city
    if found is None or SENTENCE.search(position) or len(head.places) + bool(place[1]) > 1:
        return None
    if len(beside) == 1 and is_unit(beside[0]) and "unit" not in found:
        position, found["unit"] = title, beside[0]
    rest = [part for _, part in head.parts if part not in pair and pair.first not in part]
    units = [part for part in rest if is_unit(part)]
    if len(units) == 1 and "unit" not in found:
        rest.remove(units[0])
        found["unit"] = units[0]
    location = next(iter([*head.places, place[1]]), "")
    rest = [*share, *found.pop("rest", []), *rest, *head.rest]
    return {"position": position, **found, "location": location, **dates, "rest": rest}


def without_share(name: str) -> tuple[str, list[str]]:
    """`Delta University (20% FTE)` -> the employer, and how much of the time."""
    found = IN_BRACKETS.fullmatch(name)
    return (found[1], [found[2]]) if found and "%" in found[2] else (name, [])


def name_and_place(text: str) -> tuple[str, str]:
    """Splits a place off the end of a name in brackets or after a comma, if it is clear."""
    if found := re.fullmatch(r"(.+?)\s+\(([^()]+)\)", text):
        rest, place = without_place(f"x, {found[2]}")
        return (found[1], place) if rest == "x" else (text, "")
    return without_place(text)


def organization(text: str) -> Fields | None:
    """Splits a text into organisation and unit; None if it is unclear."""
    parts = [part for each in AT.split(text) for part in COMMA.split(each)]
    if SENTENCE.search(text) or len(text) > 90 or not text[:1].isalnum() or len(parts) > 2:
        return None
    if len(parts) == 1 or LEGAL.fullmatch(parts[1]) or CAMPUS.match(text):
        return {"organization": text}
    if is_part(parts[0]) and has_word("schools", parts[1]):
        return {"unit": parts[0], "organization": parts[1]}
    units, names = [*map(is_unit, parts)], [*map(is_organization, parts)]
    if units[0] != units[1] and (units[0] or names[0]):
        unit, name = sorted(parts, key=is_unit, reverse=True)
        return {"unit": unit, "organization": name}
    if units == [False, False] and names[0] != names[1]:
        first, second = parts
        is_after = {"organization": first, "rest": [second]}
        return is_after if names[0] else {"unit": first, "organization": second}
    return None


def is_unit(text: str) -> bool:
    is_clear = has_word("units", text.split(maxsplit=1)[0]) or re.search(
        r"\b(?:Group|Office)\b", text
    )
    is_company = COMPANY.search(text)
    return (
        has_word("units", text) and bool(is_clear or not is_organization(text)) and not is_company
    )


def is_part(text: str) -> bool:
    """Whether a text can name a part of a university: `Institute of Hydrology`."""
    return is_unit(text) or bool(PART.match(text))


def studies(entries: list[CvEntry]) -> list[Fields | None]:
    """The fields of each `education` entry; None if they are unclear."""
    return [study(entry) for entry in entries]


def study(entry: CvEntry) -> Fields | None:
    head = head_of(entry)
    dates = dates_in(head, is_study=True)
    parts = [piece for _, part in head.parts for each in apart(part) for piece in pieces_of(each)]
    degrees = [part for part in parts if is_degree(part)]
    if not degrees and len(parts) == 1 and has_word("schools", parts[0]):
        inside = [line for line in entry.details if is_degree(trimmed(line.plain))]
        if len(inside) == 1 and len(inside[0].plain) < 80 and not COMMA.search(inside[0].plain):
            degrees = [trimmed(inside[0].plain)]
            entry.details.remove(inside[0])
    if dates is None or len(degrees) != 1 or len(head.places) > 1 or STUDENT.search(degrees[0]):
        return None
    others = [AT_FIRST.sub("", part) for part in parts if part != degrees[0]]
    schools = [part for part in others if has_word("schools", part)]
    units = [part for part in schools if is_unit(part)]
    schools = [part for part in schools if part not in units] if len(schools) > 1 else schools
    fields = degree_fields(degrees[0])
    if len(others) == 1 and not schools and "area" in fields:
        schools = others
    if len(schools) != 1 or SENTENCE.search(schools[0]) or len(schools[0]) > 90:
        return None
    school, place = name_and_place(schools[0])
    found = organization(school)
    if found is None or is_unit(school):
        return None
    rest = [part for part in others if part != schools[0] and part != place]
    location = next(iter([*head.places, place]), "")
    rest = [*fields.pop("rest", []), *found.pop("rest", []), *rest, *head.rest]
    fields["institution"] = found.pop("organization")
    return {**fields, **found, "location": location, **dates, "rest": rest}


def apart(part: str) -> list[str]:
    """`PhD in Ice (Delta University)` and `DPhil University of Oxford` as degree and school."""
    found = pattern("degrees").match(part)
    school = part[found.end() :].strip() if found else ""
    if re.match(r"[A-Z]", school) and has_word("schools", COMMA.split(school)[0]):
        return [part[: len(part) - len(school)].strip(), school]
    inside = IN_BRACKETS.fullmatch(part)
    if inside and is_degree(inside[1]) and has_word("schools", inside[2]):
        return [inside[1], inside[2]]
    return [part]


def pieces_of(part: str) -> Iterator[str]:
    """The degree and the school in one part, with their areas and campus."""
    pieces = [
        each for each in re.split(r"[,;]\s+(?![^()]*\))|\.\s+(?=[A-Z]\w+\s\w+)", part) if each
    ]
    held = ""
    for at, piece in enumerate(pieces):
        after = pieces[at + 1] if at + 1 < len(pieces) else ""
        held = f"{held}, {piece}" if held else piece
        is_open = is_degree(held) and after and not is_name_part(after) and not is_degree(after)
        is_campus = CAMPUS.match(f"{held}, {after}")
        if not is_open and not (is_campus and not is_degree(after)):
            yield held
            held = ""
    if held:
        yield held


def is_name_part(text: str) -> bool:
    return is_organization(text) or is_unit(text)


def is_degree(text: str) -> bool:
    return bool(pattern("degrees").match(text))


def degree_fields(text: str) -> Fields:
    """Splits `Ph.D. in Computer Science` into degree and area."""
    found = pattern("degrees").match(text)
    end = found.end() if found else 0
    behind = re.match(r"\s*\([^()]{1,30}\)", text[end:])
    end += behind.end() if behind else 0
    area = BEFORE_AREA.sub("", text[end:]) if re.match(r"\s*,|\s", text[end:]) else ""
    area = area.strip(" ,.")
    result = RESULT.search(area)
    area = RESULT.sub("", area)
    if not area[:1].isupper() or re.search(r"[+/]", area) or len(area) > 80:
        return {"studyType": text}
    rest = [result[1] or result[2]] if result else []
    return {"studyType": text[:end].strip(" ,"), "area": area, "rest": rest}
