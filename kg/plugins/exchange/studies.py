"""Moves entries of `education` that lead to no degree: visits and exchanges become stays (positions
of the kind `visiting`), courses and boot camps become certificates.
"""

from __future__ import annotations

import re
from typing import Any

from kg.facts.values.text import slugify
from kg.plugins.exchange.draft import Draft, join_values, values_in

# Words in plain letters with hyphens, as in a slug; other scripts as written.
DEGREE = re.compile(
    r"\b(?:ph-?d|d-?phil|doctora\w*|doktor\w*|dottorato|doutorado|promotion|masters?|masterstudium"
    r"|magister|maestria|mestrado|laurea\w*|bachelors?|bachelorstudium|bacharelado|grado|graduacao"
    r"|licen[cs]\w*|diplom|diploma|diplome|mba|ll-?[bm]|[bm]-?(?:sc|a|s|e|eng|tech|ed|phil|res|fa)"
    r"|degree|curso-superior|engenharia|ingenieria|ingegneria|ingenieur)\b"
    r"|博士|硕士|碩士|修士|学士|學士|석사|박사|학사|бакалавр|магистр|аспирант"
)
SCHOOL = re.compile(
    r"\b(?:secondary|school-leaving|leaving|gcse|a-levels?|matriculation|high-school|abitur|matura"
    r"|baccalaureat|bachillerato|fin-d-etudes)\b"
)
VISIT = re.compile(
    r"\b(?:visit(?:s|ing|or)?|exchange|erasmus\w*|abroad|guest|research-stay|non-degree"
    r"|(?:summer|winter|spring|autumn)-school|sommerschule|auslands\w+|austausch\w*"
    r"|gast(?:student|studium|hor|semester|aufenthalt|forscher|wissenschaft)\w*"
    r"|forschungsaufenthalt|sejour|echange|etudiante?-invitee?|auditeur-libre|auditrice-libre"
    r"|ecole-d-ete|intercambio|estancia|visitante|escuela-de-verano|scambio|soggiorno|scuola-estiva"
    r"|escola-de-verao|uitwisseling\w*|utbyte\w*|utveksling\w*|udveksling\w*|gjeste\w+|wymiana"
    r"|vaihto\w*)\b|стажировка|обмен|交换|交換|访问|訪問|교환|방문"
)
CERTIFICATE = re.compile(
    r"\b(?:certificat\w*|certified|certificado|certificazione|zertifi\w+|nano-?degree"
    r"|micro-?masters"
    r"|boot-?camp\w*|mooc|courses?|workshop|\w*kurse?|lehrgang|weiterbildung\w*|fortbildung\w*"
    r"|formation-(?:continue|courte)|(?<!en-)cours|cursos?|diplomado|cors[io]|perfezionamento"
    r"|aperfeicoamento|cursus|bijscholing|swiadectwo|szkolenie|kursus|sertifika\w*)\b"
    r"|сертификат|курсы?\b|证书|證書|修了証|培训|수료|자격증"
)
# Schools that give certificates, unless the entry names a degree.
PLATFORM = re.compile(
    r"\b(?:coursera|edx|udacity|udemy|data-?camp|codecademy|freecodecamp|futurelearn|pluralsight"
    r"|skillshare|linkedin-learning|khan-academy|boot-?camps?|le-wagon|ironhack)\b"
)
OF_STAY = ("startDate", "endDate", "expected", "location", "unit", "url", "advisor", "summary")
OF_COURSE = ("startDate", "endDate", "expected", "url", "summary")


def place_studies(draft: Draft) -> None:
    """Moves studies without a degree to other sections, and lists the fields those do not have."""
    for study in [each for each in draft.cv.get("education", ()) if isinstance(each, dict)]:
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
    whole, kind = study.get("degree"), join_values(values_in(study.get("studyType")), ", ")
    what = whole or kind or area
    if what is None:
        return "", {}
    named = whole or join_values(filter(None, (kind, area)), ": ")
    highlights = [*study.get("highlights", ()), *values_in(study.get("courses"))]
    if is_visit(what) and school:
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


def is_visit(text: str) -> bool:
    """Whether the words of a visit come before those of a degree: `Visiting PhD student`."""
    found, degree = first(VISIT, text), first(DEGREE, text)
    return found >= 0 and not 0 <= degree < found


def is_course(text: str, school: str) -> bool:
    if first(DEGREE, text) >= 0 or first(SCHOOL, text) >= 0:
        return False
    return first(CERTIFICATE, text) >= 0 or first(PLATFORM, school) >= 0


def first(pattern: re.Pattern[str], text: str) -> int:
    """Where a pattern first occurs in a text; -1 if nowhere."""
    found = pattern.search(slugify(text)) or pattern.search(text.lower())
    return found.start() if found else -1
