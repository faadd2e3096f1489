"""Reads positions and degrees from text entries.

An entry is used only if it is clear which part of its head is the position and which the
organisation, or which is the degree and which the school.
"""

from __future__ import annotations

import re
from typing import Any

from kg.plugins.prose.author_lists import is_name
from kg.plugins.prose.items import CvItem
from kg.plugins.prose.lexicon import (
    DEGREE,
    has_organization,
    has_role,
    has_school,
    has_unit,
)
from kg.plugins.prose.pieces import AT, SCORE, Head, dates_in, head_of, labelled
from kg.plugins.prose.text_lines import TextLine

Fields = dict[str, Any]
AT_INSIDE = re.compile(r"\s+(?:at|@|bei|beim|chez)\s+(?:the\s+(?=[A-Z]))?")
IN = re.compile(r"^\s*(?:\([^()]{1,30}\)\s*)?(?:in|of|en|der|für|,|:|-|–)?\s+", re.IGNORECASE)
OF = re.compile(r"\s+(?:at|of|for|in|bei|beim)\s+")
PEOPLE = re.compile(r"[,;]\s*|\s+(?:and|und|et)\s+|\s*&\s*")
HONORIFICS = re.compile(r"^(?:(?:Prof|Dr|Professor|Professeur)\b\.?\s*)+")
TITLE = re.compile(r"[“\"«„](.{3,300}?)[”\"»“]")


def job(item: CvItem) -> Fields | None:
    """The fields of a `work` entry; None if they are unclear."""
    head = head_of(item.head)
    dates = dates_in(head)
    found = position_and_employer(head)
    if dates is None or found is None or len(head.places) > 1:
        return None
    more = other_fields(item, head)
    rest = [*found.get("rest", []), *head.others]
    return None if more is None else found | {"rest": rest} | dates | more


def position_and_employer(head: Head) -> Fields | None:
    """The position and organisation in the parts of a head; None if they are unclear."""
    roles = [each for each in head.pieces if has_role(each[1]) and not is_employer(each[1])]
    if len(roles) != 1:
        return None
    line, text = roles[0]
    others = [each for each in head.pieces if each != roles[0]]
    role, *inside = AT_INSIDE.split(text, maxsplit=1)
    parts = [part.strip() for part in role.split(",")]
    named = [part for part in parts if has_role(part)]
    if len(named) != 1 or re.match(r"\d", named[0]):
        return None
    beside = [part for part in parts if part != named[0]]
    if not others:
        return in_one_part(named[0], beside, inside) if named[0] in (parts[0], parts[-1]) else None
    employer = find_employer(line, others)
    found = organization(AT.sub("", employer)) if employer else None
    if not employer or found is None or parts[0] != named[0]:
        return None
    unit = next((each for each in (*beside, *inside) if has_unit(each)), "")
    if inside and inside[0] != unit and not has_organization(employer):
        return None  # unclear which of both is the employer
    position = ", ".join([named[0], *(each for each in beside if each != unit)])
    position += "".join(f" at {each}" for each in inside if each != unit)
    rest = [piece for _, piece in others if piece not in employer]
    return {"position": position, "unit": unit, **found, "rest": rest}


def in_one_part(role: str, rest: list[str], inside: list[str]) -> Fields | None:
    """Position and organisation in one part: `Engineer, Acme Inc`, `Engineer at Acme`."""
    if inside and not rest:
        found = organization(inside[0])
    elif rest and not inside:
        found = (
            organization(", ".join(rest)) if len(rest) == 1 or has_organization(rest[-1]) else None
        )
    else:
        found = None
    return {"position": role, "alone": "at" if inside else "comma", **found} if found else None


def find_employer(line: int, others: list[tuple[int, str]]) -> str | None:
    """The part that names the employer: the only one, or the only one on an adjacent line."""
    if len(others) == 1:
        return others[0][1]
    for at in (line, line - 1, line + 1):
        here = [piece for number, piece in others if number == at]
        if len(here) == 1:
            return here[0]
        if len(here) == 2 and has_unit(here[0]) != has_unit(here[1]):
            return ", ".join(here)
        if here:
            return None
    return None


