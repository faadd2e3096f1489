"""Reads the Candidate XML (HR Open Standards) that Europass attaches to PDF files since 2020."""

from __future__ import annotations

from typing import Any

from kg.facts.values.regions import languages
from kg.facts.values.social_networks import network_of
from kg.plugins.exchange.draft import (
    Draft,
    SourceRecord,
    Value,
    join_values,
    parse_date,
    without_empty,
)
from kg.plugins.exchange.fields import home_address, one_or_all, place, private, with_scheme
from kg.plugins.exchange.markup import plain, prose, summary_or_highlights
from kg.plugins.exchange.xml_rows import TEXT

ROOT = "Candidate"
LAYOUT = (
    "schemaLocation",
    "DocumentID",
    "CandidateSupplier",
    "ProcessingInformation",
    "RenderingInformation",
)
# Titles of free sections, by the element that holds their entries.
FREE = {
    "ConferencesAndSeminars": "Conferences and seminars",
    "Projects": "Projects",
    "NetworksAndMemberships": "Networks and memberships",
    "SocialAndPoliticalActivities": "Social and political activities",
    "VoluntaryWorks": "Volunteering",
    "CreativeWorks": "Creative works",
    "HobbiesAndInterests": "Hobbies and interests",
    "CourseCertifications": "Courses",
    "CommunicationAndInterpersonalSkills": "Communication skills",
    "ManagementAndLeadershipSkills": "Leadership skills",
    "OrganisationalSkills": "Organisational skills",
    "DigitalSkills": "Digital skills",
    "JobRelatedSkills": "Job-related skills",
    "PublicationHistory": "Publications",
    "Licenses": "Licences",
}
PARTS = ("listening", "reading", "writing", "speaking")  # in CEF-Understanding-Listening etc.
TITLES = ("Title", "CertificationName", "LicenseName", "FormattedPublicationDescription", "Name")
TEXTS = ("Description", "Abstract", "Comment", "Role")
# ISO 639-2 codes of European and some other languages, each with its two-letter tag.
CODES = """
ara ar; bul bg; cat ca; ces cs; cze cs; dan da; deu de; ger de; ell el; gre el; eng en; est et;
eus eu; fin fi; fra fr; fre fr; gle ga; hrv hr; hun hu; isl is; ice is; ita it; lav lv; lit lt;
ltz lb; mkd mk; mlt mt; nld nl; dut nl; nor no; nob nb; nno nn; pol pl; por pt; ron ro; rum ro;
rus ru; slk sk; slv sl; spa es; sqi sq; srp sr; swe sv; tur tr; ukr uk; zho zh; chi zh; jpn ja;
kor ko; hin hi; heb he
"""
THREE_LETTERS = dict(pair.split() for pair in CODES.strip().split(";"))


def read(draft: Draft, candidate: SourceRecord) -> None:
    candidate.skip(*LAYOUT)
    read_person(draft, candidate.record("CandidatePerson"))
    profile = candidate.record("CandidateProfile")
    profile.skip("ID", "languageCode", "Attachment", "schemaLocation")
    draft.basics(summary=prose(profile.text("ExecutiveSummary")))
    for employer in profile.record("EmploymentHistory").records("EmployerHistory"):
        read_jobs(draft, employer)
    for study in profile.record("EducationHistory").records("EducationOrganizationAttendance"):
        read_study(draft, study)
    for each in profile.record("PersonQualifications").records("PersonCompetency"):
        read_ability(draft, each)
    for each in profile.record("Certifications").records("Certification"):
        read_certificate(draft, each)
    for name, heading in FREE.items():
        read_free(draft, profile.record(name), heading)
    for others in profile.records("Others"):
        read_free(draft, others, str(others.text("Title") or "Other"))


def read_person(draft: Draft, person: SourceRecord) -> None:
    named = person.record("PersonName")
    draft.basics(
        name=join_values(named.texts("GivenName", "FamilyName"), " "),
        givenName=named.text("GivenName"),
        familyName=named.text("FamilyName"),
    )
    found: dict[str, list[Any]] = {"email": [], "phone": [], "url": [], "profiles": []}
    for each in person.records("Communication"):
        read_contact(draft, each, found)
    nations = person.texts("NationalityCode")
    born = person.text("BirthDate")
    draft.basics(
        **{name: one_or_all(values) for name, values in found.items() if name != "profiles"},
        profiles=found["profiles"],
        birthDate=private(parse_date(born)),
        gender=private(person.text("GenderCode")),
        nationality=private(place(nations)),
    )
    tongues = person.texts("PrimaryLanguageCode")
    for record in person.records("PrimaryLanguageCode"):
        record.skip("name")
        tongues += record.texts(TEXT)
    for tongue in tongues:
        add_language(draft, tongue, {"level": "native"})


def read_contact(draft: Draft, record: SourceRecord, found: dict[str, list[Any]]) -> None:
    channel, use = record.text("ChannelCode"), record.text("OtherTitle", "UseCode")
    value = record.text("URI")
    at = record.record("Address")
    at.skip("type")
    if channel == "Email":
        found["email"].append(private(value))
    elif channel == "Telephone":
        code, digits = record.text("CountryDialing"), record.text("DialNumber")
        record.skip("CountryCode", "AreaDialing")
        if digits:
            whole = digits.with_text(f"+{code} {digits}") if code else digits
            found["phone"].append(without_empty({**private(whole), "label": use}))
    elif channel == "Web":
        found["url"].append(with_scheme(value))
    elif channel == "Social Media" and value:
        by = "network" if use and network_of(use) else "label"
        found["profiles"].append({by: use or channel, "url": with_scheme(value)})
        record.skip("UseCode")
    elif value:
        draft.leave([value])
    where = place(at.texts("CityName", "CountryCode"))
    address = home_address(at.text("AddressLine"), at.text("PostalCode"), at.text("CityName"))
    if address or where:
        draft.basics(location=where, address=address)
        record.skip("OtherTitle", "UseCode")


