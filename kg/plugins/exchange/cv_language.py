"""Finds the language of an imported CV: the one that the file states, else that of its headings and
most common words.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from kg.facts.values.languages import language_tag
from kg.plugins.exchange.draft import Draft, Value, values_in
from kg.plugins.exchange.titles import section_for
from kg.text.transliterate import plain

# Sections and fields with names, or with texts in the language of another work.
NAMES = (
    *("publications", "patents", "references", "organization", "institution", "studyType", "name"),
    *("location", "alternateNames", "awarder", "issuer", "url", "profiles", "language", "email"),
)
SCRIPTS = {
    "HIRAGANA": "ja",
    "KATAKANA": "ja",
    "HANGUL": "ko",
    "CJK": "zh",
    "CYRILLIC": "ru",
    "GREEK": "el",
}
SECTIONS = "cv.sections."  # of RenderCV
NO_LANGUAGE = "not a language tag or name"
FEWEST, MARGIN = 3, 1.3  # different words, and times those of the next language


@cache
def words_of_languages() -> dict[str, frozenset[str]]:
    read = yaml.load(Path(__file__).with_name("cv_languages.yaml").read_bytes(), yaml.CSafeLoader)
    return {tag: frozenset(words.split()) for tag, words in read.items()}


def language_of_cv(draft: Draft) -> str:
    """The tag of the language; empty if it is unclear."""
    text = " ".join([*texts_in(draft.cv), *headings(draft)])
    scripts = Counter(
        unicodedata.name(letter, "").partition(" ")[0] for letter in text if letter.isalpha()
    )
    for script, tag in SCRIPTS.items():
        if scripts[script] * 5 > scripts.total():
            return tag
    words = Counter(re.findall(r"[^\W\d_]{2,}", plain(text)))
    scores = Counter(
        {
            tag: sum(words[word] for word in known)
            for tag, known in words_of_languages().items()
            if len(known & words.keys()) >= FEWEST
        }
    )
    best = scores.most_common(2)
    is_clear = len(best) == 1 or (best and best[0][1] >= MARGIN * best[1][1])
    return best[0][0] if is_clear else "" if best else language_of_headings(draft)


def language_of_headings(draft: Draft) -> str:
    """The only language that has a word of the headings; empty if there are several."""
    words = {*re.findall(r"[^\W\d_]{4,}", plain(" ".join(headings(draft))))}
    found = [tag for tag, known in words_of_languages().items() if words & known]
    return found[0] if len(found) == 1 else ""


def add_language(draft: Draft, default: str) -> None:
    """Adds the language of a CV, unless it is the default of the site."""
    stated = draft.cv.pop("language", None)
    if stated and not language_tag(stated):
        draft.leave([stated], NO_LANGUAGE)
    found = language_tag(stated or "") or language_of_cv(draft)
    first = stated or next(values_in(draft.cv), None)
    if draft.name and first and found not in ("", default):
        basics = {"basics": draft.cv.pop("basics")}
        tag = Value.of(found, first.place, "language")
        draft.cv = {**basics, "language": tag, **draft.cv}


def texts_in(value: Any) -> Iterator[str]:
    """The texts of a CV with their headings, without names."""
    if isinstance(value, dict) and section_for(str(value.get("title", ""))) not in NAMES:
        for name, item in value.items():
            if name not in NAMES:
                yield from texts_in(item)
    elif isinstance(value, list):
        for item in value:
            yield from texts_in(item)
    elif isinstance(value, str):
        yield str(value)


def headings(draft: Draft) -> set[str]:
    """The headings of the source, as far as values have them in their path."""
    paths = [each.path for each in values_in(draft.cv)]
    inner = {path.split("[")[0].removeprefix(SECTIONS) for path in paths if SECTIONS in path}
    return inner | {path for path in paths if not re.search(r"[.\[]", path)}
