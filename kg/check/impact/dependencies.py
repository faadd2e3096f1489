"""From a triple of a query's patterns to the thing that the query is about: the way that leads
there, pattern by pattern.

Each way is made of patterns that hold together, so whoever's answer can be touched by a triple is
found by going that way from it. Alternatives (UNION) have a way each. Where there is none, as by a
FILTER only, anybody's answer may be touched.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

VERSION = "2"  # of what is kept


@dataclass(frozen=True)
class Edge:
    """From one node to the next: along properties, against those that are `inverse`; any property
    where there are none. `is_closed`: any number of times. `to_graph` and `from_graph` are the
    steps between a thing and its document.
    """

    links: frozenset[tuple[str, bool]] = frozenset()
    is_any: bool = False
    is_closed: bool = False
    to_graph: bool = False
    from_graph: bool = False

    def turned(self) -> Edge:
        links = frozenset((predicate, not inverse) for predicate, inverse in self.links)
        return (
            Edge(links, self.is_any, self.is_closed, self.from_graph, self.to_graph)
            if not self.is_any
            else AGAINST_ANY
        )


ALONG_ANY, AGAINST_ANY = Edge(is_any=True), Edge(frozenset({("", True)}), is_any=True)
TO_GRAPH = Edge(to_graph=True)


@dataclass(frozen=True)
class Pattern:
    """Its ends are `?variables`, `<addresses>`, or texts, which are left out."""

    subject: str
    edge: Edge
    object: str
    graph: str = ""


@dataclass(frozen=True)
class Way:
    """What a triple must be to be seen through a pattern, and how to come from it to the thing:
    beginning at its subject, its object or its document. No `steps`: to anything.
    """

    pattern: Pattern
    begin: str
    steps: tuple[Edge, ...] | None


class Told:
    """The ways of queries, kept between runs in a file, where there is one: to read a query takes a
    while.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self.known: dict[str, Any] = {}
        self.is_new = False
        with suppress(OSError, ValueError):
            self.known = json.loads(path.read_bytes()) if path else {}

    def of(self, query: str, base: str, thing: str) -> tuple[Way, ...] | None:
        key = hashlib.blake2b(
            "\n".join((VERSION, base, thing, query)).encode(), digest_size=12
        ).hexdigest()
        if key not in self.known:
            from kg.check.impact.algebra import ways  # noqa: PLC0415  rdflib's parser takes a while to load

            found = ways(query, base, thing)
            self.known[key] = None if found is None else [written(each) for each in found]
            self.is_new = True
        told = self.known[key]
        return None if told is None else tuple(map(read, told))

    def keep(self) -> None:
        if self.path and self.is_new:
            with suppress(OSError):
                self.path.write_text(json.dumps(self.known, separators=(",", ":")))


def written(way: Way) -> Any:
    edges = [way.pattern.edge, *(way.steps or ())]
    said = [
        [sorted(each.links), each.is_any, each.is_closed, each.to_graph, each.from_graph]
        for each in edges
    ]
    return [
        way.pattern.subject,
        way.pattern.object,
        way.pattern.graph,
        way.begin,
        way.steps is not None,
        said,
    ]


def read(said: Any) -> Way:
    subject, value, graph, begin, is_known, edges = said
    edge, *steps = (
        Edge(frozenset((name, inverse) for name, inverse in links), *rest) for links, *rest in edges
    )
    return Way(Pattern(subject, edge, value, graph), begin, tuple(steps) if is_known else None)
