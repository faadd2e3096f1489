"""Maps the titles of sections in CVs, in many languages, to sections.

A title maps to a section only if all its parts agree. `Teaching and mentoring` means two, so its
entries stay together in a free section with that title.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

import yaml

from kg.advice.other_words import words_for
from kg.facts.models import SECTIONS
from kg.text.normalize import letters
from kg.text.transliterate import plain

LISTS = {*SECTIONS, "publications", "patents"} - {"sections", "basics"}
SEVERAL = "several"  # the title means more than one section


class Title(NamedTuple):
    """The meaning of a title: a section or `summary`, `contact`, `title`; and a kind of entry."""

    section: str = ""
    kind: str = ""


class Titles(NamedTuple):
    known: dict[str, Title]  # by letters, with and without `and`; unclear ones are empty
    qualifiers: frozenset[str]
    ending: re.Pattern[str]
    between: re.Pattern[str]


@cache
def titles() -> Titles:
    """The table `titles.yaml`, and the words that `kg check` suggests sections for."""
    read = yaml.load(Path(__file__).with_suffix(".yaml").read_bytes(), yaml.CSafeLoader)
    and_ = "|".join(read["and"].split())
    between = re.compile(rf"\s*[,/&|+·•、・]\s*|\s+(?:{and_})\s+", re.IGNORECASE)
    found = {word: Title(ours[0]) for word, ours in words_for("sections").items()}
    found = {word: title for word, title in found.items() if title.section in LISTS}
    found |= {letters(name): Title(name) for name in LISTS}
    for key, names in {**read["titles"], "": read["unclear"]}.items():
        section, _, kind = key.partition("/")
        for name in names.split(","):
            found[letters(name)] = found[letters(between.sub(" ", name))] = Title(section, kind)
    ending = re.compile(rf"\s+(?:{'|'.join(read['endings'].split())})$")
    return Titles(found, frozenset(read["qualifiers"].split()), ending, between)


def meaning(title: str) -> Title:
    """The meaning of a title; empty if it is unknown or unclear.

    If some parts have no meaning, that of the others counts; `SEVERAL` if they differ.
    """
    title = heading_text(title)
    if (found := whole_meaning(title)) is not None:
        return found
    parts = [whole_meaning(each) for each in titles().between.split(title) if each]
    sections = {each.section for each in parts if each}
    if not sections or "" in sections:
        return Title()
    return Title(sections.pop() if len(sections) == 1 else SEVERAL)


def section_for(title: str) -> str:
    """The section that a title means; empty if it is unclear.

    All parts of the title must agree: `Education and outreach` is not `education`.
    """
    return title_for(title).section


def title_for(title: str) -> Title:
    """The section and the kind that a title means, if all its parts agree."""
    heading = heading_text(as_heading(title))
    found = whole_meaning(heading)
    if found is None:
        parts = [whole_meaning(each) for each in titles().between.split(heading) if each]
        sections = {each.section if each else "" for each in parts}
        found = Title(sections.pop()) if len(sections) == 1 else Title()
    return found if found.section in LISTS else Title()


def whole_meaning(title: str) -> Title | None:
    """The meaning of a title, ignoring qualifiers such as `selected`; None if it is unknown."""
    known, qualifiers, ending, between = titles()
    words = re.sub(r"\s*\([^()]*\)", "", plain(title)).split()
    while words:
        text = " ".join(words)
        joined = (between.sub(word, text) for word in (" ", " and "))
        for each in (text, *joined, text.removesuffix("s"), f"{text}s", ending.sub("", text)):
            if (found := known.get(letters(each))) is not None:
                return found
        first, *rest = between.split(text, maxsplit=1)
        means_another = rest and known.get(letters(first), Title()).section in LISTS
        if words[0] not in qualifiers or means_another:
            return None
        words = words[1:]
    return None


def heading_text(text: str) -> str:
    """A heading without surrounding punctuation, numbers and emoji."""
    text = re.sub(r":[a-z_]{3,30}:", "", text)
    text = re.sub(r"^(?:[\W\d_]+|[IVX]+\.\s)", "", text)
    return re.sub(r"[^\w)’'.]+$", "", text).rstrip(".").strip()


def as_heading(name: str) -> str:
    """Makes a heading from a key: `talks_given`, `talksGiven` -> `Talks given`. A text stays as
    written.
    """
    if re.fullmatch(r"[^\W\d_A-Z]{2,}(?:[A-Z][^\W\d_A-Z]+)+", name):
        name = re.sub(r"(?=[A-Z])", " ", name).lower()
    if " " not in name.strip():
        name = re.sub("[_-]" if name.islower() else "_", " ", name)
    return name[:1].upper() + name[1:] if name.islower() else name
