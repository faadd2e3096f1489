"""What goes wrong on the way: it is told, nothing is lost, and the next push succeeds."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.servers import empty_oxigraph, free_port
from kg.plugins.remote.push import Record, counts, push
from kg.plugins.remote.retrying import Retry, Unanswered
from tests.cli.test_cli import run
from tests.plugins.remote.conftest import OXIGRAPH, Elsewhere, Published
from tests.plugins.remote.faulty import Door, faulty

ONCE = Retry(seconds=20, tries=1)


@pytest.fixture
def door(oxigraph: Elsewhere) -> Iterator[Door]:
    with faulty(oxigraph.root) as door:
        yield door


def is_complete(oxigraph: Elsewhere, published: Published) -> bool:
    """Whether the server holds all of a site, as it is."""
    found = counts(oxigraph.server(), published.documents)
    wanted = published.documents.items()
    return found == {document: lines.count(b"\n") for document, lines in wanted}


def test_a_server_that_is_down_is_reported_at_once(site: Path) -> None:
    port = free_port()
    result = run(
        "push", str(site), "--endpoint", f"http://127.0.0.1:{port}/", "--profile", "oxigraph"
    )
    assert result.exit_code == 2
    assert f"cannot connect to http://127.0.0.1:{port}/: Connection refused." in result.output
    assert "Trying again" not in result.output


def test_what_passes_is_waited_for(oxigraph: Elsewhere, published: Published, door: Door) -> None:
    """Every seventh request fails, each time in another way."""
    faults = ["500", "503", "hang up", "502"]
    door.fault = lambda number, _: faults[number // 7 % 4] if number % 7 == 0 else ""
    server = oxigraph.server(root=door.root)
    heard: list[str] = []
    server.client.notify = heard.append
    assert push(published.documents, Record(server, published.base)).put == len(published.documents)
    assert is_complete(oxigraph, published)
    assert any("returned HTTP 500. Trying again in 0.01 s." in each for each in heard)


def test_retry_after_is_obeyed(oxigraph: Elsewhere, published: Published, door: Door) -> None:
    door.fault = lambda number, _: "429" if number == 3 else ""
    server = oxigraph.server(root=door.root)
    pauses: list[float] = []
    server.client.sleep = pauses.append
    push(dict(list(published.documents.items())[:2]), Record(server, published.base))
    assert pauses == [1.0]


def test_a_server_that_stays_ill_is_reported_and_the_next_push_goes_on(
    oxigraph: Elsewhere, published: Published, door: Door
) -> None:
    puts = iter(range(1000))
    door.fault = lambda _, method: "500" if method == "PUT" and next(puts) >= 10 else ""
    server = oxigraph.server(Retry(seconds=20, tries=2, pause=0.01), door.root)
    with pytest.raises(Unanswered, match=r"returned HTTP 500\.\nThe engine is ill\."):
        push(published.documents, Record(server, published.base))
    assert not is_complete(oxigraph, published)
    assert push(published.documents, Record(oxigraph.server(), published.base)).put > 30
    assert is_complete(oxigraph, published)


def test_a_slow_server_is_not_waited_for_for_ever(
    oxigraph: Elsewhere, published: Published, door: Door
) -> None:
    door.fault = lambda *_: "slow"
    with pytest.raises(Unanswered, match=r"did not respond within 0\.5 s"):
        push(
            published.documents,
            Record(oxigraph.server(Retry(0.5, 1), door.root), published.base),
        )


def test_a_document_whose_push_broke_off_is_removed_later(
    oxigraph: Elsewhere, published: Published, door: Door
) -> None:
    """It was put, and the record could not say so any more; and then it is no longer part of the
    site.
    """
    new = f"{published.base}people/short-lived"
    some = {new: f'<{new}#it> <http://schema.org/name> "S" .\n'.encode()}
    posts = iter(range(1000))
    door.fault = lambda _, method: "hang up" if method == "POST" and next(posts) >= 3 else ""
    with pytest.raises(Unanswered, match="cannot connect to"):
        push(some, Record(oxigraph.server(ONCE, door.root), published.base))
    assert counts(oxigraph.server(), [new]) == {new: 1}
    assert (
        str(
            push(
                dict(list(published.documents.items())[:1]),
                Record(oxigraph.server(), published.base),
            )
        )
        == "1 uploaded, 1 deleted, 0 unchanged"
    )
    assert counts(oxigraph.server(), [new]) == {}


@pytest.mark.process
def test_a_server_that_ends_in_the_middle_loses_nothing(
    published: Published, tmp_path: Path
) -> None:
    with empty_oxigraph(OXIGRAPH, tmp_path, lasts=True) as server:
        here = Elsewhere(f"http://127.0.0.1:{server.port}/", "oxigraph", tmp_path)
        half = dict(list(published.documents.items())[:20])
        push(half, Record(here.server(), published.base))
        port, pid = server.port, server.pid

        def end(done: int, total: int) -> None:
            if done == 5:
                os.kill(pid, signal.SIGKILL)

        with pytest.raises(Unanswered, match="cannot connect to"):
            push(published.documents, Record(here.server(ONCE), published.base), end)
        here.close()
    with empty_oxigraph(OXIGRAPH, tmp_path, port, lasts=True):
        done = push(published.documents, Record(here.server(), published.base))
        assert done.unchanged == 20
        assert is_complete(here, published)
        here.close()


@pytest.mark.proof
def test_a_push_that_is_killed_is_finished_by_the_next(
    oxigraph: Elsewhere, published: Published, door: Door, tmp_path: Path
) -> None:
    """In a process of its own, killed while it puts; the door holds it there."""
    door.fault = lambda _, method: (
        "slow" if method == "PUT" and door.requests.count("PUT") > 12 else ""
    )
    file = tmp_path / "documents.json"
    file.write_text(repr((published.documents, published.base)), encoding="utf-8")
    script = (
        "import ast, sys; from kg.plugins.remote.retrying import RetryingClient;"
        "from kg.plugins.remote.profiles import load;"
        "from kg.plugins.remote.push import Record, push;"
        "from kg.plugins.remote.server import Server;"
        "documents, base = ast.literal_eval(open(sys.argv[2], encoding='utf-8').read());"
        "push(documents, Record(Server(load('oxigraph'), RetryingClient(sys.argv[1])), base))"
    )
    with subprocess.Popen([sys.executable, "-c", script, door.root, str(file)]) as process:
        until = time.monotonic() + 60
        while door.requests.count("PUT") < 13 and time.monotonic() < until:
            time.sleep(0.02)
        process.kill()
    assert process.returncode == -signal.SIGKILL
    assert not is_complete(oxigraph, published)
    assert push(published.documents, Record(oxigraph.server(), published.base)).put == len(
        published.documents
    )
    assert is_complete(oxigraph, published)
