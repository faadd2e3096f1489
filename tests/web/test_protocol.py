"""The corners of the SPARQL 1.1 Protocol: graphs, charsets, time limits, updates refused,
validators, preflights.
"""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

import pytest
from pyoxigraph import RdfFormat, parse
from werkzeug.test import Client

from kg.publish.formats.media import GRAPHS
from kg.publish.site import Documents

COUNT = "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }"
NAMED = "SELECT DISTINCT ?g { GRAPH ?g { ?s ?p ?o } }"
DIRECT = "application/sparql-query"
FORM = "application/x-www-form-urlencoded"
ALVAR, MIRELA = (
    "https://cv.example.org/people/alvar-jarl",
    "https://cv.example.org/people/mirela-zemann",
)


def rows(answer: Any) -> list[str]:
    assert answer.status_code == 200, answer.text
    return [
        term["value"]
        for row in json.loads(answer.data)["results"]["bindings"]
        for term in row.values()
    ]


def count(client: Client, **parameters: Any) -> int:
    return int(rows(client.get("/sparql", query_string={"query": COUNT, **parameters}))[0])


def test_graphs_are_chosen_beside_the_query(client: Client) -> None:
    one, other = (count(client, **{"default-graph-uri": graph}) for graph in (ALVAR, MIRELA))
    assert one != other
    assert count(client, **{"default-graph-uri": [ALVAR, MIRELA]}) == one + other < count(client)
    assert count(client, **{"default-graph-uri": "people/alvar-jarl"}) == one, (
        "relative to the base"
    )
    assert count(client, **{"default-graph-uri": "http://127.0.0.1/nowhere"}) == 0
    assert count(client, **{"named-graph-uri": ALVAR}) == 0
    named = client.post("/sparql", data={"query": NAMED, "named-graph-uri": [ALVAR, MIRELA]})
    assert sorted(rows(named)) == [ALVAR, MIRELA]


def test_graphs_beside_the_query_win_over_those_in_it(client: Client) -> None:
    query = COUNT.replace("{", f"FROM <{MIRELA}> {{", 1)
    direct = client.post(
        f"/sparql?default-graph-uri={quote(ALVAR)}", data=query, content_type=DIRECT
    )
    assert int(rows(direct)[0]) == count(client, **{"default-graph-uri": ALVAR})


def test_a_graph_that_is_no_address_is_400(client: Client) -> None:
    answer = client.get(
        "/sparql", query_string={"query": COUNT, "default-graph-uri": "not an > address"}
    )
    assert (answer.status_code, "default-graph-uri" in answer.text) == (400, True)


@pytest.mark.parametrize("charset", ["utf-8", "UTF8", "iso-8859-1"])
def test_a_query_may_come_in_any_charset(client: Client, charset: str) -> None:
    query = "SELECT ('é' AS ?x) {}"
    answer = client.post(
        "/sparql", data=query.encode(charset), content_type=f"{DIRECT}; charset={charset}"
    )
    assert rows(answer) == ["é"]


@pytest.mark.parametrize(
    ("body", "content_type", "status"),
    [
        (b"SELECT ('\xe9' AS ?x) {}", DIRECT, 400),
        (b"ASK {}", f"{DIRECT}; charset=klingon", 415),
        (b"ASK {}", f"{DIRECT}; charset=hex", 415),
        (b"query=%ff", FORM, 400),
        (b"query=ASK+%7B%7D&query", FORM, 400),
        (b"query=+", FORM, 400),
        (b"", FORM, 400),
        (b"&".join(b"x=1" for _ in range(2000)), FORM, 400),
        (b"ASK {}", f"{FORM}; charset=utf-8", 400),
    ],
)
def test_what_cannot_be_read_is_told(
    client: Client, body: bytes, content_type: str, status: int
) -> None:
    answer = client.post(
        "/sparql", data=body, content_type=content_type, headers={"Accept": "text/plain"}
    )
    assert answer.status_code == status
    assert answer.text.count("\n") == 1


def test_bad_escapes_in_the_address_are_400(client: Client) -> None:
    assert client.get("/sparql?query=ASK%7B%7D%ff").status_code == 400
    assert client.get("/sparql?query=%C3%28").status_code == 400


@pytest.mark.parametrize(
    "request_",
    [
        {"data": {"update": "DROP ALL"}},
        {"data": {"update": "DROP ALL", "query": "ASK {}"}},
        {"data": "DROP ALL", "content_type": "application/sparql-update"},
        {"data": {"query": "ASK {}", "using-graph-uri": ALVAR}},
        {"data": "ASK {}", "content_type": DIRECT, "query_string": {"update": "DROP ALL"}},
    ],
)
def test_updates_are_refused_in_every_disguise(client: Client, request_: dict[str, Any]) -> None:
    answer = client.post("/sparql", headers={"Accept": "text/plain"}, **request_)
    assert (answer.status_code, answer.text) == (
        403,
        "This endpoint is read-only. Send a query, not an update.\n",
    )
    assert client.get("/sparql?update=DROP+ALL").status_code == 403


@pytest.mark.parametrize(
    "query",
    [
        "INSERT DATA { <a> <b> <c> }",
        "# SELECT\nprefix a: <b> delete where { ?s ?p ?o }",
        "LOAD <file:///etc/passwd>",
    ],
)
def test_an_update_as_a_query_is_400(client: Client, query: str) -> None:
    answer = client.get("/sparql", query_string={"query": query}, headers={"Accept": "text/plain"})
    assert (answer.status_code, "read-only" in answer.text) == (400, True)