def span_of(record: SourceRecord) -> dict[str, Value | None]:
    start = record.record("StartDate").text("FormattedDateTime")
    end = record.record("EndDate").text("FormattedDateTime")
    ongoing = record.texts("CurrentIndicator", "Ongoing")
    found = without_empty({"startDate": parse_date(start), "endDate": parse_date(end)})
    if "true" in ongoing and start:
        found["endDate"] = start.with_text("present")
    return found


def organization_of(record: SourceRecord) -> tuple[Value | None, Value | None]:
    """The place and website of an organisation; skips its street and telephone number."""
    where, page = None, None
    for each in record.record("OrganizationContact").records("Communication"):
        at = each.record("Address")
        at.skip("AddressLine", "PostalCode", "type")
        where = where or place(at.texts("CityName", "CountryCode"))
        if each.text("ChannelCode") == "Web":
            page = page or with_scheme(each.text("URI"))
        else:
            each.skip("URI", "UseCode", "CountryDialing", "DialNumber", "CountryCode")
    return where, page


def read_jobs(draft: Draft, employer: SourceRecord) -> None:
    name, unit = employer.text("OrganizationName"), employer.text("Department")
    where, page = organization_of(employer)
    employer.skip("IndustryCode")
    for record in employer.records("PositionHistory"):
        title = record.record("PositionTitle")
        title.skip("typeCode", "languageID")
        called = title.text(TEXT) or record.text("PositionTitle")
        at = place(record.texts("City", "Country")) or where
        record.skip("JobCategoryCode")
        draft.put(
            "work",
            {
                "organization": name,
                "unit": unit if unit != name else None,
                "position": plain(called),
                **span_of(record.record("EmploymentPeriod")),
                "location": at,
                **summary_or_highlights(record.text("Description")),
                "url": employer.text("Link") or page,
            },
        )


def read_study(draft: Draft, record: SourceRecord) -> None:
    where, page = organization_of(record)
    record.skip("EducationLevelCode")
    degree = record.record("EducationDegree")
    field = degree.record("FieldOfStudy")
    field.skip("typeCode", "MainFieldOfStudy", "SpecificFieldOfStudy")  # codes
    degree.skip("CreditType", "NumberOfCredit", "LevelInNationalClassification")
    draft.put(
        "education",
        {
            "institution": record.text("OrganizationName"),
            "studyType": plain(degree.text("DegreeName")),
            **span_of(record.record("AttendancePeriod")),
            "location": where,
            "thesis": plain(degree.text("Thesis")),
            **summary_or_highlights(degree.text("OccupationalSkillsCovered")),
            "url": record.text("Link") or page,
        },
    )


def read_ability(draft: Draft, record: SourceRecord) -> None:
    """Reads a language with its levels, or a skill."""
    kind, called = record.text("TaxonomyID"), record.record("CompetencyID")
    called.skip("schemeName")
    name = called.text(TEXT) or record.text("CompetencyID", "CompetencyName")
    levels: dict[str, list[Value]] = {}
    for each in record.records("CompetencyDimension"):
        code = str(each.text("CompetencyDimensionTypeCode") or "").lower()
        score = each.record("Score").texts("ScoreText")
        if part := next((part for part in PARTS if part in code), ""):
            levels.setdefault(part, []).extend(score)
        else:
            draft.leave(score)
    found = without_empty(
        {part: join_values(dict.fromkeys(each), " / ") for part, each in levels.items()}
    )
    if kind == "language":
        add_language(draft, name, found)
    elif name:
        draft.put("skills", {"name": plain(name)})


def add_language(draft: Draft, name: Value | None, levels: dict[str, Any]) -> None:
    """Adds a language by its name or its three-letter code."""
    if name:
        known = languages().get(THREE_LETTERS.get(name.lower(), ""), str(name))
        values = {part: name.with_text(level) for part, level in levels.items()}
        draft.put("languages", {"language": name.with_text(known), **values})


def read_certificate(draft: Draft, record: SourceRecord) -> None:
    issuer = record.record("IssuingAuthority").text("Name") or record.text("IssuingAuthority")
    span = span_of(record.record("FreeFormEffectivePeriod"))
    issued = parse_date(record.record("FirstIssuedDate").text("FormattedDateTime"))
    draft.put(
        "certificates",
        {
            "name": plain(record.text("CertificationName")),
            "issuer": issuer,
            "date": issued or span.get("startDate"),
            "summary": prose(record.text("Description")),
            "url": record.text("Link"),
        },
    )


def read_free(draft: Draft, holder: SourceRecord, heading: str) -> None:
    """Reads entries with a title, dates and text into a free section."""
    for name in holder:
        for record in holder.records(name):
            title, text = record.text(*TITLES), join_values(map(prose, record.texts(*TEXTS)))
            span = span_of(record.record("Date")) or span_of(record.record("Period"))
            where = record.text("Location")
            entry = without_empty({**span, "location": where, "url": record.text("Link")})
            if title:
                draft.put_free(heading, {"name": plain(title), **entry, "summary": text})
            elif text:
                draft.put_free(heading, {"text": text, **entry})
