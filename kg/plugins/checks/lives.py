"""Rules about facts that cannot be: impossible dates, contradictions, values that do not exist."""

from __future__ import annotations

import datetime
import re
from collections import defaultdict
from collections.abc import Iterator

from kg.check.report.explain import Explanation
from kg.check.rules import PluginRule
from kg.errors import Problem
from kg.facts.load import Facts
from kg.facts.loaded import Loaded
from kg.facts.models.abilities import Spoken
from kg.facts.models.activities import Award, News
from kg.facts.models.base import Dated
from kg.facts.models.careers import Position, SelfEmployment
from kg.facts.models.coverage import Press
from kg.facts.models.education import Certificate, Study
from kg.facts.models.people import Cv, Owner
from kg.facts.models.works import Book, Dataset
from kg.facts.values.dates import When, read
from kg.facts.yaml.rows import Row, texts
from kg.text.nearest import alike

MIN_AGE: dict[type, int] = {Study: 3, Position: 12}  # years at the start
MIN_AGE_AT_DOCTORATE = 15
MAX_JOB = 75  # years
DEGREES = {  # names of degrees in letters alone, by level
    "doctoral": "phd dphil drphil drrernat dring drmed scd edd doctorate",
    "master": "msc mba masterofscience masterofarts",
    "bachelor": "bsc beng bba bachelorofscience bachelorofarts",
}
LEVELS = {name: level for level, names in DEGREES.items() for name in names.split()}
PARTS = ("level", "reading", "listening", "speaking", "writing")
CEFR = re.compile(r"(?i)(?:[A-C][0-9]|[D-H][1-2])(?![\w])")
LICENCES = """
0BSD AGPL-3.0 AGPL-3.0-only AGPL-3.0-or-later Apache-2.0 Artistic-2.0 BSD-2-Clause BSD-3-Clause
BSL-1.0 CC0-1.0 CC-BY-4.0 CC-BY-3.0 CC-BY-2.5 CC-BY-2.0 CC-BY-1.0 CC-BY-SA-4.0 CC-BY-SA-3.0
CC-BY-NC-4.0 CC-BY-NC-3.0 CC-BY-ND-4.0 CC-BY-ND-3.0 CC-BY-NC-SA-4.0 CC-BY-NC-SA-3.0
CC-BY-NC-ND-4.0 CC-BY-NC-ND-3.0 CECILL-2.1 ECL-2.0 EPL-2.0 EUPL-1.1 EUPL-1.2 GPL-2.0 GPL-2.0-only
GPL-2.0-or-later GPL-3.0 GPL-3.0-only GPL-3.0-or-later ISC LGPL-2.1 LGPL-2.1-only
LGPL-2.1-or-later LGPL-3.0 LGPL-3.0-only LGPL-3.0-or-later MIT MIT-0 MPL-2.0 ODbL-1.0 ODC-By-1.0
PDDL-1.0 PSF-2.0 Unlicense WTFPL Zlib
"""
PHONE_DIGITS = range(5, 16)


def years(first: When, last: When) -> int:
    return int(last.iso[:4]) - int(first.iso[:4])


def impossible_dates(facts: Facts, today: datetime.date | None) -> Iterator[Problem]:
    """Studies and jobs before one could have them, jobs longer than a life, awards to come."""
    born = {each.slug: birth for each, _ in facts.of(Owner) if (birth := birth_in(each.row))}
    for each, fact in facts.of(Dated):
        field, wrong = wrong_date(fact, born.get(each.slug), today)
        if wrong:
            message = f"{each.row.path}: {wrong}. Correct a date."
            yield Problem(each.row.at(field), "warning", message, "")
    yield from backwards(facts)
    yield from to_come(facts, today) if today else ()


def wrong_date(fact: Dated, birth: When | None, today: datetime.date | None) -> tuple[str, str]:
    """The field with an impossible date, and what is wrong; two empty texts if nothing is."""
    start, end = fact.startDate, fact.endDate
    if birth and start and type(fact) in MIN_AGE and years(birth, start) < MIN_AGE[type(fact)]:
        return "startDate", f"this starts in {start.text}, but you were born in {birth.text}"
    is_doctorate = isinstance(fact, Study) and "doctoral" in fact.level
    if is_doctorate and birth and end and end.iso and years(birth, end) < MIN_AGE_AT_DOCTORATE:
        return "endDate", f"this doctorate ended in {end.text}, but you were born in {birth.text}"
    last = int(end.iso[:4]) if end and end.iso else today.year if today else 0
    if isinstance(fact, Position | SelfEmployment) and start and last:
        number = last - int(start.iso[:4])
        if number > MAX_JOB:
            return "startDate", f"a position of {number} years is too long for a life"
    return "", ""