ENDLESS = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }"


def test_a_timeout_can_only_be_lowered(client: Client) -> None:
    for given, told in (("0.3", "0.3"), ("60", "2")):
        answer = client.get(
            "/sparql",
            query_string={"query": ENDLESS, "timeout": given},
            headers={"Accept": "text/plain"},
        )
        assert (answer.status_code, answer.text) == (
            504,
            f"The query took longer than {told} s and was stopped.\n",
        )


@pytest.mark.parametrize("given", ["0", "-1", "soon", "nan", "1e"])
def test_a_timeout_is_a_number_of_seconds(client: Client, given: str) -> None:
    assert client.get("/sparql", query_string={"query": COUNT, "timeout": given}).status_code == 400


def test_output_names_the_form_too(client: Client) -> None:
    assert (
        client.get("/sparql", query_string={"query": COUNT, "output": "csv"}).mimetype == "text/csv"
    )
    assert (
        client.get(
            "/sparql", query_string={"query": COUNT, "format": "text/tab-separated-values"}
        ).mimetype
        == "text/tab-separated-values"
    )
    assert (
        client.get("/sparql", query_string={"query": COUNT, "output": "html"}).mimetype
        == "text/html"
    )


@pytest.mark.parametrize(
    ("accept", "expected"),
    [
        ("application/sparql-results+xml;q=0.9, text/csv;q=0.8", "application/sparql-results+xml"),
        ("text/*", "text/csv"),
        ("application/*;q=0.5, text/csv;q=0.4", "application/sparql-results+json"),
        ("text/html;q=0.1, */*;q=0.2", "application/sparql-results+json"),
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "text/html"),
        ("application/sparql-results+json;q=0, */*", "application/sparql-results+xml"),
    ],
)
def test_accept_chooses_with_weights_and_wildcards(
    client: Client, accept: str, expected: str
) -> None:
    assert (
        client.get("/sparql", query_string={"query": COUNT}, headers={"Accept": accept}).mimetype
        == expected
    )


def test_an_answer_has_a_validator_and_may_be_kept(client: Client) -> None:
    first = client.get("/sparql", query_string={"query": COUNT})
    assert first.headers["Vary"] == "Accept, Accept-Encoding"
    assert first.headers["Cache-Control"] == "public, max-age=60, must-revalidate"
    tag = first.headers["ETag"]
    assert not tag.startswith("W/")
    again = client.get("/sparql", query_string={"query": COUNT}, headers={"If-None-Match": tag})
    assert (again.status_code, again.data, again.headers["ETag"]) == (304, b"", tag)
    other = client.get(
        "/sparql", query_string={"query": COUNT, "format": "csv"}, headers={"If-None-Match": tag}
    )
    assert other.status_code == 200


def test_an_answer_that_changes_by_itself_is_not_kept(client: Client) -> None:
    assert (
        client.get("/sparql", query_string={"query": "SELECT (RAND() AS ?x) {}"}).headers[
            "Cache-Control"
        ]
        == "no-cache"
    )


def test_head_has_the_headers_of_get(client: Client) -> None:
    got, head = (
        client.open("/sparql", method=method, query_string={"query": COUNT})
        for method in ("GET", "HEAD")
    )
    assert head.data == b""
    for name in ("Content-Type", "Content-Length", "ETag"):
        assert head.headers[name] == got.headers[name]


def test_options_and_a_preflight_are_answered(client: Client) -> None:
    headers = {
        "Origin": "https://else.example",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type",
    }
    answer = client.open("/sparql", method="OPTIONS", headers=headers)
    assert answer.status_code == 200
    assert {"GET", "HEAD", "POST", "OPTIONS"} == {
        method.strip() for method in answer.headers["Allow"].split(",")
    }
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert "Content-Type" in answer.headers["Access-Control-Allow-Headers"]
    assert "POST" in answer.headers["Access-Control-Allow-Methods"]
    assert "Access-Control-Allow-Credentials" not in answer.headers


SD = "http://www.w3.org/ns/sparql-service-description#"


@pytest.mark.parametrize("media_type", GRAPHS)
def test_without_a_query_programs_get_a_description(
    client: Client, documents: Documents, media_type: str
) -> None:
    answer = client.get("/sparql", headers={"Accept": media_type})
    assert (answer.status_code, answer.mimetype) == (200, media_type)
    form = RdfFormat.from_media_type(media_type)
    assert form is not None
    triples = [quad.triple for quad in parse(answer.data, format=form, base_iri=documents.base)]
    assert any(triple.predicate.value == f"{SD}endpoint" for triple in triples)
    named = {triple.object.value for triple in triples if triple.predicate.value == f"{SD}name"}  # type: ignore[union-attr]
    assert {ALVAR, MIRELA, f"{documents.base}void", f"{documents.base}pages"} <= named
    limits = {
        triple.subject.value.partition("#")[2]: triple.object.value  # type: ignore[union-attr]
        for triple in triples
        if triple.predicate.value == "http://schema.org/maxValue"
    }
    assert (limits["deadline"], limits["answer"]) == ("2", str(32 * 1024 * 1024))


def test_a_description_in_a_form_nobody_has_is_406(client: Client) -> None:
    assert client.get("/sparql", headers={"Accept": "image/png"}).status_code == 406
