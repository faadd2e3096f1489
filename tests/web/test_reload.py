"""SIGHUP and SIGTERM with real servers: good files are served, bad ones change
nothing, and a query that runs gets its answer, whatever the server does meanwhile.
"""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import socket
import subprocess
import sys
import termios
import time
from pathlib import Path
from urllib.parse import quote, urlsplit
from urllib.request import urlopen

import pytest

from tests.kinds import starts
from tests.sparql.processes import descendants, wait_until
from tests.web import reloads
from tests.web.reloads import reload
from tests.web.serving import KEY, KG, Server, serving
from tests.web.test_server import reply

PAGE = reloads.PAGE[1:]
TRIPLES = 1800
# It takes a second or so: a million and more pairs.
SLOW = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f FILTER(STR(?c) != STR(?f)) }"
NUMBER = "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }"
LINE = "<http://example.org/{0}> <http://example.org/p> <http://example.org/{0}> .\n"


def triples(count: int) -> str:
    return "".join(map(LINE.format, range(count)))


@pytest.fixture
@starts("server")
def file(tmp_path: Path) -> Path:
    path = tmp_path / "some.nt"
    path.write_text(triples(TRIPLES), encoding="utf-8")
    return path


def command(path: Path) -> list[str | Path]:
    """What starts soonest."""
    return [KG, "serve", path, "--port", "0", "--workers", "1", "--deadline", "300"]


def text(server: Server, path: str) -> str:
    with urlopen(f"{server.address}{path}") as answer:
        return str(answer.read().decode())


def count(server: Server) -> int:
    return int(text(server, f"sparql?format=csv&query={quote(NUMBER)}").split()[1])


def begin(server: Server, query: str) -> socket.socket:
    """A query that runs: some process of the server takes time for it."""
    where = urlsplit(server.address)
    connection = socket.create_connection((where.hostname, where.port), timeout=300)
    before = ticks(server)
    asked = f"GET /sparql?format=csv&query={quote(query)} HTTP/1.1\r\nHost: here\r\n\r\n"
    connection.sendall(asked.encode())
    wait_until(lambda: ticks(server) > before + 5)
    return connection


def ticks(server: Server) -> int:
    """Hundredths of seconds that loader and workers have used."""
    found = 0
    for pid in descendants(server.process.pid):
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        found += int(fields[11])
    return found


@pytest.mark.server
def test_a_site_is_reloaded_and_mistakes_change_nothing(example: Path) -> None:
    author = reloads.Author(example)
    with serving(example, KG_SERVE_WORKERS="1") as server:
        assert text(server, "readyz") == "ok\n"
        author.write(1)
        assert "Kelp 1" not in text(server, PAGE)
        assert re.fullmatch(r"reload 1 at 2\S+Z: served", reload(server))
        assert "Kelp 1" in text(server, PAGE)
        author.write(2, "postion")
        refused = r"reload 2 at 2\S+Z: refused, 1 error; serving the state of 2\S+Z"
        assert re.fullmatch(refused, reload(server))
        assert "Kelp 1" in text(server, PAGE)
        assert text(server, "readyz").startswith("ok\n"), "it is not taken out of service"
        assert text(server, "healthz") == "ok\n"
        console = json.loads(text(server, f"console.json?key={KEY}"))
        assert (console["served"], console["publishable"]) == (False, False)
        author.write(3)
        assert reload(server).endswith(": served")
        assert "Kelp 3" in text(server, PAGE)
        code, said = server.interrupt(signal.SIGTERM)
    assert code == 0
    assert [line for line in said.splitlines() if "unknown-field" not in line] == [
        "Now serving this version; no problems.",
        "Still serving the last good version; 1 error.",
        "Now serving this version; no problems.",
        "Stopped.",
    ]


def test_files_are_reloaded_and_a_query_that_runs_finishes_on_the_old_ones(file: Path) -> None:
    with serving(file.parent, command=command(file)) as server, begin(server, SLOW) as running:
        file.write_text(triples(7), encoding="utf-8")
        assert reload(server).endswith(": served")
        assert count(server) == 7
        status, _, body = reply(running)
        assert (status, body.split()) == (200, [b"n", str(TRIPLES * (TRIPLES - 1)).encode()])
        file.write_text("no triples", encoding="utf-8")
        assert "refused, 1 error" in reload(server)
        assert count(server) == 7
        file.unlink()
        assert "refused, the files cannot be read" in reload(server)
        assert count(server) == 7


def test_a_server_that_is_told_to_stop_answers_what_it_was_asked(file: Path) -> None:
    with serving(file.parent, command=command(file)) as server, begin(server, SLOW) as running:
        where = urlsplit(server.address)
        # Browsers open connections before they need them.
        with socket.create_connection((where.hostname, where.port)):
            server.process.send_signal(signal.SIGTERM)
            status, _, body = reply(running)
            assert (status, body.split()) == (200, [b"n", str(TRIPLES * (TRIPLES - 1)).encode()])
            with pytest.raises(OSError, match="refused"):
                urlopen(f"{server.address}healthz")
            assert server.process.wait(60) == 0


@pytest.mark.proof
def test_a_second_signal_ends_it_at_once(file: Path) -> None:
    file.write_text(triples(20 * TRIPLES), encoding="utf-8")
    with serving(file.parent, command=command(file)) as server, begin(server, SLOW) as running:
        server.process.send_signal(signal.SIGTERM)
        time.sleep(0.5)
        assert server.process.poll() is None, "the query may take five minutes"
        server.process.send_signal(signal.SIGTERM)
        assert reply(running)[0] in (503, 500)
        assert server.process.wait(60) == 0


def test_a_server_ends_with_its_terminal(file: Path) -> None:
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", OWN_TERMINAL, *map(str, command(file))],
        stdin=theirs,
        stderr=subprocess.PIPE,
        start_new_session=True,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1", "KG_SERVE_LOG": "none", "KG_SERVE_KEY": KEY},
    ) as process:
        os.close(theirs)
        assert process.stderr is not None
        assert "Serving" in process.stderr.readline()
        process.send_signal(signal.SIGHUP)  # it has its terminal still
        assert process.stderr.readline() == "Now serving this version.\n"
        os.close(ours)
        assert process.stderr.read() == "Stopped.\n"
        assert process.wait(60) == 0


OWN_TERMINAL = f"""
import fcntl, os, sys
fcntl.ioctl(0, {termios.TIOCSCTTY}, 0)
os.execv(sys.argv[1], sys.argv[1:])
"""


@pytest.mark.proof
def test_reloads_under_load_lose_no_request_and_leave_nothing_behind(example: Path) -> None:
    load, warm, last = reloads.run(example, 30)
    assert load.faults == []
    assert set(load.statuses) == {200}
    assert load.statuses[200] > 30
    assert last.processes == warm.processes
    assert last.descriptors <= warm.descriptors + 2
    assert last.threads <= warm.threads + 2
    assert last.memory < warm.memory + 30
