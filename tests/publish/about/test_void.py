"""What a site says of itself is found by those who ask for it in their usual way, holds no blank
nodes, and stays out of the dumps.
"""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace

import pytest
import rdflib
from pyoxigraph import Literal, NamedNode, Quad, RdfFormat, parse
from werkzeug.test import Client

from kg.graph.build import Graph
from kg.publish.about import void
from kg.publish.dumps.dump import dump
from kg.publish.formats.media import DUMP_SUFFIXES, NQUADS
from kg.publish.site import Documents
from kg.store.memory import Memory
from kg.store.protocol import Solution
from kg.vocab import ABOUT, ALL_PREFIXES, PREFIXES, Namespace, cut, dcat, dcterms, rdf, schema
from tests.conftest import LARGE_SITE, ROOT, facts_of
from tests.test_structure import vocabulary

USUAL = """
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
PREFIX sd: <http://www.w3.org/ns/sparql-service-description#>
PREFIX sh: <http://www.w3.org/ns/shacl#>
PREFIX void: <http://rdfs.org/ns/void#>
PREFIX void-ext: <http://ldf.fi/void-ext#>
"""


@pytest.fixture(scope="module")
def lines(documents: Documents) -> bytes:
    return documents.void()


@pytest.fixture(scope="module")
def quads(lines: bytes) -> list[Quad]:
    return list(parse(lines, format=RdfFormat.N_QUADS))


@pytest.fixture(scope="module")
def asked(documents: Documents) -> Memory:
    """What the endpoint holds."""
    return Memory(documents.base, documents.graph.nquads, rest=documents.rest())


def rows(memory: Memory, query: str) -> list[Solution]:
    return memory.select(USUAL + query)


def only(quads: list[Quad], predicate: str) -> list[str]:
    """The values of a property of the whole."""
    return [
        str(quad.object.value)
        for quad in quads
        if quad.predicate.value == predicate and quad.subject.value.endswith("void#it")
    ]  # type: ignore[union-attr]


# What editors and agents ask for


def test_an_editor_finds_the_prefixes(asked: Memory) -> None:
    found = rows(
        asked,
        (
            "SELECT DISTINCT ?prefix ?namespace { [] sh:namespace ?namespace ; sh:prefix ?prefix "
            "} ORDER BY ?prefix"
        ),
    )
    assert {row["prefix"].value: row["namespace"].value for row in found} == ALL_PREFIXES
    assert {row["namespace"].datatype.value for row in found} == {
        "http://www.w3.org/2001/XMLSchema#anyURI"
    }  # type: ignore[union-attr]
    ontology = rows(
        asked,
        (
            "SELECT ?p { ?all a <http://www.w3.org/2002/07/owl#Ontology> ; sh:declare ?one . "
            "?one sh:prefix ?p }"
        ),
    )
    assert sorted(row["p"].value for row in ontology) == sorted(ALL_PREFIXES)


@pytest.mark.parametrize("words", ["rdfs:comment", "rdfs:label|rdfs:comment"])
def test_an_editor_finds_each_query_once_with_its_question(asked: Memory, words: str) -> None:
    found = rows(
        asked,
        (
            f"SELECT ?sq ?said ?query {{ ?sq a sh:SPARQLExecutable ; {words} ?said ; "
            f"sh:select|sh:ask|sh:construct|sh:describe ?query }}"
        ),
    )
    assert len(found) == len(list((ROOT / "queries").glob("*.rq"))) >= 32
    said = {row["sq"].value.rpartition("/")[2]: row["said"].value for row in found}
    assert said["coauthors-of"] == "Who has this person written with?"


def test_every_query_says_its_form_its_endpoint_and_its_prefixes(asked: Memory) -> None:
    pattern = (
        "?sq a sh:SPARQLSelectExecutable ; sh:select ?query ; sh:prefixes/sh:declare/sh:prefix "
        f"'schema' ; <{schema}target> <sparql>"
    )
    assert len(rows(asked, f"SELECT ?sq {{ {pattern} }}")) >= 32


def test_an_editor_finds_what_a_class_has(asked: Memory) -> None:
    query = """SELECT DISTINCT ?subject ?property ?object ?datatype {
      { ?of void:class ?subject ; void:propertyPartition ?part . ?part void:property ?property
        OPTIONAL {
          { ?part void:classPartition [ void:class ?object ] } UNION { ?part void-ext:datatypePartition [ void-ext:datatype ?datatype ] }
        } }
      UNION
      { ?links void:linkPredicate ?property ; void:subjectsTarget [ void:class ?subject ] ; void:objectsTarget [ void:class ?object ] }
    }"""  # noqa: E501
    found = {
        tuple(
            row[name].value if name in row else ""
            for name in ("subject", "property", "object", "datatype")
        )
        for row in rows(asked, query)
    }
    assert (schema.ScholarlyArticle, schema.author, schema.Person, "") in found
    assert (schema.Person, schema.name, "", "http://www.w3.org/2001/XMLSchema#string") in found
    assert not any(
        str(namespace) in part
        for row in found
        for part in row
        for prefix, namespace in ABOUT.items()
        if prefix != "owl"  # of the vocabulary
    ), "it tells of the data alone"


