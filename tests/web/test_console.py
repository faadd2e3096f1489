"""The problems console: all that is wrong, for who shows the key of the server and for nobody
else.
"""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from urllib.request import urlopen

import httpx
import pytest
from click.testing import CliRunner
from playwright.sync_api import Browser
from werkzeug.test import Client, TestResponse

from kg.check.check import Checked
from kg.check.report.explain import reasons
from kg.cli import main
from kg.errors import Place, Problem, SiteNotFound
from kg.publish.site import Documents
from kg.sparql.endpoint import Embedded
from kg.web.app import Options
from kg.web.state import CurrentSite, State
from tests.client import client_of
from tests.conftest import LARGE_SITE, ROOT
from tests.web.hosting import hosting
from tests.web.serving import KEY, KG, WITH_KEY, Server, serving

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
def current(documents: Documents, endpoint: Embedded) -> CurrentSite:
    """The site is served, and its newest state has errors."""
    return CurrentSite(
        State(documents, endpoint), Checked(replace(documents.graph), PROBLEMS), watched=True
    )


@pytest.fixture
def client(current: CurrentSite) -> Client:
    return client_of(current, Options(key=KEY))


def get(client: Client, path: str = "/console", accept: str = BROWSER) -> TestResponse:
    return client.get(path, headers={"Accept": accept, **WITH_KEY})


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
        "<strong>The server shows an older version of the files</strong>",
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
    assert get(client, accept="application/json").data == answer.data


def test_it_says_where_a_thing_comes_from(client: Client) -> None:
    answer = get(client, "/console/why?thing=people/alvar-jarl", "*/*")
    assert (answer.status_code, answer.mimetype) == (200, "text/plain")
    assert "\n  data/cv/alvar-jarl.yaml:" in answer.text
    assert "schema:name Alvar Jarl" in answer.text
    wrong = get(client, "/console/why?thing=people/alvar-jare", "text/plain")
    assert (wrong.status_code, "Closest: people/alvar-jarl" in wrong.text) == (404, True)


@pytest.mark.proof
@pytest.mark.server
def test_thirty_explanations_at_once_keep_nobody_waiting() -> None:
    """Each waits for the one before, or is refused with what to do."""
    with (
        serving(LARGE_SITE) as server,
        httpx.Client(base_url=server.address, headers=WITH_KEY, timeout=60) as client,
        ThreadPoolExecutor(30) as executor,
    ):
        why = "/console/why?thing=people/sigvard-sunde"
        page = "/queries/coauthors-of.csv?person=sigvard-sunde"
        assert client.get(page).status_code == 200
        asked = [executor.submit(client.get, why) for _ in range(30)]
        waits = []
        while not all(each.done() for each in asked):
            began = time.monotonic()
            assert client.get(page).status_code == 200
            waits.append(time.monotonic() - began)
            time.sleep(0.1)
        statuses = {each.result().status_code for each in asked}
    assert 200 in statuses
    assert statuses <= {200, 503}
    assert max(waits) < 2


def test_it_says_when_the_newest_state_is_served_and_when_nobody_watches(
    documents: Documents, endpoint: Embedded
) -> None:
    page = get(client_of(State(documents, endpoint), Options(key=KEY))).text
    assert "No problems." in page
    assert "The server shows the current files." in page
    assert "The server does not watch the files" in page
    assert "http-equiv" not in page


@pytest.mark.parametrize(
    ("failure", "words"),
    [
        (SiteNotFound("there is <no> site"), "there is <no> site"),
        (FileNotFoundError(2, "No such file", "data/cv"), "data/cv: No such file."),
    ],
)
def test_it_says_what_kept_the_files_from_being_checked(
    current: CurrentSite, client: Client, failure: OSError, words: str
) -> None:
    current.note(failure)
    assert json.loads(get(client, "/console.json").data)["failure"] == words
    page = get(client).text
    assert words.replace("<", "&lt;").replace(">", "&gt;") in page
    assert "an older version" in page
    assert "o problems" not in page


ANYWHERE = {"REMOTE_ADDR": "192.0.2.7"}


