"""Builds the graph of a site from its public facts, everything they mention, and derived triples.

    facts --walk--> asserted lines --pages--> + pages and term sets --rules--> + derived
          = sorted N-Quads of facts, others of the rest, and a store to query

This is a pure function: no clock, no network, no globals. The same facts give the same bytes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from kg.errors import Problem
from kg.facts.load import Facts, gc_paused
from kg.facts.loaded import Key, Loaded
from kg.facts.models.people import Cv
from kg.facts.privacy import is_root, profiles_of, public_facts
from kg.facts.secrets import Secrets
from kg.facts.values.references import Reference
from kg.graph.handwritten import Handwritten, our_terms
from kg.graph.pages import names_of, only_skills, page_lines, pages, signers_in, term_sets
from kg.graph.parallel.shards import Mapped, Origins, unpickled
from kg.graph.rules import derive, in_graph
from kg.graph.sorted_lines import Packed, merge, pack, unpack
from kg.mapping.iris import thing
from kg.mapping.origins import Origin
from kg.mapping.walk import Walker
from kg.settings import Site, query, resources
from kg.store.memory import Memory
from kg.store.protocol import Store
from kg.vocab import foaf, pages_graph, schema

LARGE = 1 << 26  # bytes of N-Quads
# Entries that are counted in summaries: singular and plural.
COUNTED = {
    "people": ("person", "people"),
    "publications": ("work", "works"),
    "grants": ("grant", "grants"),
}
OPTIONAL_COUNTS = (COUNTED["grants"],)  # left out if there are none


class Publishable(Protocol):
    """What publishing needs of a graph, in this process or another: the site, the sorted lines of
    facts and of the `rest` (pages, sources, vocabulary), a store with both, and the secrets that
    must not appear in the output.
    """

    @property
    def site(self) -> Site: ...

    @property
    def memory(self) -> Store: ...

    @property
    def nquads(self) -> bytes: ...

    @property
    def rest(self) -> bytes: ...

    @property
    def secrets(self) -> Secrets: ...

    @property
    def counts(self) -> str: ...


@dataclass(frozen=True)
class Graph:
    """The whole graph of a site: sorted lines of facts and of the rest, a store with both, and the
    origins of nodes in the files.
    """

    site: Site
    nquads: bytes
    rest: bytes
    memory: Memory
    origins: Mapping[str, list[Origin]]
    problems: list[Problem]
    facts: Facts
    by_hand: Handwritten

    @cached_property
    def secrets(self) -> Secrets:
        """The private values that must not appear in anything published from this graph."""
        texts = (self.site.title, self.site.description, self.site.modified, self.site.contact)
        gone = [each.address for each in self.site.withdrawn]
        gone += [each.old for each in self.site.moved]
        return self.facts.notes.secrets(
            [*our_terms(self.site.base), *schema, *foaf, *filter(None, texts)], gone
        )

    @cached_property
    def counts(self) -> str:
        """A summary such as `37 people, 23 works, 6539 triples`."""
        rows = self.memory.select(query("site/sizes"))
        sizes = {row["list"].value: row["size"].value for row in rows}
        found = {
            nouns: int(sizes.get(f"{self.site.base}{kind}/#it", 0))
            for kind, nouns in COUNTED.items()
        } | {("triple", "triples"): self.nquads.count(b"\n")}
        return ", ".join(
            f"{number} {nouns[number != 1]}"
            for nouns, number in found.items()
            if number or nouns not in OPTIONAL_COUNTS
        )


@gc_paused()
def build(
    facts: Facts, site: Site, parts: Sequence[Mapped] = (), unused: Set[Key] = frozenset()
) -> Graph:
    """The graph of these facts and of the `parts` that were mapped in shards, whose facts are not
    included; optionally with `unused` entries.
    """
    by_hand = Handwritten(site, facts.turtle)
    walker, profiles = walk(facts, site.base, parts, by_hand.referred | unused)
    asserted = [*(part.lines for part in parts), pack(walker.lines), pack(by_hand.lines)]
    rest = [*(part.sources for part in parts), pack(walker.sources), pack(by_hand.sources)]
    rest.append(pack(our_terms(site.base)))
    for lines in (walker.lines, walker.sources, by_hand.lines, by_hand.sources):
        lines.clear()
    memory = Memory(site.base)
    load(memory, [*asserted, *rest])
    # Unused entries have no pages.
    names, signers = ({}, frozenset[str]()) if unused else (names_of(memory), signers_in(memory))
    asserted.append(pack(page_lines(term_sets(site, names), site.base)))
    shown = page_lines(pages(site, names, profiles, signers, only_skills(memory)), site.base)
    rest.append(pack(in_graph(shown, pages_graph(site.base))))
    load(memory, [asserted[-1], rest[-1]])
    problems = [problem for part in parts for problem in part.clashes]
    problems += walker.problems + by_hand.problems
    derived = pack(derive(memory, resources(site, "queries", "rules/*.rq"), problems))
    load(memory, [derived])
    nquads = merge([*asserted, derived])
    return Graph(site, nquads, merge(rest), memory, walker.origins, problems, facts, by_hand)


@gc_paused()
def walk(
    facts: Facts,
    base: str,
    parts: Sequence[Mapped] = (),
    referred: Set[Key] = frozenset(),
    walker: Walker | None = None,
) -> tuple[Walker, dict[str, Cv]]:
    """The asserted lines of everything public: CVs and works first, then whatever they or others
    (`referred`) refer to, transitively. If CVs and works are in `parts`, only the rest is walked.
    """
    public = public_facts(facts)
    profiles = profiles_of(public)
    for part in parts:
        profiles |= part.profiles
    walker = walker or Walker(base, facts.private)
    if parts:
        walker.origins = Origins(parts)
    for source in (source for profile in profiles.values() for source in profile.sources):
        walker.refer(source)
    for kind, slug in sorted(referred):
        walker.refer(Reference(kind, slug))
    for part in parts:
        for kind, slug in part.referred:
            walker.refer(Reference(kind, slug))
        for mention, origin in unpickled(part.mentioned):
            walker.mention(mention, origin)
    documents: dict[Key, list[Loaded]] = {}
    for each in public:
        documents.setdefault((each.kind, each.slug), []).append(each)
    roots = [key for key in documents if is_root(*key, facts.owners)]
    waiting, done = list(dict.fromkeys([*roots, *walker.referred])), set[Key]()
    while waiting or walker.settle():
        for key in waiting:
            walker.walk(documents.get(key, []))
        done.update(waiting)
        waiting = [key for key in walker.referred if key not in done]
    return walker, profiles


def unused_entries(graph: Graph) -> set[Key]:
    """Registry entries that are not published, because nothing published refers to them."""
    return {
        (each.kind, each.slug)
        for each in public_facts(graph.facts)
        if each.is_main and thing(graph.site.base, each.kind, each.slug) not in graph.origins
    }


def load(memory: Memory, texts: Sequence[Packed]) -> None:
    for text in texts:
        for block in unpack(text):
            memory.load(block)


def identity(nquads: bytes) -> str:
    """The identity of this state of the graph, wherever it was built: the SHA-256 digest of its
    dump (`sha256sum dump.nq`).
    """
    return f"sha256:{hashlib.sha256(nquads).hexdigest()}"


def is_large(graph: Publishable) -> bool:
    """Whether the graph is in this process and too large to keep its dumps in memory, too."""
    return isinstance(graph.memory, Memory) and len(graph.nquads) >= LARGE