def test_an_editor_finds_all_classes_and_properties(asked: Memory, graph: Graph) -> None:
    classes = {row["x"].value for row in rows(asked, "SELECT DISTINCT ?x { [] void:class ?x }")}
    properties = {
        row["x"].value
        for row in rows(asked, "SELECT DISTINCT ?x { [] void:linkPredicate|void:property ?x }")
    }
    assert classes == {
        row["x"].value for row in facts_of(graph).select("SELECT DISTINCT ?x { [] a ?x }")
    }
    assert properties == {
        row["x"].value for row in facts_of(graph).select("SELECT DISTINCT ?x { [] ?x [] }")
    }


def test_a_viewer_finds_the_partitions_behind_the_graph_with_their_sizes(asked: Memory) -> None:
    query = """SELECT ?label ?class ?triples { ?graph sd:graph ?described ; rdfs:label ?label . ?described void:classPartition ?of .
      ?of void:class ?class ; void:propertyPartition [ void:property <http://schema.org/name> ; void:triples ?triples ] }"""  # noqa: E501
    sizes = {row["class"].value: int(row["triples"].value) for row in rows(asked, query)}
    names = f"SELECT (COUNT(*) AS ?n) {{ ?person a <{schema.Person}> ; <{schema.name}> ?name }}"
    assert sizes[schema.Person] == int(rows(asked, names)[0]["n"].value) > 100


# The queries stand on their own


def test_a_published_query_needs_nothing_but_itself_and_answers_as_before(
    asked: Memory, graph: Graph
) -> None:
    found = rows(asked, "SELECT ?sq ?query { ?sq a sh:SPARQLExecutable ; sh:select ?query }")
    for row in found:
        name = row["sq"].value.rpartition("/")[2]
        expected = graph.memory.select(
            (ROOT / "queries" / f"{name}.rq").read_text(encoding="utf-8")
        )
        alone = asked.store.query(
            row["query"].value, use_default_graph_as_union=True
        )  # with no base
        assert len(list(alone)) == len(expected), name  # type: ignore[arg-type]


# The graph itself


def test_the_whole_is_described(quads: list[Quad], graph: Graph, documents: Documents) -> None:
    base = documents.base
    assert only(quads, dcterms.title) == [graph.site.title]
    assert only(quads, dcterms.license) == []
    assert only(quads, void.void.sparqlEndpoint) == [f"{base}sparql"]
    assert sorted(only(quads, void.void.dataDump)) == sorted(
        f"{base}dump{suffix}" for suffix in DUMP_SUFFIXES
    )
    assert only(quads, void.void.triples) == [str(graph.nquads.count(b"\n"))]
    assert f"{base}people/alvar-jarl#it" in only(quads, void.void.exampleResource)
    assert "http://schema.org/" in only(quads, void.void.vocabulary)


def test_a_licence_is_named_where_the_site_names_one(graph: Graph) -> None:
    licensed = replace(
        graph, site=replace(graph.site, license="https://creativecommons.org/licenses/by/4.0/")
    )
    found = list(void.quads(licensed))
    assert only(found, dcterms.license) == ["https://creativecommons.org/licenses/by/4.0/"]
    assert len([quad for quad in found if quad.predicate.value == dcterms.license]) == 2 + 2 * len(
        DUMP_SUFFIXES
    )


def test_data_portals_find_the_files_and_the_service(asked: Memory) -> None:
    query = """PREFIX dcat: <http://www.w3.org/ns/dcat#>
      SELECT ?file ?type { ?set a dcat:Dataset ; dcat:landingPage <> ; dcat:distribution ?part .
        ?part a dcat:Distribution ; dcat:downloadURL ?file ; dcat:accessURL ?file ; dcat:mediaType ?type }"""  # noqa: E501
    found = {
        row["file"].value.removeprefix(f"{asked.base}dump"): row["type"].value.partition(
            "media-types/"
        )[2]
        for row in rows(asked, query)
    }
    assert found == DUMP_SUFFIXES | {
        f"{suffix}.gz": media_type for suffix, media_type in DUMP_SUFFIXES.items()
    }
    served = (
        "?service a dcat:DataService ; dcat:endpointURL <sparql> ; "
        "dcat:servesDataset/void:sparqlEndpoint <sparql>"
    )
    assert (
        len(
            rows(asked, f"PREFIX dcat: <http://www.w3.org/ns/dcat#> SELECT ?service {{ {served} }}")
        )
        == 1
    )


