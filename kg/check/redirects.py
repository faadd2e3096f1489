"""Where documents went that were published before: an entry that was renamed says what it `was`,
the site lists what is `withdrawn`, and what is no longer named anywhere leads to its list.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from dataclasses import dataclass, field

from kg.settings import Withdrawn

FILE = "addresses.txt"  # the list of all that were ever published
DUMP, REDIRECTS = "dump.nq", "_redirects"  # beside it in a folder that kg build wrote
LIST = re.compile(r"[^/]+/(page-\d+)?")  # as long as what it lists, so its pages are no promise


@dataclass(frozen=True)
class Redirects:
    """Where documents went, by their paths below the base: to another path, or away."""

    moved: Mapping[str, str] = field(default_factory=dict)
    withdrawn: Mapping[str, Withdrawn] = field(default_factory=dict)

    def target(self, path: str) -> str | None:
        """`people/old.ttl` -> `people/new.ttl`, or `topics/index.ttl` where it leads to a list."""
        address, dot, suffix = path.partition(".")
        if address not in self.moved:
            return None
        new = self.moved[address]
        return f"{new}{'index' if dot and is_list(new) else ''}{dot}{suffix}"

    def status(self, path: str) -> int:
        """The HTTP status of a redirect. What leads to a list may come back, so no client is to
        remember it.
        """
        return 302 if is_list(self.moved[path.partition(".")[0]]) else 301

    def gone(self, path: str) -> Withdrawn | None:
        return self.withdrawn.get(path.partition(".")[0])


def is_list(address: str) -> bool:
    """Whether an address is that of a list, or of the home page."""
    return not address or address.endswith("/")


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
