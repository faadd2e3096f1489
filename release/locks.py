"""Lock files, `requirements*.txt`: `make lock` writes the version of every package and the digests
of its files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

RUN, BUILD, DEV = "requirements.txt", "requirements-build.txt", "requirements-dev.txt"
EXTRAS = "requirements-extras.txt"  # RUN and the packages of all extras for users
# A pin is `name[extras]==version ; marker`, followed by the digests of its files. Indexes, options
# and
# URLs are not allowed.
PIN = re.compile(
    r"(?P<name>[a-z0-9-]+)(?:\[(?P<extras>[a-z0-9,-]+)\])?==(?P<version>[\w.+!-]+)"
    r"(?: ; (?P<marker>[^\\\n]+?))?"
    r"(?P<digests>(?: \\\n    --hash=sha256:[0-9a-f]{64})+)\n"
)


@dataclass(frozen=True, slots=True)
class Pin:
    """A pinned version of a package, its environment marker, and the digests of its files."""

    name: str
    extras: frozenset[str]
    version: str
    marker: str
    digests: tuple[str, ...]

    def is_for(self, environment: dict[str, str]) -> bool:
        marker = Requirement(f"{self.name} ; {self.marker}").marker if self.marker else None
        return marker is None or marker.evaluate(environment)

    def fits(self, requirement: Requirement) -> bool:
        """Whether the pin satisfies a requirement, including extras: pip would look for the newest
        version of extras that are not pinned.
        """
        return (
            canonicalize_name(requirement.name) == self.name
            and requirement.extras <= self.extras
            and requirement.specifier.contains(self.version, prereleases=True)
        )


def pins(lock: Path) -> Iterator[Pin]:
    """Every pin of a lock file. Raises ValueError with the line of anything else."""
    text, at = lock.read_text(encoding="utf-8"), 0
    while at < len(text):
        found = PIN.match(text, at)
        if not found:
            line = text.count("\n", 0, at) + 1
            raise ValueError(f"{lock.name}:{line} is not a pin with digests. Run make lock.")
        digests = re.findall(r"sha256:(\w+)", found["digests"])
        extras = frozenset((found["extras"] or "").split(",")) - {""}
        yield Pin(found["name"], extras, found["version"], found["marker"] or "", tuple(digests))
        at = found.end()
