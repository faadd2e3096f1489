"""What other people's clients get from a real `kg serve`: SPARQLWrapper, rdflib, pandas, curl, and
nothing but the standard library.
"""

from __future__ import annotations

import csv
import json
import shutil
import subprocess
from io import StringIO
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest
from rdflib import Graph, Literal, URIRef
from rdflib.plugins.stores.sparqlstore import SPARQLStore
from SPARQLWrapper import CSV, JSON, POST, POSTDIRECTLY, TURTLE, URLENCODED, XML, SPARQLWrapper

from tests.conftest import skip
from tests.web.serving import Server

NAME = "SELECT ?name { <people/alvar-jarl#it> <http://schema.org/name> ?name }"
DESCRIBE = "DESCRIBE <people/alvar-jarl#it>"


@pytest.mark.parametrize("method", ["GET", POST])
def test_sparqlwrapper_gets_its_tables(server: Server, method: str) -> None:
    wrapper = SPARQLWrapper(f"{server.address}sparql")
    wrapper.setMethod(method)
    wrapper.setQuery(NAME)
    wrapper.setReturnFormat(JSON)
    assert wrapper.queryAndConvert()["results"]["bindings"][0]["name"]["value"] == "Alvar Jarl"
    wrapper.setReturnFormat(XML)
    assert "Alvar Jarl" in wrapper.queryAndConvert().toxml()
    wrapper.setReturnFormat(CSV)
    assert wrapper.queryAndConvert().split(b"\r\n") == [b"name", b"Alvar Jarl", b""]


# SPARQLWrapper 2.0 reads RDF/XML into a kind of graph that rdflib deprecates.
@pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated:DeprecationWarning")
@pytest.mark.parametrize("method", [URLENCODED, POSTDIRECTLY])
def test_sparqlwrapper_gets_its_graphs(server: Server, method: str) -> None:
    wrapper = SPARQLWrapper(f"{server.address}sparql")
    wrapper.setMethod(POST)
    wrapper.setRequestMethod(method)
    wrapper.setQuery(DESCRIBE)
    wrapper.setReturnFormat(TURTLE)
    assert b"Alvar Jarl" in wrapper.queryAndConvert()
    wrapper.setReturnFormat(XML)  # which is also what it asks for by itself
    assert "Alvar Jarl" in {str(thing) for thing in wrapper.queryAndConvert().objects()}


def test_csv_needs_nothing_but_the_standard_library(server: Server) -> None:
    query = (
        "SELECT ?name (COUNT(?work) AS ?works) { ?work <http://schema.org/author> ?p . ?p "
        "<http://schema.org/name> ?name } GROUP BY ?name"
    )
    with urlopen(
        f"{server.address}sparql?{urlencode({'query': query, 'format': 'csv'})}"
    ) as answer:
        rows = {
            row["name"]: int(row["works"])
            for row in csv.DictReader(StringIO(answer.read().decode()))
        }
    assert rows["Alvar Jarl"] == 23


def test_rdflib_asks_it_like_any_store(server: Server) -> None:
    graph = Graph(SPARQLStore(f"{server.address}sparql"))
    alvar = URIRef("https://cv.example.org/people/alvar-jarl#it")
    name = URIRef("http://schema.org/name")
    assert Literal("Alvar Jarl") in set(graph.objects(alvar, name))
    assert (alvar, name, Literal("Alvar Jarl")) in graph
    counted = list(graph.query("SELECT (COUNT(*) AS ?n) { ?s a <http://schema.org/Person> }"))
    assert int(counted[0][0]) > 100  # type: ignore[index]


def test_pandas_reads_a_csv_address(server: Server) -> None:
    import pandas  # takes a second, which not every worker should spend

    years = (
        "{ ?work <http://schema.org/datePublished> ?date BIND(SUBSTR(STR(?date), 1, 4) AS ?year) }"
    )
    query = f"SELECT ?year (COUNT(?work) AS ?works) {years} GROUP BY ?year"
    frame = pandas.read_csv(
        f"{server.address}sparql?{urlencode({'query': query, 'format': 'csv'})}"
    )
    assert list(frame.columns) == ["year", "works"]
    assert frame["works"].sum() > 50
    assert frame["year"].between(1990, 2030).all()


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (
            ["--get", "--data-urlencode", f"query={NAME}", "-H", "Accept: text/csv"],
            "name\r\nAlvar Jarl\r\n",
        ),
        (
            ["--data-urlencode", f"query={NAME}", "-H", "Accept: text/tab-separated-values"],
            '?name\n"Alvar Jarl"\n',
        ),
        (
            [
                "--data-binary",
                NAME,
                "-H",
                "Content-Type: application/sparql-query",
                "-H",
                "Accept: text/csv",
            ],
            "name\r\nAlvar Jarl\r\n",
        ),
        (["--data-urlencode", "query=ASK {}", "--compressed"], '{"head":{},"boolean":true}'),
    ],
)
def test_curl_gets_its_answers(server: Server, arguments: list[str], expected: str) -> None:
    assert curl(f"{server.address}sparql", *arguments) == expected


def test_curl_with_a_slip_fails_and_shows_why(server: Server) -> None:
    said = curl(
        f"{server.address}sparql",
        "--data-urlencode",
        "query=SELECT * { ?s ?p }",
        "-w",
        "%{http_code}",
    )
    assert json.loads(said.removesuffix("400"))["detail"].startswith("line 1, column ")
    assert said.endswith("400")


def curl(*arguments: str) -> str:
    if not shutil.which("curl"):
        skip("no curl was found")
    return subprocess.run(
        ["curl", "--silent", "--show-error", *arguments], capture_output=True, check=True
    ).stdout.decode()