@pytest.mark.parametrize(
    ("ours", "theirs"), [(dcat, rdflib.DCAT), (dcterms, rdflib.DCTERMS), (void.void, rdflib.VOID)]
)
def test_every_term_is_one_of_its_vocabulary(
    ours: Namespace, theirs: type[rdflib.namespace.DefinedNamespace]
) -> None:
    assert len(list(ours)) > 5
    assert [term for term in ours if term not in theirs] == []


def test_every_node_has_an_address_in_this_document_and_its_triples_are_there(
    quads: list[Quad], documents: Documents
) -> None:
    document = f"{documents.base}void"
    assert {quad.graph_name.value for quad in quads} == {document}  # type: ignore[union-attr]
    assert {str(quad.subject)[1:-1].partition("#")[0] for quad in quads} == {document}
    assert all(isinstance(quad.object, NamedNode | Literal) for quad in quads)
    subjects = {quad.subject for quad in quads}
    assert [
        str(quad)
        for quad in quads
        if f"<{document}#" in str(quad.object) and quad.object not in subjects
    ] == []


def test_every_term_is_known(quads: list[Quad], documents: Documents) -> None:
    known = {str(namespace) for namespace in ALL_PREFIXES.values()}
    terms = {quad.predicate.value for quad in quads} | {
        str(quad.object)[1:-1] for quad in quads if quad.predicate.value == rdf.type
    }
    assert {cut(term)[0] for term in terms} <= known
    of_schema = {term.removeprefix(str(schema)) for term in terms if term.startswith(str(schema))}
    assert of_schema == {"target"}
    assert of_schema <= vocabulary("schemaorg-30.0.tsv").keys()


def test_terms_that_only_describe_are_no_terms_of_the_data(documents: Documents) -> None:
    assert not {*ABOUT, "sh"} & PREFIXES.keys()


def test_a_class_of_no_known_vocabulary_has_a_partition_too(graph: Graph) -> None:
    base = graph.site.base
    line = f"<{base}people/x#it> <{rdf.type}> <https://other.example/a/Kind> <{base}people/x> .\n".encode()  # noqa: E501
    found = void.nquads(
        replace(graph, nquads=b"".join(sorted([*graph.nquads.splitlines(keepends=True), line])))
    ).decode()
    assert (
        f"<{base}void#class/https%3A%2F%2Fother.example%2Fa%2FKind> "
        "<http://rdfs.org/ns/void#class> <https://other.example/a/Kind>"
    ) in found


@pytest.mark.process
@pytest.mark.proof
def test_a_second_run_gives_the_same_bytes(lines: bytes) -> None:
    program = (
        "import sys; from pathlib import Path; from kg.check.check import good; from "
        "kg.publish.about import void;"
        "sys.stdout.buffer.write(void.nquads(good(Path(sys.argv[1]))))"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "77", "LC_ALL": "C"}
    command = [sys.executable, "-c", program, LARGE_SITE]
    assert subprocess.run(command, check=True, capture_output=True, env=environment).stdout == lines
    assert sorted(set(lines.splitlines())) == lines.splitlines()


# Where it is


def test_it_is_a_document_at_three_addresses(client: Client, quads: list[Quad]) -> None:
    answer = client.get("/void.ttl")
    assert (answer.status_code, answer.mimetype) == (200, "text/turtle")
    assert {quad.triple for quad in parse(answer.data, format=RdfFormat.TURTLE)} == {
        quad.triple for quad in quads
    }
    assert len(rdflib.Graph().parse(data=answer.data, format="turtle")) == len(quads)
    known = client.get("/.well-known/void")
    assert (known.data, known.mimetype) == (answer.data, "text/turtle")
    assert (client.get("/void").status_code, client.get("/void").location) == (303, "./void.ttl")


def test_its_turtle_is_what_a_person_would_write(client: Client) -> None:
    text = client.get("/void.ttl").text
    assert text.partition("\n\n")[2].startswith("<void#it> a void:Dataset")
    assert (
        '  sh:select """BASE <https://cv.example.org/>\n#+ summary: Where has this person '
    ) in text
    assert "<http://rdfs.org/ns/void#" not in text.replace(
        "@prefix void: <http://rdfs.org/ns/void#>", ""
    )


def test_the_endpoint_has_it_and_the_dumps_do_not(
    client: Client, graph: Graph, lines: bytes
) -> None:
    query = "SELECT (COUNT(*) AS ?n) { GRAPH <void> { ?s ?p ?o } }"
    rows = client.get(
        "/sparql", query_string={"query": query}, headers={"Accept": "text/csv"}
    ).text.split()
    assert rows == ["n", str(lines.count(b"\n"))]
    assert dump(graph, NQUADS) == graph.nquads
    assert f"<{graph.site.base}void>".encode() not in graph.nquads
