"""Matches entries of a draft with entries of a CV, and with registry entries of a site.

Identifiers decide first. Without identifiers on both sides, entries match by their identifying
fields: a position by organisation, title and start date, a work by title and year. In case of
doubt, entries stay separate.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import Any

from kg.facts.files import Files
from kg.facts.folded import SHORT
from kg.facts.notes import comparable
from kg.facts.values.naming import names_of
from kg.facts.yaml.rows import texts
from kg.plugins.exchange.author_names import join_authors, name_of, parts_of
from kg.plugins.exchange.draft import OWNER
from kg.text.normalize import squeeze, words

WHERE = ("organization", "venue", "conference", "journal")
START = ("startDate", "date", "year", "dates", "years", "endDate")
# Identifying fields by section, each with alternatives. Both entries must have the first.
NUMBERS = ("volume", "issue", "pages", "number", "version")
IDENTIFYING_FIELDS: dict[str, tuple[tuple[str, ...], ...]] = {
    "news": (("text",), ("date",)),
    "work": (("organization", "position"), ("position",), START),
    "breaks": (("reason",), START),
    "education": (("institution",), ("studyType",)),
    "certificates": (("name",), START),
    "grants": (("grant", "title"), ("number",)),
    "teaching": (("course", "name"), ("role",), START),
    "mentoring": (("person",), ("level",)),
    "memberships": (("organization",), START),
    "service": (WHERE, ("role",), ("kind",), START),
    "tutorials": (("tutorial", "title"),),
    "talks": (("title", "work"), ("at", "venue", "conference"), START),
    "volunteer": (WHERE, ("position", "role"), START),
    "languages": (("language",),),
    "skills": (("name",),),
    "interests": (("name",),),
    "awards": (("title",), START),
    "extracurricular": (("organization",), ("position",)),
    "projects": (("project", "name"),),
    "systems": (("software", "name"),),
    "references": (("person",),),
    "press": (("item", "title"), START),
    "contributions": (("title",),),
    "sections": (("title",),),
    "profiles": (("network", "url", "label"),),
}
# Fields that identify a position by section, even if its title has changed.
RENAMED = {"work": ("organization",), "volunteer": WHERE, "extracurricular": ("organization",)}
OTHER_IDENTIFYING_FIELDS = (("name", "title", "label", "text", "value", "person", "as", "key"),)
WORKS = ("publications", "patents")
SHOWN = ("poster", "abstract", "talk")  # kinds of works that tell of one of the same title
BOOKS = ("book", "edited-book", "proceedings")
# Identifier schemes, and the registry whose entries have them.
SCHEMES = {
    "orcid": "people",
    "ror": "orgs",
    "issn": "venues",
    "doi": "publications",
    "arxiv": "publications",
}
NUMBERING = re.compile(
    r"\W(?:(?:volume|vol|issue|number|no|nr|pp)\b|[A-Za-z]*+\d++|\W)+", re.IGNORECASE
)
ARXIV_DOI = "10.48550/arxiv."
# Other texts are no identifiers: `TBD`, or the `10.1145/nnnnnnn.nnnnnnn` of a template.
IDENTIFIER = {
    "doi": re.compile(r"10\.\d+/(?!(?:x{4}|n{4}|0{4})[xn0.]*$)\S+"),
    "arxiv": re.compile(r"\d{4}\.\d{4,5}|[a-z-]+(?:\.[a-z]{2})?/\d{7}"),
}
# What distinguishes works with the same title.
DISTINCTIVE = (("kindName", "kind"), WHERE, *((each,) for each in NUMBERS))
# Mutually exclusive fields of an entry.
ALTERNATIVES = (
    ("date", "year", "years", "dates", "startDate"),
    ("endDate", "dates", "years", "expected"),
    ("venue", "conference", "journal"),
)
VERSION = re.compile(r"v\d+$")
YEAR = re.compile(r"\d{4}")


class KnownEntries:
    """Index of a site's registry entries by key, name and identifier."""

    def __init__(self, files: Files | None = None, without: str = "") -> None:
        """`without` is the path of a CV whose inline works are ignored."""
        every = {**files.registries, "people": files.people} if files else {}
        self.rows = {
            kind: {
                key: row for key, row in found.items() if kind not in WORKS or row.file != without
            }
            for kind, found in every.items()
        }
        self.names: dict[str, set[tuple[str, str]]] = {}
        self.identifiers: dict[tuple[str, str, str], str] = {}
        for kind, rows in self.rows.items():
            for key, row in rows.items():
                for name in (key, *names_of(row)):
                    self.names.setdefault(folded(name), set()).add((kind, key))
                for scheme, value in identifiers(row):
                    self.identifiers.setdefault((kind, scheme, value), key)

    def normal_name(self, value: Any) -> str:
        """Normalises a key or name, so that all names of one entry are equal."""
        text = value if isinstance(value, str) else " ".join(map(str, names_in(value)))
        found = self.names.get(folded(text), set())
        return "/".join(min(found)) if found else folded(text)

    def person(self, name: str) -> str:
        """The key of the only person with this name; empty if there is none, or several."""
        found = [key for kind, key in self.names.get(folded(name), ()) if kind == "people"]
        return found[0] if len(found) == 1 else ""

    def key_of(self, thing: Mapping[str, Any]) -> str:
        """The key of the existing entry with the same identifier or exactly the same name."""
        for scheme, value in identifiers(thing):
            if key := self.identifiers.get((SCHEMES[scheme], scheme, value)):
                return key
        found = {
            key
            for name in names_in(thing)
            for kind, key in self.names.get(folded(name), ())
            if kind not in WORKS and name in names_of(self.rows[kind][key])
        }
        return found.pop() if len(found) == 1 else ""

    def with_known_keys(self, value: Any, section: str = "") -> Any:
        """Replaces inline entities by the keys of entries that the site has already."""
        if isinstance(value, list):
            return [self.with_known_keys(item, section) for item in value]
        if not isinstance(value, dict):
            return value
        if section in WORKS and (work := self.work(value)):
            return {"key": work, "selected": value["selected"]} if "selected" in value else work
        return {
            name: key
            if isinstance(item, dict) and section and (key := self.key_of(item))
            else self.with_known_keys(item, section or name)
            for name, item in value.items()
        }

    def work(self, entry: Mapping[str, Any]) -> str:
        """The key of the same work in the registry; empty if there is none."""
        for scheme, value in identifiers(entry):
            if key := self.identifiers.get(("publications", scheme, value)):
                return key
        keys = self.names.get(folded(str(entry.get("title", ""))), ())
        rows = self.rows.get("publications", {})
        return next(
            (
                key
                for kind, key in sorted(keys)
                if kind == "publications" and is_same_work(entry, rows[key])
            ),
            "",
        )

    def fields(self, section: str, item: Any) -> dict[str, Any]:
        """The fields of an item; a plain text is its first field, a key stands for its work."""
        if isinstance(item, Mapping):
            if section in WORKS and "title" not in item and "key" in item:
                return {**self.fields(section, item["key"]), **item}
            return dict(item)
        text = str(item)
        if section in WORKS and text in self.rows.get(section, {}):
            return {**self.rows[section][text], "key": text}
        slots = IDENTIFYING_FIELDS.get(section, OTHER_IDENTIFYING_FIELDS)
        return {SHORT.get(section, "key" if section in WORKS else slots[0][0]): text}

    def match(self, section: str, one: Any, other: Any) -> int:
        """A score of how well two items match; 0 if they do not."""
        if one == other:
            return 99
        mine, theirs = self.fields(section, one), self.fields(section, other)
        if section in WORKS:
            is_key = "key" in mine and mine["key"] == theirs.get("key")
            is_same = is_key or is_same_work(mine, theirs)
            return (
                8 + is_same_time(*(first(each, START)[:1] for each in (mine, theirs)))
                if is_same
                else 0
            )
        score = 0
        for number, names in enumerate(IDENTIFYING_FIELDS.get(section, OTHER_IDENTIFYING_FIELDS)):
            left, right = (first(fields, names) for fields in (mine, theirs))
            if left and right:
                is_same = (
                    any(is_same_time(a, b) for a in left for b in right)
                    if names is START
                    else any(
                        self.normal_name(a) == self.normal_name(b) for a in left for b in right
                    )
                )
                if not is_same:
                    return 0
                score += 2
            elif number == 0:
                return 0
            else:
                score += left == right
        return score

    def pairs(self, section: str, ones: list[Any], others: list[Any]) -> dict[int, int]:
        """Pairs the indexes of matching items of two lists, best matches first, each item once."""
        there: dict[str, list[int]] = {}
        for other, item in enumerate(others):
            for hint in self.lookup_keys(section, item):
                there.setdefault(hint, []).append(other)
        found = {
            (-self.match(section, one, others[other]), number, other)
            for number, one in enumerate(ones)
            for hint in self.lookup_keys(section, one)
            for other in there.get(hint, ())
        }
        pairs, paired = dict[int, int](), set[int]()
        for score, number, other in sorted(found):
            if score and number not in pairs and other not in paired:
                pairs[number] = other
                paired.add(other)
        self.pair_renamed(section, ones, others, pairs)
        return pairs

    def pair_renamed(
        self, section: str, ones: list[Any], others: list[Any], pairs: dict[int, int]
    ) -> None:
        """Pairs positions whose title has changed.

        They match if each side has exactly one position at that organisation with that start date.
        """
        if section not in RENAMED:
            return
        begun: list[dict[tuple[str, str], list[int]]] = []
        for items, paired in ((ones, [*pairs]), (others, [*pairs.values()])):
            there: dict[tuple[str, str], list[int]] = {}
            for number, item in enumerate(items):
                fields = self.fields(section, item)
                where, start = first(fields, RENAMED[section]), fields.get("startDate")
                if number not in paired and where and isinstance(start, str):
                    there.setdefault((self.normal_name(where[0]), start), []).append(number)
            begun.append(there)
        for key in begun[0].keys() & begun[1].keys():
            if len(begun[0][key]) == len(begun[1][key]) == 1:
                pairs[begun[0][key][0]] = begun[1][key][0]

    def lookup_keys(self, section: str, item: Any) -> set[str]:
        """Lookup keys; only items that share one are compared."""
        fields = self.fields(section, item)
        if section in WORKS:
            title, key = folded(str(fields.get("title", ""))), str(fields.get("key", ""))
            others = map(folded, texts(fields, "alternateTitles"))
            known = (" ".join(each) for each in identifiers(fields))
            return {title, key, *others, *known, digits(fields.get("isbn", ""))} - {""}
        named = first(fields, IDENTIFYING_FIELDS.get(section, OTHER_IDENTIFYING_FIELDS)[0])
        return {self.normal_name(each) for each in named} or {repr(item)}


