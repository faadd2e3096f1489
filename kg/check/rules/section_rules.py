"""Rules about entries: disputed fields, and free sections that match a known kind of entry."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kg.advice.explain import field_names, no_field
from kg.errors import Place, Problem
from kg.facts.load import Facts
from kg.facts.models import SECTIONS
from kg.facts.models.sections import FreeSection
from kg.facts.notes import entries
from kg.facts.values.text import slugify

DOI = re.compile(r"\b10\.\d{4,9}/\S")
# Titles of free sections that correspond to a section of a CV.
TITLES = {
    "work": "work experience work-experience employment positions appointments career",
    "education": "education studies degrees",
    "certificates": "certificates certifications licences licenses",
    "grants": "grants funding research-funding research-grants grants-and-funding",
    "publications": "publications papers articles books datasets preprints",
    "patents": "patents",
    "talks": "talks presentations lectures keynotes invited-talks conference-presentations",
    "teaching": "teaching courses teaching-experience",
    "mentoring": "mentoring supervision students advising",
    "service": "service reviewing peer-review editorial-boards committees academic-service",
    "volunteer": "volunteer volunteering volunteer-work",
    "memberships": "memberships professional-memberships societies",
    "awards": "awards honors honours prizes honors-and-awards awards-and-honors scholarships",
    "skills": "skills technical-skills programming",
    "languages": "languages",
    "interests": "interests research-interests",
    "projects": "projects research-projects",
    "systems": "software systems open-source",
    "press": "press media media-coverage in-the-media",
    "references": "references referees",
    "breaks": "breaks career-breaks parental-leave",
}
SECTION_OF = {title: section for section, titles in TITLES.items() for title in titles.split()}


def looks_like(facts: Facts) -> Iterator[Problem]:
    """Free sections with the title of a known section; in others, entries with a DOI."""
    for each, section in facts.of(FreeSection):
        where = each.row.path
        if known := SECTION_OF.get(slugify(section.title)):
            yield hint(each.row.at("title"), where, known)
            continue
        for number, entry in enumerate(section.entries):
            if DOI.search(entry.text or entry.details or entry.summary or ""):
                place = each.row.at("entries", number)
                yield hint(place, f"{where}.entries[{number}]", "publications")


def hint(place: Place, where: str, section: str) -> Problem:
    message = (
        f"{where}: this looks like '{section}', where questions can find it. Move it there if it "
        "fits."
    )
    return Problem(place, "info", message, "looks-like")


def disputes(facts: Facts) -> Iterator[Problem]:
    """Reminders of disputed fields, which must be fields of the entry or of its inline entity."""
    for each in facts.loaded:
        for entry, row, label in entries(each.fact, each.row, each.row.path):
            for field in entry.disputed:
                place = row.at("disputed", field, key=True)
                section = SECTIONS.get(label.partition("[")[0])
                names = {*field_names(type(entry)), *type(entry).spread, *row}
                names.update(section.fields_of_thing if section else ())
                if field not in names:
                    yield no_field(place, f"{label}.disputed: ", field, names)
                    continue
                message = f"the sources disagree about '{field}'. Decide, then remove it from"
                yield Problem(place, "info", f"{label}: {message} 'disputed'.", "disputed")
