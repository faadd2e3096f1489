"""What happened so far, at /metrics for whoever looks after the server."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable
from contextlib import ExitStack

import pytest
from werkzeug.test import Client

from kg.check.check import Checked
from kg.cli import serve as serve_command
from kg.cli.serve import open_log
from kg.publish.site import Documents
from kg.sparql.endpoint import Embedded
from kg.web import log as event_log
from kg.web.app import Options
from kg.web.log import EventLog
from kg.web.state import CurrentSite, State
from tests.client import client_of
from tests.web.serving import KEY, WITH_KEY

NAME = re.compile(r'[a-z_]+(\{[a-z]+="[^"\\\n]*"\})? \d+(\.\d+)?(e[-+]?\d+)?')


@pytest.fixture
def current(documents: Documents, endpoint: Embedded) -> CurrentSite:
    return CurrentSite(State(documents, endpoint), Checked(documents.graph, []))


@pytest.fixture
def make(current: CurrentSite) -> Callable[..., Client]:
    return lambda **options: client_of(current, Options(key=KEY, **options))


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


def test_a_fault_of_the_program_is_counted(
    make: Callable[..., Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    client = make(log=EventLog([].append))
    assert figures(client)["kg_faults_total"] == 0
    monkeypatch.setattr("kg.web.app.document", lambda *_: 1 / 0)
    assert client.get("/people/").status_code == 500
    found = figures(client)
    assert (found["kg_faults_total"], found['kg_requests_total{status="500"}']) == (1, 1)


def test_lines_of_the_log_that_nobody_reads_in_time_are_counted(
    make: Callable[..., Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    unread, end = os.pipe()
    monkeypatch.setattr(serve_command, "STDERR", end)
    monkeypatch.setattr(event_log, "MAX_QUEUED", 5)
    monkeypatch.setattr(event_log, "FLUSH_TIMEOUT", 60)
    with ExitStack() as stack:
        log = open_log(stack, "text", log_clients=False)
        client = make(log=log)
        assert figures(client)["kg_log_lines_dropped_total"] == 0
        for _ in range(100):  # a pipe holds less than all
            log.write("x" * 10_000)
        assert figures(client)["kg_log_lines_dropped_total"] > 0
        os.close(unread)
    os.close(end)


def test_reloads_are_counted_and_a_refused_one_is_seen(
    make: Callable[..., Client], current: CurrentSite
) -> None:
    client, began = make(), time.time()
    names = ('kg_reloads_total{outcome="served"}', 'kg_reloads_total{outcome="refused"}')

    def shown() -> list[float]:
        found = figures(client)
        assert began - 60 < found["kg_served_since_seconds"] < time.time() + 2
        return [found[name] for name in (*names, "kg_files_refused")]

    assert shown() == [0, 0, 0]
    current.note(Checked(None, []))
    assert shown() == [0, 1, 1]
    current.put(current.state, Checked(current.state.documents.graph, []))
    assert shown() == [1, 1, 0]


def test_two_servers_count_for_themselves(make: Callable[..., Client]) -> None:
    first, second = make(), make()
    first.get("/nowhere")
    assert 'kg_requests_total{status="404"}' in figures(first)
    assert 'kg_requests_total{status="404"}' not in figures(second)
