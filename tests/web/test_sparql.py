"""The SPARQL 1.1 Protocol: every way to ask, every form of answer, and errors that say what to
mend.
"""

from __future__ import annotations

import csv
import json
from io import StringIO
from typing import Any

import pytest
from pyoxigraph import QueryResultsFormat, RdfFormat, parse, parse_query_results
from werkzeug.test import Client

from kg.graph.build import Graph
from kg.publish.formats.media import GRAPHS, SHORT_NAMES, TABLES
from kg.publish.site import Documents
from kg.sparql.endpoint import Embedded
from kg.sparql.limits import Limits
from kg.sparql.reading import guard
from kg.web.state import State
from tests.client import client_of

NAME = "SELECT ?name { <people/alvar-jarl#it> <http://schema.org/name> ?name }"
DESCRIBE = "DESCRIBE <people/alvar-jarl#it>"
DIRECT = "application/sparql-query"
ENDLESS = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }"
GREEDY = "SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i } ORDER BY ?c"
WAYS: dict[str, dict[str, Any]] = {
    "GET": {"method": "GET", "query_string": {"query": NAME}},
    "POST form": {"method": "POST", "data": {"query": NAME}},
    "POST direct": {"method": "POST", "data": NAME, "content_type": DIRECT},
    "POST direct, charset": {
        "method": "POST",
        "data": NAME,
        "content_type": f"{DIRECT}; charset=utf-8",
    },
}


def ask(client: Client, query: str, accept: str = "application/json") -> Any:
    return client.get("/sparql", query_string={"query": query}, headers={"Accept": accept})


@pytest.mark.parametrize("way", WAYS)
def test_a_query_can_be_sent_in_every_way_of_the_protocol(client: Client, way: str) -> None:
    answer = client.open("/sparql", **WAYS[way])
    assert (answer.status_code, answer.mimetype) == (200, "application/sparql-results+json")
    assert json.loads(answer.data)["results"]["bindings"] == [
        {"name": {"type": "literal", "value": "Alvar Jarl"}}
    ]


@pytest.mark.parametrize("media_type", TABLES)
def test_a_table_comes_in_every_standard_form(client: Client, media_type: str) -> None:
    answer = ask(client, NAME, media_type)
    assert (answer.status_code, answer.mimetype) == (200, media_type)
    form = QueryResultsFormat.from_media_type(media_type)
    assert form is not None
    rows = (
        list(csv.reader(StringIO(answer.text)))
        if media_type == "text/csv"
        else list(parse_query_results(answer.data, format=form))
    )  # type: ignore[arg-type]
    assert "Alvar Jarl" in str(rows[-1])


@pytest.mark.parametrize("media_type", GRAPHS)
def test_a_graph_comes_in_every_standard_form(client: Client, media_type: str) -> None:
    answer = ask(client, DESCRIBE, media_type)
    assert (answer.status_code, answer.mimetype) == (200, media_type)
    form = RdfFormat.from_media_type(media_type)
    assert form is not None
    assert len(list(parse(answer.data, format=form))) > 20


def test_the_default_forms_are_json_and_turtle(client: Client) -> None:
    for accept in ("*/*", ""):
        assert ask(client, NAME, accept).mimetype == "application/sparql-results+json"
        assert ask(client, DESCRIBE, accept).mimetype == "text/turtle"


@pytest.mark.parametrize("short", SHORT_NAMES)
def test_a_form_can_be_named_in_the_address(client: Client, short: str) -> None:
    for media_type in SHORT_NAMES[short]:
        query = NAME if media_type in TABLES else DESCRIBE
        answer = client.get(
            "/sparql",
            query_string={"query": query, "format": short},
            headers={"Accept": "text/html"},
        )
        assert (answer.status_code, answer.mimetype) == (200, media_type)


def test_a_format_nobody_knows_is_refused_with_those_that_are(client: Client) -> None:
    answer = client.get(
        "/sparql", query_string={"query": NAME, "format": "pdf"}, headers={"Accept": "text/csv"}
    )
    assert (answer.status_code, answer.mimetype) == (400, "application/problem+json")
    assert "Unknown format 'pdf'. Known: json, xml, csv" in answer.text


def test_from_chooses_what_is_asked(client: Client) -> None:
    count = "SELECT (COUNT(*) AS ?n) {} WHERE {{ ?s ?p ?o }}"
    whole, one, both = (
        int(
            json.loads(ask(client, count.format(clause)).data)["results"]["bindings"][0]["n"][
                "value"
            ]
        )
        for clause in (
            "",
            "FROM <people/alvar-jarl>",
            "FROM <people/alvar-jarl> FROM <people/mirela-zemann>",
        )
    )
    assert 0 < one < both < whole


def test_relative_addresses_and_the_unions_default_graph(
    client: Client, documents: Documents
) -> None:
    absolute = f"ASK {{ <{documents.base}people/alvar-jarl#it> ?p ?o }}"
    for query in (
        absolute,
        "ASK { <people/alvar-jarl#it> ?p ?o }",
        "ASK { GRAPH <people/alvar-jarl> { <people/alvar-jarl#it> ?p ?o } }",
    ):
        assert json.loads(ask(client, query).data)["boolean"] is True


def test_pages_answer_who_names_their_graph(client: Client, documents: Documents) -> None:
    for query, holds in (
        ("ASK { ?page a <http://schema.org/ProfilePage> }", False),
        ("ASK { GRAPH <pages> { ?page a <http://schema.org/ProfilePage> } }", True),
        ("ASK { <people/alvar-jarl> <http://schema.org/name> ?name }", False),
    ):
        assert json.loads(ask(client, query).data)["boolean"] is holds
    whole = client.get("/all.nq").data
    assert whole == documents.graph.nquads + documents.graph.rest + documents.void()


