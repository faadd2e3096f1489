"""Suggestions for a wrong address: the nearest existing addresses.

All slugs of a kind are compared; a path too long to be a typo is ignored.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import groupby, islice
from operator import itemgetter

from kg.facts.models import REGISTRIES
from kg.facts.values.text import slugify
from kg.text.nearest import closest

MAX_PATH_LENGTH = 120  # characters of a path
MAX_SUGGESTIONS = 5
MIN_SIMILARITY = 0.65
SUFFIX = re.compile(r"\.[a-z]{2,6}(\.gz)?/?$", re.IGNORECASE)


class Suggestions:
    """Suggests addresses of a site: `people/ada`, `people/`."""

    def __init__(self, addresses: Iterable[str]) -> None:
        self.addresses = frozenset(addresses)

    @cached_property
    def slugs(self) -> dict[str, list[str]]:
        """Kind -> its slugs."""
        split = (address.partition("/") for address in sorted(self.addresses))
        kinds = groupby(split, key=itemgetter(0))
        return {kind: [slug for _, _, slug in those] for kind, those in kinds}

    @cached_property
    def by_words(self) -> dict[str, list[str]]:
        """The sorted words of a slug -> the addresses with these words in any order."""
        found: dict[str, list[str]] = defaultdict(list)
        for address in sorted(self.addresses):
            found[words(address.partition("/")[2])].append(address)
        return found

    @cached_property
    def kinds(self) -> dict[str, str]:
        """Names of a kind -> the kind: `orgs`, `organizations` and `organisations`."""
        known = [kind for kind in REGISTRIES if f"{kind}/" in self.addresses]
        called = {
            word: kind
            for kind in known
            for word in (REGISTRIES[kind].file, slugify(REGISTRIES[kind].title), kind)
        }
        return called | {kind: kind for kind in self.slugs if f"{kind}/" in self.addresses}

    def of(self, path: str) -> list[str]:
        """The nearest addresses, best first."""
        if not path or len(path) > MAX_PATH_LENGTH:
            return []
        *above, slug = [slugify(piece) for piece in SUFFIX.sub("", path).strip("/").split("/")][-2:]
        return (
            list(
                islice(
                    dict.fromkeys(self.candidates(above[0] if above else "", slug)), MAX_SUGGESTIONS
                )
            )
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
            near = closest(slug, self.slugs[meant], cutoff=MIN_SIMILARITY)
            yield from (f"{meant}/{each}" for each in near)
        yield from rearranged
        yield from (f"{meant}/" for meant in self.kinds_like(kind))

    def kinds_like(self, word: str) -> list[str]:
        near = [word] if word in self.kinds else closest(word, self.kinds, cutoff=MIN_SIMILARITY)
        return list(dict.fromkeys(self.kinds[each] for each in near))


def words(slug: str) -> str:
    return "-".join(sorted(slug.split("-")))
