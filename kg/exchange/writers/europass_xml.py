"""Europass: the XML of the Skills Passport, version 3.4.

Texts are HTML, as its editor writes them. Work and education have fields there, all other sections
are lists among the achievements.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree

from kg.exchange.draft import SourceRecord, Value
from kg.exchange.fields import titled
from kg.exchange.writers import forms
from kg.exchange.writers.public_cv import TOP, WORKS, PublicCv
from kg.facts.values.languages import language_tag
from kg.facts.values.prose import listed_prose
from kg.facts.values.regions import COUNTRIES
from kg.publish.citations.person_names import split
from kg.publish.citations.writers import plain_text
from kg.publish.text.markdown import prose_html

Node = ElementTree.Element
Content = Node | str | None
NAMESPACE = "http://europass.cedefop.europa.eu/Europass"
SCHEMA = f"{NAMESPACE} http://europass.cedefop.europa.eu/xml/v3.4.0/EuropassSchema.xsd"
UNKNOWN_DAY = "1970-01-01"  # it needs one
LEVEL = re.compile(r"[ABC][12]")
ABILITIES = {
    "Listening": "listening",
    "Reading": "reading",
    "SpokenInteraction": "speaking",
    "SpokenProduction": "speaking",
    "Writing": "writing",
}
# The sections that it has a word for among the achievements.
CODES = {
    "awards": "honors_awards",
    "certificates": "certifications",
    "memberships": "memberships",
    "projects": "projects",
    "references": "references",
    "talks": "presentations",
    "teaching": "courses",
    "tutorials": "workshops",
}
OWN = ("basics", TOP, "work", "education", "languages", "skills", *WORKS)
# What a citation says of a work.
CITED = (
    *("title", "subtitle", "authors", "editors", "date", "year", "doi", "arxiv", "url", "book"),
    *("journal", "conference", "venue", "volume", "issue", "pages", "institution", "publisher"),
)
GENDERS = {"female": "F", "f": "F", "woman": "F", "male": "M", "m": "M", "man": "M"}


def write(cv: PublicCv) -> bytes:
    changed = cv.top.text("modified")
    day = f"{changed if changed and len(changed) == 10 else UNKNOWN_DAY}T00:00:00.000Z"
    about = {"DocumentType": "ECV", "CreationDate": day, "LastUpdateDate": day}
    about |= {"XSDVersion": "V3.4", "Generator": "cv-kg"}
    learner = node(
        "LearnerInfo",
        identification(cv),
        headline(cv),
        node("WorkExperienceList", *(job(cv, each) for each in cv.entries("work"))),
        node("EducationList", *(study(cv, each) for each in cv.entries("education"))),
        node("Skills", linguistic(cv), skills(cv)),
        node("AchievementList", *achievements(cv)),
    )
    attributes = {
        "xmlns": NAMESPACE,
        "xmlns:xsi": "http://www.w3.org/2001/XMLSchema-instance",
        "xsi:schemaLocation": SCHEMA,
        "locale": (cv.top.text("language") or "en")[:2],
    }
    info = node("DocumentInfo", *(node(*each) for each in about.items()))
    top = element("SkillsPassport", info, learner, **attributes)
    ElementTree.indent(top)
    text = ElementTree.tostring(top, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'.encode()


def node(tag: str, *content: Content, **attributes: str) -> Node | None:
    """An element, or None where there is nothing to put into it."""
    made = element(tag, *content, **attributes)
    return made if attributes or len(made) or made.text else None


def element(tag: str, *content: Content, **attributes: str) -> Node:
    made = ElementTree.Element(tag, attributes)
    for each in content:
        if isinstance(each, str):
            made.text = str(each)
        elif each is not None:
            made.append(each)
    return made


def label(tag: str, text: str | None, code: str | None = None) -> Node | None:
    """A word, and its code where there is one."""
    return node(tag, node("Code", code), node("Label", text))


def identification(cv: PublicCv) -> Node | None:
    own = cv.basics
    name = split(own.text("name") or "", own.text("familyName") or "", own.text("givenName") or "")
    sites = [node("Website", node("Contact", each)) for each in forms.said(own, "url")]
    sites += [
        node("Website", node("Contact", each.url), label("Use", each.network))
        for each in forms.profiles(own)
    ]
    phones = [node("Telephone", node("Contact", each)) for each in forms.said(own, "phone")]
    birth, gender = own.text("birthDate"), own.text("gender")
    countries = [
        label("Nationality", each, COUNTRIES.get(each.casefold()))
        for each in forms.said(own, "nationality")
    ]
    return node(
        "Identification",
        node(
            "PersonName",
            label("Title", own.text("honorific")),
            node("FirstName", name.given),
            node("Surname", " ".join(filter(None, (name.family, name.suffix)))),
        ),
        node(
            "ContactInfo",
            home(own),
            node("Email", node("Contact", next(iter(forms.said(own, "email")), None))),
            node("TelephoneList", *phones),
            node("WebsiteList", *sites),
        ),
        node(
            "Demographics",
            date(cv, "Birthdate", birth),
            label("Gender", gender, GENDERS.get((gender or "").casefold())),
            node("NationalityList", *countries),
        ),
    )


def home(own: SourceRecord) -> Node | None:
    parts = own.record("address")
    where, country = forms.town(own.text("location") or ""), parts.text("country")
    code = COUNTRIES.get(country.casefold(), "") if country else where.country
    contact = node(
        "Contact",
        node("AddressLine", parts.text("street") or own.text("address")),
        node("PostalCode", parts.text("postalCode")),
        node("Municipality", parts.text("city") or where.city),
        label("Country", country, code),
    )
    return node("Address", contact)


def headline(cv: PublicCv) -> Node | None:
    own = cv.basics
    if said := own.text("label"):
        return node("Headline", label("Type", None, "position"), label("Description", said))
    if said := own.text("summary"):
        kind = label("Type", None, "personal_statement")
        return node("Headline", kind, label("Description", html(said)))
    return None


def html(text: str) -> str:
    return str(prose_html(text, str))


def period(cv: PublicCv, record: SourceRecord) -> Node | None:
    start, end = forms.ends(record)
    is_current = node("Current", "true") if end == "present" else None
    return node("Period", date(cv, "From", start), date(cv, "To", end), is_current)


def date(cv: PublicCv, tag: str, value: Value | None) -> Node | None:
    """As much of it as is known."""
    year, *more = forms.iso(cv, value).split("-")
    parts = {"month": "--{}", "day": "---{}"}
    known = {
        name: form.format(part) for (name, form), part in zip(parts.items(), more, strict=False)
    }
    return node(tag, year=year, **known) if year else None


def done(record: SourceRecord) -> str | None:
    """What was done: a text, and lines."""
    text = listed_prose(record.text("summary"), forms.said(record, "highlights"))
    return html(text) if text else None


def organisation(tag: str, record: SourceRecord, name: str) -> Node | None:
    where = forms.town(record.text("location") or "")
    place = node("Contact", node("Municipality", where.city), label("Country", None, where.country))
    return node(
        tag,
        node("Name", record.text(name)),
        node(
            "ContactInfo",
            node("Address", place),
            node("Website", node("Contact", record.text("url"))),
        ),
    )


def job(cv: PublicCv, record: SourceRecord) -> Node | None:
    return node(
        "WorkExperience",
        period(cv, record),
        label("Position", record.text("position")),
        node("Activities", done(record)),
        organisation("Employer", record, "organization"),
    )


def study(cv: PublicCv, record: SourceRecord) -> Node | None:
    return node(
        "Education",
        period(cv, record),
        node("Title", " and ".join(record.texts("studyType"))),
        node("Activities", done(record)),
        organisation("Organisation", record, "institution"),
        label("Field", record.text("area")),
    )


def linguistic(cv: PublicCv) -> Node | None:
    own, foreign = [], []
    for each in cv.entries("languages"):
        name = each.text("language") or ""
        said = label("Description", name, language_tag(name))
        level = each.row.get("level", "")
        if level == "native":
            each.skip("level")
            own.append(node("MotherTongue", said))
        else:
            found = [node(tag, ability(each, field, level)) for tag, field in ABILITIES.items()]
            foreign.append(node("ForeignLanguage", said, node("ProficiencyLevel", *found)))
    return node("Linguistic", node("MotherTongueList", *own), node("ForeignLanguageList", *foreign))


def ability(record: SourceRecord, name: str, level: str) -> str | None:
    """The level of one ability, or the one of all."""
    for field, value in ((name, record.row.get(name, "")), ("level", level)):
        if LEVEL.fullmatch(value):
            return record.text(field)
    return None


def skills(cv: PublicCv) -> Node | None:
    lines = [forms.group(each) for each in cv.entries("skills")]
    return (
        node("Other", node("Description", html(listed_prose(None, lines) or ""))) if lines else None
    )


def achievements(cv: PublicCv) -> Iterator[Node | None]:
    if said := cv.basics.text("summary"):
        yield node("Achievement", label("Title", "Summary"), node("Description", html(said)))
    for section, records in cv.sections.items():
        if section == "sections":
            for each in records:
                name = each.text("title")
                yield listed(str(name), "", map(forms.line, each.records("entries")))
        elif section not in OWN:
            yield listed(
                titled(section),
                CODES.get(section, ""),
                map(forms.group if section == "interests" else forms.line, records),
            )
    if cv.works:
        yield listed("Publications", "publications", map(plain_text, cv.works))
        for record in (each for kind in WORKS for each in cv.entries(kind)):
            record.skip(*CITED)


def listed(title: str, code: str, lines: Iterator[str]) -> Node | None:
    text = html(listed_prose(None, list(lines)) or "")
    return node("Achievement", label("Title", title, code), node("Description", text))