def folded(name: str) -> str:
    """Folds a name for comparison; C, C++ and C# stay distinct."""
    return comparable(name.replace("+", "plus").replace("#", "sharp")) or squeeze(name)


def first(fields: Mapping[str, Any], names: Iterable[str]) -> list[Any]:
    """The values of the first field that is present."""
    value: Any = next((fields[name] for name in names if fields.get(name)), [])
    return value if isinstance(value, list) else [value]


def names_in(value: Any) -> list[str]:
    if not isinstance(value, Mapping):
        return []
    return [
        str(value[name]) for name in ("name", "title", "as") if isinstance(value.get(name), str)
    ]


def is_same_time(one: Any, other: Any) -> bool:
    """Whether two dates agree at their common precision."""
    left, right = str(one), str(other)
    if left.startswith(right) or right.startswith(left):
        return True
    is_iso = left[:4].isdigit() and right[:4].isdigit()
    return not is_iso and YEAR.findall(left)[:1] == YEAR.findall(right)[:1]


def identifiers(row: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The normalised identifiers of an entry, as (scheme, value)."""
    for scheme in SCHEMES:
        value = row.get(scheme) or part(row, "identifiers").get(scheme)
        if scheme == "arxiv":
            value = value or part(row, "preprint").get(scheme)
        if isinstance(value, str) and value:
            bare = re.sub(r"^https?://[^/]+/(?:abs/)?", "", value.strip()).lower()
            number = bare.removeprefix(ARXIV_DOI)
            is_arxiv = scheme == "arxiv" or number != bare
            found = ("arxiv", VERSION.sub("", number)) if is_arxiv else (scheme, bare)
            if found[0] not in IDENTIFIER or IDENTIFIER[found[0]].fullmatch(found[1]):
                yield found


def part(row: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = row.get(name)
    return value if isinstance(value, Mapping) else {}


def is_version(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether a work is a preprint, and the other is published."""
    no_version = (None, "preprint", "other", *SHOWN)
    return one.get("kind") == "preprint" and other.get("kind") not in no_version


def is_same_work(one: Mapping[str, Any], other: Mapping[str, Any], is_strict: bool = False) -> bool:
    """Compares by DOI or arXiv number, books by ISBN, otherwise by title, year and authors.

    Years may differ by one, and those of a preprint and its published version by three. `is_strict`
    compares entries of one file: works that differ in kind, venue or pages are different.
    Works that differ in title and authors are different, and so are two with one DOI whose titles
    have little in common; the DOI was copied by mistake.
    """
    left, right = dict(identifiers(one)), dict(identifiers(other))
    are_versions = is_version(one, other) or is_version(other, one)
    shared = [
        left[each] == right[each] for each in ("doi", "arxiv") if each in left and each in right
    ]
    titles = [
        {folded(str(name)) for name in (each.get("title"), *texts(each, "alternateTitles")) if name}
        for each in (one, other)
    ]
    if shared and (shared[0] or not are_versions):
        is_doi = "doi" in left and "doi" in right
        printed = [texts(each, "title") + texts(each, "alternateTitles") for each in (one, other)]
        are_alike = not is_doi or have_like_titles(*printed)
        is_same = titles[0] & titles[1] or (are_alike and not have_other_authors(one, other))
        return bool(shared[0] and is_same)
    isbns = [digits(each.get("isbn", "")) for each in (one, other)]
    if one.get("kind") in BOOKS and all(isbns):
        return isbns[0] == isbns[1]
    years = [str((first(each, ("year", "date")) or [""])[0])[:4] for each in (one, other)]
    gap = abs(int(years[0]) - int(years[1])) if all(map(str.isdigit, years)) else 0
    called = [each.get("kindName") or each.get("kind") or "other" for each in (one, other)]
    kinds = {str(each).lower() for each in called}
    is_other = len(kinds) > 1 and "other" not in kinds and not kinds.isdisjoint(SHOWN)
    if is_other or not titles[0] & titles[1] or gap > (3 if are_versions else 1):
        return False
    if (gap or is_strict) and not are_versions and is_distinct(one, other):
        return False
    is_unsigned = not (one.get("authors") and other.get("authors"))
    return share_author(one, other) or (is_unsigned and not gap and not are_versions)


def have_like_titles(mine: list[str], theirs: list[str]) -> bool:
    """Whether two titles share most words of the shorter one; so do unknown titles."""
    pairs = [[{*words(each)} for each in pair] for pair in product(mine, theirs)]
    return not pairs or any(2 * len(a & b) > min(len(a), len(b)) for a, b in pairs)


def is_distinct(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two works with the same title differ in kind, venue, volume or pages."""
    pairs = [[first(each, names) for each in (one, other)] for names in DISTINCTIVE]
    texts = [[text_of(each[0]) for each in pair] for pair in pairs if all(pair)]
    return any(
        folded(left) != folded(right)
        and "other" not in (left, right)
        and not (is_numbered(left, right) or is_numbered(right, left))
        for left, right in texts
    )


def have_other_authors(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two works name different people, such as one with the copied DOI of another."""
    mine, theirs = first(one, ("authors",)), first(other, ("authors",))
    return bool(mine and theirs) and join_authors(mine, theirs) is None


def share_author(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Compares family names; OWNER is the author of every work in a CV."""
    names = [{name_of(each) for each in first(work, ("authors",))} for work in (one, other)]
    families = [{parts_of(name)[1] for name in each} - {""} for each in names]
    return OWNER in names[0] | names[1] or bool(families[0] & families[1])


def instead_of(name: str, fields: Mapping[str, Any]) -> str:
    """The field of an entry that excludes another field; empty if there is none."""
    groups = [group for group in ALTERNATIVES if name in group and name not in fields]
    return next((each for group in groups for each in group if each in fields), "")


def is_more_exact(one: Any, other: Any) -> bool:
    """Whether a date agrees with another and is more precise: `2021-05` and `2021`."""
    return isinstance(one, str) and one[:4].isdigit() and one.startswith(f"{other}-")


def is_numbered(printed: str, name: str) -> bool:
    """Whether a venue contains its volume or pages: `Ice, vol. 12` for `Ice`."""
    rest = printed.removeprefix(name)
    return rest != printed and any(map(str.isdigit, rest)) and bool(NUMBERING.fullmatch(rest))


def text_of(value: Any) -> str:
    return str(next(iter(names_in(value)), value))


def digits(isbn: Any) -> str:
    """The digits that the ISBN-10 and the ISBN-13 of a book share; empty if it is no ISBN."""
    found = re.sub(r"[^\dX]", "", str(isbn).upper())[-10:-1]
    return found if len(found) == 9 else ""
