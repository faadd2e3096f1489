"""Rules about entries: disputed fields, free sections that match a known kind, inconsistent figures
of editions, and entries that nothing refers to.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from decimal import Decimal

from kg.advice.explain import field_names, no_field
from kg.errors import Place, Problem, counted
from kg.facts.load import Facts
from kg.facts.loaded import Loaded
from kg.facts.models import SECTIONS
from kg.facts.models.sections import FreeSection
from kg.facts.models.venues import Series
from kg.facts.notes import entries
from kg.facts.privacy import ROOTS
from kg.facts.values.text import slugify

MAX_DIFFERENCE = Decimal("0.6")
MAX_SHOWN = 3  # problems shown per registry
IN_TURTLE = re.compile(rb"/([a-z0-9-]+)")


def unmentioned(facts: Facts) -> Iterator[Problem]:
    """Registry entries that no fact refers to. Skipped while there are errors, because entries that
    cannot be read may refer to them.
    """
    if any(problem.severity == "error" for problem in facts.problems):
        return
    in_turtle = {
        slug.decode() for path in facts.turtle for slug in IN_TURTLE.findall(path.read_bytes())
    }
    unused: defaultdict[str, list[Loaded]] = defaultdict(list)
    for each in facts.loaded:
        is_alone = each.kind not in ROOTS and each.is_main and not each.is_private
        is_named = (each.kind, each.slug) in facts.notes.named or each.slug in in_turtle
        is_owner = each.kind == "people" and each.slug in facts.owners
        if is_alone and not is_named and not is_owner:
            unused[each.kind].append(each)
    for found in unused.values():
        accepted = [each for each in found if is_accepted(each)]
        left = [each for each in found if not is_accepted(each)]
        rest = counted(len(left) - MAX_SHOWN, "other") if len(left) > MAX_SHOWN else ""
        more = f" The same goes for {rest} in this registry." if rest else ""
        for each in [*left[:MAX_SHOWN], *accepted]:
            message = (
                f"{each.slug}: nothing refers to this entry, so it is not published.{more} "
                "Remove it, or keep it for later."
            )
            yield Problem(each.row.place, "info", message, "unmentioned")
            more = ""


def is_accepted(each: Loaded) -> bool:
    reasons = each.row.get("accept")
    return isinstance(reasons, Mapping) and "unmentioned" in reasons


def stated_percentages(facts: Facts) -> Iterator[Problem]:
    """Printed percentages that do not match their counts."""
    for each, series in facts.of(Series):
        for year, edition in series.editions.items():
            figures = edition.acceptance
            if not (figures and figures.stated and figures.accepted and figures.submitted):
                continue
            ratio = figures.accepted / figures.submitted * 100
            if abs(ratio - Decimal(figures.stated[:-1])) > MAX_DIFFERENCE:
                yield Problem(
                    each.row.at("editions", year, "acceptance", "stated"),
                    "warning",
                    f"{each.slug} {year}: {figures.accepted} of {figures.submitted} is "
                    f"{ratio:.1f}%, not {figures.stated} as stated. Check the numbers.",
                    "stated-acceptance",
                )


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
