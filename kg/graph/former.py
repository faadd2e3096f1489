"""Where documents went that were published before: an entry that was renamed says what it `was`, the site lists what is `withdrawn`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from kg.settings import Withdrawn

FILE = "addresses.txt"  # the list of all that were ever published


@dataclass(frozen=True)
class Former:
    """Where documents went, by their paths below the base: to another path, or away."""

    moved: Mapping[str, str] = field(default_factory=dict)
    withdrawn: Mapping[str, Withdrawn] = field(default_factory=dict)

    def target(self, path: str) -> str | None:
        """`people/old.ttl` -> `people/new.ttl`."""
        address, dot, suffix = path.partition(".")
        return f"{self.moved[address]}{dot}{suffix}" if address in self.moved else None

    def gone(self, path: str) -> Withdrawn | None:
        return self.withdrawn.get(path.partition(".")[0])
