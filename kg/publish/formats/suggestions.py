"""Suggestions for a wrong address: the nearest addresses that exist.

The cost has a bound, however many addresses there are: a long path is ignored, and of the slugs of
a kind only those are compared that are near it in the order of their beginnings, or of their ends.
A typing error leaves one of the two as it was.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import islice

from kg.facts.models import REGISTRIES
from kg.facts.values.text import closest, slugify

LONGEST = 120  # characters of a path
MOST = 5
WINDOW = 50  # slugs compared on either side
LIKENESS = 0.65
SUFFIX = re.compile(r"\.[a-z]{2,6}(\.gz)?/?$", re.IGNORECASE)


class Suggestions:
    """Suggests addresses of a site: `people/ada`, `people/`."""

    def __init__(self, addresses: Iterable[str]) -> None:
        self.addresses = frozenset(addresses)

    @cached_property
    def slugs(self) -> dict[str, tuple[list[str], list[str]]]:
        """Kind -> its slugs, in the order of their beginnings and, read backwards, of their
        ends.
        """
        found: dict[str, list[str]] = defaultdict(list)
        for address in sorted(self.addresses):
            kind, _, slug = address.partition("/")
            found[kind].append(slug)
        return {
            kind: (slugs, sorted(slug[::-1] for slug in slugs)) for kind, slugs in found.items()
        }

    @cached_property
    def by_words(self) -> dict[str, list[str]]:
        """The words of a slug in order -> the addresses that have them in any."""
        found: dict[str, list[str]] = defaultdict(list)
        for address in sorted(self.addresses):
            found[words(address.partition("/")[2])].append(address)
        return found

    @cached_property
    def kinds(self) -> dict[str, str]:
        """What a kind may be called -> the kind: `orgs`, `organizations` and `organisations`."""
        known = [kind for kind in REGISTRIES if f"{kind}/" in self.addresses]
        called = {
            word: kind
            for kind in known
            for word in (REGISTRIES[kind].file, slugify(REGISTRIES[kind].title), kind)
        }
        return called | {kind: kind for kind in self.slugs if f"{kind}/" in self.addresses}

    def of(self, path: str) -> list[str]:
        """The nearest addresses, the likeliest first; none where nothing is near."""
        if not path or len(path) > LONGEST:
            return []
        *above, slug = [slugify(piece) for piece in SUFFIX.sub("", path).strip("/").split("/")][-2:]
        return (
            list(islice(dict.fromkeys(self.candidates(above[0] if above else "", slug)), MOST))
            if slug
            else []
        )

    def candidates(self, kind: str, slug: str) -> Iterator[str]:
        yield from (f"{meant}/" for meant in self.kinds_like(slug) if not kind)
        rearranged = self.by_words.get(words(slug), [])
        for meant in self.kinds_like(kind):
            if f"{meant}/{slug}" in self.addresses:
                yield f"{meant}/{slug}"
            yield from (address for address in rearranged if address.startswith(f"{meant}/"))
            forwards, backwards = self.slugs[meant]
            alike = dict.fromkeys(
                [*around(slug, forwards), *(each[::-1] for each in around(slug[::-1], backwards))]
            )
            yield from (f"{meant}/{each}" for each in closest(slug, alike, cutoff=LIKENESS))
        yield from rearranged
        yield from (f"{meant}/" for meant in self.kinds_like(kind))

    def kinds_like(self, word: str) -> list[str]:
        exact = self.kinds.get(word)
        return (
            [exact]
            if exact
            else list(
                dict.fromkeys(
                    self.kinds[near] for near in closest(word, self.kinds, cutoff=LIKENESS)
                )
            )
        )


def around(word: str, ordered: list[str]) -> list[str]:
    """Those that stand next to where a word would."""
    place = bisect(ordered, word)
    return ordered[max(place - WINDOW, 0) : place + WINDOW]


def words(slug: str) -> str:
    return "-".join(sorted(slug.split("-")))
