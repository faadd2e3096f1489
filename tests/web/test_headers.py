"""Headers of every kind of answer: a strict policy, no cookie, no version; what is for everyone may
be read from everywhere, what is for one reader from nowhere else.
"""

from __future__ import annotations

import re

import pytest
from werkzeug.test import Client

from kg.check.check import Checked
from kg.publish.site import Documents
from kg.sparql.endpoint import Embedded
from kg.web.app import Options
from kg.web.log import EventLog
from kg.web.state import CurrentSite, State
from tests.client import client_of
from tests.web.hostile.attack import send
from tests.web.serving import KEY, WITH_KEY, Server

PERSON = "/people/alvar-jarl"
ANSWERS = [  # method, address, headers, status
    ("GET", "/", {}, 200),
    ("GET", PERSON, {"Accept": "text/html"}, 200),
    ("GET", PERSON, {"Accept": "text/html", "Sec-Fetch-Dest": "document"}, 200),
    ("HEAD", PERSON, {}, 200),
    ("GET", PERSON, {"Accept": "text/turtle"}, 200),
    ("GET", PERSON, {"Accept": "image/png"}, 406),
    ("GET", PERSON, {"If-None-Match": "*"}, 304),
    ("GET", "/people", {}, 308),
    ("GET", "/void", {}, 303),
    ("GET", "/sparql.html?query=ASK%7B%7D", {}, 302),
    ("GET", "/dump.nq", {}, 200),
    ("GET", "/static/pages.js", {}, 200),
    ("GET", "/search?q=deep", {}, 200),
    ("GET", "/openapi.json", {}, 200),
    ("GET", "/reconcile", {}, 200),
    ("GET", "/healthz", {}, 200),
    ("GET", "/sparql?query=ASK%7B%7D", {}, 200),
    ("GET", "/sparql?query=ASK", {}, 400),
    ("GET", "/queries/coauthors-of.csv?person=alvar-jarl", {}, 200),
    ("GET", "/nowhere", {"Accept": "text/html"}, 404),
    ("GET", "/nowhere", {"Accept": "application/json"}, 404),
    ("POST", "/people/", {}, 405),
    ("OPTIONS", "/sparql", {}, 200),
    ("GET", "/", {"X-Long": "x" * 20_000}, 431),
    ("GET", "/console", {}, 404),
    ("GET", "/people/%00", {}, 404),
]
FOR_ONE = [
    ("GET", "/console", WITH_KEY, 200),
    ("GET", "/console.json", WITH_KEY, 200),
    ("HEAD", "/console", WITH_KEY, 200),
    ("GET", f"/console?key={KEY}", {"If-None-Match": "*"}, 304),
    ("GET", f"/metrics?key={KEY}", {}, 200),
    ("GET", "/live?state=other", WITH_KEY, 200),
    ("GET", "/live.js", {}, 200),
    ("GET", "/live.css", {}, 200),
    ("GET", "/readyz", {}, 200),
]
Asked = tuple[str, str, dict[str, str], int]


@pytest.fixture
def client(documents: Documents, endpoint: Embedded) -> Client:
    current = CurrentSite(State(documents, endpoint), Checked(documents.graph, []), watched=True)
    return client_of(current, Options(key=KEY, log=EventLog([].append)))


def headers_of(client: Client, asked: Asked) -> dict[str, str]:
    method, address, headers, status = asked
    answer = client.open(address, method=method, headers=headers)
    assert answer.status_code == status
    assert "Set-Cookie" not in answer.headers
    found = dict(answer.headers)
    assert found["X-Content-Type-Options"] == "nosniff"
    assert found["X-Frame-Options"] == "DENY"
    assert found["Referrer-Policy"] == "no-referrer"
    assert "camera=()" in found["Permissions-Policy"]
    policy = found["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'")
    assert "script-src 'self'" in policy and "unsafe-inline' " not in policy.split("style-src")[0]
    assert "frame-ancestors 'none'" in policy
    return found


def name(asked: Asked) -> str:
    return f"{asked[3]} {asked[0]} {asked[1]}"


@pytest.mark.parametrize("asked", ANSWERS, ids=name)
def test_what_is_for_everyone_may_be_read_from_everywhere(client: Client, asked: Asked) -> None:
    found = headers_of(client, asked)
    assert found["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in found
    assert found["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert "X-Robots-Tag" not in found


@pytest.mark.parametrize("asked", FOR_ONE, ids=name)
def test_what_is_for_one_is_kept_by_nobody_and_read_from_nowhere(
    client: Client, asked: Asked
) -> None:
    found = headers_of(client, asked)
    assert found["Cache-Control"] == "no-store"
    assert found["Cross-Origin-Resource-Policy"] == "same-origin"
    assert found["X-Robots-Tag"] == "noindex"
    assert [each for each in found if each.startswith("Access-Control")] == []


def test_a_fault_has_the_headers_of_all(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kg.web.app.document", lambda *_: 1 / 0)
    headers_of(client, ("GET", "/people/", {}, 500))


WIRE = [
    b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n",
    b"GET /nowhere HTTP/1.0\r\n\r\n",
    b"POST /sparql HTTP/1.1\r\nHost: x\r\nContent-Length: 2000000\r\n\r\n",
    b"NONSENSE\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"x" * 200_000 + b"\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n",
]


@pytest.mark.parametrize("sent", WIRE, ids=lambda sent: sent[:30].decode())
def test_no_answer_tells_a_version(server: Server, sent: bytes) -> None:
    head = send(server, sent, 10).partition(b"\r\n\r\n")[0].decode("latin-1").lower()
    assert re.match(r"http/1\.[01] \d{3} ", head)
    assert [line for line in head.splitlines() if line.startswith("server:")] in (
        ["server: kg"],
        [],
    )
    assert not re.search("granian|hyper|python|flask|werkzeug|x-powered-by|via:", head)
