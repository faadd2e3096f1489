"""Expands short notations in CV entries, and separates fields of a referenced entry from those of
the role.

    languages: [en]                      ->  {language: en}
    press: [ice-in-the-news]             ->  {item: ice-in-the-news}
    news: [2026-03: A paper is out.]     ->  {date: 2026-03, text: A paper is out.}
    skills: [{name: Programming, keywords: [Python, C]}]
        ->  {name: Python, group: Programming}, …
    skills: [{name: Java, keywords: [7 projects, 1 year]}]
        ->  {name: Java, amount: "7 projects, 1 year"}
    {title: Albedo of Thin Ice, funder: RCN, role: Principal investigator}
        ->  {grant: {title: Albedo of Thin Ice, funder: RCN}, role: Principal investigator}

All later steps see only the expanded notation; the last one is an inline entity.
"""

from __future__ import annotations

import re
from typing import Any

from kg.facts.models import SECTIONS, Section
from kg.facts.models.base import Entry
from kg.facts.values import dates
from kg.facts.values.dates import ENDS
from kg.facts.values.naming import name_in
from kg.facts.values.text import SLUG
from kg.facts.yaml.rows import Row, Rows, Spot

FOLDED = {name: section for name, section in SECTIONS.items() if section.thing}
YEAR = re.compile(r"\b\d{4}")
APPLICATION_STATUSES = ("pending", "declined")  # applications: private by default


def fold_sections(cv: Row) -> None:
    """Moves fields of referenced entries in all entries of a CV."""
    for name, section in FOLDED.items():
        for entry in cv.rows(name):
            if isinstance(entry, Row) and section.model_for(entry) is section.holder:
                hide_applications(entry)
                fold(entry, section)


def fold(entry: Row, section: Section) -> None:
    if section.beside:
        fold_beside(entry, section)
        return
    if section.thing in entry:
        return
    thing = Row(entry.file, entry.spot)
    own = section.model.model_fields
    for key in section.fields_of_thing:
        if key in entry and (key == "source" or key not in Entry.model_fields):
            thing.copy_keys(entry, [key])
            if key not in own:
                entry.drop(key)
    both = entry.get("dates")
    if isinstance(both, str) and ENDS[0] in section.fields_of_thing:
        for end, value in zip(ENDS, dates.split(both), strict=True):
            if dates.read(value):  # otherwise reported with the role
                thing.put(end, value, entry.keys_at["dates"], entry.values_at["dates"])
    entry.fill(section.thing, thing)


def fold_beside(entry: Row, section: Section) -> None:
    """Moves fields beside a name into an inline mapping."""
    named = section.thing if section.thing in entry else "name"
    beside = [key for key in section.beside if key in entry and key != named]
    if not isinstance(entry.get(named), str):
        return
    spot = entry.values_at[named]
    if not beside:
        entry.put(section.thing, entry[named], entry.keys_at[named], spot)
    else:
        thing = Row(entry.file, spot)
        thing.put("name", entry[named], entry.keys_at[named], spot)
        for key in beside:
            at = (entry.keys_at[key], entry.values_at[key])
            thing.put(section.beside[key], entry[key], *at)
            entry.drop(key)
        entry.put(section.thing, thing, entry.keys_at[named], spot)
    if named != section.thing:
        entry.drop(named)


def fill_theses(cv: Row, owner: str) -> None:
    """Completes inline theses from the study that they belong to."""
    for section in ("education", "mentoring"):
        signer = author(cv, owner) if section == "education" else None
        for study in cv.rows(section):
            thesis = study.get("thesis") if isinstance(study, Row) else None
            for each in thesis if isinstance(thesis, Rows) else [thesis]:
                if isinstance(each, Row):
                    for key, value in thesis_of(study, signer).items():
                        if key not in each:
                            each.fill(key, value)


def author(cv: Row, owner: str) -> Row:
    """The person of a CV as the author of a work."""
    name = cv.row("basics").get("name")
    printed = name if isinstance(name, str) else owner
    return Row(cv.file, cv.spot).fill("as", printed).fill("person", owner)


def mentee(entry: Row) -> Row:
    """A mentee as the author of a work."""
    person = entry.get("person")
    name = name_in(person) if isinstance(person, Row) else str(person or "")
    return Row(entry.file, entry.spot).fill("person" if SLUG.fullmatch(name) else "as", name)


def thesis_of(study: Row, author: Row | None) -> dict[str, Any]:
    """Fields of a thesis that follow from its study: author, year, school, degree. Without
    `author`, the mentee is the author.
    """
    ended = YEAR.search(str(study.get("endDate") or str(study.get("dates", "")).rpartition("/")[2]))
    school = study.get("institution" if author else "organization")
    degree = study.get("studyType")
    known = {
        "kind": "thesis",
        "year": ended[0] if ended else "",
        "institution": name_in(school) if isinstance(school, Row) else school,
        "degree": degree if isinstance(degree, str) else "",
    }
    authors = Rows.at(study.spot, [author or mentee(study)])
    return {"authors": authors, **{key: value for key, value in known.items() if value}}


