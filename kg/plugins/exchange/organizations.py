"""Employers and schools of a draft: a sentence is no organization, and two are not one."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from kg.facts.files import read_files
from kg.facts.values.naming import names_of
from kg.plugins.exchange.draft import Draft, Unplaced, Value, join_values, without_empty
from kg.plugins.exchange.titles import as_heading
from kg.plugins.exchange.unsaved import free_entry
from kg.settings import SITE_FILE
from kg.text.normalize import letters
from kg.text.transliterate import plain

HOLDERS = {"work": "organization", "volunteer": "organization", "education": "institution"}
OTHERS = {"awards": "awarder", "certificates": "issuer", "memberships": "organization"}
NOT_ONE = "a text, not the name of one organization"
AND = re.compile(r"\s+(?:and|und|et|y|e|en|&|\+|sowie|jointly with)\s+|\s*[;/]\s*", re.IGNORECASE)
# Words of names that are whole, so that `Arts and Sciences` is no pair; in plain letters.
WHOLE = re.compile(
    r"\b(?:universi\w+|\w*hochschule|college|institut\w*|school|academ\w+|akademie|ecole|escuela"
    r"|polytechni\w*|politecnic\w*|eth|epfl|mit|cnrs|cern|inria|[tf]u|labor\w+|hospital|klinik\w*"
    r"|museum|gmbh|inc|ltd|llc|ag|bv|spa|sarl)\b"
)
MINE = r"(?:my|mein\w*|mon|ma|mes|mi|mis|meu|minha|mio|mia|mijn)"
SENTENCE = re.compile(
    rf"(?:please|bitte|veuillez|por favor)\b.+|.*\b(?:see|siehe|voir|vedi|vease|zie)\s+{MINE}\b.*"
    r"|(?:see|siehe|voir|ver|vease|vedi|zie)\s+(?:also |auch |aussi )?"
    r"(?:the|above|below|attached|full|linkedin|cv|resume|website|http\S*|www\S*|oben|unten)\b.*"
    rf"|(?:i|we)\s+(?:am|are|was|were|have|had|work\w*|help\w*)\b.*|.+\s{MINE}\s.+"
    r"|(?:work(?:ed|ing)|for more|more (?:details|information)|details (?:on|at|in|available))\s.+"
)
FEWEST_WORDS, MOST_WORDS = 4, 15  # of a sentence that ends with a full stop, of a name


def is_sentence(text: str) -> bool:
    """Whether a text is no name: `See my profile.`"""
    count = len(text.split())
    ends = re.search(r"\s[a-zà-ÿ]{4,}[.!?]$", text) and count >= FEWEST_WORDS
    return bool(ends or SENTENCE.fullmatch(plain(text))) or count > MOST_WORDS


def names_in(text: str, known: set[str]) -> list[str]:
    """The names of a text with several organizations, otherwise the text."""
    parts = [part.strip() for part in AND.split(text)]
    is_pair = all(letters(part) in known or WHOLE.search(plain(part)) for part in parts)
    return parts if letters(text) not in known and is_pair and all(parts) else [text]


def known_organizations(site: Path) -> set[str]:
    """The names of the registry of a site, as letters."""
    entries = (
        read_files(site).registries.get("organizations", {}) if (site / SITE_FILE).exists() else {}
    )
    return {letters(name) for entry in entries.values() for name in names_of(entry)}


def tidy_organizations(draft: Draft, known: set[str]) -> None:
    """Two known employers become two jobs; an entry whose employer is no name, a free entry."""
    for section, name in OTHERS.items():
        for entry in draft.cv.get(section, ()):
            if isinstance(entry, dict) and is_sentence(str(entry.get(name) or "")):
                draft.leave([entry.pop(name)], NOT_ONE)
    known = known | {letters(each) for each in named(draft) if len(names_in(each, set())) == 1}
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
                title = as_heading(section)
                draft.left.append(Unplaced(value, NOT_ONE, title))
                draft.put_free(title, free_entry(without_empty(entry)))
            else:
                kept += [{**entry, name: value.with_text(each)} for each in names]
        if kept:
            draft.cv[section] = kept
        else:
            draft.cv.pop(section, None)


def named(draft: Draft) -> Iterable[str]:
    """The organizations that entries of a draft name."""
    for section, name in {**OTHERS, **HOLDERS}.items():
        for entry in draft.cv.get(section, ()):
            if isinstance(entry, dict) and isinstance(entry.get(name), Value):
                yield entry[name]
    for entry in draft.entries.get("organizations", {}).values():
        yield from names_of(entry)
