"""What the name of a study says about it: a visit, time at a school, or studies for a degree."""

from __future__ import annotations

import re

from kg.facts.values.text import slugify

# Words in plain letters with hyphens, as in a slug; other scripts as written.
DEGREE = re.compile(
    r"\b(?:ph-?d|d-?phil|doctora\w*|doktor\w*|dottorato|doutorado|promotion|masters?|masterstudium"
    r"|magister|maestria|mestrado|laurea\w*|bachelors?|bachelorstudium|bacharelado|grado|graduacao"
    r"|licen[cs]\w*|diplom|diploma|diplome|mba|ll-?[bm]|[bm]-?(?:sc|a|s|e|eng|tech|ed|phil|res|fa)"
    r"|degree|curso-superior|engenharia|ingenieria|ingegneria|ingenieur)\b"
    r"|博士|硕士|碩士|修士|学士|學士|석사|박사|학사|бакалавр|магистр|аспирант"
)
SCHOOL = re.compile(
    r"\b(?:compulsory-education|(?:primary|middle|elementary|high|secondary)-school"
    r"|secondary-education|school-leaving|leaving-certificate|ossd|i?gcses?|a-levels?"
    r"|matriculation|(?:higher|senior|upper)-secondary|ssc|hsc|ssce|waec|general-educational"
    r"|international-baccalaureate|ib-diploma|(?:fach)?abitur|allgemeine-hochschulreife"
    r"|fachhochschulreife|mittlere-reife|(?:real|haupt|grund|sekundar|primar|volks)schul\w*"
    r"|gymnasium|(?:berufs)?matura|\w*maturita\w*|maturite|baccalaureat(?!-univ)|brevet"
    r"|lycee|bachillerato"
    r"|bachiller|secundaria|preparatoria|liceo|scuola-(?:media|superiore)|ensino-medio"
    r"|ensino-fundamental|ensino-secundario|vwo|havo|videregaende|gymnasieexamen|lukio|liceum"
    r"|lise|bms-(?:lehr\w+|berufs\w+|vollzeit))\b|高中|初中|高等学校|고등학교"
    r"|средняя школа|среднее образование"
)
OF_SCHOOL = re.compile(  # words of degrees that those of schools have, too
    r"\b(?:diplom\w*|degree|graduation|graduate)\b"
)
TEACHING = re.compile(r"\b(?:teach\w*|lehramt\w*|lehrer\w*|enseign\w*|docen\w*|profesor\w*)\b")
VISIT = re.compile(
    r"\b(?:visit(?:s|ing|or)?|exchange|erasmus\w*|abroad|guest|research-stay|non-degree"
    r"|(?:summer|winter|spring|autumn)-school|sommerschule|auslands\w+|austausch\w*"
    r"|gast(?:student|studium|hor|semester|aufenthalt|forscher|wissenschaft)\w*"
    r"|forschungsaufenthalt|sejour|echange|etudiante?-invitee?|auditeur-libre|auditrice-libre"
    r"|ecole-d-ete|intercambio|estancia|visitante|escuela-de-verano|scambio|soggiorno|scuola-estiva"
    r"|escola-de-verao|uitwisseling\w*|utbyte\w*|utveksling\w*|udveksling\w*|gjeste\w+|wymiana"
    r"|vaihto\w*)\b|стажировка|обмен|交换|交換|访问|訪問|교환|방문"
)
# Says that a study is a visit, also after the name of a degree.
VISITOR = re.compile(
    r"\b(?:research|academic|scientific|student|phd|doctoral|graduate|scholar)-visitors?\b"
    r"|\bvisit(?:ing|or)-(?:\w+-)?(?:students?|scholars?|research\w*)\b"
)


def is_visit(text: str) -> bool:
    """Whether the words of a visit come before those of a degree: `Visiting PhD student`."""
    found, degree = first(VISIT, text), first(DEGREE, text)
    return (found >= 0 and not 0 <= degree < found) or first(VISITOR, text) >= 0


def is_school(text: str) -> bool:
    """Whether a text names what a school teaches, or gives at its end: `High School Diploma`."""
    others = OF_SCHOOL.sub("", slugify(text))
    is_degree = first(DEGREE, others) >= 0 or first(TEACHING, text) >= 0
    return first(SCHOOL, text) >= 0 and not is_degree


def first(pattern: re.Pattern[str], text: str) -> int:
    """Where a pattern first occurs in a text; -1 if nowhere."""
    found = pattern.search(slugify(text)) or pattern.search(text.lower())
    return found.start() if found else -1