def hide_applications(row: Row) -> None:
    """Makes pending and declined applications private by default."""
    if row.get("status") in APPLICATION_STATUSES and "visibility" not in row:
        row.fill("visibility", "private")


# section -> field that plain text stands for
SHORT = {
    "languages": "language",
    "skills": "name",
    "interests": "name",
    "news": "text",
    "press": "item",
}
GROUPED = ("skills", "interests")
DATED = ("news",)
TOPIC_FIELDS = ("alternateNames", "kind")  # fields of the topic that an entry can contain


def expand_entries(cv: Row) -> None:
    """Expands the entries of a CV. `path` of each keeps the index in the list."""
    for section, field in SHORT.items():
        entries = cv.get(section)
        if isinstance(entries, str) and entries.strip():
            entries = Rows.at(cv.values_at[section], [entries])
        if not isinstance(entries, Rows):
            continue
        found = Rows()
        for number, (item, spot) in enumerate(zip(entries, entries.spots, strict=True)):
            for each, at in expanded(item, spot, section, field, cv.file):
                if isinstance(each, Row):
                    each.path = f"{section}[{number}]"
                found.add(each, at)
        cv[section] = found


# A number and one of these words say how much, and are no skill.
UNITS = (
    "years?|yrs?|months?|weeks?|days?|hours?|hrs?|projects?|papers?|publications?|courses?"
    "|certificates?|endorsements?|repositor(?:y|ies)|repos?|commits?|clients?"
    "|jahr(?:en?)?|monat(?:en?)?|wochen?|tagen?|tag|stunden?|projekt(?:en?|er)?"
    "|ans?|années?|mois|semaines?|jours?|heures?|projets?"
    "|años?|mes(?:es)?|semanas?|días?|horas?|proyectos?|anos?|mês|projetos?"
    "|ann[oi]|mes[ei]|settiman[ae]|progett[oi]|jaar|jaren|maand(?:en)?|project(?:en)"
    "|år|måned(?:er)?|månad(?:er)?|prosjekt(?:er)?|rok|lata?|miesi[ąę]c[ey]?"
)
AMOUNT = re.compile(
    rf"[<>~≈]?\s*\d+(?:\s*[.,–-]\s*\d+)?\s*\+?\s*(?:%|(?:{UNITS})\b)", re.IGNORECASE
)


# When a skill was used, which is no skill either.
USED = re.compile(
    r"(?:zuletzt|last used|last in|aktuell|derzeit|currently)\b.*\b(?:\d{4}|einsatz|used?|genutzt)$"
    r"|(?:aktuell|derzeit|currently|zuletzt) (?:im einsatz|in use|used?|genutzt)\b",
    re.IGNORECASE,
)


def is_amount(value: object) -> bool:
    """`7 projects`, `5 Jahre`, `10+ years of research`, `last used 2020`"""
    return isinstance(value, str) and any(each.match(value.strip()) for each in (AMOUNT, USED))


def expanded(
    item: object, spot: Spot, section: str, field: str, file: str
) -> list[tuple[object, Spot]]:
    """Returns the entries that one item stands for. The name of a group of skills is not a
    skill, unless all its keywords are amounts.
    """
    if isinstance(item, str) and item.strip():
        return [(Row(file, spot).fill(field, item), spot)]
    if isinstance(item, Row) and section in DATED:
        return [(by_date(item), spot)]
    if not isinstance(item, Row) or section not in GROUPED:
        return [(item, spot)]
    item = with_topic(item, field)
    keywords = item.get("keywords")
    if not isinstance(keywords, Rows):
        return [(item, spot)]
    found: list[tuple[object, Spot]] = []
    if section == "interests":
        found.append((item.without("keywords"), spot))
    pairs = list(zip(keywords, keywords.spots, strict=True))
    amounts = ", ".join(keyword for keyword in keywords if is_amount(keyword))
    if section == "skills" and amounts and field in item:
        pairs = [pair for pair in pairs if not is_amount(pair[0])]
        if not pairs:
            return [(item.without("keywords").fill("amount", amounts), spot)]
        if isinstance(item[field], str):
            group = f"{item[field]} ({amounts})"
            item.put(field, group, item.keys_at[field], item.values_at[field])
    for keyword, at in pairs:
        entry = item.without("keywords", field)
        entry.spot = at
        entry.fill(field, keyword)
        if section == "skills" and field in item:
            entry.put("group", item[field], item.keys_at[field], item.values_at[field])
        found.append((entry, at))
    return found


def by_date(item: Row) -> Row:
    """`2026-03: text` -> entry with fields; other entries are returned unchanged."""
    key = next(iter(item), "")
    if len(item) != 1 or not key[:1].isdecimal():
        return item
    at, entry = item.keys_at[key], Row(item.file, item.spot)
    entry.put("date", key, at, at)
    entry.put("text", item[key], at, item.values_at[key])
    return entry


def with_topic(item: Row, field: str) -> Row:
    """Moves fields that describe the topic into an inline mapping."""
    described = [key for key in TOPIC_FIELDS if key in item]
    if not described or not isinstance(item.get(field), str):
        return item
    topic = Row(item.file, item.spot).copy_keys(item, [field, *described])
    return item.without(field, *described).fill(field, topic)
