"""Rules about facts that cannot be: impossible dates, contradictions, values that do not exist."""

from __future__ import annotations

import datetime
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from kg.check.report.explain import Explanation
from kg.check.rules import PluginRule
from kg.errors import Problem
from kg.facts.load import Facts
from kg.facts.loaded import Loaded
from kg.facts.models.abilities import Spoken
from kg.facts.models.activities import Award, News
from kg.facts.models.base import Dated
from kg.facts.models.careers import Position
from kg.facts.models.coverage import Press
from kg.facts.models.education import STUDY_KINDS, Certificate, Study
from kg.facts.models.people import Cv, Owner, Person
from kg.facts.models.publications import Publication
from kg.facts.models.works import Book, Dataset
from kg.facts.values.dates import When, read
from kg.facts.yaml.rows import Row, texts
from kg.text.nearest import alike
from kg.text.normalize import squeeze

MIN_AGE: dict[type, int] = {Study: 3, Position: 12}  # years at the start; others: 0
MIN_AGE_AT_DOCTORATE = 15
MAX_SPAN = 75  # years
NEXT_YEAR = ("fellowship", "scholarship")  # kinds of awards that are announced a year ahead
# Beginnings of the names of degrees, in letters alone, and the levels that they can have. Nothing
# is said of others, such as M.D., which is a first degree here and a doctorate there.
DEGREES = (
    (
        r"phd|dphil|dr(phil|rernat|ing|med|jur|scient|tech|oec|rerpol)|dsc|scd|edd"
        r"|doctorate|doctoral(degree|stud)"
        r"|doctorof(philosophy|science|engineering|education|letters|arts|musicalarts)",
        "doctoral",
    ),
    (r"(ma|masterofarts|meng|masterofengineering|msci|mmath|mphys)$", "master bachelor diploma"),
    (
        r"msc|mphil|(ms|mba|mres|mfa|mph|mtech|llm)$|master(s|of|in|grad|degree|program|$)",
        "master diploma",
    ),
    (
        r"bachelorof(divinity|philosophy|letters|civillaw|music)|bd$|bphil|blitt|bcl|bmus",
        "bachelor master",
    ),
    (r"bsc|beng|(bs|ba|bba|bfa|btech|llb)(hons)?$|bachelor", "bachelor diploma"),
    (r"highschool|secondaryschool|abitur|matura", "school diploma"),
)
SEVERAL_DEGREES = re.compile(r"(?i)\band\b|[/&+]|candidate|leading to|[\w)]-(?:ph|m[ad]\b)")
PARTS = ("level", "reading", "listening", "speaking", "writing")
CEFR = re.compile(r"(?i)(?:[A-C][3-9]|[BC]0|D[0-9])(?!\w)")
LICENCES = Path(__file__).with_name("licences.txt")  # the names in the SPDX licence list
PHONE_DIGITS = range(5, 16)
VANITY = re.compile(r"[+0-9().\s-]*[0-9]{3}[ -][A-Z]{3,7}(?:-[A-Z0-9]+)?")  # 1-800-FLOWERS


def years(first: When, last: When) -> int:
    return int(last.iso[:4]) - int(first.iso[:4])


def impossible_dates(facts: Facts, today: datetime.date | None) -> Iterator[Problem]:
    """Lives that begin too late, periods longer than a life, and awards to come."""
    for each, _ in facts.of(Owner):
        if birth := birth_in(each.row):
            yield from born_later(facts, each, birth, today)
    for each, fact in facts.of(Dated):
        start, end = fact.startDate, fact.endDate
        is_present = end and end.text == "present" and today
        last = int(end.iso[:4]) if end and end.iso else today.year if is_present and today else 0
        number = last - int(start.iso[:4]) if start and last else 0
        is_far = today and last > today.year + 1  # another rule says so
        if number > MAX_SPAN and not is_far:
            message = f"a period of {number} years is too long for a life. Correct a date."
            yield warning(each, message, "startDate")
    yield from backwards(facts)
    yield from to_come(facts, today) if today else ()


def born_later(
    facts: Facts, owner: Loaded, birth: When, today: datetime.date | None
) -> Iterator[Problem]:
    """Entries of a CV that begin too early for the date of birth. If no job or study agrees with
    it, the date of birth is at fault.
    """
    born = f"you were born {'on' if birth.iso[8:] else 'in'} {birth.text}"
    if today and birth.iso > today.isoformat()[: len(birth.iso)]:
        message = f"{birth.text} is in the future. Correct the date."
        yield warning(owner, message, "birthDate", "value")
        return
    wrong, agreeing = list[tuple[Loaded, str, str]](), 0
    for each, fact in facts.of(Dated):
        start, end = fact.startDate, fact.endDate
        is_doctorate = isinstance(fact, Study) and "doctoral" in fact.level
        if each.slug != owner.slug or each.kind != owner.kind:
            continue
        if start and years(birth, start) < MIN_AGE.get(type(fact), 0):
            wrong.append((each, "startDate", f"this starts in {start.text}"))
        elif is_doctorate and end and end.iso and years(birth, end) < MIN_AGE_AT_DOCTORATE:
            wrong.append((each, "endDate", f"this doctorate ended in {end.text}"))
        elif isinstance(fact, Award) and fact.when and years(birth, fact.when) < 0:
            wrong.append((each, field_of(fact, "date", "year"), f"this is of {fact.when.text}"))
        else:
            agreeing += bool(start and type(fact) in MIN_AGE)
    if wrong and not agreeing:
        each, _, what = wrong[0]
        message = f"{born}, but {each.row.path} says: {what}. Correct one of the dates."
        yield warning(owner, message, "birthDate", "value")
        return
    for each, field, what in wrong:
        yield warning(each, f"{what}, but {born}. Correct a date.", field)


