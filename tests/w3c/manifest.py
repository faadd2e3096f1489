"""The tests of a suite, read from its manifests; what is left out is counted, with the reason."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal
from urllib.parse import urljoin

from rdflib import Graph, Namespace, URIRef
from rdflib.namespace import RDF
from rdflib.term import Node

# the address of the suite: a file's IRI is this and its path
HOME = "https://w3c.github.io/rdf-tests/"
MANIFESTS = ("sparql/sparql10/manifest.ttl", "sparql/sparql11/manifest-all.ttl")
DRAFTS = ("sparql/sparql12/manifest.ttl",)  # not yet recommendations

MF = Namespace("http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#")
QT = Namespace("http://www.w3.org/2001/sw/DataAccess/tests/test-query#")
REGIME = URIRef("http://www.w3.org/ns/sparql-service-description#entailmentRegime")

Kind = Literal["evaluation", "good syntax", "bad syntax"]
KINDS: dict[str, Kind] = {
    "QueryEvaluationTest": "evaluation",
    "CSVResultFormatTest": "evaluation",
    "PositiveSyntaxTest": "good syntax",
    "PositiveSyntaxTest11": "good syntax",
    "NegativeSyntaxTest": "bad syntax",
    "NegativeSyntaxTest11": "bad syntax",
}
UPDATE = "update: the endpoint only reads"
FEDERATION = "federation: SERVICE is refused by design"
REGIMES = "entailment regimes: not offered"
LEFT_OUT = {
    "UpdateEvaluationTest": UPDATE,
    "PositiveUpdateSyntaxTest11": UPDATE,
    "NegativeUpdateSyntaxTest11": UPDATE,
    "PositiveUpdateSyntaxTest": UPDATE,
    "NegativeUpdateSyntaxTest": UPDATE,
    "GraphStoreProtocolTest": "graph store protocol: not offered",
    "ProtocolTest": "protocol: tested with the endpoint's own tests",
    "ServiceDescriptionTest": "service description: tested with the endpoint's own tests",
}

FROM = re.compile(r"\bFROM\s+(?:NAMED\s+)?<([^<>]*)>", re.IGNORECASE)
SERVICE = re.compile(r"\bSERVICE\s+(?:SILENT\s+)?[<?$:\w]", re.IGNORECASE)


@dataclass(frozen=True, order=True)
class Data:
    """The files of a data set, by their IRIs: those of the default graph, and those that are graphs
    with their own name.
    """

    default: tuple[str, ...] = ()
    named: tuple[str, ...] = ()


@dataclass(frozen=True)
class Test:
    __test__ = False  # pytest: not one of yours

    name: str  # sparql11/bind/bind01
    kind: Kind
    query: str
    data: Data = Data()
    result: str | None = None
    lax: bool = False  # REDUCED: a row may come fewer times than expected

    @property
    def folder(self) -> str:
        return self.name.rpartition("/")[0]


@dataclass
class Suite:
    folder: Path
    tests: list[Test] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)

    def path(self, iri: str) -> Path:
        return self.folder / iri.removeprefix(HOME)


def read(folder: Path, manifests: Sequence[str] = MANIFESTS) -> Suite:
    """All tests that concern reading queries, in the order of the manifests."""
    suite = Suite(folder)
    for name in manifests:
        if not (folder / name).is_file():
            raise FileNotFoundError(
                f"{folder / name} is not there. SUITE is a checkout of "
                "https://github.com/w3c/rdf-tests."
            )
        include(suite, HOME + name)
    return suite


def include(suite: Suite, iri: str) -> None:
    graph = Graph().parse(suite.path(iri), format="turtle", publicID=iri)
    manifests = [
        manifest for listed in graph.objects(None, MF.include) for manifest in graph.items(listed)
    ]
    entries = [entry for listed in graph.objects(None, MF.entries) for entry in graph.items(listed)]
    if not manifests and not entries:
        raise ValueError(f"{suite.path(iri)} lists no tests.")
    for manifest in manifests:
        include(suite, str(manifest))
    for entry in entries:
        add(suite, graph, entry, iri)


def add(suite: Suite, graph: Graph, entry: Node, manifest: str) -> None:
    kind = str(graph.value(entry, RDF.type)).removeprefix(str(MF))
    if kind not in KINDS:
        suite.left_out[LEFT_OUT.get(kind, f"unknown kind of test {kind}")] += 1
        return
    action = graph.value(entry, MF.action)
    query = str(graph.value(action, QT.query) or action)
    text = suite.path(query).read_text(encoding="utf-8")
    if reason := outside(query, text, (action, REGIME, None) in graph):
        suite.left_out[reason] += 1
        return
    name = f"{manifest.removeprefix(HOME + 'sparql/').rpartition('/')[0]}/{str(entry).rpartition('#')[2]}"  # noqa: E501
    if any(test.name == name for test in suite.tests):
        raise ValueError(f"{suite.path(manifest)}: there are two tests {name}.")
    if KINDS[kind] != "evaluation":
        suite.tests.append(Test(name, KINDS[kind], query))
        return
    # A query may name its data itself, and the manifest then names none.
    asked = [
        iri
        for iri in (urljoin(query, found) for found in FROM.findall(text))
        if suite.path(iri).is_file()
    ]
    named = {*map(str, graph.objects(action, QT.graphData)), *asked}
    data = Data(tuple(sorted(map(str, graph.objects(action, QT.data)))), tuple(sorted(named)))
    lax = (entry, MF.resultCardinality, MF.LaxCardinality) in graph
    suite.tests.append(
        Test(name, KINDS[kind], query, data, str(graph.value(entry, MF.result)), lax)
    )


def outside(query: str, text: str, regime: bool) -> str | None:
    """Why a test of queries is left out, if it is."""
    if query.endswith(".ru"):  # some tests of syntax are updates
        return UPDATE
    if regime:
        return REGIMES
    return FEDERATION if SERVICE.search(text) else None
