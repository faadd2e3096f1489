"""The W3C's tests of the draft RDF 1.2: what `kg serve FILE` makes of each file. Entailment is left
out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pyoxigraph as ox
from pyoxigraph import CanonicalizationAlgorithm, RdfFormat
from rdflib import Graph
from rdflib.namespace import RDF

from kg.errors import ProblemsFound
from kg.graph.rdf_files import read
from tests.w3c.judge import Outcome
from tests.w3c.manifest import HOME, MF

FOLDER = "rdf/rdf12"
KINDS = ("Eval", "NegativeSyntax", "PositiveSyntax", "PositiveC14N")


@dataclass(frozen=True)
class RdfTest:
    name: str  # rdf12/rdf-turtle/eval/turtle12-rt-01
    kind: str
    action: Path
    base: str
    result: Path | None


def tests(suite: Path) -> Iterator[RdfTest]:
    """Those of the draft itself; the recommendation has its own."""
    for path in sorted((suite / FOLDER).rglob("manifest.ttl")):
        iri = HOME + path.relative_to(suite).as_posix()
        graph = Graph().parse(path, format="turtle", publicID=iri)
        listed = graph.objects(None, MF.entries)
        for entry in (each for entries in listed for each in graph.items(entries)):
            kind = str(graph.value(entry, RDF.type))
            known = next((each for each in KINDS if kind.endswith(each)), None)
            if known is None or "#Test" not in kind:
                continue
            action, result = graph.value(entry, MF.action), graph.value(entry, MF.result)
            base = str(graph.value(None, MF.assumedTestBase) or "")
            place = base + action.rpartition("/")[2] if base else str(action)
            name = f"{path.parent.relative_to(suite / 'rdf')}/{str(entry).rpartition('#')[2]}"
            files = [each and suite / str(each).removeprefix(HOME) for each in (action, result)]
            yield RdfTest(name, known, files[0], place, files[1])


def run(test: RdfTest) -> Outcome:
    try:
        found = read([test.action], test.base).nquads
    except ProblemsFound as error:
        if test.kind == "NegativeSyntax":
            return Outcome()
        return Outcome(" ".join(str(error).split())[:200])
    if test.kind == "NegativeSyntax":
        return Outcome("should be refused, but is read")
    if test.result is None:
        return Outcome()
    wanted = test.result.read_bytes()
    if test.kind == "PositiveC14N" and b"_:" not in wanted:  # blank nodes get names of their own
        return Outcome("" if found == wanted else f"written as {found!r}")
    return Outcome("" if canonical(found) == canonical(wanted) else "another graph")


def canonical(nquads: bytes) -> list[str]:
    """The lines of a graph, with the same names for the same blank nodes."""
    found = ox.Dataset(ox.parse(nquads, RdfFormat.N_QUADS))
    found.canonicalize(CanonicalizationAlgorithm.UNSTABLE)
    return sorted(map(str, found))
