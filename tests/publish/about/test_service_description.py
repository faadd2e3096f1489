"""The service description: what a client needs to know before it asks, in each form, and true."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
import rdflib
from pyoxigraph import NamedNode, Quad, RdfFormat, parse

from kg.publish.about.void import Limit, describe_service
from kg.publish.formats.media import GRAPHS, JSONLD, NQUADS, NTRIPLES, RDFXML, TRIG, TURTLE
from kg.publish.formats.rdf import graph_as
from kg.vocab import cut, rdf, rdfs, schema, sd, void
from tests.test_structure import vocabulary

BASE = "https://lab.example.org/"
ENDPOINT = f"{BASE}sparql"
GRAPHS_OF_IT = [
    f"{BASE}void",
    f"{BASE}people/ada",
    BASE,
    "urn:x-other:graph one".replace(" ", "%20"),
]
PAGES = f"{BASE}pages"
LIMITS = [
    Limit("deadline", "Maximum time for a query", 2.5, "seconds"),
    Limit("most-characters", "Maximum length of a query", 32768, "characters"),
]
RDFLIB = {
    TURTLE: "turtle",
    NTRIPLES: "nt",
    NQUADS: "nquads",
    JSONLD: "json-ld",
    RDFXML: "xml",
    TRIG: "trig",
}


@pytest.fixture(scope="module")
def quads() -> list[Quad]:
    counts = {"triples": 29421, "classes": 56}
    return describe_service(BASE, LIMITS, GRAPHS_OF_IT, [PAGES], True, counts)


def values(quads: list[Quad], subject: str, predicate: str) -> list[str]:
    return sorted(
        quad.object.value
        for quad in quads
        if quad.subject == NamedNode(subject) and quad.predicate.value == predicate
    )  # type: ignore[union-attr]


def test_it_says_what_is_spoken_and_written(quads: list[Quad]) -> None:
    assert values(quads, ENDPOINT, rdf.type) == [sd.Service]
    assert values(quads, ENDPOINT, sd.endpoint) == [ENDPOINT]
    assert values(quads, ENDPOINT, sd.supportedLanguage) == [sd.SPARQL10Query, sd.SPARQL11Query]
    formats = {
        iri.removeprefix("http://www.w3.org/ns/formats/")
        for iri in values(quads, ENDPOINT, sd.resultFormat)
    }
    tables = {
        "SPARQL_Results_JSON",
        "SPARQL_Results_XML",
        "SPARQL_Results_CSV",
        "SPARQL_Results_TSV",
    }
    assert formats == tables | {"Turtle", "N-Triples", "N-Quads", "JSON-LD", "RDF_XML", "TriG"}


def test_it_says_which_graphs_there_are(quads: list[Quad]) -> None:
    (dataset,) = values(quads, ENDPOINT, sd.defaultDataset)
    named = values(quads, dataset, sd.namedGraph)
    assert sorted(name for node in named for name in values(quads, node, sd.name)) == sorted(
        [*GRAPHS_OF_IT, PAGES]
    )
    assert f"{ENDPOINT}#graph/people/ada" in named
    (default,) = values(quads, dataset, sd.defaultGraph)
    assert (values(quads, default, void.triples), values(quads, default, void.classes)) == (
        ["29421"],
        ["56"],
    )
    assert values(quads, default, void.subset) == [f"{BASE}void#it"]
    assert values(quads, default, rdfs.comment) == [
        f"The facts: the union of all named graphs except {PAGES}, which a query must name."
    ]


def test_features_are_those_it_has(quads: list[Quad]) -> None:
    assert values(quads, ENDPOINT, sd.feature) == sorted(
        [f"{ENDPOINT}#deadline", f"{ENDPOINT}#most-characters"]
    )
    union = describe_service(BASE, [], GRAPHS_OF_IT, [], True, {})
    assert values(union, ENDPOINT, sd.feature) == [sd.UnionDefaultGraph]
    apart = describe_service(BASE, [], [], [], False, {})
    assert values(apart, ENDPOINT, sd.feature) == []
    assert not any("Federated" in str(quad) for quad in [*quads, *union, *apart])


def test_limits_are_in_it(quads: list[Quad]) -> None:
    limit = f"{ENDPOINT}#deadline"
    assert values(quads, limit, schema.maxValue) == ["2.5"]
    assert values(quads, limit, f"{schema}unitText") == ["seconds"]
    assert values(quads, f"{ENDPOINT}#most-characters", schema.maxValue) == ["32768"]
    assert set(values(quads, limit, rdf.type)) == {sd.Feature, schema.PropertyValue}


def test_its_terms_exist(quads: list[Quad]) -> None:
    terms = {quad.predicate.value for quad in quads} | {
        str(quad.object)[1:-1] for quad in quads if quad.predicate.value == rdf.type
    }
    ours = {term.removeprefix(str(schema)) for term in terms if cut(term)[0] == str(schema)}
    assert "unitText" in ours
    assert ours <= vocabulary("schemaorg-30.0.tsv").keys()


def test_there_are_no_blank_nodes(quads: list[Quad]) -> None:
    assert not any("_:" in str(quad) for quad in quads)


@pytest.mark.filterwarnings("ignore:Dataset.default_context is deprecated:DeprecationWarning")
@pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated:DeprecationWarning")
@pytest.mark.parametrize("media_type", GRAPHS)
def test_every_form_says_the_same(quads: list[Quad], media_type: str) -> None:
    body = graph_as(media_type, quads, BASE)
    form = RdfFormat.from_media_type(media_type)
    assert form is not None
    assert set(parse(body, format=form)) == set(quads)
    read = rdflib.Dataset(default_union=True).parse(data=body, format=RDFLIB[media_type])
    assert len(set(read.triples((None, None, None)))) == len(set(quads))
    assert graph_as(media_type, list(reversed(quads)), BASE) == body


@pytest.mark.process
@pytest.mark.proof
def test_another_process_writes_the_same_bytes(quads: list[Quad]) -> None:
    program = (
        "import sys; from tests.publish.about.test_service_description import *;"
        "quads = describe_service(BASE, LIMITS, GRAPHS_OF_IT, [PAGES], True, {'triples': "
        "29421, 'classes': 56});"
        "[sys.stdout.buffer.write(graph_as(form, quads, BASE)) for form in GRAPHS]"
    )
    expected = b"".join(graph_as(form, quads, BASE) for form in GRAPHS)
    for seed in ("1", "2"):
        made = subprocess.run(
            [sys.executable, "-c", program],
            check=True,
            capture_output=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        )
        assert made.stdout == expected


def test_a_form_that_is_none_is_refused(quads: list[Quad]) -> None:
    with pytest.raises(ValueError, match="text/html"):
        graph_as("text/html", quads, BASE)
