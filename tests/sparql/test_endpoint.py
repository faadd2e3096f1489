"""Real workers, and what happens to them: slow, greedy, deep and nosy queries, and kills from
outside.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from kg.errors import BadQuery, QueryBusy, QueryCrashed, QueryTimeout
from kg.publish.formats.media import GRAPHS, TABLES
from kg.sparql.endpoint import Embedded
from kg.sparql.limits import Limits
from kg.sparql.workers.wire import encode
from kg.store.protocol import Answer, Graphs, Query, Wanted
from tests.kinds import starts
from tests.sparql.asking import answered
from tests.sparql.processes import descendants, still_alive, wait_until

BASE = "https://lab.example.org/"
NQUADS = b"".join(
    b'<%sa#n%d> <http://schema.org/name> "%d" <%sa> .\n' % (BASE.encode(), n, n, BASE.encode())
    for n in range(1000)
)
WANTED = Wanted(TABLES[0], GRAPHS[0])
EASY = "ASK { <a#n7> <http://schema.org/name> '7' }"
ENDLESS = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }"
GREEDY = "SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i } ORDER BY ?c"


@pytest.fixture
@starts("process")
def endpoint() -> Iterator[Embedded]:
    """One worker, so that whoever asks next gets the one that took its place."""
    endpoint = Embedded(BASE, NQUADS, Limits(deadline=60, memory=64 * 1024 * 1024, workers=1))
    yield endpoint
    endpoint.close()


@pytest.fixture
@starts("process")
def patient() -> Iterator[Embedded]:
    endpoint = Embedded(BASE, NQUADS, Limits(deadline=60, memory=64 * 1024 * 1024, workers=2))
    yield endpoint
    endpoint.close()


@pytest.fixture(scope="module")
@starts("process")
def shared() -> Iterator[Embedded]:
    """One for all tests that only ask."""
    endpoint = Embedded(BASE, NQUADS, Limits(deadline=60, memory=64 * 1024 * 1024, workers=2))
    yield endpoint
    endpoint.close()


def is_well(endpoint: Embedded) -> bool:
    """Every worker of the pool answers."""
    answers = [answered(endpoint, EASY, WANTED) for _ in range(2 * endpoint.limits.workers)]
    return all(json.loads(answer.body)["boolean"] is True for answer in answers)


def past_the_guard(endpoint: Embedded, query: str) -> Answer:
    """Asks a worker of its own, as if the guard had let the query through."""
    head = {"wanted": WANTED, "graphs": Graphs(), "most": 1 << 20, "is_checked": True}
    message = encode(head, query.encode())

    async def ask() -> Answer:
        until = asyncio.get_running_loop().time() + 10
        return await endpoint.attempt(endpoint.pool.loader.fork(), message, until)

    return asyncio.run(ask())


@pytest.mark.parametrize("media_type", TABLES)
def test_tables_come_in_every_standard_form(shared: Embedded, media_type: str) -> None:
    for query in ("SELECT ?s { ?s ?p '7' }", EASY):
        answer = answered(shared, query, Wanted(media_type, None))
        assert answer.media_type == media_type
        assert b"a#n7" in answer.body or b"true" in answer.body


@pytest.mark.parametrize("media_type", GRAPHS)
def test_graphs_come_in_every_standard_form(shared: Embedded, media_type: str) -> None:
    for query in ("CONSTRUCT WHERE { <a#n7> ?p ?o }", "DESCRIBE <a#n7>"):
        answer = answered(shared, query, Wanted(None, media_type))
        assert answer.media_type == media_type
        assert b"a#n7" in answer.body


def test_a_large_answer_arrives_whole(shared: Embedded) -> None:
    answer = answered(shared, "SELECT * { ?a ?b ?c . ?d ?e ?f } LIMIT 20000", WANTED)
    assert len(json.loads(answer.body)["results"]["bindings"]) == 20000


def test_a_slip_costs_no_worker(endpoint: Embedded) -> None:
    before = endpoint.pool.idle[0].pid
    with pytest.raises(BadQuery, match="line 1, column"):
        answered(endpoint, "SELECT * { ?s ?p }", WANTED)
    with pytest.raises(BadQuery, match="SERVICE"):
        answered(endpoint, "SELECT * { SERVICE <http://127.0.0.1/> {} }", WANTED)
    assert endpoint.pool.idle[0].pid == before
    assert is_well(endpoint)


def test_a_query_over_its_deadline_is_stopped_and_the_next_is_answered_at_once(
    endpoint: Embedded,
) -> None:
    slow = endpoint.pool.idle[0].pid
    with pytest.raises(QueryTimeout, match="longer than 1 s"):
        answered(endpoint, ENDLESS, WANTED, timeout=1)
    assert is_well(endpoint)
    assert not still_alive([slow])


@pytest.mark.process
def test_who_finds_all_workers_busy_is_told_so() -> None:
    endpoint = Embedded(BASE, NQUADS, Limits(deadline=60, workers=1, patience=0.1))

    async def find_it_busy() -> None:
        busy = asyncio.create_task(endpoint.ask(Query(ENDLESS, WANTED)))
        while endpoint.pool.idle:
            await asyncio.sleep(0.01)
        with pytest.raises(QueryBusy, match="busy"):
            await endpoint.ask(Query(EASY, WANTED))
        busy.cancel()
        with pytest.raises(asyncio.CancelledError):
            await busy

    try:
        asyncio.run(find_it_busy())
        assert is_well(endpoint)
    finally:
        endpoint.close()


def test_a_query_that_needs_too_much_memory_ends_alone(patient: Embedded) -> None:
    with pytest.raises(QueryCrashed, match="memory limit"):
        answered(patient, GREEDY, WANTED)
    assert is_well(patient)


def test_a_query_too_deep_for_the_parser_ends_alone(patient: Embedded) -> None:
    with pytest.raises(QueryCrashed, match="nested too deeply"):
        past_the_guard(patient, f"SELECT * {'{' * 50_000}")
    assert is_well(patient)


def test_no_query_within_the_bounds_is_too_deep(patient: Embedded) -> None:
    """It is not the text that nests here, but what the engine makes of it."""
    answer = answered(
        patient,
        f"SELECT {' '.join(f'(COUNT(?s)AS?n{number})' for number in range(3000))} {{ ?s ?p ?o }}",
        WANTED,
    )
    assert len(json.loads(answer.body)["results"]["bindings"][0]) == 3000


def test_a_worker_killed_from_outside_is_replaced(patient: Embedded) -> None:
    killed = {worker.pid for worker in patient.pool.idle}
    for pid in killed:
        os.kill(pid, signal.SIGKILL)
    assert is_well(patient), "who asks notices nothing"
    # one that nobody asked is found by the pool
    wait_until(lambda: not killed & {worker.pid for worker in patient.pool.idle})


def test_a_loader_killed_from_outside_is_replaced(patient: Embedded) -> None:
    lost = descendants(os.getpid())
    patient.pool.loader.process.kill()
    patient.pool.loader.process.wait()
    assert not still_alive(lost & {worker.pid for worker in patient.pool.idle}), (
        "workers do not outlive their loader"
    )
    assert is_well(patient), "who asks notices nothing"
    assert patient.health().restarts >= 1
    loader = patient.pool.loader.process.pid
    wait_until(lambda: len(descendants(loader)) == patient.limits.workers)


@pytest.mark.process
@pytest.mark.proof
def test_who_asks_while_the_loader_is_killed_notices_nothing() -> None:
    """Its workers die one after another, and a query must not be asked again of one that is about
    to.
    """
    endpoint = Embedded(BASE, NQUADS, Limits(memory=64 * 1024 * 1024, workers=6))
    done = threading.Event()

    def keep_asking(client: int) -> int:
        asked = 0
        while not done.is_set():
            answered(endpoint, EASY, WANTED, client=str(client))
            asked += 1
        return asked

    try:
        with ThreadPoolExecutor(8) as clients:
            asking = [clients.submit(keep_asking, client) for client in range(8)]
            for _ in range(8):
                answered(
                    endpoint, EASY, WANTED, client="first"
                )  # on a slow machine too, there is a new one by now
                time.sleep(0.4)
                endpoint.pool.loader.process.kill()
            answered(endpoint, EASY, WANTED, client="last")
            done.set()
            assert all(client.result() for client in asking)
        assert endpoint.health().restarts >= 8
        loader = endpoint.pool.loader.process.pid
        wait_until(lambda: len(descendants(loader)) == endpoint.limits.workers)
    finally:
        done.set()
        endpoint.close()


def test_a_worker_reaches_no_server_even_past_the_guard(patient: Embedded) -> None:
    nosy = [
        "SELECT * { SERVICE <%s> { ?s ?p ?o } }",
        "SELECT * { SERVICE SILENT <%s> { ?s ?p ?o } }",
        "SELECT * { SERVICESILENT<%s> { ?s ?p ?o } }",
        "PREFIX there: <%s> SELECT * { SERVICEthere: { ?s ?p ?o } }",
        "SELECT * { FILTER('a'<'>')SERVICE <%s> { ?s ?p ?o } FILTER('b'='b') }",
        "SELECT * FROM <%s> { ?s ?p ?o }",
    ]
    with socket.create_server(("127.0.0.1", 0)) as canary:
        canary.settimeout(0.3)
        for query in nosy:
            try:
                past_the_guard(patient, query % f"http://127.0.0.1:{canary.getsockname()[1]}/")
            except BadQuery as error:
                assert "Too many open files" in str(error)
        with pytest.raises(TimeoutError):
            canary.accept()
    assert is_well(patient)


@pytest.mark.process
def test_after_closing_no_process_is_left() -> None:
    endpoint = Embedded(BASE, NQUADS, Limits(workers=3))
    loader = endpoint.pool.loader.process.pid  # other tests have workers, too
    started = {loader, *descendants(loader)}
    assert len(started) == 4
    endpoint.close()
    assert not still_alive(started, patience=0)


@pytest.mark.process
def test_workers_do_not_outlive_a_server_that_is_killed() -> None:
    program = (
        f"from kg.sparql.endpoint import Embedded; e = Embedded({BASE!r}, b''); "
        "print(e.pool.loader.process.pid, flush=True); input()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as server:
        assert server.stdout is not None
        server.stdout.readline()
        started = descendants(server.pid)
        assert len(started) == Limits().workers + 1
        server.kill()
    assert not still_alive(started)


def test_an_answer_that_nobody_took_goes_to_nobody_else(
    endpoint: Embedded, monkeypatch: pytest.MonkeyPatch
) -> None:
    def give_up(_: bytes) -> object:
        raise MemoryError

    with monkeypatch.context() as patched:
        patched.setattr("kg.sparql.workers.pool.decode", give_up)
        with pytest.raises(MemoryError):
            answered(endpoint, "SELECT ?s { ?s ?p '8' }", WANTED)
    assert is_well(endpoint)


def test_a_query_ends_with_the_task_that_asked_it(patient: Embedded) -> None:
    async def give_up() -> None:
        asking = asyncio.create_task(patient.ask(Query(ENDLESS, WANTED)))
        while not patient.pool.busy:
            await asyncio.sleep(0.01)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking

    before = {worker.pid for worker in patient.pool.idle}
    start = time.monotonic()
    asyncio.run(give_up())
    assert len(still_alive(before, patience=0)) == len(before) - 1
    assert time.monotonic() - start < patient.limits.deadline
    assert is_well(patient)
    assert not patient.queue.running
