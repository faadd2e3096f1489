"""Moves entries of `education` that lead to no degree: visits and exchanges become stays (positions
of the kind `visiting`), courses and boot camps become certificates. Time at a school is marked so.
"""

from __future__ import annotations

import re
from typing import Any

from kg.facts.values.study_names import DEGREE, SCHOOL, VISITOR, first, is_school, is_visit
from kg.plugins.exchange.draft import Draft, Value, join_values, values_in
from kg.plugins.prose.lexicon import pattern

RESEARCH_STUDENT = re.compile(r"\bresearch-students?$")
MOST_WORDS = 8  # of a field of study
DIPLOMA = re.compile(r"(?:high school )?(?:diplom[ae]?|certificate|graduate|degree)", re.IGNORECASE)
MONTH = re.compile(r"\d{4}-\d\d")
OF_STAY = ("startDate", "endDate", "expected", "location", "unit", "url", "advisor", "summary")
OF_COURSE = ("startDate", "endDate", "expected", "url", "summary")


def place_studies(draft: Draft) -> None:
    """Moves studies without a degree to other sections, and lists the fields those do not have."""
    for job in [each for each in draft.cv.get("work", ()) if isinstance(each, dict)]:
        what = job.get("position")
        if isinstance(what, Value) and "kind" not in job and first(VISITOR, what) >= 0:
            job |= {"kind": what.with_text("visiting"), "secondary": what.with_text("true")}
    for study in [each for each in draft.cv.get("education", ()) if isinstance(each, dict)]:
        area = study.get("area")
        if isinstance(area, Value) and len(area.split()) > MOST_WORDS:
            study["summary"] = join_values(filter(None, (study.pop("area"), study.get("summary"))))
        section, entry = moved(study)
        if section:
            draft.cv["education"].remove(study)
            texts = "\n".join(values_in(entry))
            draft.leave(value for value in values_in(study) if value not in texts)
            draft.put(section, entry)
            order = draft.cv.get("layout", {}).get("order", [])
            if "education" in order and section not in order:
                order.insert(order.index("education") + 1, section)
    if draft.cv.get("education") == []:
        del draft.cv["education"]
        order = draft.cv.get("layout", {}).get("order", [])
        order[:] = [each for each in order if each != "education"]


def moved(study: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The section and fields of a study without a degree; empty if it may lead to a degree."""
    school, area = study.get("institution"), study.get("area")
    if set_school(study):
        return "", {}
    whole, kind = study.get("degree"), join_values(values_in(study.get("studyType")), ", ")
    what = whole or kind or area
    if what is None:
        return "", {}
    named = whole or join_values(filter(None, (kind, area)), ": ")
    highlights = [*study.get("highlights", ()), *values_in(study.get("courses"))]
    if (is_visit(what) or is_short_research(what, study)) and school:
        return "work", {
            "organization": school,
            "position": what,
            "kind": what.with_text("visiting"),
            "secondary": what.with_text("true"),
            **{name: study[name] for name in OF_STAY if name in study},
            "keywords": [area] if kind and area else None,
            "highlights": highlights,
        }
    if not is_course(what, str(school or "")):
        return "", {}
    if study.get("endDate") == "present" and school:
        fields = {name: study[name] for name in OF_COURSE if name in study}
        return "extracurricular", {"organization": school, "position": named, **fields}
    return "certificates", {
        "name": named,
        "issuer": school,
        "date": study.get("endDate") or study.get("startDate"),
        "url": study.get("url"),
        "summary": join_values([*values_in(study.get("summary")), *highlights]),
    }


def set_school(study: dict[str, Any]) -> bool:
    """Sets the level of time at a school. The name of its diploma is no field of study."""
    kind, area = study.get("studyType"), study.get("area")
    if isinstance(area, Value) and is_school(area) and DIPLOMA.fullmatch(str(kind or "diploma")):
        kind = study["studyType"] = study.pop("area")
    if not isinstance(kind, Value) or not is_school(kind):
        return False
    study.setdefault("level", kind.with_text("school"))
    return True


def is_short_research(what: str, study: dict[str, Any]) -> bool:
    """Whether a student of research stayed for less than a year, as a guest does."""
    months = [
        int(date[:4]) * 12 + int(date[5:7])
        for date in (study.get("startDate"), study.get("endDate"))
        if isinstance(date, Value) and MONTH.match(date)
    ]
    is_short = len(months) == 2 and months[1] - months[0] < 11
    return is_short and first(RESEARCH_STUDENT, what) >= 0


def is_course(text: str, school: str) -> bool:
    if first(DEGREE, text) >= 0 or first(SCHOOL, text) >= 0:
        return False
    return first(pattern("courses"), text) >= 0 or first(pattern("platforms"), school) >= 0
