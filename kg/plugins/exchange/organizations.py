"""Employers and schools of a draft: a sentence is no organization, and two are not one. Nobody is
the employer of the self-employed. Jobs beside others are secondary.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from kg.facts.files import read_files
from kg.facts.values.naming import names_of
from kg.plugins.exchange.draft import Draft, Unplaced, Value, join_values, without_empty
from kg.plugins.exchange.line_entries import entries_of
from kg.plugins.exchange.titles import as_heading, section_for
from kg.plugins.exchange.unsaved import free_entry
from kg.plugins.prose.lexicon import pattern
from kg.settings import SITE_FILE
from kg.text.normalize import letters
from kg.text.transliterate import plain

HOLDERS = {"work": "organization", "volunteer": "organization", "education": "institution"}
OTHERS = {"awards": "awarder", "certificates": "issuer", "memberships": "organization"}
WITH_SUMMARY = ("awards", "certificates")
NOT_ONE = "a text, not the name of one organization"
SECTION_PATH = re.compile(r"(?:cv\.)?(?:sections\.)?([^.\[\]]+)\[\d+\]")
IN_LABEL = re.compile(r"\s*[,;|/@·•]\s*|\s+(?:and|und|et|y|e|at|in|bei|[-–—&])\s+")
OWN = "the person's own name"
AND = re.compile(r"\s+(?:and|und|et|y|e|en|&&?|\+|sowie|jointly with)\s+|\s*[;/]\s*", re.IGNORECASE)
LIST = re.compile(
    r",\s+(?:and|und|et|y|e|en|&)\s+|\s+(?:and|und|et|y|e|en|&)\s+|,\s+", re.IGNORECASE
)
OF = re.compile(r"\b(?:of|for|fur|de|des|du|di|da|do|voor|van|der)\b")
MINE = r"(?:my|mein\w*|mon|ma|mes|mi|mis|meu|minha|mio|mia|mijn)"
SENTENCE = re.compile(
    r"(?:.*\s)?(?:please|bitte|veuillez|por favor)\b.+"
    rf"|.*\b(?:see|siehe|voir|vedi|vease|zie)\s+{MINE}\b.*"
    r"|(?:see|siehe|voir|ver|vease|vedi|zie)\s+(?:also |auch |aussi )?"
    r"(?:the|above|below|attached|full|linkedin|cv|resume|website|http\S*|www\S*|oben|unten)\b.*"
    rf"|(?:i|we)\s+(?:am|are|was|were|have|had|work\w*|help\w*)\b.*|.+\s{MINE}\s.+"
    r"|(?:work(?:ed|ing)|for more|more (?:details|information)|details (?:on|at|in|available))\s.+"
)
FEWEST_LISTED = 3
FEWEST_WORDS, MOST_WORDS = 4, 15  # of a sentence that ends with a full stop, of a name


def is_sentence(text: str) -> bool:
    """Whether a text is no name: `See my profile.`"""
    count = len(text.split())
    ends = re.search(r"\s[a-zà-ÿ]{4,}[.!?]$", text) and count >= FEWEST_WORDS
    return bool(ends or SENTENCE.fullmatch(plain(text))) or count > MOST_WORDS


def names_in(text: str, known: set[str]) -> list[str]:
    """The names of a text with several organizations, otherwise the text."""
    parts = [part.strip() for part in AND.split(text)]
    is_pair = all(
        letters(part) in known or pattern("whole-names").search(plain(part)) for part in parts
    )
    is_pair = is_pair or "&&" in text
    listed = [part.strip() for part in LIST.split(text)]
    if is_list(text, listed):
        parts, is_pair = listed, True
    return parts if letters(text) not in known and is_pair and all(parts) else [text]


def is_list(text: str, parts: list[str]) -> bool:
    """Whether a text lists names: `British Council, Sand Press, and Stone Fund`, but not `Ministry
    of Higher Education, Applied Science, and Fine Arts`.
    """
    is_row = len(parts) >= FEWEST_LISTED and AND.search(text) is not None
    is_title = OF.search(plain(parts[0])) and not any(
        pattern("whole-names").search(plain(p)) for p in parts[1:]
    )
    return is_row and not is_title and all(" " in part for part in parts)


def known_organizations(site: Path) -> set[str]:
    """The names of the registry of a site, as letters."""
    entries = (
        read_files(site).registries.get("organizations", {}) if (site / SITE_FILE).exists() else {}
    )
    return {letters(name) for entry in entries.values() for name in names_of(entry)}


def tidy_organizations(draft: Draft, known: set[str]) -> None:
    """Two known employers become two jobs; an entry whose employer is no name, a free entry."""
    settle_secondary(draft)
    leave_own_name(draft)
    known = known | {letters(each) for each in named(draft) if len(names_in(each, set())) == 1}
    leave_texts(draft, known)
    for entry in entries_of(draft):
        if isinstance(where := entry.get("location"), Value) and letters(where) in known:
            draft.leave([entry.pop("location")], "an organization, not a place")
    for section, name in HOLDERS.items():
        kept: list[Any] = []
        for entry in draft.cv.get(section, ()):
            value = entry.get(name) if isinstance(entry, dict) else None
            if not isinstance(value, Value):
                kept.append(entry)
                continue
            names = names_in(value, known)
            is_known = section != "education" and known.issuperset(map(letters, names))
            if is_sentence(value):
                texts = [value, *filter(None, [entry.pop("summary", None)])]
                entry |= {name: None, "summary": join_values(texts)}
            if is_sentence(value) or (len(names) > 1 and not is_known):
                title = heading_of(value, section)
                draft.left.append(Unplaced(value, NOT_ONE, title))
                draft.put_free(title, free_entry(without_empty(entry)))
            else:
                kept += [{**entry, name: value.with_text(each)} for each in names]
        if kept:
            draft.cv[section] = kept
        else:
            draft.cv.pop(section, None)


def leave_texts(draft: Draft, known: set[str]) -> None:
    """Lists awarders and issuers that are sentences; several that are not one become text."""
    for section, name in OTHERS.items():
        for entry in draft.cv.get(section, ()):
            value = entry.get(name) if isinstance(entry, dict) else None
            if not isinstance(value, Value):
                continue
            if is_sentence(value):
                draft.leave([entry.pop(name)], NOT_ONE)
            elif len(names_in(value, known)) > 1 and section in WITH_SUMMARY:
                texts = [entry.pop(name), *filter(None, [entry.pop("summary", None)])]
                entry["summary"] = join_values(texts)


def heading_of(value: Value, section: str) -> str:
    """The heading that an entry of a section has in its source, as far as a path tells it."""
    found = SECTION_PATH.match(value.path)
    name = found[1] if found and section_for(found[1]) == section else section
    return as_heading(name)


def settle_secondary(draft: Draft) -> None:
    """Jobs are secondary only beside others, and not if the CV's label names them."""
    jobs = [each for each in draft.cv.get("work", ()) if isinstance(each, dict)]
    jobs = [each for each in jobs if each.get("kind") != "visiting"]
    label = str(draft.cv.get("basics", {}).get("label") or "")
    titles = {letters(part) for part in (label, *IN_LABEL.split(label))}
    is_all = all("secondary" in each for each in jobs)
    for job in jobs:
        is_named = letters(str(job.get("position") or "")) in titles - {""}
        if is_all or (is_named and job.get("endDate") == "present"):
            job.pop("secondary", None)


def leave_own_name(draft: Draft) -> None:
    """The self-employed have no employer, even if the source has the person's name there."""
    own = letters(draft.name)
    for job in draft.cv.get("work", ()):
        value = job.get("organization") if isinstance(job, dict) else None
        is_own = isinstance(value, Value) and own and letters(value) == own
        words = plain(value).split("/") if isinstance(value, Value) else ()
        if isinstance(value, Value) and (
            is_own or all(map(pattern("self-employed").fullmatch, words))
        ):
            job |= {
                "kind": value.with_text("self-employed"),
                "position": job.get("position", value),
            }
            del job["organization"]
    for project in draft.cv.get("projects", ()):
        value = project.get("organization") if isinstance(project, dict) else None
        if isinstance(value, Value) and own and letters(value) == own:
            draft.leave([project.pop("organization")], OWN)


def named(draft: Draft) -> Iterable[str]:
    """The organizations that entries of a draft name."""
    for section, name in {**OTHERS, **HOLDERS}.items():
        for entry in draft.cv.get(section, ()):
            if isinstance(entry, dict) and isinstance(entry.get(name), Value):
                yield entry[name]
    for entry in draft.entries.get("organizations", {}).values():
        yield from names_of(entry)
