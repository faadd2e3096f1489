"""The W3C's tests of SHACL (core and SPARQL), each judged twice: by pyshacl over a plain graph, and
over the store, as the check does. The two must agree; where pyshacl differs from what the suite
expects is listed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pyoxigraph import NamedNode, Quad, Store, Triple, parse
from rdflib import Namespace

from kg.check import own_shapes
from kg.check.shapes import Finding
from kg.errors import KgError
from tests.check.plain_pyshacl import plain_graph
from tests.w3c.manifest import MF

FOLDER = "data-shapes-test-suite/tests"
PARTS = ("core", "sparql")
HOME = "http://www.w3.org/shacl-tests/"
SHT = Namespace("http://www.w3.org/ns/shacl-test#")
BLANK = re.compile(r"^(?:[nN]?[0-9a-f]{30,32}(?:b\d+)?|f?b\d+)$")
Results = frozenset[tuple[str | None, ...]] | str  # or why there are none


@dataclass(frozen=True)
class ShaclTest:
    name: str  # core/node/and-001
    data: Path
    shapes: Path
    expected: Results

    @property
    def folder(self) -> str:
        return self.name.rpartition("/")[0]


@dataclass(frozen=True)
class ShaclOutcome:
    test: ShaclTest
    in_store: Results
    plain: Results

    @property
    def is_equal(self) -> bool:
        return self.in_store == self.plain


def tests(suite: Path) -> Iterator[ShaclTest]:
    """In the order of their names."""
    top = suite / FOLDER
    for path in sorted(path for part in PARTS for path in (top / part).rglob("*.ttl")):
        graph = plain_graph(triples(path))
        for entry in sorted(graph.subjects(None, SHT.Validate)):
            action, result = graph.value(entry, MF.action), graph.value(entry, MF.result)
            data, shapes = (
                top.parent.parent / str(graph.value(action, term)).removeprefix(HOME)
                for term in (SHT.dataGraph, SHT.shapesGraph)
            )
            expected: Results = "failure"
            if result != SHT.Failure:
                own = plain_graph(triples(shapes))
                expected = comparable(own_shapes.results(graph.cbd(result), own))
            name = f"{path.parent.relative_to(top)}/{str(entry).rpartition('/')[2]}"
            yield ShaclTest(name, data, shapes, expected)


def comparable(found: Iterable[Finding]) -> Results:
    """Focus node, path, value and severity. Blank nodes are called otherwise each time."""
    return frozenset(
        tuple(
            term and BLANK.sub("_:", term)
            for term in (each.focus, each.path, each.value, each.severity)
        )
        for each in found
    )


def judged(judge: Callable[[], list[Finding]]) -> Results:
    try:
        return comparable(judge())
    except KgError:
        return "failure"


def triples(path: Path) -> list[Triple]:
    return [quad.triple for quad in parse(path=path, base_iri=address(path))]


def address(path: Path) -> str:
    return HOME + str(path)[str(path).index(FOLDER) :]


def run(test: ShaclTest) -> ShaclOutcome:
    data, shapes = triples(test.data), triples(test.shapes)

    def in_store() -> list[Finding]:
        store = Store()
        store.extend(Quad(*triple, NamedNode(f"{HOME}doc")) for triple in data)
        return own_shapes.findings(shapes, own_shapes.StoreView(store).graph)

    def plain() -> list[Finding]:
        return own_shapes.findings(shapes, plain_graph(data))

    return ShaclOutcome(test, judged(in_store), judged(plain))


def lines(outcomes: Sequence[ShaclOutcome]) -> Iterator[str]:
    """A row for each folder, and what differs."""
    yield f"{'folder':<36}{'tests':>6}{'both ways equal':>18}{'pyshacl as expected':>22}"
    folders = dict.fromkeys(each.test.folder for each in outcomes)
    for folder in (*folders, "all"):
        here = [each for each in outcomes if folder in (each.test.folder, "all")]
        equal, expected = sum(each.is_equal for each in here), sum(map(is_expected, here))
        yield f"{folder:<36}{len(here):>6}{equal:>18}{expected:>22}"
    yield "\nThe two ways differ:"
    for each in outcomes:
        if not each.is_equal:
            yield f"  {each.test.name}: {difference(each.plain, each.in_store)}"
    yield "\npyshacl differs from the suite:"
    for each in outcomes:
        if not is_expected(each):
            yield f"  {each.test.name}: {difference(each.test.expected, each.plain)}"


def is_expected(outcome: ShaclOutcome) -> bool:
    return outcome.plain == outcome.test.expected


def difference(wanted: Results, found: Results) -> str:
    if isinstance(wanted, str) or isinstance(found, str):
        return f"{shown(wanted)} expected, {shown(found)} found"
    return f"missing {sorted(wanted - found, key=str)}, besides {sorted(found - wanted, key=str)}"


def shown(results: Results) -> str:
    return results if isinstance(results, str) else f"{len(results)} results"
