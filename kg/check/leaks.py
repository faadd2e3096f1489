"""The search of a graph, from which all that is published is made, for what is private.

Who searches it again and again looks only where it changed: what was not there for the same secrets
can only stand in what has come.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from pyoxigraph import Literal, NamedNode, Quad, QuerySolutions, Triple

from kg.check import shape_files
from kg.check.impact.diff import Version, read
from kg.errors import Problem
from kg.facts.secrets import NUL, Secret
from kg.graph.build import Graph
from kg.settings import shipped
from kg.vocab import rdf

AT_ONCE = 1 << 16  # texts that are searched together


class Searched:
    """Which texts were looked for in the last graph, and which of them stood there, or in one
    before.
    """

    def __init__(self) -> None:
        self.version: Version | None = None
        self.wanted: frozenset[str] = frozenset()
        self.standing: frozenset[str] = frozenset()

    def suspects(self, graph: Graph) -> list[Secret]:
        """The secrets of which it must be asked whether they are public as well."""
        wanted, since = frozenset(map(text, graph.secrets)), graph.since
        if wanted != self.wanted or since is None or since.before is not self.version:
            self.standing, outputs = frozenset(), told_anywhere(graph)
        else:
            outputs = iter(
                [NUL.join(told_by(graph, {change.subject for change in read(since.come)}))]
            )
        self.standing |= {
            text(secret) for output in outputs for secret in graph.secrets.standing_in(output)
        }
        self.version, self.wanted = graph.version, wanted
        return [secret for secret in graph.secrets if text(secret) in self.standing]


def text(secret: Secret) -> str:
    """What is looked for."""
    return secret.number or secret.text


def leaked(graph: Graph, searched: Searched | None = None) -> list[Problem]:
    """Private values that stand in the graph, with the document that would tell them."""
    searched = searched or Searched()
    if all(map(graph.secrets.is_public, searched.suspects(graph) if any(graph.secrets) else ())):
        return []  # one look at all is soon done
    searched.version = None  # what stands there is seen anew, for it may be mended
    found: list[Problem] = []
    for document in graph.memory.documents():
        output = NUL.join(
            value for quad in graph.memory.quads(document) if (value := told(quad, graph.site.base))
        )
        name = document.removeprefix(graph.site.base) or "the home page"
        found += [would_be_published(secret, name) for secret in graph.secrets.found_in(output)]
    return found


def leaked_by_shapes(graph: Graph, files: list[Path]) -> list[Problem]:
    """The same for the site's own shapes, which are published too."""
    own = [path for path in files if path.parent != shipped("shapes").resolve()]
    if not own or not any(graph.secrets):
        return []
    output = "\n".join(
        triple.object.value
        for triple in shape_files.read(graph.site.base, own).triples
        if not isinstance(triple.object, Triple)
    )
    return [would_be_published(secret, "shapes.ttl") for secret in graph.secrets.found_in(output)]


def leaked_by_reasons(graph: Graph) -> list[Problem]:
    """And for what is said of addresses that were withdrawn."""
    return [
        would_be_published(secret, gone.address)
        for gone in graph.site.withdrawn
        for secret in graph.secrets.found_in(gone.reason or "")
    ]


def would_be_published(secret: Secret, name: str) -> Problem:
    return Problem(
        secret.place,
        "error",
        f"This is private, but would be published in {name}. Remove it there, or make it public.",
        "leak",
    )


def told(quad: Quad, base: str) -> str | None:
    """What a triple tells: a text, or an address elsewhere such as `mailto:`."""
    value = quad.object
    if isinstance(value, Literal):
        return value.value
    return (
        value.value
        if isinstance(value, NamedNode)
        and not value.value.startswith(base)
        and quad.predicate.value != rdf.type
        else None
    )


def told_by(graph: Graph, things: set[str]) -> Iterator[str]:
    """What all triples of some things tell."""
    for thing in things:
        for quad in graph.memory.store.quads_for_pattern(NamedNode(thing), None, None):
            if value := told(quad, graph.site.base):
                yield value


def told_anywhere(graph: Graph) -> Iterator[str]:
    """What all triples tell, each text and address once, some of them at a time."""
    query = f"""SELECT DISTINCT ?value WHERE {{
        ?thing ?predicate ?value
        FILTER(?predicate != <{rdf.type}>)
        FILTER(isLiteral(?value) || !STRSTARTS(STR(?value), {Literal(graph.site.base)}))
    }}"""
    rows = graph.memory.run(query)
    assert isinstance(rows, QuerySolutions)  # noqa: S101
    values = (row["value"].value for row in rows)
    while some := list(islice(values, AT_ONCE)):
        yield NUL.join(some)
