"""Search: each search word must be the start of a word of the name, or of one line about the entry,
in any order.

`static/finding.js` does the same in the browser. If nothing matches, one typo in a longer word is
tolerated.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from operator import itemgetter

from kg.text.normalize import FoldedText, fold_text, folded_letters, words

KEY = 2  # letters that select the parts of a large index
CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")  # DeepSpeed is found as deep speed
LINE = 5  # the rank of a match in a line
FIRST_KINDS = ("people", "publications")
KEPT = 8  # letters of each word by which entries are looked up
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
        self.is_large = len(entries) > MAX_IN_ONE_FILE

    @cached_property
    def beginnings(self) -> list[tuple[str, set[int]]]:
        """The letters from the start of each word, and the entries that have them. On a large site,
        only words of names: the files for browsers are split by them.
        """
        found: dict[str, set[int]] = defaultdict(set)
        for number, entry in enumerate(self.entries):
            others = () if self.is_large else (*entry.folded_lines, entry.year)
            for text in (*entry.names, *others):
                for start in text.starts:
                    found[text.letters[start : start + KEPT]].add(number)
        return sorted(found.items())

    def beginning(self, word: str, typos: int = 0) -> set[int]:
        """The entries that can have a word that begins so: only its first letters are compared."""
        first, sure, head = word[: typos or KEPT], word[: KEPT - 2], word[: KEPT - 1]
        low = bisect_left(self.beginnings, first, key=itemgetter(0))
        end = bisect_left(self.beginnings, first + chr(sys.maxunicode), low, key=itemgetter(0))
        return set().union(
            *(
                numbers
                for letters, numbers in self.beginnings[low:end]
                if not typos or letters.startswith(sure) or nearly(letters, 0, head, typos)
            )
        )

    def ranked(self, query: str) -> tuple[list[Ranked], list[str], int]:
        """The matches, best first: people with a CV, exact names, names that start with the query,
        other names, lines; and the words and typos by which they match.
        """
        wanted = words(query)[:MOST_WORDS]
        if self.is_large and all(word.isascii() and len(word) < KEY for word in wanted):
            wanted = []  # a single letter matches too much
        telling = [word for word in wanted if not word.isdecimal()] or wanted
        for typos in (0, KEY if self.is_large else 1) if wanted else ():
            ranked = sorted(
                (rank, number)
                for number in set.intersection(*(self.beginning(word, typos) for word in telling))
                if (rank := ranked_as(self.entries[number], wanted, typos)) is not None
            )
            if ranked:
                return [(rank, self.entries[number]) for rank, number in ranked], wanted, typos
        return [], wanted, 0

    def find(self, query: str, most: int = MOST_SHOWN) -> tuple[list[Hit], int]:
        """The best matches by kind, and the total."""
        ranked, wanted, typos = self.ranked(query)
        return [
            Hit(entry, marked(entry, wanted, typos), also(entry, wanted, typos))
            for entry in by_kind(varied(ranked, most))
        ], len(ranked)


def varied(ranked: Sequence[Ranked], most: int) -> list[Ranked]:
    """The best of all kinds: none takes more than half of the places that others can fill."""
    counts: Counter[str] = Counter()
    places: list[tuple[bool, int]] = []
    for place, (_, entry) in enumerate(ranked):
        counts[entry.folder] += 1
        places.append((counts[entry.folder] > most // 2, place))
    return [ranked[place] for place in sorted(place for _, place in sorted(places)[:most])]


def by_kind(ranked: Sequence[Ranked]) -> list[SearchEntry]:
    """Grouped by kind: kinds with an exact name first, then people, then works."""
    best: dict[str, int] = {}
    for (_, rank), entry in ranked:
        best[entry.folder] = min(rank, best.get(entry.folder, rank))
    usual = [*FIRST_KINDS, *best]
    kinds = sorted(
        best,
        key=lambda kind: (
            best[kind] > 0,
            kind not in FIRST_KINDS,
            best[kind] == LINE,
            usual.index(kind),
        ),
    )
    return [entry for kind in kinds for _, entry in ranked if entry.folder == kind]


def ranked_as(entry: SearchEntry, wanted: list[str], typos: int) -> tuple[bool, int] | None:
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


def has_all(text: FoldedText, wanted: list[str], typos: int) -> bool:
    return all(begins(text, word, typos) for word in wanted)


def begins(text: FoldedText, word: str, typos: int) -> list[tuple[int, int]]:
    """The positions where words of a text start with a word, as start and end. `typos`: how many
    first letters must be right; 0 if all.
    """
    found = [
        (start, start + len(word)) for start in text.starts if text.letters.startswith(word, start)
    ]
    if found or not typos or len(word) < MIN_TYPO_LENGTH or word.isdecimal():
        return found
    return [
        (start, min(start + len(word), len(text.letters)))
        for start in text.starts
        if nearly(text.letters, start, word, typos)
    ]


def nearly(letters: str, start: int, word: str, right: int) -> bool:
    """Whether the letters start with a word except for one wrong, missing, extra or two swapped
    letters after the first `right` ones. The last letter must be right, too: award is not aware.
    """
    same = 0
    while same < len(word) and letters.startswith(word[same], start + same):
        same += 1
    here, rest = start + same, word[same:]
    return same >= right and (
        letters.startswith(rest, here + 1)
        or (
            len(rest) > 1
            and (
                letters.startswith(rest[1:], here + 1)
                or letters.startswith(rest[1:], here)
                or letters.startswith(rest[1] + rest[0] + rest[2:], here)
            )
        )
    )


def marked(entry: SearchEntry, wanted: list[str], typos: int) -> list[tuple[str, bool]]:
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


def also(entry: SearchEntry, wanted: list[str], typos: int) -> str:
    """The other name that contains all the words, if the name does not."""
    if has_all(entry.names[0], wanted, typos):
        return ""
    lines = zip(entry.lines, entry.folded_lines, strict=True) if entry.folder == "people" else ()
    found = (*zip(entry.others, entry.names[1:], strict=True), *lines)
    return next((other for other, text in found if has_all(text, wanted, typos)), "")
