"""What happened so far: at /metrics for whoever looks after the server, and a line for each
request.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from werkzeug.test import Client

from kg.publish.site import Documents
from kg.sparql.endpoint import Embedded
from kg.web.app import Options
from kg.web.state import State
from tests.client import client_of
from tests.web.serving import KEY, WITH_KEY

NAME = re.compile(r'[a-z_]+(\{[a-z]+="[^"\\\n]*"\})? \d+(\.\d+)?(e-?\d+)?')


@pytest.fixture
def lines() -> list[str]:
    return []


@pytest.fixture
def make(documents: Documents, endpoint: Embedded, lines: list[str]) -> Callable[..., Client]:
    return lambda **options: client_of(
        State(documents, endpoint), Options(key=KEY, log=lines.append, **options)
    )


def figures(client: Client) -> dict[str, float]:
    answer = client.get("/metrics", headers=WITH_KEY)
    assert (answer.status_code, answer.headers["Content-Type"]) == (
        200,
        "text/plain; version=0.0.4; charset=utf-8",
    )
    assert answer.headers["Cache-Control"] == "no-store"
    found = [line for line in answer.text.splitlines() if not line.startswith("#")]
    assert all(NAME.fullmatch(line) for line in found), found
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in found)}


def test_requests_are_counted_by_outcome(make: Callable[..., Client]) -> None:
    client = make()
    client.get("/sparql?query=ASK{}")
    client.get("/sparql?query=ASK{}")
    client.get("/sparql?query=ASK{")
    client.get("/nowhere")
    client.get(
        "/sparql",
        query_string={
            "query": "SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i } ORDER BY ?z",
            "timeout": "0.1",
        },
    )
    found = figures(client)
    assert found['kg_queries_total{outcome="answered"}'] == 2
    assert found['kg_queries_total{outcome="refused"}'] == 1
    assert found['kg_queries_total{outcome="timeout"}'] == 1
    assert found['kg_requests_total{status="404"}'] == 1
    assert found["kg_query_seconds_count"] == 4 == found['kg_query_seconds_bucket{le="+Inf"}']
    assert (
        found['kg_query_seconds_bucket{le="0.05"}']
        <= 3
        < found['kg_query_seconds_bucket{le="2.5"}']
    )
    assert found["kg_query_seconds_sum"] >= 0.1
    assert (found["kg_queue_length"], found["kg_queries_running"]) == (0, 0)
    assert found["kg_workers"] >= 1
    assert found["kg_worker_restarts_total"] >= 1
    assert all(
        found[f'kg_memory_bytes{{process="{process}"}}'] > 1e6
        for process in ("web", "loader", "workers")
    )


def test_an_option_opens_the_figures_to_all(make: Callable[..., Client]) -> None:
    stranger = {"REMOTE_ADDR": "192.0.2.1"}
    assert make().get("/metrics", environ_base=stranger).status_code == 404
    assert make(open_metrics=True).get("/metrics", environ_base=stranger).status_code == 200


def test_no_key_is_logged(make: Callable[..., Client], lines: list[str]) -> None:
    client = make()
    for path in ("/console", "/metrics", "/people/", "/nowhere"):
        client.get(f"{path}?key={KEY}", headers=WITH_KEY)
    assert len(lines) == 4
    assert not any(KEY in line for line in lines)


LINE = re.compile(
    r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ (\S+) (\S+) (\S+) (\d+) (\d+) B \d+ ms( "
    r"query=[0-9a-f]{12} \w+)?"
)


def test_every_request_is_a_line(make: Callable[..., Client], lines: list[str]) -> None:
    client = make(proxies=1)
    client.get("/sparql?query=ASK{}", headers={"X-Forwarded-For": "198.51.100.7"})
    client.get("/people/")
    client.get("/sparql?query=ASK{")
    client.get("/a%0Ab%1B[31m c", headers={"X-Forwarded-For": "evil\x1b"})
    client.open("/sparql", method="BR\x1bEW")
    found = [LINE.fullmatch(line) for line in lines]
    assert all(found), lines
    told = [
        (each[1], each[2], each[3], each[4], (each[6] or "").partition(" ")[2].partition(" ")[2])
        for each in found
        if each
    ]
    assert told == [
        ("198.51.100.7", "GET", "/sparql", "200", "answered"),
        ("127.0.0.1", "GET", "/people/", "200", ""),
        ("127.0.0.1", "GET", "/sparql", "400", "refused"),
        ("127.0.0.1", "GET", "/a%0Ab%1B%5B31m%20c", "404", ""),
        ("127.0.0.1", "BR%1BEW", "/sparql", "405", ""),
    ]


def test_the_text_of_a_query_is_not_logged(make: Callable[..., Client], lines: list[str]) -> None:
    for secret in ("tea", "milk", "tea"):
        make().get("/sparql", query_string={"query": f"ASK {{ ?s ?p '{secret}' }}"})
    assert not any(word in line for line in lines for word in ("tea", "milk"))
    hashes = [line.split("query=")[1] for line in lines]
    assert hashes[0] == hashes[2] != hashes[1], "the same question is known again"