def birth_in(row: Row) -> When | None:
    """The date of birth, which is private unless the author says otherwise."""
    value = row.get("birthDate")
    text = value.get("value") if isinstance(value, Row) else value
    return read(text) if isinstance(text, str) else None


def backwards(facts: Facts) -> Iterator[Problem]:
    """Periods of data that run backwards."""
    for each, data in facts.of(Dataset):
        first, slash, last = (data.temporal or "").partition("/")
        if slash and read(first) and read(last) and first[: len(last)] > last[: len(first)]:
            message = f"{each.row.path}: this period runs backwards. Write {last}/{first}."
            yield Problem(each.row.at("temporal"), "warning", message, "")


def to_come(facts: Facts, today: datetime.date) -> Iterator[Problem]:
    """Awards, press, news and certificates of the future."""
    dated: list[tuple[Loaded, str, When | None]] = [
        *((each, field_of(award, "date", "year"), award.when) for each, award in facts.of(Award)),
        *((each, "date", item.date) for each, item in facts.of(Press)),
        *((each, "date", item.date) for each, item in facts.of(News)),
        *((each, "date", item.date) for each, item in facts.of(Certificate)),
    ]
    for each, field, when in dated:
        if when and when.iso > today.isoformat()[: len(when.iso)]:
            message = f"{each.row.path}: {when.text} is in the future. Correct the date."
            yield Problem(each.row.at(field), "warning", message, "")


def field_of(fact: object, *names: str) -> str:
    return next((name for name in names if getattr(fact, name)), names[0])


ORDER = ("bachelor", "master", "doctoral")


def study_order(facts: Facts, today: datetime.date | None) -> Iterator[Problem]:
    """A doctorate that ended before the master of the same field and school began."""
    studies: dict[tuple[str, ...], list[tuple[Loaded, Study]]] = defaultdict(list)
    for each, study in facts.of(Study):
        if len(study.level) == 1 and study.level[0] in ORDER:
            area = study.area.slug if study.area else ""
            studies[each.slug, study.institution.slug, area].append((each, study))
    for group in studies.values():
        for each, higher in group:
            for _, lower in group:
                end, start = higher.endDate, lower.startDate
                is_lower = ORDER.index(lower.level[0]) < ORDER.index(higher.level[0])
                if is_lower and start and end and end.iso and start.iso[:4] >= end.iso[:4]:
                    yield warning(
                        each,
                        f"{higher.studyType[0]} ended in {end.text}, before {lower.studyType[0]} "
                        f"of the same study began ({start.text}). Correct the dates, or the "
                        "levels.",
                        "endDate",
                    )


def warning(each: Loaded, message: str, *steps: str | int) -> Problem:
    return Problem(each.row.at(*steps), "warning", f"{each.row.path}: {message}", "")


def degree_levels(facts: Facts, today: datetime.date | None) -> Iterator[Problem]:
    for each, study in facts.of(Study):
        for number, (name, level) in enumerate(zip(study.studyType, study.level, strict=False)):
            known = LEVELS.get(re.sub(r"[^a-z]", "", name.lower()), level)
            if known != level:
                message = f"'{name}' is a degree of the level {known}, not {level}. Correct one."
                yield warning(each, message, "level", number)
        if each.row.get("completed") == "true" and each.row.get("endDate") == "present":
            message = "this is both completed and present. Write its end, or remove 'completed'."
            yield warning(each, message, "completed")


def said_twice(facts: Facts, today: datetime.date | None) -> Iterator[Problem]:
    """Sections that a layout orders and hides; former names that are the name."""
    for each, _ in facts.of(Cv):
        layout = each.row.row("layout")
        shown = {name.casefold() for name in texts(layout, "order")}
        for number, name in enumerate(texts(layout, "hide")):
            if name.casefold() in shown:
                message = f"'{name}' is both in 'order' and in 'hide'. Remove one."
                place = each.row.at("layout", "hide", number)
                yield Problem(place, "warning", f"layout: {message}", "")
    for each, owner in facts.of(Owner):
        for number, former in enumerate(texts(each.row, "formerNames")):
            if former == owner.name:
                message = f"the former name '{former}' is the name. Remove it, or correct one."
                yield warning(each, message, "formerNames", number)


def no_editors(facts: Facts, today: datetime.date | None) -> Iterator[Problem]:
    for each, book in facts.of(Book):
        if book.kind == "edited-book" and not book.editors:
            message = "an edited book needs 'editors'. Add them, or write 'kind: book'."
            yield warning(each, message, "kind")
        is_book, where = book.kind in ("book", "edited-book"), book.where
        if is_book and where and where.row.get("kind") == "journal":
            message = (
                f"this is a book, but '{where.name}' is a journal. Write 'kind: special-issue' or "
                "'kind: journal', or name the series of the book."
            )
            yield warning(each, message, "kind")


