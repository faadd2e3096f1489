"""The search for private values in what would be published."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from pyoxigraph import Literal, QuerySolutions, Triple

from kg.check.shacl import shape_files
from kg.errors import Problem
from kg.facts.secrets import NUL, Secret
from kg.graph.build import Graph
from kg.settings import shipped
from kg.vocab import rdf

AT_ONCE = 1 << 16  # texts that are searched together


def leaked(graph: Graph, files: Iterable[Path]) -> list[Problem]:
    """Private values in the graph, in the site's own shapes, which are among these files, and in
    the reasons for what is withdrawn: all that is published is made from them.
    """
    if not any(graph.secrets):
        return []
    return [*leaked_by_graph(graph), *leaked_by_shapes(graph, files), *leaked_by_reasons(graph)]


def leaked_by_graph(graph: Graph) -> list[Problem]:
    """With the document that would publish them."""
    if not any(graph.secrets.found_in(text) for text in values(graph)):
        return []  # one look at all is soon done
    found: list[Problem] = []
    for document in graph.memory.documents():
        output = NUL.join(
            quad.object.value
            for quad in graph.memory.quads(document)
            if not isinstance(quad.object, Triple)
        )
        name = document.removeprefix(graph.site.base) or "the home page"
        found += [would_be_published(secret, name) for secret in graph.secrets.found_in(output)]
    return found


def leaked_by_shapes(graph: Graph, files: Iterable[Path]) -> list[Problem]:
    own = [path for path in files if path.parent != shipped("shapes").resolve()]
    if not own:
        return []
    output = "\n".join(
        triple.object.value
        for triple in shape_files.read(graph.site.base, own).triples
        if not isinstance(triple.object, Triple)
    )
    return [would_be_published(secret, "shapes.ttl") for secret in graph.secrets.found_in(output)]


def leaked_by_reasons(graph: Graph) -> list[Problem]:
    """Private values in the reasons why addresses were withdrawn."""
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


def values(graph: Graph) -> Iterator[str]:
    """The texts of all documents, and their addresses elsewhere such as `mailto:`, each once; some
    of them at a time.
    """
    query = f"""SELECT DISTINCT ?value WHERE {{
        ?thing ?predicate ?value
        FILTER(?predicate != <{rdf.type}>)
        FILTER(isLiteral(?value) || !STRSTARTS(STR(?value), {Literal(graph.site.base)}))
    }}"""
    rows = graph.memory.run(query)
    assert isinstance(rows, QuerySolutions)  # noqa: S101
    found = (row["value"].value for row in rows)
    while some := list(islice(found, AT_ONCE)):
        yield NUL.join(some)
