"""The log of a server: each event is one line, with nothing about people that was not wanted."""

from __future__ import annotations

import json
import os
import re
import select
import signal
import time
from collections.abc import Callable
from pathlib import Path
from urllib.request import urlopen

import pytest
from werkzeug.test import Client

from kg.cli import main
from kg.cli.serve import log_problems
from kg.errors import Place, Problem
from kg.publish.site import Documents
from kg.sparql.endpoint import Embedded
from kg.web import log as event_log
from kg.web.app import Options
from kg.web.log import EventLog, LineWriter
from kg.web.state import State
from tests.client import client_of
from tests.web.serving import KEY, KG, WITH_KEY, serving


@pytest.fixture
def lines() -> list[str]:
    return []


@pytest.fixture
def make(documents: Documents, endpoint: Embedded, lines: list[str]) -> Callable[..., Client]:
    def client(proxies: int = 0, clients: bool = True, **settings: bool) -> Client:
        log = EventLog(lines.append, requests=True, clients=clients, **settings)
        return client_of(State(documents, endpoint), Options(key=KEY, proxies=proxies, log=log))

    return client


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


def test_clients_are_not_logged_unless_that_is_wanted(
    make: Callable[..., Client], lines: list[str]
) -> None:
    for is_json in (False, True):
        client = make(proxies=1, clients=False, is_json=is_json)
        client.get("/people/", headers={"X-Forwarded-For": "198.51.100.7", "User-Agent": "Ada/1"})
    assert not re.search("198|127|Ada", "".join(lines))
    assert lines[0].split()[1] == "-"
    assert "client" not in json.loads(lines[1])


def test_programs_get_each_event_as_json(make: Callable[..., Client], lines: list[str]) -> None:
    client = make(is_json=True)
    client.get("/sparql?query=ASK{}")
    client.get('/a%0Ab%1B[31m c"é')
    asked, wrong = map(json.loads, lines)
    assert asked.pop("time") <= wrong.pop("time")
    assert asked.pop("milliseconds") >= 0 <= wrong.pop("milliseconds")
    assert re.fullmatch("[0-9a-f]{12}", asked.pop("query"))
    common = {"event": "request", "client": "127.0.0.1", "method": "GET"}
    assert asked == common | {
        "path": "/sparql",
        "status": 200,
        "bytes": asked["bytes"],
        "outcome": "answered",
    }
    path = "/a%0Ab%1B%5B31m%20c%22%C3%A9"
    assert wrong == common | {"path": path, "status": 404, "bytes": wrong["bytes"]}


def test_a_fault_is_one_line_with_its_place(
    make: Callable[..., Client], lines: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def faulty(*_: object) -> None:
        raise ZeroDivisionError("of \x1b[31m\nred")

    monkeypatch.setattr("kg.web.app.document", faulty)
    for is_json in (False, True):
        answer = make(is_json=is_json).get(f"/people/?key={KEY}", headers=WITH_KEY)
        assert (answer.status_code, answer.text) == (500, "Internal server error.\n")
    text, _, machine, _ = lines
    told = json.loads(machine)
    here = f"tests/web/{os.path.basename(__file__)}"  # noqa: PTH119
    assert told["places"][0].startswith(f"{here}:")
    assert any(place.startswith("kg/web/app.py:") for place in told["places"])
    assert (told["event"], told["error"]) == ("fault", "ZeroDivisionError")
    assert (told["method"], told["path"]) == ("GET", "/people/")
    assert " fault GET /people/ ZeroDivisionError: 'of \\x1b[31m\\nred' at tests/web/" in text
    assert not any("\n" in line or KEY in line for line in lines)


def test_faults_are_logged_where_requests_are_not(lines: list[str]) -> None:
    EventLog(lines.append).note_fault(ValueError("x"))
    EventLog(lines.append).note("start")
    assert len(lines) == 1


def test_who_does_not_read_the_log_keeps_nobody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_log, "MAX_QUEUED", 5)
    monkeypatch.setattr(event_log, "FLUSH_TIMEOUT", 0.05)
    unread, end = os.pipe()
    log = LineWriter(end)
    began = time.monotonic()
    for _ in range(100):
        log.write("x" * 10_000)  # a pipe holds less than all
    log.close()
    assert time.monotonic() - began < 60
    assert log.dropped >= 50
    while log.thread.is_alive():  # it ends when all was read
        if select.select([unread], [], [], 0.05)[0]:  # or there is nothing left, and it is ending
            os.read(unread, 1_000_000)
        log.close()
    os.close(end)
    os.close(unread)


def test_a_reader_of_the_log_may_go() -> None:
    unread, end = os.pipe()
    log = LineWriter(end)
    log.write("é\ud800")
    assert os.read(unread, 99) == "é?\n".encode()
    os.close(unread)
    log.write("two")
    log.close()
    assert not log.thread.is_alive()
    os.close(end)


@pytest.mark.server
@pytest.mark.proof
def test_a_server_logs_its_life_as_json(example: Path) -> None:
    command = [KG, "serve", example, "--port", "0", "--log", "json"]
    with serving(example, command=command) as server:
        urlopen(f"{server.address}people/?key={KEY}").read()
        server.process.send_signal(signal.SIGHUP)
        assert server.process.stderr
        for line in server.process.stderr:
            if "Now serving" in line:
                break
        server.process.send_signal(signal.SIGTERM)
        out, _ = server.process.communicate(timeout=120)
    events = [json.loads(line) for line in out.splitlines()]
    assert [event.pop("event") for event in events] == ["start", "request", "reload", "stop"]
    assert events[0]["address"] == server.address
    assert events[2]["served"] is True
    assert KEY not in out


def test_a_log_in_json_says_why_a_server_cannot_start(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data/site.yaml").write_text("base: [", encoding="utf-8")
    for folder, why in ((tmp_path, "never closed"), (tmp_path / "data", "is not a site")):
        with pytest.raises(SystemExit):
            main(["serve", str(folder), "--log", "json"])
        (line,) = capfd.readouterr().out.splitlines()
        assert json.loads(line)["event"] == "failed"
        assert why in json.loads(line)["message"]


def test_the_problems_of_the_data_are_in_a_log_in_json() -> None:
    lines: list[str] = []
    place = Place("data/cv/ada.yaml", 5, 62)
    found = [
        Problem(place, "warning", "Two jobs.", "two-employers"),
        Problem(place, "info", "More is better.", "owner-page"),
    ]
    log_problems(EventLog(lines.append, is_json=True), found)
    [line] = map(json.loads, lines)
    del line["time"]
    assert line == {
        **{"event": "problem", "severity": "warning", "place": "data/cv/ada.yaml:5:62"},
        **{"rule": "two-employers", "message": "Two jobs."},
    }
    log_problems(EventLog(lines.append), found)  # as text, they are printed by the command
    assert len(lines) == 1
