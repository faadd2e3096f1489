"""The inputs and the report of a check. The cache keeps reports, so that an unchanged site is not
checked again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from kg import doors
from kg.check.redirects import REDIRECTS
from kg.errors import Problem
from kg.files.cache import Cache
from kg.files.disk import content_digest, stamp_of
from kg.graph.parallel.run import Run
from kg.settings import FOLDERS

RULES = "kg.checks"  # entry points of plugins


@dataclass(frozen=True)
class Report:
    """The result of a check as it is shown: the problems, whether the site can be published, the
    counts and the inline entities in words.
    """

    problems: list[Problem]
    publishable: bool
    counts: str
    inline: str


class Request(NamedTuple):
    """What `kg check` was asked to fix: a site, or some of its files."""

    site: Path
    files: list[str]
    diff: bool = False
    unsafe: bool = False


@dataclass(frozen=True)
class Fixer:
    """A plugin for `kg check --fix`: `run` checks, changes files and checks again, and returns the
    last report.
    """

    run: Callable[[Request, Callable[[], Report]], Report]


class SiteState(NamedTuple):
    """A site and a run: the input of a function whose results are cached."""

    folder: Path
    run: Run

    @property
    def cache(self) -> Cache:
        """The cache of the run; no cache if plugins of others add rules, because these can depend
        on anything.
        """
        rules = map(doors.distribution, doors.installed(RULES).values())
        return self.run.cache if {doors.OURS}.issuperset(rules) else Cache()

    def inputs(self) -> bytes:
        """The digest of everything a check depends on: the content of the site's files, the date,
        and the previous build. That may be large, so only the times of its files count.
        """
        found = hashlib.blake2b(f"{self.folder}\n{self.run.today}\n".encode())
        if earlier := self.run.previous:
            for path in (earlier, earlier.with_name(REDIRECTS)):
                found.update(f"{path} {stamp_of(path)}\n".encode())
        return b"".join([found.digest(), *(content_digest(self.folder / name) for name in FOLDERS)])