@pytest.mark.parametrize("path", ["/console", "/console.json", "/metrics"])
@pytest.mark.parametrize(
    ("query", "headers"),
    [
        (f"?key={KEY}", {}),
        (f"?a=b&key={KEY}", {"Host": "cv.example.org"}),
        (f"?key={KEY}", {"Authorization": "Basic YTpi"}),  # which a proxy in front wanted
        ("", WITH_KEY),
        ("", {"Authorization": f"bearer  {KEY}", "X-Forwarded-For": "192.0.2.8"}),
        ("?key=wrong", WITH_KEY),
    ],
)
def test_it_is_there_for_who_shows_the_key(
    client: Client, path: str, query: str, headers: dict[str, str]
) -> None:
    found = client.get(path + query, headers=headers, environ_overrides=ANYWHERE)
    assert found.status_code == 200


# Where a person is said to be: by proxies of all kinds, by a browser, or by nobody.
NAMES = [
    "Forwarded",
    "Via",
    "X-Forwarded-For",
    "X-Forwarded-Host",
    "X-Forwarded-Proto",
    "X-Forwarded-Server",
    "X-Real-IP",
    "X-Client-IP",
    "CF-Connecting-IP",
    "CF-Connecting-IPv6",
    "True-Client-IP",
    "Fastly-Client-IP",
    "X-Cluster-Client-IP",
    "X-Azure-ClientIP",
    "X-Original-Forwarded-For",
    "X-Envoy-External-Address",
    "X-Remote-IP",
    "X-Originating-IP",
    "X-Remote-Addr",
    "X-ProxyUser-Ip",
    "Client-IP",
]
NO_KEYS = [
    *({name: "127.0.0.1"} for name in (*NAMES, "Origin", "Referer", "Host")),
    *({name: "http://localhost/"} for name in ("Origin", "Referer")),
    {"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Dest": "document"},
    {},
    {"Authorization": "Bearer"},
    {"Authorization": "Bearer "},
    {"Authorization": KEY},
    {"Authorization": f"Basic {KEY}"},
    {"Authorization": f"Bearer {KEY[:-1]}"},
    {"Authorization": f"Bearer {KEY}x"},
    {"Authorization": f"Bearer {KEY.upper()}"},
    {"Authorization": "Bearer \xff\xfe"},
    {"Cookie": f"key={KEY}"},
    {"X-Key": KEY},
]


@pytest.mark.parametrize("path", ["/console", "/console.json", "/console/why", "/metrics", "/live"])
def test_for_all_others_it_does_not_exist(client: Client, path: str) -> None:
    """However near they are, and whatever is said of where they are."""
    nothing = f"/{path[:0:-1]}"
    queries = ("", "?key=", "?key", f"?key={KEY[:-1]}", f"?Key={KEY}", "?key=%FF", "?key=%ED%A0%80")
    for peer in ("127.0.0.1", "::1", "192.0.2.7", ""):
        for headers, query in [
            *((each, "") for each in NO_KEYS),
            *(({}, each) for each in queries),
        ]:
            refused, missing = (
                client.get(
                    each + query,
                    headers={"Host": "127.0.0.1", "Accept": "text/plain", **headers},
                    environ_overrides={"REMOTE_ADDR": peer},
                )
                for each in (path, nothing)
            )
            assert (refused.status_code, refused.text) == (404, f"{path} does not exist.\n")
            assert (sorted(refused.headers), refused.text) == (
                sorted(missing.headers),
                missing.text.replace(nothing, path),
            )


def test_a_server_without_a_key_shows_it_to_nobody(current: CurrentSite) -> None:
    client = client_of(current, Options(key=""))
    assert client.get("/console?key=").status_code == 404
    assert len({Options().key for _ in range(9)}) == 9
    assert Options().key not in repr(Options())


def test_an_option_opens_it_to_all(current: CurrentSite) -> None:
    client = client_of(current, Options(open_console=True))
    answer = client.get("/console", headers={"Host": "cv.example.org"}, environ_overrides=ANYWHERE)
    assert (answer.status_code, "role-dates" in answer.text) == (200, True)
    assert client.get("/metrics").status_code == 404
    assert client.get("/console/why?thing=people/alvar-jarl").status_code == 404


