"""Detects headings in a text CV, and maps them to sections.

A heading maps to a section only if all its parts agree. `Teaching and mentoring` means two, so its
lines stay together in a free section with that title.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from kg.advice.other_words import section_meant
from kg.facts import models
from kg.plugins.exchange.fields import as_heading
from kg.plugins.prose.date_spans import date_spans
from kg.plugins.prose.lexicon import has_organization, has_role, phrases, word_set
from kg.plugins.prose.text_lines import TextLine
from kg.text.normalize import letters
from kg.text.transliterate import plain

SECTIONS = sorted(
    word_set(
        "work education publications awards grants teaching talks mentoring memberships service "
        "volunteer languages skills interests certificates projects patents press references "
        "extracurricular"
    )
)
# Words in our tables that are ambiguous as headings.
UNCERTAIN = word_set(
    "courses conferences students software tools activities affiliations leadership lectures "
    "career jobs updates other others technicalexperience media communityservice"
)
QUALIFIERS = word_set(
    "selected select recent key relevant other additional main further full professional academic "
    "research scientific technical peer-reviewed refereed all invited oral conference contributed "
    "current past previous my list of the scholarly core industry industrial university community "
    "personal work development general and & a in bibliography representative major formal science "
    "engineering history background career funded open source ausgewahlte "
    "wissenschaftliche berufliche weitere principales autres"
)
SUMMARY = phrases(
    "summary, profile, about, about me, objective, career objective, biography, bio, profil, "
    "professional summary, executive summary, career summary, short bio, kurzprofil, "
    "zusammenfassung, über mich, résumé, à propos, resumen, perfil, sobre mí, personal statement, "
    "personal summary, overview, about myself, briefly about myself, professional profile"
)
CONTACT = phrases(
    "contact, contacts, contact information, contact details, personal information, personal data, "
    "personal details, kontakt, persönliche daten, coordonnées, datos personales, contacto, "
    "contact info, links, profiles, social"
)
TITLES = phrases(
    "curriculum vitae, cv, resume, résumé, vita, lebenslauf, vitae, currículum, curriculum vitæ, "
    "full cv, my cv, biodata"
)
PAPERS = re.compile(
    r"(?:(?:refereed|peer[- ]reviewed|international|selected|full|other|published|submitted)\W+)*"
    r"(journal|conference|workshop|book chapter|book|technical report|preprint|thesis|poster)s?"
    r"(?:\W+(?:and\W+)?(?:articles?|papers?|publications?|proceedings|chapters?|manuscripts?))*"
)
PAPER_KINDS = {
    "book chapter": "book-chapter",
    "technical report": "report",
}
EXPERIENCE = re.compile(r"\s+(?:experience|activities|record|skills)$")
PARTS = re.compile(r"\s*(?:,|/|&|\||\b(?:and|und|et|y)\b)\s*", re.IGNORECASE)
SEVERAL = "several"  # the heading means more than one section
DUTIES = re.compile(
    r"(?:journal |conference |external |paper |peer |ad hoc )?(?:reviewers?|reviewing|referees?)"
    r"|(?:technical )?program(?:me)? committees?(?: members?)?|editorial boards?(?: members?)?"
    r"|(?:session |program |track |workshop )?chairs?|organi[sz]ing committees?|editor"
)
MOST_LETTERS, MOST_WORDS = 70, 8  # of a heading


@dataclass
class CvSection:
    """A heading, the section it means, the kind of its works or duties, and its lines."""

    title: str
    kind: str = ""
    detail: str = ""
    level: int = 0
    lines: list[TextLine] = field(default_factory=list)


def heading_text(text: str) -> str:
    """A heading without surrounding punctuation, numbers and emoji."""
    text = re.sub(r":[a-z_]{3,30}:", "", text)
    text = re.sub(r"^(?:[\W\d_]+|[IVX]+\.\s)", "", text)
    return re.sub(r"[^\w)’'.]+$", "", text).rstrip(".").strip()


def meaning(title: str) -> tuple[str, str]:
    """The section that a heading means, and the kind of its works or duties; or empty."""
    title = heading_text(title)
    word = letters(title)
    for kind, words in (("summary", SUMMARY), ("contact", CONTACT), ("title", TITLES)):
        if word in words:
            return kind, ""
    if found := DUTIES.fullmatch(plain(title)):
        return "service", found[0]
    found = PAPERS.fullmatch(plain(title))
    if found and (" " in title.strip() or found[1] not in ("conference", "book")):
        return "publications", PAPER_KINDS.get(found[1], found[1])
    if not (kind := known_section(title)):
        parts = [each for each in PARTS.split(title) if each]
        kinds = {kind for each in parts if (kind := known_section(each) or kind_of_paper(each))}
        if any(letters(each) in UNCERTAIN for each in parts):
            return "", ""
        kind = kinds.pop() if len(kinds) == 1 else SEVERAL if kinds else ""
    return kind, ""


def section_for(title: str) -> str:
    """The section that a title in another format means; empty if it is unclear.

    All parts of the title must agree: `Education and outreach` is not `education`.
    """
    heading = as_heading(title)
    if title in models.SECTIONS:
        return title
    found, _ = meaning(heading)
    parts = [meaning(each)[0] for each in PARTS.split(heading) if each]
    return found if found in SECTIONS and (known_section(heading) or {*parts} == {found}) else ""


def kind_of_paper(text: str) -> str:
    return "publications" if PAPERS.fullmatch(plain(text)) and " " in text else ""


def known_section(title: str) -> str:
    """The section that a title means, ignoring qualifiers such as `selected`."""
    words = re.sub(r"\s*\([^()]*\)", "", plain(title)).split()
    while words:
        text = " ".join(words)
        if letters(text) in UNCERTAIN:
            return ""
        for each in (text, text.removesuffix("s"), EXPERIENCE.sub("", text)):
            if found := section_meant(each, SECTIONS):
                return found
        if words[0] not in QUALIFIERS:
            return ""
        words = words[1:]
    return ""


def sections_of(lines: list[TextLine]) -> list[CvSection]:
    """Splits lines into the untitled top of the CV and its sections."""
    uses_marks = sum(bool(line.level and meaning(line.plain)[0]) for line in lines) > 1
    is_in_capitals = sum(is_capital(line) and bool(meaning(line.plain)[0]) for line in lines) > 1
    found = [CvSection("")]
    items_at = 0  # heading level of entries
    for at, line in enumerate(lines):
        after = lines[at + 1 : at + 4]
        kind, detail = meaning(line.plain) if can_be_heading(line) else ("", "")
        if line.level:
            starts = starts_section(line, kind, found[-1], items_at)
        else:
            starts = not uses_marks and is_heading(line, after, kind, is_in_capitals, found[-1])
        if starts and (kind != "title" or found[-1].title):
            level = line.level or found[-1].level or 2
            title = heading_text(line.plain) or line.plain
            found.append(CvSection(title, kind, detail, level))
            items_at = 0
        elif kind != "title" or not line.level:
            items_at = items_at or line.level
            found[-1].lines.append(line)
    return found


def can_be_heading(line: TextLine) -> bool:
    text = line.plain
    most = 2 if text.isupper() else 1
    is_short = len(text) <= MOST_LETTERS * most and len(text.split()) <= MOST_WORDS * most
    return is_short and (not line.mark or bool(line.level))


def starts_section(line: TextLine, kind: str, now: CvSection, items_at: int) -> bool:
    """Whether a marked heading starts a section, rather than an entry of the current one."""
    if kind:
        return not (items_at and line.level > items_at and now.kind in ("work", "projects"))
    if not now.title:  # at the top, where headings can be the name or position
        return line.level > 1 and any(each.level for each in now.lines) and line.level <= 2
    return line.level <= now.level


def is_capital(line: TextLine) -> bool:
    text = line.plain
    return text.isupper() and len(text) > 3 and can_be_heading(line) and not re.search(r"\d", text)


def is_heading(
    line: TextLine, after: list[TextLine], kind: str, is_in_capitals: bool, now: CvSection
) -> bool:
    """Whether an unmarked line is a heading.

    Either it means a section and stands out, or it is in capitals like the other headings.
    """
    text = line.plain
    if not can_be_heading(line) or not text or text[-1] in ".,;" or date_spans(text):
        return False
    stands_alone = line.gap and (not after or after[0].gap or bool(after[0].mark))
    is_bold = bool(re.fullmatch(r"(\*\*|__)[^*_]+\1:?", line.text.strip()))
    if kind:
        few = len(text.split()) <= 4 and text[:1].isupper()
        return (
            is_capital(line) or is_bold or text.endswith(":") or (line.gap and few) or stands_alone
        )
    is_long = len(text.split()) > 1 or len(text) > 7
    if not (now.title and is_in_capitals and is_capital(line) and line.gap and is_long):
        return False
    if now.kind in ("work", "education"):
        is_dated = any(date_spans(each.plain) and len(each.text) < 80 for each in after[:1])
        return not (has_organization(text) or has_role(text) or is_dated)
    return True
