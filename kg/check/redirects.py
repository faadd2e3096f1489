"""Redirects of addresses that were published before.

A renamed entry has `was`, and the site lists `moved` and `withdrawn` addresses.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from kg.settings import Withdrawn

FILE = "addresses.txt"  # all addresses that were ever published
REDIRECTS = "_redirects"  # beside it in the output folder of kg build
LIST = re.compile(r"[^/]+/(page-\d+)?")  # lists grow and shrink, so their pages are not permanent


@dataclass(frozen=True)
class Redirects:
    """Old paths below the base: moved to another path, or withdrawn."""

    moved: Mapping[str, str] = field(default_factory=dict)
    withdrawn: Mapping[str, Withdrawn] = field(default_factory=dict)

    def target(self, path: str) -> str | None:
        """`people/old.ttl` -> `people/new.ttl`, or `topics/index.ttl` for a redirect to a list."""
        address, dot, suffix = path.partition(".")
        if address not in self.moved:
            return None
        new = self.moved[address]
        return f"{new}{'index' if dot and is_list(new) else ''}{dot}{suffix}"

    def status(self, path: str) -> int:
        """The HTTP status of a redirect. An address that redirects to a list can come back, so
        clients must not cache it.
        """
        return 302 if is_list(self.moved[path.partition(".")[0]]) else 301

    def gone(self, path: str) -> Withdrawn | None:
        return self.withdrawn.get(path.partition(".")[0])


def is_list(address: str) -> bool:
    """Whether an address is a list or the home page."""
    return not address or address.endswith("/")


def is_example(base: str) -> bool:
    """Whether a site still has an address of the documentation, where nothing is published."""
    host = f".{urlsplit(base).hostname}"
    return host.endswith((".example", ".example.org", ".example.com", ".example.net"))


def permanent(living: Set[str], gone: Redirects) -> set[str]:
    """The addresses that must always work: current, redirected and withdrawn ones."""
    return {address for address in living if not LIST.fullmatch(address)} | {
        *gone.moved,
        *gone.withdrawn,
    }


def address_list(base: str, living: Set[str], gone: Redirects) -> bytes:
    """The file `addresses.txt`: the base, then one IRI per line."""
    return "".join(f"{base}{address}\n" for address in sorted(permanent(living, gone))).encode()
