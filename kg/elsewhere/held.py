"""A graph that lives in a server elsewhere."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from kg.elsewhere.remote import ABOUT, Remote
from kg.errors import ProblemsFound
from kg.facts.files import read_site
from kg.facts.secrets import Secrets, Shown
from kg.graph.publishable import counted
from kg.settings import Site


class Held:
    """The graph of a site that was pushed to a server. Nothing private is there, so nothing is
    known that must not be published.
    """

    def __init__(self, site: Site, remote: Remote) -> None:
        self.site, self.memory = site, remote
        self.secrets = Secrets((), Shown())

    @cached_property
    def nquads(self) -> bytes:
        """All of it, for dumps."""
        return self.memory.nquads()

    @cached_property
    def counts(self) -> str:
        return counted(
            self.memory,
            self.site.base,
            sum(entry.triples for entry in self.memory.entries.values()),
        )

    @property
    def about(self) -> bytes:
        return self.memory.lines([self.site.base + ABOUT])


def site_of(folder: Path) -> Site:
    """What data/site.yaml says, and no more than that is read."""
    site, problems = read_site(folder)
    if site is None:
        raise ProblemsFound(problems, folder)
    return site
