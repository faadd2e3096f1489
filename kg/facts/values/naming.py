"""Index of names: finds the entries that a name refers to.

An entity is a registry entry or is written inline. It is found by its name and other names in any
spelling that differs only in case, accents, spaces or punctuation; similar names never match. The
name of a unit counts only within its organisation.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import accumulate, chain, count
from typing import Any

from kg.facts.values.languages import VARIETY, language_name, language_tag
from kg.facts.values.regions import countries
from kg.facts.values.text import SLUG, address_slug, short_slug
from kg.facts.yaml.rows import texts, texts_in
from kg.text.nearest import closest
from kg.text.normalize import letters, name_key, squeeze
from kg.text.person_names import is_group, tidied

Registries = Mapping[str, Mapping[str, Mapping[str, Any]]]  # entries by kind and key
# Kinds whose name field is not called `name`.
TITLED = dict.fromkeys(("tutorials", "grants", "press", "publications"), "title")
# Kinds are folders of the site's addresses; these are their names in messages.
WORDS = {
    "people": "people",
    "orgs": "organisations",
    "places": "places",
    "topics": "topics",
    "languages": "languages",
    "software": "software",
    "venues": "venues",
    "publications": "publications",
    "sources": "sources",
    "courses": "courses",
    "tutorials": "tutorials",
    "projects": "projects",
    "grants": "grants",
    "patents": "patents",
    "press": "press items",
}
SINGULARS = {"people": "person", "software": "piece of software"}  # irregular singulars
LONG_WORD = re.compile(r"[^\W\d_]{4,}")
YEAR = re.compile(r"\d{4}")
MAX_EXTRA_WORDS = 3  # of the title, to make a key unique


@dataclass
class InlineEntities:
    """Entities written inline, by kind and slug."""

    rows: dict[str, dict[str, Any]] = field(default_factory=lambda: defaultdict(dict))
    units: dict[str, str] = field(default_factory=dict)  # slug -> slug of the organisation
    # slug -> display name of people who are only mentioned, if they are spelled in several ways
    called: dict[str, str] = field(default_factory=dict)


class Claims:
    """Finds slugs by name: exact spelling first, then any spelling."""

    def __init__(self) -> None:
        self.exact: dict[str, list[str]] = defaultdict(list)
        self.by_key: dict[str, list[str]] = defaultdict(list)

    def add(self, slug: str, row: Mapping[str, Any]) -> None:
        for name in names_of(row):
            self.add_name(slug, name)

    def add_person(self, slug: str, row: Mapping[str, Any]) -> None:
        """Also by the name as it should be written, so that a title is a problem only there."""
        self.add(slug, row)
        if (name := tidied(name_in(row))[0]) != name_in(row):
            self.add_name(slug, name)

    def add_name(self, slug: str, name: str) -> None:
        for same in (self.exact[name], self.by_key[name_key(name)]):
            if slug not in same:
                same.append(slug)

    def of(self, name: str) -> list[str]:
        exact = self.exact.get(name) or self.exact.get(squeeze(name))
        return exact or self.by_key.get(name_key(name)) or []


class KnownKeys:
    """The keys of some kinds of entries, to suggest corrections for unknown ones."""

    def __init__(self, registries: Iterable[Mapping[str, Mapping[str, Any]]]) -> None:
        self.former: dict[str, str] = {}  # former key -> key
        self.called: dict[str, str] = {}  # key or lower-case name -> key
        self.keys: list[str] = []
        for rows in registries:
            for slug, row in rows.items():
                self.keys.append(slug)
                self.former |= {old.rpartition("/")[2]: slug for old in texts(row, "was")}
                for name in (row.get("name"), row.get("title"), *texts(row, "alternateNames")):
                    if isinstance(name, str):
                        self.called.setdefault(name.lower(), slug)
                self.called[slug] = slug

    def nearest(self, word: str) -> list[str]:
        """The keys closest to a word, compared with keys and names."""
        found = closest(word.lower(), self.called, most=6)
        return list(dict.fromkeys(self.called[each] for each in found))[:3]


class ThingsByName:
    """Index of all names of a site: registry entries and inline entities."""

    def __init__(self, rows: Registries, inline: InlineEntities | None = None) -> None:
        self.rows, self.inline = rows, inline or InlineEntities()
        self.claims: dict[str, Claims] = {}
        self.keys: dict[tuple[str, ...], KnownKeys] = {}
        self.units: dict[tuple[str, str], str] = {}
        for slug, whole in self.inline.units.items():
            for name in names_of(self.inline.rows["orgs"][slug]):
                self.units[whole, name_key(name)] = slug

    def row(self, kind: str, slug: str) -> Mapping[str, Any]:
        return self.rows.get(kind, {}).get(slug) or self.inline.rows.get(kind, {}).get(slug) or {}

    def claims_in(self, kind: str) -> Claims:
        if kind not in self.claims:
            claims = self.claims[kind] = Claims()
            for slug, row in self.rows.get(kind, {}).items():
                claims.add_person(slug, row) if kind == "people" else claims.add(slug, row)
                if kind == "languages" and (tag := tag_of(slug, name_in(row))):
                    claims.add_name(slug, tag)
            for slug, row in self.inline.rows.get(kind, {}).items():
                if kind != "orgs" or slug not in self.inline.units:
                    claims.add(slug, row)
        return self.claims[kind]

    def find(self, kind: str, name: str) -> list[str]:
        """The slugs of entries with this name."""
        return self.claims_in(kind).of(name)

    def find_unit(self, name: str, whole: str) -> list[str]:
        """The units of an organisation with this name; otherwise organisations without a parent."""
        if slug := self.units.get((whole, name_key(name))):
            return [slug]
        found = self.find("orgs", name)
        inside = [slug for slug in found if whole in self.above(slug)]
        return inside or [slug for slug in found if not self.row("orgs", slug).get("parent")]

    def above(self, slug: str) -> list[str]:
        """The chain of parent organisations; stops at a cycle."""
        found: list[str] = []
        while (parent := self.row("orgs", slug).get("parent")) and isinstance(parent, str):
            slug = self.organization(parent)
            if slug in found:
                break
            found.append(slug)
        return found

    def organization(self, text: str) -> str:
        """The slug of an organisation, given its key or name."""
        if text in self.rows.get("orgs", {}):
            return text
        found = self.find("orgs", text)
        return found[0] if len(found) == 1 else address_slug(text)

    def is_mistyped_key(self, kinds: tuple[str, ...], text: str) -> bool:
        """Whether a text is a mistyped key rather than a name: it looks like a key, and is close to
        one or belongs to another registry.
        """
        text = text.strip()
        if " " in text or any(letter.isupper() for letter in text):
            return False
        known = self.keys_of(kinds)
        return (
            any(text in entries for entries in self.rows.values())
            or text in known.former
            or bool(closest(text, known.keys, most=1, cutoff=0.57))
        )

    def keys_of(self, kinds: tuple[str, ...]) -> KnownKeys:
        if kinds not in self.keys:
            self.keys[kinds] = KnownKeys(self.rows.get(kind, {}) for kind in kinds)
        return self.keys[kinds]


def name_in(row: Mapping[str, Any]) -> str:
    """The name or title of an entry with normalized spaces; empty if it has none."""
    name = row.get("name") or row.get("title")
    return squeeze(name) if isinstance(name, str) else ""


def names_of(row: Mapping[str, Any]) -> Iterable[str]:
    """The name and other names of an entry, normalized for comparison."""
    others = (*texts(row, "alternateNames"), *texts(row, "formerNames"))
    names = (row.get("name"), row.get("title"), *others)
    return dict.fromkeys(squeeze(name) for name in names if isinstance(name, str) and name)


def private_names(row: Mapping[str, Any]) -> set[str]:
    """Former names of a person that are not published, normalized for comparison."""
    value = row.get("formerNames")
    items = value if isinstance(value, list) else [value]
    public = [
        item for item in items if isinstance(item, Mapping) and item.get("visibility") == "public"
    ]
    return set(map(squeeze, texts_in(items))) - set(map(squeeze, texts_in(public)))


def address_of(kind: str, row: Mapping[str, Any], index: ThingsByName, whole: str = "") -> str:
    """The slug of an inline entity. The slug of a unit begins with that of its organisation."""
    name = address_slug(name_in(row))
    if kind == "languages":
        return language_tag(name_in(row)) or name
    if kind == "courses" and (provider := named_in(row, "provider")):
        code = next(iter(texts(row, "codes")), "")
        return (
            f"{index.organization(provider)}-{address_slug(code) or name}" if code or name else ""
        )
    if kind == "grants" and (funder := named_in(row, "funder")) and row.get("number"):
        return f"{index.organization(funder)}-{address_slug(str(row['number'])) or name}"
    if kind == "publications" and row.get("kind") == "thesis":
        return work_key({**row, "title": name_in(row)})
    if kind == "press" and isinstance(date := row.get("date"), str):
        return f"{address_slug(date)}-{name}" if name else ""
    return f"{whole}-{name}" if whole and name else name


def tag_of(key: str, name: str) -> str:
    """The tag of a language with an entry, which can have another key: `english`."""
    return key if VARIETY.fullmatch(key) else language_tag(key) or language_tag(name)


def named_in(row: Mapping[str, Any], field: str) -> str:
    """The key or name that a field refers to; empty if missing."""
    value = row.get(field)
    name = name_in(value) if isinstance(value, Mapping) else value
    return name if isinstance(name, str) else ""


def work_key(work: Mapping[str, Any], owner: Mapping[str, Any] | None = None) -> str:
    """The key of a work: first author's last name or the organisation, year, and first long word
    of the title; without an author, the title. A private former name is never part of a key.
    """
    title = work.get("title")
    title = title if isinstance(title, str) else ""
    signed = work.get("authors") or work.get("editors")
    first = signed[0] if isinstance(signed, list) and signed else signed
    fields = first if isinstance(first, Mapping) else {"as": first}
    name = fields.get("as") or fields.get("person") or named_in(fields, "organization")
    if not isinstance(name, str) or not short_slug(name):
        return short_slug(title) or "untitled"
    if owner and "formerNames" in owner and squeeze(name) in private_names(owner):
        name = str(owner.get("name", ""))
    last = name.partition(",")[0].split()[-1] if not SLUG.fullmatch(name) else name.split("-")[-1]
    if "organization" in fields or is_group(name):
        last = name
    year = YEAR.match(str(work.get("year") or work.get("date") or ""))
    word = LONG_WORD.search(title)
    pieces = (last, year[0] if year else "", word[0] if word else title)
    return "-".join(filter(None, map(short_slug, pieces)))


def distinct_key(key: str, title: object, taken: Container[str]) -> str:
    """Makes a key unique: adds words of the title, then a number."""
    words = LONG_WORD.findall(title) if isinstance(title, str) else []
    more = [word for word in map(short_slug, words) if word and word not in key.split("-")]
    longer = accumulate([key, *more[:MAX_EXTRA_WORDS]], "{}-{}".format)
    numbered = (f"{key}-{number}" for number in count(2))
    return next(each for each in chain(longer, numbered) if each not in taken)


def is_same_title(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two works have the same title, ignoring case and punctuation."""
    return letters(str(one.get("title"))) == letters(str(other.get("title")))


def known_of(kind: str, name: str) -> dict[str, str]:
    """Fields that a name implies: locality and country of a place, name of a language tag."""
    if kind == "languages":
        tag = language_tag(name)
        return {"name": language_name(tag, name), **({"tag": tag} if tag else {})}
    *parts, country = (part.strip() for part in squeeze(name).split(","))
    if kind != "places" or not parts or country.casefold() not in countries():
        return {TITLED.get(kind, "name"): squeeze(name)}
    known = {"name": squeeze(name), "country": countries()[country.casefold()]}
    if len(parts) <= 2:
        known["locality"] = parts[0]
    if len(parts) == 2:
        known["region"] = parts[1]
    return known


def kind_word(kind: str, number: int) -> str:
    word = WORDS[kind]
    return SINGULARS.get(kind, word.removesuffix("s")) if number == 1 else word


def an(kind: str) -> str:
    """`orgs` -> `an organisation`"""
    word = kind_word(kind, 1)
    return f"{'an' if word[0] in 'aeiou' else 'a'} {word}"
