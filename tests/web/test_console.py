"""The problems console: all that is wrong, for the author at this machine and for nobody else."""

from __future__ import annotations

import http.client
import json
from dataclasses import replace
from urllib.parse import urlsplit

import pytest
from werkzeug.test import Client, TestResponse

from kg.check.check import Checked
from kg.check.report.explain import reasons
from kg.errors import Place, Problem, SiteNotFound
from kg.publish.site import Documents
from kg.sparql.endpoint import Embedded
from kg.web.app import Options
from kg.web.state import Stage, State
from tests.client import client_of
from tests.conftest import ROOT
from tests.web.serving import Server

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
ADA, BEN = Place("data/cv/ada.yaml", 4, 7), Place("data/cv/ben.yaml", 1, 2)
PROBLEMS = [
    Problem(
        ADA, "error", "work[0]: <b>ends</b> (2018) before it starts (2019).", "role-dates", (BEN,)
    ),
    Problem(ADA, "warning", "phone '+1 614 555 0100' is odd.", "made-up"),
    Problem(BEN, "info", "Nobody else has this.", "made-up"),
]


@pytest.fixture
def stage(documents: Documents, endpoint: Embedded) -> Stage:
    """The site is served, and its newest state has errors."""
    return Stage(
        State(documents, endpoint), Checked(replace(documents.graph), PROBLEMS), watched=True
    )


@pytest.fixture
def client(stage: Stage) -> Client:
    return client_of(stage)


def get(
    client: Client,
    path: str = "/console",
    peer: str = "127.0.0.1",
    host: str = "127.0.0.1:8000",
    **headers: str,
) -> TestResponse:
    sent = {
        "Accept": BROWSER,
        "Host": host,
        **{name.replace("_", "-"): value for name, value in headers.items()},
    }
    return client.get(path, headers=sent, environ_overrides={"REMOTE_ADDR": peer})


def test_it_shows_every_problem_with_its_place_and_reason(client: Client) -> None:
    answer = get(client)
    assert (answer.status_code, answer.mimetype) == (200, "text/html")
    for words in (
        "1 error, 1 warning, 1 info.",
        "<h2><code>data/cv/ada.yaml</code></h2>",
        "line 4:7",
        "work[0]: &lt;b&gt;ends&lt;/b&gt; (2018) before it starts (2019).",
        "data/cv/ben.yaml:1:2",
        "<code>role-dates</code>: " + reasons(ROOT)["role-dates"],
        "<code>made-up</code></p>",
        "<strong>What is served is an older state of the files</strong>",
        '<meta http-equiv="refresh" content="2">',
        '<meta name="robots" content="noindex">',
    ):
        assert words in answer.text
    assert answer.text.count("<article") == 3
    assert answer.text.count("data/cv/ada.yaml") == 1, "problems are grouped by file"
    assert "<script>" not in answer.text


def test_programs_get_the_same_as_json(client: Client) -> None:
    answer = get(client, "/console.json")
    assert (answer.status_code, answer.mimetype) == (200, "application/json")
    said = json.loads(answer.data)
    assert said["problems"][0] == {
        "file": "data/cv/ada.yaml",
        "line": 4,
        "column": 7,
        "endLine": None,
        "endColumn": None,
        "severity": "error",
        "rule": "role-dates",
        "message": PROBLEMS[0].message,
        "others": [
            {"file": "data/cv/ben.yaml", "line": 1, "column": 2, "endLine": None, "endColumn": None}
        ],
        "why": reasons(ROOT)["role-dates"],
    }
    assert [problem["why"] for problem in said["problems"][1:]] == [None, None]
    assert said["summary"] == {"error": 1, "warning": 1, "info": 1}
    assert (said["publishable"], said["served"], said["watched"], said["failure"]) == (
        False,
        False,
        True,
        None,
    )
    assert get(client, Accept="application/json").data == answer.data
    assert get(client, Accept="image/png").status_code == 406


def test_it_says_when_the_newest_state_is_served_and_when_nobody_watches(
    documents: Documents, endpoint: Embedded
) -> None:
    page = get(client_of(State(documents, endpoint))).text
    assert "No problems." in page
    assert "What is served is the newest state of the files." in page
    assert "The files are not watched" in page
    assert "http-equiv" not in page