def test_a_slip_is_400_with_line_and_column(client: Client) -> None:
    answer = ask(client, "SELECT *\nWHERE { ?s ?p }", "text/plain")
    assert (answer.status_code, answer.mimetype) == (400, "text/plain")
    assert answer.text.startswith("line 2, column ")
    assert json.loads(ask(client, "SELECT", "application/json").data)["status"] == 400


def test_a_slip_in_the_form_is_shown_beside_the_question(client: Client) -> None:
    answer = ask(client, "SELECT * { '</textarea><script>' }", "text/html")
    assert (answer.status_code, answer.mimetype) == (400, "text/html")
    assert 'role="alert"' in answer.text
    assert "&lt;/textarea&gt;&lt;script&gt;" in answer.text
    assert "<script>" not in answer.text


@pytest.mark.parametrize(
    ("query", "word"),
    [
        ("SELECT * { SERVICE <http://127.0.0.1/> {} }", "SERVICE"),
        ("DROP ALL", "read-only"),
        ("{" * 200, "levels of brackets"),
    ],
)
def test_what_is_not_allowed_is_400_and_says_why(client: Client, query: str, word: str) -> None:
    answer = ask(client, query, "text/plain")
    assert answer.status_code == 400
    assert word in answer.text


@pytest.mark.parametrize(
    "request_",
    [
        {"data": {}},
        {"data": {"query": [NAME, NAME]}},
        {"data": {"query": NAME}, "query_string": {"query": NAME}},
    ],
)
def test_exactly_one_query_is_taken(client: Client, request_: dict[str, Any]) -> None:
    request_ = {"content_type": "application/x-www-form-urlencoded", **request_}
    answer = client.post("/sparql", headers={"Accept": "text/plain"}, **request_)
    assert (answer.status_code, answer.text[-26:]) == (400, "Send exactly one 'query'.\n")
    assert client.get("/sparql?query=ASK{}&query=ASK{}").status_code == 400


def test_without_a_query_there_is_a_form(client: Client) -> None:
    answer = client.get("/sparql")
    assert (answer.status_code, answer.mimetype) == (200, "text/html")
    assert "<textarea" in answer.text


@pytest.mark.parametrize(
    "content_type", ["text/plain", "application/json", "", "multipart/form-data"]
)
def test_a_body_of_another_kind_is_415(client: Client, content_type: str) -> None:
    assert client.post("/sparql", data=NAME, content_type=content_type).status_code == 415


@pytest.mark.parametrize("charset", ["utf-8", "iso-8859-1", "windows-1252"])
def test_a_query_may_be_written_in_another_charset(client: Client, charset: str) -> None:
    answer = client.post(
        "/sparql",
        data="ASK { FILTER('é' = '\\u00e9') }".encode(charset),
        content_type=f"{DIRECT}; charset={charset}",
    )
    assert json.loads(answer.data)["boolean"] is True


def test_a_query_of_a_megabyte_is_answered(client: Client) -> None:
    wanted = " ".join(f"<urn:{number:0100}>" for number in range(8_600))
    query = f"SELECT (COUNT(*) AS ?number) {{ VALUES ?thing {{ {wanted} }} }}"
    assert 900_000 < len(query) < guard.MAX_CHARACTERS
    answer = client.post("/sparql", data=query, content_type=DIRECT, headers={"Accept": "text/csv"})
    assert answer.text == "number\r\n8600\r\n"


@pytest.mark.parametrize(
    "charset",
    [
        "utf-16",
        "utf-16le",
        "UTF-32",
        "punycode",
        "idna",
        "unicode_escape",
        "utf-7",
        "iso-8859-99",
        "klingon",
        "utf-8%00",
        "x" * 9000,
    ],
)
def test_a_charset_that_few_know_is_415(client: Client, charset: str) -> None:
    """Some of Python's take minutes, and it keeps in mind for ever those it did not find."""
    answer = client.post(
        "/sparql",
        data=NAME,
        content_type=f"{DIRECT}; charset={charset}",
        headers={"Accept": "text/plain"},
    )
    assert (answer.status_code, answer.text) == (
        415,
        "Unknown charset. Send UTF-8.\n",
    )


def test_a_body_without_end_is_413(client: Client) -> None:
    assert client.post("/sparql", data=b" " * 2**21, content_type=DIRECT).status_code == 413


@pytest.mark.parametrize("accept", ["image/png", "text/css, audio/*"])
def test_nothing_that_fits_is_406_and_says_what_there_is(client: Client, accept: str) -> None:
    answer = ask(client, NAME, accept)
    assert answer.status_code == 406
    assert "text/csv" in answer.text


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH"])
def test_the_endpoint_is_only_read(client: Client, method: str) -> None:
    answer = client.open("/sparql", method=method)
    assert answer.status_code == 405
    assert "POST" in answer.headers["Allow"]


def test_a_query_that_takes_too_long_is_504_and_the_next_is_answered(client: Client) -> None:
    answer = ask(client, ENDLESS, "text/plain")
    assert (answer.status_code, answer.text) == (
        504,
        "The query took longer than 2 s and was stopped.\n",
    )
    assert ask(client, NAME).status_code == 200


@pytest.mark.proof
@pytest.mark.process
def test_a_query_that_needs_too_much_memory_is_503_and_the_next_is_answered(
    documents: Documents, graph: Graph
) -> None:
    endpoint = Embedded(
        graph.site.base, graph.nquads, Limits(deadline=60, memory=32 * 1024 * 1024, workers=1)
    )
    client = client_of(State(documents, endpoint))
    try:
        assert ask(client, GREEDY, "text/plain").status_code == 503
        assert ask(client, NAME).status_code == 200
    finally:
        endpoint.close()
