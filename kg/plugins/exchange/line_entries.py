"""Turns single lines of text into entries: summary paragraphs, skills, languages, free entries."""

from __future__ import annotations

import re
from typing import Any

from kg.facts.values.languages import language_tag
from kg.plugins.exchange.draft import Draft, Value, without_empty
from kg.plugins.exchange.markup import plain, prose
from kg.text.normalize import letters

NAMES_ALONE = ("skills", "languages", "interests")  # sections whose entries can be plain names
LONGEST_NAME = 80
GROUP = re.compile(r"\s*[,;|]\s*(?![^(\[]*[)\]])")  # separators outside brackets
BEFORE_LEVEL = re.compile(r"\s*[(:]\s*|\s+[-–—]\s+")
# Headings of a summary, in several languages, without spaces.
ABOUT = re.compile(
    r"(professional|personal|executive|career)?(summary|profile|about|aboutme|objective|statement)"
    r"|resumen|perfil(profesional)?|sobremi|profil|kurzprofil|ubermich|profilo|riepilogo"
    r"|resumo|apropos|objetivo"
)


def add_line(draft: Draft, value: Value, heading: str, section: str) -> None:
    """Adds a line below a heading; `section` is what the heading means, or empty."""
    if ABOUT.fullmatch(letters(heading)):
        text, before = prose(value), draft.cv.setdefault("basics", {}).get("summary")
        draft.cv["basics"]["summary"] = before.with_text(f"{before}\n\n{text}") if before else text
    elif section in NAMES_ALONE and "\n" not in value and len(value) < LONGEST_NAME:
        named = plain(value)
        found: Any = language_of(named) if section == "languages" else named
        draft.add(section, found)
    else:
        draft.put_free(heading, prose(value))


def split_list(value: Value) -> list[Value]:
    """Splits a list in one line: `Python, C (some), R`."""
    return [plain(value.with_text(each)) for each in GROUP.split(value) if each.strip()]


def is_language(text: str) -> bool:
    """Whether a text is a language, with or without a level."""
    return bool(language_tag(BEFORE_LEVEL.split(text)[0]))


def language_of(value: Value) -> dict[str, Any]:
    """Splits `English (native)` into language and level."""
    name, *rest = BEFORE_LEVEL.split(value, maxsplit=1)
    level = "".join(rest).strip()
    level = level if level.count("(") == level.count(")") else level.removesuffix(")")
    return without_empty(
        {"language": value.with_text(name.strip()), "level": value.with_text(level)}
    )
