"""Where documents went that were published before: an entry that was renamed says what it `was`, the site lists what is `withdrawn`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from pyoxigraph import Literal

from kg.graph.build import Graph
from kg.mapping import iris
from kg.settings import Withdrawn
from kg.vocab import schema

FILE = "addresses.txt"
LIST = re.compile(r"[^/]+/(page-\d+)?")  # as long as what it lists, so its pages are no promise


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


def here(graph: Graph) -> set[str]:
    """The documents that there are."""
    return {iris.path_of(graph.site.base, document) or "" for document in graph.memory.documents()}


def former(graph: Graph) -> Former:
    """Asked of the graph, where a thing is the same as what was at its old address: what is private is not there, and not told here."""
    living, moved = here(graph), {}
    query = f"""SELECT ?new ?old WHERE {{
        ?new <{schema.sameAs}> ?old FILTER(STRSTARTS(STR(?old), {Literal(graph.site.base)}) && STRENDS(STR(?old), "#it"))
    }} ORDER BY DESC(STR(?new))"""
    for row in graph.memory.select(query):
        new, old = (iris.path_of(graph.site.base, row[name].value) or "" for name in ("new", "old"))
        if old not in living:
            moved[old] = new
    withdrawn = {each.address: each for each in graph.site.withdrawn if each.address not in living}
    return Former(dict(sorted(moved.items())), withdrawn)


def promised(graph: Graph) -> set[str]:
    """The addresses that must lead somewhere for ever: of what is here, was here, or is withdrawn."""
    found = former(graph)
    return {address for address in here(graph) if not LIST.fullmatch(address)} | {*found.moved, *found.withdrawn}


def text(graph: Graph) -> bytes:
    """The list of them, an IRI a line; the first is the base."""
    return "".join(f"{graph.site.base}{address}\n" for address in sorted(promised(graph))).encode()
