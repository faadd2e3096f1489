"""Search: each search word must be the start of a word of the name, or of one line about the entry,
in any order.

`static/finding.js` does the same in the browser. If nothing matches, one typo in a longer word is
tolerated.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from kg.text.normalize import FoldedText, fold_text, folded_letters, words

KEY = 2  # letters that select the parts of a large index
CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")  # DeepSpeed is found as deep speed
LINE = 5  # the rank of a match in a line
FIRST_KINDS = ("people", "publications")
MIN_TYPO_LENGTH = 4  # letters of a word from which a typo is tolerated
MOST_WORDS = 8
MOST_SHOWN = 50
MAX_IN_ONE_FILE = 2_500  # entries of a small index


@dataclass(frozen=True)
class SearchEntry:
    """A document with its name, other names, and lines of other words. The note distinguishes it;
    if it is a year, it can be searched along with the name.
    """

    address: str
    kind: str
    name: str
    note: str = ""
    others: tuple[str, ...] = ()
    is_owner: bool = False
    lines: tuple[str, ...] = ()

    @property
    def folder(self) -> str:
        return self.address.partition("/")[0]

    @cached_property
    def names(self) -> tuple[FoldedText, ...]:
        return tuple(fold_text(CAMEL.sub(" ", text)) for text in (self.name, *self.others))

    @cached_property
    def folded_lines(self) -> tuple[FoldedText, ...]:
        return tuple(map(fold_text, self.lines))

    @cached_property
    def year(self) -> FoldedText:
        return fold_text(self.note if self.note.isdecimal() else "")


@dataclass(frozen=True, slots=True)
class Hit:
    """A search result; `parts` are pieces of its name, and whether each matched; `also` is another
    name, or a line about a person, that matched instead.
    """

    entry: SearchEntry
    parts: list[tuple[str, bool]]
    also: str


Ranked = tuple[tuple[bool, int], SearchEntry]


class Index:
    """All entries, in the order of lists."""

    def __init__(self, entries: Sequence[SearchEntry]) -> None:
        self.entries = entries

    @cached_property
    def by_key(self) -> dict[str, list[int]]:
        return self.keyed(range(len(self.entries)), KEY)

    def keyed(self, numbers: Iterable[int], size: int, key: str = "") -> dict[str, list[int]]:
        """Entries by the first letters of their words, for words that start with a key."""
        found: dict[str, dict[int, None]] = defaultdict(dict)
        for number in numbers:
            for text in self.entries[number].names:
                for start in text.starts:
                    if text.letters.startswith(key, start):
                        found[text.letters[start : start + size]][number] = None
        return {letters: list(those) for letters, those in found.items()}

    def candidates(self, word: str) -> Sequence[int]:
        return list(
            {
                number: None
                for key, numbers in self.by_key.items()
                if key.startswith(word[:KEY])
                for number in numbers
            }
        )

    def find(self, query: str, most: int = MOST_SHOWN) -> tuple[list[Hit], int]:
        """The best matches by kind, and the total. In each kind: people with a CV, exact names,
        names that start with the query, other names, lines.
        """
        wanted = words(query)[:MOST_WORDS]
        if not wanted or (
            len(self.entries) > MAX_IN_ONE_FILE
            and all(word.isascii() and len(word) < KEY for word in wanted)
        ):
            return [], 0  # a single letter matches too much on a large site
        numbers: Sequence[int] = range(len(self.entries))
        if len(self.entries) > MAX_IN_ONE_FILE:
            telling = [word for word in wanted if not word.isdecimal()] or wanted
            numbers = min((self.candidates(word) for word in telling), key=len)
        for typos in (False, True):
            ranked = sorted(
                (rank, number)
                for number in numbers
                if (rank := ranked_as(self.entries[number], wanted, typos)) is not None
            )
            if ranked:
                best = [(rank, self.entries[number]) for rank, number in ranked]
                return [
                    Hit(entry, marked(entry, wanted, typos), also(entry, wanted, typos))
                    for entry in by_kind(varied(best, most))
                ], len(ranked)
        return [], 0


def varied(ranked: Sequence[Ranked], most: int) -> list[Ranked]:
    """The best of all kinds: none takes more than half of the places that others can fill."""
    counts: Counter[str] = Counter()
    first: list[int] = []
    rest: list[int] = []
    for place, (_, entry) in enumerate(ranked):
        counts[entry.folder] += 1
        (first if counts[entry.folder] <= most // 2 else rest).append(place)
    chosen = sorted((first + rest)[:most])
    return [ranked[place] for place in chosen]


def by_kind(ranked: Sequence[Ranked]) -> list[SearchEntry]:
    """Grouped by kind: kinds with an exact name first, then people, then works."""
    groups: dict[str, list[Ranked]] = defaultdict(list)
    for each in ranked:
        groups[each[1].folder].append(each)
    order = [*FIRST_KINDS, *(kind for kind in groups if kind not in FIRST_KINDS)]

    def place(kind: str) -> tuple[bool, bool, bool, int]:
        best = min(rank[1] for rank, _ in groups[kind])
        return best > 0, kind not in FIRST_KINDS, best == LINE, order.index(kind)

    return [entry for kind in sorted(groups, key=place) for _, entry in groups[kind]]


def ranked_as(entry: SearchEntry, wanted: list[str], typos: bool) -> tuple[bool, int] | None:
    """The rank of a match, lower is better; None if it does not match. A person with a CV comes
    first if found by name.
    """
    name, *others = entry.names
    together = "".join(wanted)
    if has_all(name, wanted, typos):
        is_start = name.letters.startswith(together)
        return not entry.is_owner, 0 if name.letters == together else 1 if is_start else 2
    fit = [text for text in others if has_all(text, wanted, typos)]
    if fit:
        return not entry.is_owner, 0 if together in (text.letters for text in fit) else 3
    known = (*entry.names, entry.year)
    left = [word for word in wanted if not any(begins(text, word, typos) for text in known)]
    if not left:
        return True, 4
    return (True, LINE) if any(has_all(line, left, typos) for line in entry.folded_lines) else None


def has_all(text: FoldedText, wanted: list[str], typos: bool) -> bool:
    return all(begins(text, word, typos) for word in wanted)


def begins(text: FoldedText, word: str, typos: bool) -> list[tuple[int, int]]:
    """The positions where words of a text start with a word, as start and end."""
    found = [
        (start, start + len(word)) for start in text.starts if text.letters.startswith(word, start)
    ]
    if found or not typos or len(word) < MIN_TYPO_LENGTH or word.isdecimal():
        return found
    return [
        (start, min(start + len(word), len(text.letters)))
        for start in text.starts
        if nearly(text.letters, start, word)
    ]


def nearly(letters: str, start: int, word: str) -> bool:
    """Whether the letters start with a word except for one wrong, missing, extra or two swapped
    letters.
    """
    same = next(
        (
            place
            for place, letter in enumerate(word)
            if letters[start + place : start + place + 1] != letter
        ),
        len(word),
    )
    here, rest = start + same, word[same:]
    if not same:  # the first letter must be right
        return False
    swapped = rest[1:2] + rest[:1] + rest[2:]
    return (
        letters.startswith(rest, here + 1)
        or (
            len(rest) > 1  # the last one, too: award is not aware
            and (
                letters.startswith(rest[1:], here + 1)
                or letters.startswith(rest[1:], here)
                or letters.startswith(swapped, here)
            )
        )
    )


def marked(entry: SearchEntry, wanted: list[str], typos: bool) -> list[tuple[str, bool]]:
    """The name in pieces, and whether each matched."""
    name, places = entry.names[0], [place for _, _, place in folded_letters(entry.name)]
    hits = (
        range(places[start], places[end - 1] + 1)
        for word in wanted
        for start, end in begins(name, word, typos)
    )
    hit = {place for each in hits for place in each}
    pieces = groupby(enumerate(entry.name), key=lambda item: item[0] in hit)
    return [("".join(letter for _, letter in piece), is_hit) for is_hit, piece in pieces]


def also(entry: SearchEntry, wanted: list[str], typos: bool) -> str:
    """The other name that contains all the words, if the name does not."""
    if has_all(entry.names[0], wanted, typos):
        return ""
    lines = zip(entry.lines, entry.folded_lines, strict=True) if entry.folder == "people" else ()
    found = (*zip(entry.others, entry.names[1:], strict=True), *lines)
    return next((other for other, text in found if has_all(text, wanted, typos)), "")
