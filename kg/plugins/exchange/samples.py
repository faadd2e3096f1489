"""Leaves out the texts that themes and schemas come with: sample biographies, awards, skills.

`theme-samples.txt` has digests of the samples of JSON Resume, RenderCV, al-folio, Hugo Blox and
academicpages: `=` before those of an entry, `@` before that of a contact, `~` before that of a
name. An entry is a sample if all its texts are those of one sample entry. A long text is a sample
in any entry, because nobody writes it by chance.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from kg.facts.models import SECTIONS
from kg.plugins.exchange.draft import Draft, Value, values_in, with_leaves, without_empty
from kg.text.transliterate import plain

SAMPLE = "sample value of the theme"
LONG = 25  # letters of a text that nobody writes by chance
SEVERAL_SENTENCES, MOST_SENTENCES = 150, 20  # letters, at the beginning of a text
FEWEST = 2  # texts of a short entry
DATE = re.compile(r"(?:19|20)\d\d(?:-\d\d)*(?:T.*)?")
NO_LETTER = re.compile(r"\]\([^)\s]*\)|https?://(?:www\.)?|[\W_]+")
PLACEHOLDER = re.compile(
    r"(?:Sub-?)?(?:Description|Topic|Skill) \d(?:\.\d)?\.?|(?:Hobbies: )?Hobby 1, Hobby 2, etc\.?"
    r"|A summary of John Doe(?:…|\.{3})",
    re.IGNORECASE,
)
# The guide of RenderCV's sample, which has another number or list of entry types in each version.
GUIDE = re.compile(
    r"Each section title is arbitrary(?: and each section contains a list of entries)?\.?$"
    r"|There are \d+ unique entry types\b.*\b(?:Bullet|Text|OneLine)Entry\b"
    r"|Select a section title, pick an entry type\b"
    r"|.*\bcomprehensive user guide for \[?RenderCV\b"
)
SENTENCE = re.compile(r"(?<=[.!?])\s")
IMAGE = re.compile(r"(?:https?://)?(?:www\.|via\.)?(?:placehold\.(?:it|co)|placeholder\.com)/")
PROSE = ("summary", "highlights", "text", "details", "abstract", "statement", "keywords")
ORCID = re.compile(r"\d{4}-\d{4}-\d{4}-\d{3}[\dX]")
CONTACTS = ("email", "phone", "url", "profiles", "address", "image", "orcid")
UNSAID = ("languages", "sections", "news", "layout")  # languages: the same for many people


class Samples(NamedTuple):
    """Digests of texts: entries as sets, all texts in entries, contacts, and names of people."""

    entries: frozenset[frozenset[str]]
    texts: frozenset[str]
    contacts: frozenset[str]
    names: frozenset[str]


@cache
def samples() -> Samples:
    lines = Path(__file__).with_name("theme-samples.txt").read_text(encoding="utf-8").splitlines()
    rows = [line.split() for line in lines]
    entries = frozenset(frozenset(row[1:]) for row in rows if row[0] == "=")
    texts = frozenset(each for entry in entries for each in entry)
    contacts, names = (frozenset(row[1] for row in rows if row[0] == mark) for mark in "@~")
    return Samples(entries, texts, contacts, names)


def letters_of(text: str) -> str:
    """The letters and digits of a text without marks, links and accents; of a date, the year."""
    return text[:4] if DATE.fullmatch(text) else NO_LETTER.sub("", plain(text))


def digest(text: str) -> str:
    return blake2b(letters_of(text).encode(), digest_size=5).hexdigest()


def digests(entry: Any) -> frozenset[str]:
    """Of all texts in an entry; not of authors, to whom readers add the person."""
    if isinstance(entry, Mapping):
        entry = {name: each for name, each in entry.items() if name not in ("authors", "publisher")}
    texts = (line for value in values_in(entry) for line in lines_of(value))
    return frozenset(digest(text) for text in texts if text != "present" and letters_of(text))


PLACEHOLDER_ADDRESS = digest("https://example.com")


def lines_of(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.strip()]


def is_long_sample(text: str) -> bool:
    """Whether a text can only be that of a sample, or begins with several sentences of one."""
    ends = [found.start() for found in islice(SENTENCE.finditer(text), MOST_SENTENCES)]
    starts = [start for end in ends if len(letters_of(start := text[:end])) >= SEVERAL_SENTENCES]
    is_long = len(letters_of(text)) >= LONG and digest(text) in samples().texts
    return (
        is_long
        or any(digest(start) in samples().texts for start in starts)
        or bool(PLACEHOLDER.fullmatch(text.strip(" -*")) or GUIDE.match(text.strip(" -*")))
    )


def is_sample(entry: Any) -> bool:
    own = digests(entry)
    if len(own) >= FEWEST and own in samples().entries:
        return True
    if PLACEHOLDER_ADDRESS in own and any(
        PLACEHOLDER_ADDRESS in each and len(own & each) > FEWEST for each in samples().entries
    ):
        return True
    is_entry = isinstance(entry, Mapping)
    values = values_in(
        [entry.get(name) for name in (*PROSE, "title", "url")] if is_entry else entry
    )
    has_long = any(is_long_sample(line) for value in values for line in lines_of(value))
    return has_long and (
        any(own <= each for each in samples().entries) or (is_entry and is_of_sample(entry, own))
    )


def is_of_sample(entry: Mapping[str, Any], own: frozenset[str]) -> bool:
    """Whether an entry is a sample in which only some texts were replaced: a work with the title or
    address of one, or any entry with the summary of one and another of its texts.
    """
    named = [entry[name] for name in ("title", "url") if name in entry and "authors" in entry]
    about = digests(entry.get("summary"))
    return any(map(is_long_sample, values_in(named))) or any(
        about and about <= each and len(own & each) > len(about) for each in samples().entries
    )


def is_sample_person(name: str) -> bool:
    """Whether a CV is that of a sample person, about whom the samples are true."""
    return bool(name) and digest(name) in samples().names


def leave_samples(draft: Draft) -> bool:
    """Lists samples instead of importing them; whether most entries are the person's own."""
    cv, before = draft.cv, len(draft.left)
    lists = [entries for name, entries in cv.items() if name not in UNSAID]
    lists += [section["entries"] for section in cv.get("sections", ())]
    lists = [each for each in lists if isinstance(each, list)]
    count = sum(map(len, lists))
    for entries in lists:
        if entries and all(isinstance(each, Value) for each in entries) and is_sample(entries):
            draft.leave(entries, SAMPLE)
            entries.clear()
        for entry in [each for each in entries if is_sample(each)]:
            named = entry.get("title", entry) if isinstance(entry, Mapping) else entry
            draft.leave([*values_in(named)][:1], SAMPLE)
            entries.remove(entry)
        entries[:] = [kept for each in entries if (kept := without_samples(draft, each))]
    own = sum(map(len, lists))
    leave_contacts(draft, len(draft.left) > before)
    cv["sections"] = [each for each in cv.get("sections", ()) if each["entries"]]
    draft.cv = cv = {name: value for name, value in cv.items() if value != []}
    order = cv.get("layout", {}).get("order", [])
    titles = [each["title"] for each in cv.get("sections", ())]
    kept = [name for name in order if name in cv or (name not in SECTIONS and name in titles)]
    if len(kept) < len(order):
        cv.pop("layout")
        cv |= {"layout": {"order": kept}} if len(kept) > 1 else {}
    return own >= count - own


