"""The search index of a site, its files for browsers, and results as a page and as JSON.

A small index is one file, `search.json`. A large one lists the parts in `search/`, each for words
that start with certain letters, so that typing loads only what is needed; a part that grows too
large is split by one more letter.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import groupby

from kg.errors import counted
from kg.facts.models import REGISTRIES
from kg.mapping import iris
from kg.publish.formats.urls import Link
from kg.publish.pages.frame import Frame
from kg.publish.search.matching import KEPT, KEY, MAX_IN_ONE_FILE, Index, SearchEntry
from kg.settings import query
from kg.store.protocol import Solution, Store
from kg.text import normalize, sorting
from kg.text.transliterate import plain
from kg.text.wording import KINDS

OWNER = "CV"
MAX_IN_A_PART = 1_000
MOST_LETTERS = 200  # characters of a search


def index(store: Store, base: str) -> Index:
    """Everything with a page: people with a CV, then by kind, each in the order of its list."""
    others: dict[str, list[str]] = defaultdict(list)
    for row in store.select(query("site/variants")):
        others[row["item"].value].append(row["other"].value)
    found = findable(store, base, KINDS)
    is_large = sum(map(len, found.values())) > MAX_IN_ONE_FILE
    lines = {} if is_large else lines_of(store)  # for browsers, they would be too much
    entries = [
        entry(base, kind, row, others[row["item"].value], lines.get(row["item"].value, ()))
        for kind, rows in found.items()
        for row in rows
    ]
    return Index(sorted(entries, key=lambda entry: not entry.is_owner))


def findable(store: Store, base: str, kinds: Iterable[str]) -> dict[str, list[Solution]]:
    """Everything with a page and a name, by kind, in the order of lists."""
    found: dict[str, list[Solution]] = {kind: [] for kind in kinds}
    for row in store.select(query("site/findable")):
        kind = (iris.path_of(base, row["item"].value) or "").partition("/")[0]
        if kind in found:
            found[kind].append(row)
    return {kind: sorting.in_order(kind, rows) for kind, rows in found.items()}


def lines_of(store: Store) -> dict[str, tuple[str, ...]]:
    """What works and people are found by besides their names. The line of a work has each word
    once: it is not shown.
    """
    found: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for row in store.select(query("site/findable-by")):
        found[row["item"].value][row["line"].value].append(row["text"].value)
    return {
        item: tuple(
            dict.fromkeys(
                " ".join(dict.fromkeys(normalize.words(" ".join(texts))))
                if line == item
                else ", ".join(dict.fromkeys(texts))
                for line, texts in lines.items()
            )
        )
        for item, lines in found.items()
    }


def entry(
    base: str, kind: str, row: Solution, others: Sequence[str], lines: Sequence[str] = ()
) -> SearchEntry:
    name = row["itemName"].value
    is_owner = row["profiles"].value != "0"
    note = row["note"].value if "note" in row else row["dated"].value[:4] if "dated" in row else ""
    spelt = [
        latin
        for text in (name, *others)
        if (latin := plain(text)) != text.lower()
        and normalize.words(latin) != normalize.words(text)
    ]
    shown = dict.fromkeys(other for other in (*others, *spelt) if other != name)
    return SearchEntry(
        iris.path_of(base, row["item"].value) or "",
        OWNER if is_owner else KINDS[kind],
        name,
        note,
        tuple(shown),
        is_owner,
        tuple(lines),
    )


class Finder:
    """Searches entries by name, and creates the index files for browsers. `size` is the number of
    documents.
    """

    def __init__(self, store: Store, base: str, size: int) -> None:
        self.store, self.base, self.size = store, base, size

    @cached_property
    def index(self) -> Index:
        return index(self.store, self.base)

    @cached_property
    def parts(self) -> dict[str, tuple[str, Sequence[int]]]:
        """Path of each part -> its letters and its entries. Empty while the index is one file."""
        if self.size <= MAX_IN_ONE_FILE or len(self.index.entries) <= MAX_IN_ONE_FILE:
            return {}
        return {path_of(key): (key, numbers) for key, numbers in split(self.index.beginnings)}

    @property
    def paths(self) -> list[str]:
        return ["search.json", *self.parts]

    def text(self, path: str) -> bytes:
        if path in self.parts:
            return as_json(
                {"found": listed([self.index.entries[number] for number in self.parts[path][1]])}
            )
        keys = [key for key, _ in self.parts.values()]
        return as_json(
            {
                "letters": normalize.LETTERS,
                **({"parts": keys} if keys else {"found": listed(self.index.entries)}),
            }
        )


def split(
    beginnings: Iterable[tuple[str, set[int]]], size: int = KEY
) -> Iterator[tuple[str, Sequence[int]]]:
    """Keys and their entries, in order; a key with too many entries is lengthened."""
    for key, group in groupby(beginnings, lambda each: each[0][:size]):
        those = list(group)
        numbers = set().union(*(each for _, each in those))
        if len(numbers) <= MAX_IN_A_PART or len(key) < size or size >= KEPT:
            yield key, sorted(numbers)
        else:
            yield from split(those, size + 1)


def path_of(key: str) -> str:
    """`zh` -> `search/zh.json`; letters outside ASCII by code point."""
    letters = (letter if letter.isascii() else f"u{ord(letter):x}" for letter in key)
    return f"search/{''.join(letters)}.json"


def listed(entries: Sequence[SearchEntry]) -> list[object]:
    """Groups of entries: the kind, the folder, whether they have a CV, and for each entry slug,
    name, note, other names and lines.
    """
    return [
        [
            kind,
            folder,
            is_owner,
            [
                [each.address.partition("/")[2], each.name, each.note, each.others, each.lines]
                for each in group
            ],
        ]
        for (kind, folder, is_owner), group in groupby(
            entries, lambda each: (each.kind, each.folder, each.is_owner)
        )
    ]


def as_json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def results_page(pages: Frame, finder: Finder, query: str = "", is_served: bool = True) -> bytes:
    """With `is_served`, our server answers the form; in a folder, a script does."""
    hits, total = finder.index.find(query[:MOST_LETTERS]) if query else ([], 0)
    lists = [
        Link(registry.title, f"{kind}/")
        for kind, registry in REGISTRIES.items()
        if pages.has_list(f"{kind}/")
    ]
    more = f"; showing the best {len(hits)}" if len(hits) < total else ""
    return pages.rendered(
        "search.html",
        search_text=query,
        groups=[
            (REGISTRIES[kind].title, list(found))
            for kind, found in groupby(hits, lambda hit: hit.entry.folder)
        ],
        summary=f"{counted(total, 'result')}{more}" if total else "No results.",
        lists=lists,
        is_served=is_served,
        root="./",
    )


def results_json(finder: Finder, query: str) -> bytes:
    """One JSON object; `address` is that of the document, which the client can request in any
    format.
    """
    hits, total = finder.index.find(query[:MOST_LETTERS])
    found = [
        {
            "address": finder.base + hit.entry.address,
            "name": hit.entry.name,
            "kind": hit.entry.kind,
            "note": hit.entry.note,
            "also": hit.also,
        }
        for hit in hits
    ]
    return (
        json.dumps({"query": query, "total": total, "found": found}, ensure_ascii=False, indent=1)
        + "\n"
    ).encode()
