"""Reads Europass: SkillsPassport (version 3, XML or JSON) and Candidate (since 2020).

Addresses, telephone numbers, date of birth, gender and nationality are private.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from kg.facts.yaml.rows import Row, Rows
from kg.plugins.exchange.draft import (
    UNTITLED,
    Draft,
    Format,
    SourceRecord,
    Value,
    join_values,
    parse_date,
    without_empty,
)
from kg.plugins.exchange.fields import (
    home_address,
    one_or_all,
    place,
    private,
    profile,
    with_scheme,
)
from kg.plugins.exchange.line_entries import split_list
from kg.plugins.exchange.markup import list_items, plain, prose, summary_or_highlights
from kg.plugins.exchange.readers import europass_candidate
from kg.plugins.exchange.source_files import SourceFile
from kg.plugins.exchange.titles import as_heading
from kg.plugins.exchange.xml_rows import rows_of

ROOT = "SkillsPassport"
ROOT_TAG = re.compile(rb"<(?:\w+:)?(SkillsPassport|Candidate)[\s>]")
LISTS = "List"  # suffix of elements that only wrap a list
CAPITAL = ("year", "month", "day", "code", "label", "key", "value", "id")  # XML attributes
LAYOUT = ("Locale", "locale", "schemaLocation", "DocumentInfo", "PrintingPreferences")
FILES = ("CoverLetter", "AttachmentList", "Attachment", "xml")
SKILLS = {
    "Communication": "Communication skills",
    "Organisational": "Organisational skills",
    "JobRelated": "Job-related skills",
    "Computer": "Digital skills",
    "Other": "Other skills",
}
LEVELS = {"Listening": "listening", "Reading": "reading", "Writing": "writing"}
EQF = {"6": "bachelor", "7": "master", "8": "doctoral"}  # levels with a degree
SPOKEN = ("SpokenInteraction", "SpokenProduction")


def matches(source: SourceFile) -> bool:
    if is_xml(source):
        head = source.data[:5000]
        return bool(ROOT_TAG.search(head)) and b"europass" in head.lower()
    return isinstance(source.tree, Row) and isinstance(source.tree.get(ROOT), Row)


def is_xml(source: SourceFile) -> bool:
    return source.data[:5000].lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"<")


def read(source: SourceFile) -> Iterator[Draft]:
    tree = as_json(rows_of(source)) if is_xml(source) else source.root
    draft, root = Draft(), SourceRecord(tree)
    if europass_candidate.ROOT in root:
        europass_candidate.read(draft, root.record(europass_candidate.ROOT))
    else:
        read_passport(draft, root.record(ROOT))
    draft.leave(root.left())
    yield draft


def as_json(value: Any) -> Any:
    """Converts rows of the XML variant to those of the JSON variant.

    `WorkExperienceList` becomes a list `WorkExperience`, and attributes are capitalised.
    """
    if isinstance(value, Rows):
        rows = Rows()
        for item, spot in zip(value, value.spots, strict=True):
            rows.add(as_json(item), spot)
        return rows
    if not isinstance(value, Row):
        return value
    row = Row(value.file, value.spot)
    for key, inner in value.items():
        whole, spots = as_json(inner), (value.keys_at[key], value.values_at[key])
        single = key.removesuffix(LISTS)
        if key.endswith(LISTS) and isinstance(whole, Row) and [*whole] == [single]:
            row.put(single, whole[single], whole.keys_at[single], whole.values_at[single])
        else:
            row.put(key.capitalize() if key in CAPITAL else key, whole, *spots)
    return row


def read_passport(draft: Draft, passport: SourceRecord) -> None:
    passport.skip(*LAYOUT, *FILES)
    about = passport.record("LearnerInfo")
    about.skip("ReferenceTo", "Documentation", "DocumentList")
    read_person(draft, about.record("Identification"))
    headline = about.record("Headline")
    headline.record("Type").skip("Code", "Label")
    draft.basics(label=label_of(headline.record("Description")) or headline.text("Description"))
    for record in about.records("WorkExperience"):
        read_job(draft, record)
    for record in about.records("Education"):
        read_study(draft, record)
    read_skills(draft, about.record("Skills"))
    for record in about.records("Achievement"):
        title = label_of(record.record("Title")) or record.text("Title")
        add_section(draft, str(title or "Achievements"), record.text("Description"))


def read_person(draft: Draft, person: SourceRecord) -> None:
    person.skip("Photo", "Signature")
    named = person.record("PersonName")
    contact = person.record("ContactInfo")
    where = contact.record("Address").record("Contact")
    country = where.record("Country")
    of_country = [each for each in [label_of(country)] if each]
    street = join_values(where.texts("AddressLine", "AddressLine2"), ", ")
    draft.basics(
        name=join_values(named.texts("FirstName", "Surname"), " "),
        givenName=named.text("FirstName"),
        familyName=named.text("Surname"),
        honorific=label_of(named.record("Title")),
        location=place([*where.texts("Municipality"), *of_country]),
        address=home_address(street, where.text("PostalCode"), where.text("Municipality")),
        email=one_or_all([private(each) for each in contacts(contact, "Email")]),
        phone=one_or_all([private_phone(each) for each in contact.records("Telephone")]),
        url=one_or_all([with_scheme(each) for each in contacts(contact, "Website")]),
    )
    accounts = [
        profile(label_of(each.record("Use")), each.text("Contact"), None)
        for each in contact.records("InstantMessaging")
    ]
    for each in accounts:  # messenger accounts have no page to link to
        draft.leave(each.values())
    facts = person.record("Demographics")
    nations = [label for each in facts.records("Nationality") if (label := label_of(each))]
    draft.basics(
        birthDate=private(day_of(facts.record("Birthdate"))),
        gender=private(label_of(facts.record("Gender"))),
        nationality=private(join_values(nations, ", ")),
    )


def contacts(record: SourceRecord, name: str) -> list[Value]:
    found = []
    for each in record.records(name):
        label_of(each.record("Use"))
        found += each.texts("Contact", UNTITLED)
    return found


def private_phone(record: SourceRecord) -> dict[str, Any]:
    value = record.text("Contact")
    return {**(private(value) or {}), **without_empty({"label": label_of(record.record("Use"))})}


def label_of(record: SourceRecord) -> Value | None:
    """The label of a coded value, or else its code."""
    code, label = record.text("Code"), record.text("Label")
    return label or code


def day_of(record: SourceRecord) -> Value | None:
    """`{Year: 2002, Month: --08}` as `2002-08`."""
    parts = [record.text(name) for name in ("Year", "Month", "Day")]
    digits = [re.sub(r"\D", "", each or "") for each in parts]
    known = digits[: digits.index("")] if "" in digits else digits
    text = "-".join([*known[:1], *(f"{int(each):02}" for each in known[1:])])
    return parse_date(parts[0].with_text(text)) if parts[0] and known else None


def period_of(record: SourceRecord) -> dict[str, Value | None]:
    span = record.record("Period")
    start, end = day_of(span.record("From")), day_of(span.record("To"))
    if str(span.text("Current")).lower() == "true" and start:
        end = start.with_text("present")
    return without_empty({"startDate": start, "endDate": end})


def where_of(organization: SourceRecord) -> Value | None:
    """The town and country of an organisation; skips its street and postal code."""
    contact = organization.record("ContactInfo")
    at = contact.record("Address").record("Contact")
    at.skip("AddressLine", "AddressLine2", "PostalCode")
    country = label_of(at.record("Country"))
    return place([*at.texts("Municipality"), *([country] if country else [])])


def read_job(draft: Draft, record: SourceRecord) -> None:
    employer = record.record("Employer")
    position = label_of(record.record("Position")) or record.text("Position")
    record.skip("ReferenceTo", "Documentation")
    draft.put(
        "work",
        {
            "organization": employer.text("Name"),
            "position": plain(position),
            **period_of(record),
            "location": where_of(employer),
            **summary_or_highlights(record.text("Activities")),
            "url": with_scheme(
                next(iter(contacts(employer.record("ContactInfo"), "Website")), None)
            ),
        },
    )


def read_study(draft: Draft, record: SourceRecord) -> None:
    school, level = record.record("Organisation"), record.record("Level")
    code = level.text("Code")
    level.skip("Label")
    record.skip("ReferenceTo", "Documentation")
    draft.put(
        "education",
        {
            "institution": school.text("Name"),
            "studyType": plain(record.text("Title")),
            "level": code.with_text(EQF[code]) if code in EQF else None,
            "area": label_of(record.record("Field")),
            **period_of(record),
            "location": where_of(school),
            **summary_or_highlights(record.text("Activities")),
            "url": with_scheme(next(iter(contacts(school.record("ContactInfo"), "Website")), None)),
        },
    )


def read_skills(draft: Draft, skills: SourceRecord) -> None:
    spoken = skills.record("Linguistic")
    for record in spoken.records("MotherTongue"):
        label = label_of(record.record("Description"))
        for tongue in split_list(label) if label else ():
            draft.put("languages", {"language": tongue, "level": tongue.with_text("native")})
    for record in spoken.records("ForeignLanguage"):
        level = record.record("ProficiencyLevel")
        entry = {"language": label_of(record.record("Description"))}
        entry |= {ours: level.text(theirs) for theirs, ours in LEVELS.items()}
        entry["speaking"] = join_values(dict.fromkeys(level.texts(*SPOKEN)), " / ")
        record.skip("ReferenceTo", "Documentation")
        draft.put("languages", entry)
        read_certificates(draft, record)
    for name, heading in SKILLS.items():
        add_section(draft, heading, skills.record(name).text("Description"))
        read_certificates(draft, skills.record(name))
    levels = skills.record("Computer").record("ProficiencyLevel")
    for name in levels:
        for each in levels.texts(name):
            draft.put_free(
                SKILLS["Computer"], {"label": each.with_text(as_heading(name)), "details": each}
            )
    for record in skills.record("Driving").records("Description"):
        for each in record.texts("Licence", UNTITLED):
            draft.put_free("Driving licence", each)


def read_certificates(draft: Draft, skill: SourceRecord) -> None:
    """Reads the certificates of a skill; versions of the format differ in where they are."""
    inner = [
        each for holder in skill.records("VerifiedBy") for each in holder.records("Certificate")
    ]
    for record in [*inner, *skill.records("Certificate")]:
        name, issuer = record.text("Title"), record.text("AwardingBody")
        date = day_of(record.record("Date")) or parse_date(record.text("Date"))
        record.skip("ReferenceTo", "Documentation")
        draft.put("certificates", {"name": name, "issuer": issuer, "date": date})


def add_section(draft: Draft, heading: str, value: Value | None) -> None:
    """Adds a text to a free section, as several entries if it is a list."""
    if value:
        for each in list_items(prose(value)) or [prose(value)]:
            draft.put_free(heading, each)


FORMAT = Format("europass", "Europass", matches, read, priority=40)
