"""Finds entries by words anywhere in their texts: names, venues, years, authors, abstracts."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from operator import itemgetter
from sys import maxunicode

from kg.publish.search.index import lines_of
from kg.publish.search.matching import MOST_WORDS, SearchEntry
from kg.publish.site import Documents
from kg.text.normalize import words


class TextIndex:
    """The words of all entries of a site, in the order of its search index."""

    def __init__(self, documents: Documents) -> None:
        self.entries = documents.finder.index.entries
        lines = lines_of(documents.store)
        numbers: dict[str, set[int]] = defaultdict(set)
        for number, entry in enumerate(self.entries):
            more = lines.get(f"{documents.base}{entry.address}#it", ())
            for word in words(" ".join((entry.name, *entry.others, entry.note, *more))):
                numbers[word].add(number)
        self.words = sorted(numbers.items())

    def find(self, query: str) -> list[SearchEntry]:
        """The entries that have all words, or words that start with them."""
        wanted = words(query)[:MOST_WORDS]
        found = [self.starting(word) for word in wanted]
        return (
            [self.entries[number] for number in sorted(set.intersection(*found))] if found else []
        )

    def starting(self, word: str) -> set[int]:
        first = bisect_left(self.words, word, key=itemgetter(0))
        end = bisect_left(self.words, word + chr(maxunicode), first, key=itemgetter(0))
        return set().union(*(numbers for _, numbers in self.words[first:end]))