def without_samples(draft: Draft, value: Any) -> Any:
    """A value without long texts that are samples, which are listed."""

    def kept(text: Any) -> Any:
        if not isinstance(text, Value):
            return text
        lines = text.split("\n")
        own = [line for line in lines if not is_long_sample(line)]
        draft.leave([] if own == lines else [text], SAMPLE)
        return text if own == lines else text.with_text("\n".join(own).strip())

    if not isinstance(value, Mapping):
        return kept(value)
    prose = {name: with_leaves(value[name], kept) for name in PROSE if name in value}
    return compact({**value, **prose}) if prose else value


def compact(value: Any) -> Any:
    """Plain data without empty texts and lists."""
    if isinstance(value, Mapping):
        return without_empty({name: compact(item) for name, item in value.items()})
    if isinstance(value, list):
        return [kept for each in value if (kept := compact(each))]
    return value


def leave_contacts(draft: Draft, has_samples: bool) -> None:
    """Lists the contact details of a sample person. Where the street or the number is one, so is
    the town; a known ORCID is one beside other samples.
    """
    basics = draft.cv.get("basics", {})
    for name in [each for each in CONTACTS if each in basics]:
        values = basics[name] if isinstance(basics[name], list) else [basics[name]]
        found = [each for each in values if is_contact(each)]
        found = [each for each in found if has_samples or not ORCID.search(str(each))]
        draft.leave((value for each in found for value in values_in(each)), SAMPLE)
        rest = [each for each in values if each not in found]
        if found and name in ("address", "phone"):
            draft.leave(values_in(basics.pop("location", None)), SAMPLE)
        if found:
            basics[name] = rest if isinstance(basics[name], list) else None
    for name in ("summary", "label"):
        basics[name] = without_samples(draft, basics.get(name))
    draft.cv["basics"] = without_empty(basics)


def is_contact(value: Any) -> bool:
    texts = [*details_of(value)]
    return any(digest(text) in samples().contacts or IMAGE.match(text) for text in texts)


def details_of(value: Any) -> Iterator[Value]:
    """The texts of a contact without the name of its network."""
    if isinstance(value, Mapping):
        value = {name: each for name, each in value.items() if name not in ("network", "label")}
    return values_in(value)