@pytest.mark.parametrize(
    ("failure", "words"),
    [
        (SiteNotFound("there is <no> site"), "there is <no> site"),
        (FileNotFoundError(2, "No such file", "data/cv"), "data/cv: No such file."),
    ],
)
def test_it_says_what_kept_the_files_from_being_checked(
    stage: Stage, client: Client, failure: OSError, words: str
) -> None:
    stage.note(failure)
    assert json.loads(get(client, "/console.json").data)["failure"] == words
    page = get(client).text
    assert words.replace("<", "&lt;").replace(">", "&gt;") in page
    assert "an older state" in page
    assert "o problems" not in page


@pytest.mark.parametrize("peer", ["127.0.0.1", "127.8.9.10", "::1", "::ffff:127.0.0.1"])
@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost", "LOCALHOST:8000", "[::1]:8000"])
def test_it_is_there_for_who_is_at_this_machine(client: Client, peer: str, host: str) -> None:
    assert get(client, peer=peer, host=host).status_code == 200


@pytest.mark.parametrize("path", ["/console", "/console.json"])
@pytest.mark.parametrize(
    ("peer", "headers"),
    [
        ("192.0.2.7", {}),
        ("10.0.0.1", {}),
        ("2001:db8::7", {}),
        ("::ffff:192.0.2.7", {}),
        ("128.0.0.1", {}),
        ("", {}),
        ("localhost", {}),
        ("192.0.2.7", {"X-Forwarded-For": "127.0.0.1"}),
        ("127.0.0.1", {"X-Forwarded-For": "127.0.0.1"}),
        ("127.0.0.1", {"Forwarded": "for=192.0.2.7"}),
        ("127.0.0.1", {"X-Real-IP": "192.0.2.7"}),
        ("127.0.0.1", {"Via": "1.1 proxy"}),
        ("127.0.0.1", {"Host": "cv.example.org"}),
        ("127.0.0.1", {"Host": "127.0.0.1.evil.example"}),
        ("127.0.0.1", {"Host": "localhost.evil.example"}),
    ],
)
def test_for_all_others_it_does_not_exist(
    client: Client, path: str, peer: str, headers: dict[str, str]
) -> None:
    nothing = path.replace("console", "nothing")
    refused, missing = (
        client.get(
            each,
            headers={"Host": "127.0.0.1", "Accept": "text/plain", **headers},
            environ_overrides={"REMOTE_ADDR": peer},
        )
        for each in (path, nothing)
    )
    assert (refused.status_code, refused.text) == (404, f"There is nothing at {path}.\n")
    assert (sorted(refused.headers), refused.text) == (
        sorted(missing.headers),
        missing.text.replace(nothing, path),
    )


def test_an_option_opens_it_to_all(stage: Stage) -> None:
    client = client_of(stage, Options(open_console=True))
    answer = get(client, peer="192.0.2.7", host="cv.example.org", X_Forwarded_For="192.0.2.8")
    assert (answer.status_code, "role-dates" in answer.text) == (200, True)


@pytest.mark.parametrize("path", ["/console", "/console.json"])
def test_nobody_keeps_it_finds_it_or_reads_it_from_another_site(client: Client, path: str) -> None:
    answer = get(client, path)
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["X-Robots-Tag"] == "noindex"
    assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert [name for name in answer.headers.keys() if name.startswith("Access-Control")] == []  # noqa: SIM118 (Flask's headers iterate pairs)
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert client.post(path).status_code == 405


def test_it_is_no_document_of_the_site(documents: Documents) -> None:
    assert [path for path in documents.files if "console" in path] == []
    assert "console" not in documents.addresses


def test_a_proxy_on_this_machine_is_seen_through_on_the_wire(server: Server) -> None:
    def status(**headers: str) -> int:
        connection = http.client.HTTPConnection(urlsplit(server.address).netloc, timeout=10)
        connection.request(
            "GET",
            "/console",
            headers={name.replace("_", "-"): value for name, value in headers.items()},
        )
        found = connection.getresponse().status
        connection.close()
        return found

    assert status() == 200
    assert (
        status(X_Forwarded_For="127.0.0.1")
        == status(Forwarded="for=127.0.0.1")
        == status(Host="cv.example.org")
        == 404
    )
