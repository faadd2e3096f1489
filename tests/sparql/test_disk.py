"""Graphs that are too large for memory: the same answers from a store on disk, and no way out of
it.
"""

from __future__ import annotations

import os
import signal
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from kg.errors import BadQuery, KgError, QueryTimeout
from kg.publish.formats.media import GRAPHS, TABLES
from kg.sparql import disk
from kg.sparql.disk import Disk
from kg.sparql.endpoint import Embedded, Request, head_of
from kg.sparql.workers import sandbox
from kg.sparql.workers.limits import Limits
from kg.store.protocol import Graphs, Wanted
from tests.sparql.processes import descendants, still_alive

pytestmark = pytest.mark.skipif(not sandbox.is_possible(), reason="this system has not the means")

BASE = "https://lab.example.org/"
NQUADS = b"".join(
    b'<%sa#n%d> <http://schema.org/name> "%d" <%sa> .\n' % (BASE.encode(), n, n, BASE.encode())
    for n in range(1000)
)
WANTED = Wanted(TABLES[0], GRAPHS[1])
ENDLESS = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }"
LARGE = Limits(deadline=10, workers=2, share=0)  # nothing is small enough


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("stores")


@pytest.fixture(scope="module")
def endpoint(place: Path) -> Iterator[Embedded]:
    endpoint = Embedded(BASE, NQUADS, LARGE, folder=place)
    assert endpoint.disk
    yield endpoint
    endpoint.close()


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * { ?s ?p ?o } ORDER BY ?o LIMIT 20",
        "ASK { <a#n7> <http://schema.org/name> '7' }",
        "DESCRIBE <a#n8>",
        "CONSTRUCT { ?s <http://schema.org/description> ?o } WHERE { ?s ?p ?o FILTER(?o = '9') }",
        "SELECT * { GRAPH ?g { <a#n1> ?p ?o } }",
        "SELECT * { ?s <http://schema.org/nam> ?o }",
    ],
)
def test_the_answers_are_those_of_a_graph_in_memory(endpoint: Embedded, query: str) -> None:
    in_memory = Embedded(BASE, NQUADS, Limits(workers=1))
    try:
        assert in_memory.disk is None
        assert endpoint.answer(query, WANTED) == in_memory.answer(query, WANTED)
    finally:
        in_memory.close()


def test_a_worker_opens_no_socket_even_past_the_guard(endpoint: Embedded) -> None:
    with socket.create_server(("127.0.0.1", 0)) as canary:
        host, port = canary.getsockname()
        query = f"SELECT * {{ SERVICE <http://{host}:{port}/> {{ ?s ?p ?o }} }}"
        request = Request(
            head_of(WANTED, Graphs(), 1 << 20, is_checked=True),
            query.encode(),
            10,
            time.monotonic() + 10,
        )
        worker = endpoint.pool.loader.fork()
        try:
            worker.wire.send(request.head, request.query)
            with pytest.raises(BadQuery, match="permitted"):
                endpoint.hear(worker, request)
        finally:
            worker.wire.close()
        canary.settimeout(0.5)
        with pytest.raises(TimeoutError):
            canary.accept()


def test_workers_are_ended_and_replaced_as_others_are(endpoint: Embedded) -> None:
    with pytest.raises(QueryTimeout):
        endpoint.answer(ENDLESS, WANTED, timeout=0.5)
    for pid in endpoint.pool.workers()[0]:
        os.kill(pid, signal.SIGKILL)
    for _ in range(4):
        assert b"true" in endpoint.answer("ASK {}", WANTED).body


def test_a_store_is_found_again_and_the_old_one_goes(tmp_path: Path) -> None:
    first = Disk(NQUADS, tmp_path)
    written = first.path.stat().st_mtime_ns
    first.close()
    again = Disk(NQUADS, tmp_path)
    assert (again.path, again.path.stat().st_mtime_ns) == (first.path, written)
    (tmp_path / ".store-killed").mkdir()
    other = Disk(NQUADS + NQUADS.replace(b"a#n", b"b#n"), tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        [again.path.name, other.path.name]
    ), "one is still read"
    again.close()
    Disk(other_graph := NQUADS[: NQUADS.index(b"\n") + 1], tmp_path).close()
    assert [path.name for path in tmp_path.glob("store-*") if path != other.path] == [
        Disk(other_graph, tmp_path).path.name
    ]
    other.close()


def test_without_a_folder_nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    unusable = tmp_path / "file"
    unusable.write_text("")
    for folder in (None, unusable):
        endpoint = Embedded(BASE, NQUADS, Limits(workers=1, share=0), folder=folder)
        started = descendants(os.getpid())
        assert endpoint.disk
        assert endpoint.disk.path.parent.parent == tmp_path
        endpoint.close()
        assert list(tmp_path.iterdir()) == [unusable]
        assert not still_alive(started & {endpoint.pool.loader.process.pid})


def test_what_cannot_be_written_is_told_and_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(KgError, match=r"cannot be written into .*Make room"):
        Disk(b"this is no graph\n", tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_only_a_graph_larger_than_its_share_goes_to_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk, "memory", lambda: 8 * len(NQUADS))
    assert disk.is_needed(len(NQUADS), 0.2)
    assert not disk.is_needed(len(NQUADS), 0.3)
    monkeypatch.undo()
    assert 1 << 27 < disk.memory() < 1 << 50
