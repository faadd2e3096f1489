"""Where documents went that were published before: an entry that was renamed says what it `was`,
the site lists what is `withdrawn`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from dataclasses import dataclass, field

from kg.settings import Withdrawn

FILE = "addresses.txt"  # the list of all that were ever published
LIST = re.compile(r"[^/]+/(page-\d+)?")  # as long as what it lists, so its pages are no promise


@dataclass(frozen=True)
class Redirects:
    """Where documents went, by their paths below the base: to another path, or away."""

    moved: Mapping[str, str] = field(default_factory=dict)
    withdrawn: Mapping[str, Withdrawn] = field(default_factory=dict)

    def target(self, path: str) -> str | None:
        """`people/old.ttl` -> `people/new.ttl`."""
        address, dot, suffix = path.partition(".")
        return f"{self.moved[address]}{dot}{suffix}" if address in self.moved else None

    def gone(self, path: str) -> Withdrawn | None:
        return self.withdrawn.get(path.partition(".")[0])


def permanent(living: Set[str], gone: Redirects) -> set[str]:
    """The addresses that must lead somewhere for ever: of what is here, was here, or is
    withdrawn.
    """
    return {address for address in living if not LIST.fullmatch(address)} | {
        *gone.moved,
        *gone.withdrawn,
    }


def address_list(base: str, living: Set[str], gone: Redirects) -> bytes:
    """The list of them, an IRI a line; the first is the base."""
    return "".join(f"{base}{address}\n" for address in sorted(permanent(living, gone))).encode()