def no_such_value(facts: Facts, today: datetime.date | None) -> Iterator[Problem]:
    """Levels, licences and telephone numbers that do not exist."""
    for each, language in facts.of(Spoken):
        for part in PARTS:
            level = getattr(language, part) or ""
            if CEFR.match(level) and not re.match(r"(?i)[A-C][12]", level):
                message = f"there is no level '{level}'. The levels are A1, A2, B1, B2, C1 and C2."
                yield warning(each, message, part)
    known = LICENCES.split()
    for each in facts.loaded:
        text = str(each.row.get("license", known[0]))
        is_known = "://" in text or text.lower() in map(str.lower, known)
        for near in alike(text, known, most=1, cutoff=0.75) if not is_known else ():
            message = f"there is no licence '{text}' in SPDX. Did you mean {near}?"
            yield warning(each, message, "license")
    for each, _ in facts.of(Owner):
        phones: list[object] = each.row.rows("phone") or [each.row.get("phone")]
        for number, phone in enumerate(phones):
            value = phone.get("value") if isinstance(phone, Row) else phone
            if isinstance(value, str) and (wrong := wrong_phone(value)):
                steps = (number,) if each.row.rows("phone") else ()
                message = f"{value!r} is not a telephone number: {wrong}."
                yield warning(each, message, "phone", *steps, "value")


def wrong_phone(text: str) -> str:
    number = re.sub(r"\(\D*\)", "", text)  # a remark
    number = re.split(r"(?i)\s*(?:ext[.]?|x|#|,)\s*[0-9]", number)[0]
    digits = re.sub(r"[^0-9]", "", number)
    if re.search(r"(?i)[a-z]", number):
        return "it contains letters"
    if len(digits) not in PHONE_DIGITS:
        return f"it has {len(digits)} digits, not {PHONE_DIGITS[0]} to {PHONE_DIGITS[-1]}"
    return "no country code begins with 0" if number.lstrip().startswith("+0") else ""


ADA = "basics: {name: Ada Berg%s}\n"


def cv(section: str, more: str = "") -> dict[str, str | bytes]:
    return {"data/cv/ada.yaml": ADA % more + section}


def work(fields: str) -> dict[str, str | bytes]:
    return {"data/publications.yaml": f"ice: {{title: Ice, {fields}, year: 2020}}\n"}


def study(fields: str) -> str:
    return f"  - {{institution: uni, area: Ice, {fields}}}\n"


DATES = PluginRule(
    Explanation(
        "Nobody is born after the doctorate or works for a century, and what was given or written "
        "is not of the future. Such dates are typos.",
        cv("news:\n  - {date: 2205-01, text: The ice is thin.}\n"),
        cv("news:\n  - {date: 2025-01, text: The ice is thin.}\n"),
    ),
    impossible_dates,
)
STUDY_ORDER = PluginRule(
    Explanation(
        "A doctorate follows the master of the same field at the same school; dates that say "
        "otherwise are often exchanged. Studies of different fields are not compared.",
        cv(
            "education:\n"
            + study("studyType: Ph.D., level: doctoral, startDate: 2008, endDate: 2010")
            + study("studyType: M.Sc., level: master, startDate: 2010, endDate: 2014")
        ),
        cv(
            "education:\n"
            + study("studyType: Ph.D., level: doctoral, startDate: 2010, endDate: 2014")
            + study("studyType: M.Sc., level: master, startDate: 2008, endDate: 2010")
        ),
    ),
    study_order,
)
LEVEL = PluginRule(
    Explanation(
        "Questions about doctorates look at 'level', readers at the name of the degree: they must "
        "agree, and a completed study is not present.",
        cv(
            "education:\n"
            + study("studyType: Ph.D., level: master, startDate: 2010, endDate: 2014")
        ),
        cv(
            "education:\n"
            + study("studyType: Ph.D., level: doctoral, startDate: 2010, endDate: 2014")
        ),
    ),
    degree_levels,
)
TWICE = PluginRule(
    Explanation(
        "A section is either placed or hidden, and a former name differs from the name.",
        cv("layout: {order: [skills], hide: [skills]}\nskills: [Python]\n"),
        cv("layout: {hide: [skills]}\nskills: [Python]\n"),
    ),
    said_twice,
)
EDITORS = PluginRule(
    Explanation(
        "An edited book is cited by its editors, and a book does not appear in a journal.",
        work("kind: edited-book, authors: [Ada Berg]"),
        work("kind: edited-book, editors: [Ada Berg]"),
    ),
    no_editors,
)
VALUES = PluginRule(
    Explanation(
        "A level, a licence or a telephone number that does not exist is a typo.",
        cv("languages:\n  - {language: en, level: C3}\n"),
        cv("languages:\n  - {language: en, level: C2}\n"),
    ),
    no_such_value,
)
