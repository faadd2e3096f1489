"""Facts -> the graph: what is public is walked, what it mentions is described, what follows is
derived.

    facts --walk--> asserted lines --pages--> + pages --rules--> + derived
          = sorted N-Quads, and a store to ask

A function of values: no clock, no network, no globals. The same facts give the same bytes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from kg.check.impact.diff import Since, Version
from kg.errors import Problem
from kg.facts.garbage import quiet
from kg.facts.load import Facts
from kg.facts.secrets import Secrets
from kg.graph import handwritten
from kg.graph.lasting import Lasting
from kg.graph.parallel.shards import Mapped
from kg.graph.public import clash, conflict
from kg.graph.publishable import counted
from kg.graph.sorted_lines import packed
from kg.mapping.origins import Origin
from kg.settings import Site, resources
from kg.store.memory import Memory
from kg.vocab import foaf, schema


@dataclass(frozen=True)
class Graph:
    """The whole graph of a site: its lines in order, a store to ask, and the way back to the
    files.
    """

    site: Site
    nquads: bytes
    memory: Memory
    origins: Mapping[str, list[Origin]]
    problems: list[Problem]
    facts: Facts
    version: Version = field(default_factory=Version)
    since: Since | None = None  # in what it differs from the graph before, where that is known

    @cached_property
    def secrets(self) -> Secrets:
        """What must not be in anything that is published of this."""
        said = (self.site.title, self.site.description, self.site.modified, self.site.contact)
        gone = (each.address for each in self.site.withdrawn)
        return self.facts.notes.secrets(
            [*handwritten.own(self.site.base), *schema, *foaf, *filter(None, said), *gone]
        )

    @property
    def counts(self) -> str:
        return counted(self.memory, self.site.base, self.nquads.count(b"\n"))

    @property
    def about(self) -> None:
        """What the site says of itself is made of all this."""


@quiet()
def build(
    facts: Facts,
    site: Site,
    parts: Sequence[Mapped] = (),
    lasting: Lasting | None = None,
) -> Graph:
    """`parts` are those of the site that were mapped apart, and whose facts are not here; `lasting`
    is what is kept of the last graph.
    """
    lasting = lasting or Lasting()
    lasting.walked.walk(facts, site.base, parts)
    walker = lasting.walked.walker
    problems = [problem for part in parts for problem in part.clashes]
    problems += [clash(each) for each in walker.clashes] + [
        conflict(each) for each in walker.conflicts
    ]
    by_hand = handwritten.own(site.base)
    for path in facts.turtle:
        more, found = handwritten.read(site, path)
        by_hand += more
        problems += found
    texts = [*(part.lines for part in parts), lasting.walked.lines, packed(by_hand)]
    whole, since = lasting.graph(
        site,
        texts,
        lasting.walked.profiles,
        resources(site, "queries", "rules/*.rq"),
    )
    return Graph(
        site, whole.nquads, whole.memory, walker.origins, problems, facts, whole.version, since
    )
