"""What other people's clients get from a real `kg serve`: SPARQLWrapper, and nothing but the standard library."""

from __future__ import annotations

import csv
from io import StringIO
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest
from SPARQLWrapper import CSV, JSON, POST, POSTDIRECTLY, TURTLE, URLENCODED, XML, SPARQLWrapper

from tests.web.serving import Server

NAME = "SELECT ?name { <people/arpan-jain#it> <http://schema.org/name> ?name }"
DESCRIBE = "DESCRIBE <people/arpan-jain#it>"


@pytest.mark.parametrize("method", ["GET", POST])
def test_sparqlwrapper_gets_its_tables(server: Server, method: str) -> None:
    wrapper = SPARQLWrapper(f"{server.address}sparql")
    wrapper.setMethod(method)
    wrapper.setQuery(NAME)
    wrapper.setReturnFormat(JSON)
    assert wrapper.queryAndConvert()["results"]["bindings"][0]["name"]["value"] == "Arpan Jain"
    wrapper.setReturnFormat(XML)
    assert "Arpan Jain" in wrapper.queryAndConvert().toxml()
    wrapper.setReturnFormat(CSV)
    assert wrapper.queryAndConvert().split(b"\r\n") == [b"name", b"Arpan Jain", b""]


# SPARQLWrapper 2.0 reads RDF/XML into a kind of graph that rdflib deprecates.
@pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated:DeprecationWarning")
@pytest.mark.parametrize("method", [URLENCODED, POSTDIRECTLY])
def test_sparqlwrapper_gets_its_graphs(server: Server, method: str) -> None:
    wrapper = SPARQLWrapper(f"{server.address}sparql")
    wrapper.setMethod(POST)
    wrapper.setRequestMethod(method)
    wrapper.setQuery(DESCRIBE)
    wrapper.setReturnFormat(TURTLE)
    assert b"Arpan Jain" in wrapper.queryAndConvert()
    wrapper.setReturnFormat(XML)  # which is also what it asks for by itself
    assert "Arpan Jain" in {str(thing) for thing in wrapper.queryAndConvert().objects()}


def test_csv_needs_nothing_but_the_standard_library(server: Server) -> None:
    query = (
        "SELECT ?name (COUNT(?work) AS ?works) { ?work <http://schema.org/author> ?p . ?p <http://schema.org/name> ?name } GROUP BY ?name"
    )
    with urlopen(f"{server.address}sparql?{urlencode({'query': query, 'format': 'csv'})}") as answer:
        rows = {row["name"]: int(row["works"]) for row in csv.DictReader(StringIO(answer.read().decode()))}
    assert rows["Arpan Jain"] == 23