def organization(text: str) -> Fields | None:
    """Splits a text into organisation and unit; None if it is unclear."""
    parts = [part.strip() for each in AT_INSIDE.split(text) for part in each.split(",")]
    if len(parts) == 1:
        is_small = text[:1].islower() and not has_organization(text)
        is_sentence = re.search(r"[^\W\d_]{3,}\. ", text)
        is_one = len(text) < 90 and not is_small and not is_sentence
        return {"organization": text} if is_one else None
    if len(parts) == 2:
        units = [is_unit(part) for part in parts]
        if units == [True, False]:
            return {"unit": parts[0], "organization": parts[1]}
        if units == [False, True] and (has_organization(parts[0]) or has_school(parts[0])):
            return {"unit": parts[1], "organization": parts[0]}
        if has_organization(parts[0]) and re.fullmatch(
            r"(?:Inc|Ltd|LLC|Co|Corp|GmbH|PLC)\.?", parts[1]
        ):
            return {"organization": text}
        if has_school(parts[0]) and re.match(
            r"(?:The )?University of \w+$|.*\bUniversity System", parts[0]
        ):
            return {"organization": text}  # University of California, Berkeley
    return None


def is_unit(text: str) -> bool:
    return has_unit(text) and not (
        has_organization(text) and not re.search(r"\b(?:Group|Office)\b", text)
    )


def is_employer(text: str) -> bool:
    """Whether a part with the word of a role is an organisation: `Volunteer Fire Association`."""
    names = [OF.split(part)[0].strip() for part in text.split(",") if has_role(part)]
    return all(has_organization(name) and not has_role(name.split()[-1]) for name in names if name)


def study(item: CvItem) -> Fields | None:
    """The fields of an `education` entry; None if they are unclear."""
    head = head_of(item.head)
    dates = dates_in(head, is_study=True)
    degrees = [
        each for each in head.pieces if DEGREE.match(each[1]) or " degree" in each[1].lower()
    ]
    if dates is None or len(degrees) != 1 or len(head.places) > 1:
        return None
    others = [each[1] for each in head.pieces if each != degrees[0]]
    parts = [part.strip() for part in degrees[0][1].split(",")]
    schools = [part for part in parts[1:] if has_school(part)]
    if not others and len(schools) == 1:
        at = parts.index(schools[0])
        degree, school, behind = ", ".join(parts[:at]), schools[0], parts[at + 1 :]
        if behind:
            return None
    elif len(others) == 1 and not schools:
        degree, school = ", ".join(parts), AT.sub("", others[0])
    else:
        return None
    found = organization(school)
    if found is None:
        return None
    found["institution"] = found.pop("organization")
    more = other_fields(item, head)
    if more is None or is_unit(found["institution"]):
        return None
    return found | degree_fields(degree) | {"rest": head.others} | dates | more


def degree_fields(text: str) -> Fields:
    """Splits `Ph.D. in Computer Science` into degree and area."""
    found = DEGREE.match(text)
    end = found.end() if found else 0
    behind = re.match(r"\s*\([^()]{1,30}\)", text[end:])
    end += behind.end() if behind else 0
    area = IN.sub("", text[end:]) if re.match(r"\s*,|\s", text[end:]) else ""
    area = area.strip(" ,")
    if re.search(r"[+/]", area) and "," in area:  # B.Tech + M.Tech, Computer Science
        end, area = text.rindex(","), text[text.rindex(",") + 1 :].strip()
    if not area or not area[:1].isupper() or re.search(r"[+/]", area) or len(area) > 80:
        return {"studyType": text}
    return {"studyType": text[:end].strip(" ,"), "area": area}


def other_fields(item: CvItem, head: Head) -> Fields | None:
    """The other fields of an entry: location, labelled values, highlights and summary."""
    found: Fields = {"location": head.places[0]} if head.places else {}
    labels = list(head.labelled)
    marked: list[TextLine] = []
    sentences: list[TextLine] = []
    for line in item.details:
        if named := labelled(line.plain):
            labels.append(named)
            if labelled_value(*named) and named[0] not in [name for name, _ in labels[:-1]]:
                continue
        (marked if line.mark else sentences).append(line)
    for name, text in labels:
        value = labelled_value(name, text)
        if value is None and (name, text) in head.labelled:
            return None
        if value:
            found.setdefault(name, value)
    return found | {"highlights": marked, "summary": sentences}


def labelled_value(name: str, text: str) -> Any:
    if name == "score":
        score = SCORE.search(text)
        return f"{score[1]}/{score[2]}".replace(",", ".") if score else None
    if name == "thesis":
        title = TITLE.search(text)
        return title[1] if title else text.strip(' *_"“”') if len(text) < 250 else None
    if name in ("advisor", "mentors", "committee"):
        people = [
            HONORIFICS.sub("", each).strip(" .;") for each in PEOPLE.split(text) if each.strip()
        ]
        return people if people and all(map(is_name, people)) else None
    return text