@pytest.mark.parametrize(
    "path", ["/console", "/console.json", "/console/why", "/metrics", "/live", "/live.js"]
)
def test_nobody_keeps_it_finds_it_or_reads_it_from_another_site(client: Client, path: str) -> None:
    answer = get(client, path)
    assert KEY not in answer.text
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert "Set-Cookie" not in answer.headers
    assert answer.headers["X-Robots-Tag"] == "noindex"
    assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert [name for name in answer.headers.keys() if name.startswith("Access-Control")] == []  # noqa: SIM118 (Flask's headers iterate pairs)
    assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
    assert client.post(path).status_code == 405


def test_it_is_no_document_of_the_site(documents: Documents) -> None:
    assert [path for path in documents.files if "console" in path] == []
    assert "console" not in documents.addresses


READ = """async (url) => {
    const tried = { read: fetch(url), bearer: fetch(url.split("?")[0], {headers: HEADERS}) };
    const framed = document.createElement("iframe");
    framed.src = url;
    const shown = new Promise((done) => { framed.onload = framed.onerror = done; });
    document.body.append(framed);
    await shown;
    const found = { frame: framed.contentDocument };
    for (const name in tried) found[name] = await tried[name].then((got) => got.text(), String);
    return found;
}"""


def test_a_page_of_another_site_reads_nothing_though_it_has_the_key(
    browser: Browser, server: Server, tmp_path: Path
) -> None:
    (tmp_path / "index.html").write_text("<!doctype html><title>Evil</title><body>")
    with hosting(tmp_path) as evil, browser.new_context() as context:
        page = context.new_page()
        page.goto(evil)
        script = READ.replace("HEADERS", json.dumps(WITH_KEY))
        for path in ("console", "console.json", "metrics"):
            found = page.evaluate(script, f"{server.address}{path}?key={KEY}")
            assert found == {
                "read": "TypeError: Failed to fetch",
                "bearer": "TypeError: Failed to fetch",
                "frame": None,
            }
            frame = page.frames[-1]
            assert frame.url.startswith("chrome-error:"), "it is refused, not only unreadable"
        assert "<title>People" in page.evaluate(script, f"{server.address}people/")["read"]


@pytest.mark.parametrize("key", ["short", "sixteen letters and blanks", "", "ö" * 20])
def test_a_key_that_can_be_guessed_is_refused_and_not_shown(key: str, tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["serve", str(tmp_path), "--key", key])
    assert result.exit_code == 2
    assert "openssl rand -hex 16" in result.output
    assert not key or key not in result.output


@pytest.mark.process
def test_the_terminal_says_the_address_with_the_key_and_a_file_does_not(tmp_path: Path) -> None:
    file = tmp_path / "a.ttl"
    file.write_text("<urn:s> <urn:p> 1 .")
    command = [KG, "serve", file, "--port", "0"]
    environment = {name: text for name, text in os.environ.items() if name != "KG_SERVE_KEY"}
    ours, theirs = pty.openpty()
    serving = rb"Serving .*\n"
    with_key = rb"(http://\S+/metrics\?key=[\w-]{32})[\s\x1b]"
    for wanted, errors in ((with_key, theirs), (serving, subprocess.PIPE)):
        with subprocess.Popen(command, stderr=errors, env=environment) as process:
            stream = process.stderr.fileno() if process.stderr else ours
            shown = b""
            while not (found := re.search(wanted, shown)):
                assert select.select([stream], [], [], 60)[0], shown
                shown += os.read(stream, 9999)
            if wanted == with_key:
                with urlopen(found[1].decode()) as answer:
                    assert answer.status == 200
            process.send_signal(signal.SIGINT)
            rest = process.communicate(timeout=20)[1] or b""
            assert (b"?key=" in shown + rest) is (wanted == with_key)
    os.close(ours)
    os.close(theirs)
