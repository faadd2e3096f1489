"""A site as it is now, and the report of a check of it. The cache has reports of earlier states: a
site is not checked again where nothing has changed that a check depends on.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from kg import doors
from kg.check.redirects import DUMP, REDIRECTS
from kg.errors import Problem
from kg.files.cache import Cache
from kg.files.disk import content_digest, stamp_of
from kg.graph.parallel.run import Run
from kg.settings import FOLDERS

RULES = "kg.checks"  # of plugins


@dataclass(frozen=True)
class Report:
    """What is shown of a check: the problems, whether the site can be published, and in words how
    much there is and what is named in place.
    """

    problems: list[Problem]
    publishable: bool
    counts: str
    inline: str


class SiteState(NamedTuple):
    """A site and a run over it: the input of a function whose results are cached."""

    folder: Path
    run: Run

    @property
    def cache(self) -> Cache:
        """Rules of plugins may depend on anything, so with them nothing is taken from the cache."""
        return Cache() if doors.installed(RULES) else self.run.cache

    def inputs(self) -> bytes:
        """What a check depends on: the files of the site, by their content, the day, and the
        earlier build, which may be large, by the times of its files.
        """
        found = hashlib.blake2b(f"{self.folder}\n{self.run.today}\n".encode())
        if earlier := self.run.previous:
            for path in (earlier, earlier.with_name(DUMP), earlier.with_name(REDIRECTS)):
                found.update(f"{path} {stamp_of(path)}\n".encode())
        return b"".join([found.digest(), *(content_digest(self.folder / name) for name in FOLDERS)])