def birth_in(row: Row) -> When | None:
    """The date of birth, which is private unless the author says otherwise."""
    value = row.get("birthDate")
    text = value.get("value") if isinstance(value, Row) else value
    found = read(text) if isinstance(text, str) else None
    return found if found and found.iso else None


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
        is_announced = isinstance(each.fact, Award) and each.fact.kind in NEXT_YEAR
        if when and is_announced and int(when.iso[:4]) == today.year + 1:
            continue
        if when and when.iso > today.isoformat()[: len(when.iso)]:
            message = f"{each.row.path}: {when.text} is in the future. Correct the date."
            yield Problem(each.row.at(field), "warning", message, "")

    for each, work in facts.of(Publication):
        found = re.match(r"([0-9]{2})([0-9]{2})[.]", work.arxiv or "")
        if found and f"20{found[1]}-{found[2]}" > today.isoformat()[:7]:
            message = f"the arXiv number {work.arxiv} is of the future. Correct it."
            yield warning(each, message, "arxiv")


def field_of(fact: object, *names: str) -> str:
    return next((name for name in names if getattr(fact, name)), names[0])


ORDER = ("bachelor", "master", "doctoral")


def study_order(facts: Facts, today: datetime.date | None) -> Iterator[Problem]:
    """A doctorate that ended before the master of the same field began. A field that is not stated
    is the same only at the same school.
    """
    studies: dict[tuple[str, ...], list[tuple[Loaded, Study]]] = defaultdict(list)
    for each, study in facts.of(Study):
        if len(study.level) == 1 and study.level[0] in ORDER:
            area = study.area.slug if study.area else f"of {study.institution.slug}"
            studies[each.slug, area].append((each, study))
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
            known = levels_of(str(name))
            if known and level in STUDY_KINDS and level not in known:
                message = f"'{name}' is a degree of the level {known[0]}, not {level}. Correct one."
                yield warning(each, message, "level", number)
        if each.row.get("completed") == "true" and each.row.get("endDate") == "present":
            message = "this is both completed and present. Write its end, or remove 'completed'."
            yield warning(each, message, "completed")


def levels_of(name: str) -> list[str]:
    """The levels that a degree of this name can have; empty if that is not known."""
    if SEVERAL_DEGREES.search(name):
        return []
    words = re.split(r"(?i)[(,]|\bin\b", name)[0]
    letters = re.sub(r"[^a-z]", "", words.lower())
    return next((found.split() for start, found in DEGREES if re.match(start, letters)), [])


def said_twice(facts: Facts, today: datetime.date | None) -> Iterator[Problem]:
    """Sections that a layout orders and hides, or has twice; former names that are the name."""
    for each, _ in facts.of(Cv):
        seen = dict[str, str]()
        for field in ("order", "hide"):
            for number, name in enumerate(texts(each.row.row("layout"), field)):
                if other := seen.get(name.casefold(), ""):
                    where = (
                        f"twice in '{field}'" if other == field else "both in 'order' and in 'hide'"
                    )
                    place = each.row.at("layout", field, number)
                    yield Problem(place, "warning", f"layout: '{name}' is {where}. Remove one.", "")
                seen[name.casefold()] = field
    for each, person in facts.of(Person):
        for number, former in enumerate(texts(each.row, "formerNames")):
            if squeeze(former).casefold() == person.name.casefold():
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
    licences = [each for each in facts.loaded if isinstance(each.row.get("license"), str)]
    known = LICENCES.read_text(encoding="utf-8").split() if licences else []
    names = {"cc0", *map(str.lower, known)}
    for each in licences:
        text = str(each.row["license"])
        if "://" not in text and text.lower() not in names:
            newest = sorted((each for each in known if each[0] == text[0]), reverse=True)
            near = next(iter(alike(text, newest, most=1, cutoff=0.82)), "")
            hint = (
                f"Did you mean {near}?"
                if near
                else "Write the name that it has there, or its address."
            )
            yield warning(each, f"there is no licence '{text}' in SPDX. {hint}", "license")
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
    if VANITY.fullmatch(number):
        return ""
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
