"""Pages that renew themselves: after a save, for the author at this machine, and for nobody
else.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from werkzeug.test import Client

from kg.check.check import Checked
from kg.errors import Place, Problem, SiteNotFound
from kg.publish.site import Documents
from kg.sparql.endpoint import Embedded
from kg.web import live
from kg.web.state import Stage, State
from tests.client import client_of
from tests.web.serving import watching

ADA = "/people/arpan-jain"
HERE = {
    "Host": "127.0.0.1:8000",
    "Accept": "text/html",
    "Sec-Fetch-Dest": "document",
    "Sec-Fetch-Site": "same-origin",
}
ELSEWHERE = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "empty"}
PROGRAM = {"Sec-Fetch-Site": "", "Sec-Fetch-Dest": ""}
PROBLEMS = [
    Problem(Place("data/cv/ada.yaml", line, 7), "error", f"<b>{line}</b> is wrong.", "made-up")
    for line in range(1, 6)
]


@pytest.fixture
def stage(documents: Documents, endpoint: Embedded) -> Stage:
    """The site is served, and its newest state has errors."""
    found = Checked(replace(documents.graph), PROBLEMS)
    return Stage(State(documents, endpoint), found, watched=True)


@pytest.fixture
def client(stage: Stage) -> Client:
    return client_of(stage)


def test_a_page_shows_the_first_errors(client: Client) -> None:
    answer = client.get(ADA, headers=HERE)
    assert "<strong>5 errors.</strong>" in answer.text
    assert "<code>data/cv/ada.yaml:1:7</code> &lt;b&gt;1&lt;/b&gt; is wrong." in answer.text
    assert answer.text.count("is wrong.") == live.MOST_SHOWN
    assert "and 2 more" in answer.text
    assert answer.headers["Cache-Control"] == "no-store"
    assert "Access-Control-Allow-Origin" not in answer.headers
    assert "ETag" not in answer.headers


def test_errors_come_and_go_with_the_states(client: Client, stage: Stage) -> None:
    def shown() -> tuple[bool, str]:
        text = client.get(ADA, headers=HERE).text
        (version,) = re.findall('data-state="(.*?)"', text)
        return 'class="live"' in text, version

    stage.note(SiteNotFound("There is no site here"))
    assert "There is no site here." in client.get(ADA, headers=HERE).text
    is_shown, before = shown()
    stage.put(stage.state, Checked(stage.state.documents.graph, []))
    assert (is_shown, shown()[0], before != stage.version == shown()[1]) == (True, False, True)
    assert client.get(f"/live?state={before}", headers=HERE).text == stage.version


def test_a_page_waits_until_there_is_another_state(
    client: Client, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "WAIT", 0.3)
    assert client.get(f"/live?state={stage.version}", headers=HERE).text == stage.version


@pytest.mark.parametrize(
    ("peer", "headers"),
    [
        ("192.0.2.7", HERE),
        ("127.0.0.1", {**HERE, "Host": "lab.example.org"}),
        ("127.0.0.1", {**HERE, "X-Forwarded-For": "192.0.2.7"}),
        ("127.0.0.1", HERE | ELSEWHERE),
        ("127.0.0.1", HERE | PROGRAM),
    ],
)
def test_nobody_else_sees_anything_of_it(
    client: Client, documents: Documents, peer: str, headers: dict[str, str]
) -> None:
    at = {"REMOTE_ADDR": peer}
    page = documents.get("people/arpan-jain.html")
    assert page
    assert client.get(ADA, headers=headers, environ_overrides=at).data == page.body
    for path in ("/live", "/live.js", "/live.css"):
        assert client.get(path, headers=headers, environ_overrides=at).status_code == 404


def test_without_watching_there_is_nothing_of_it(documents: Documents, endpoint: Embedded) -> None:
    plain = client_of(Stage(State(documents, endpoint), Checked(documents.graph, PROBLEMS)))
    page = documents.get("people/arpan-jain.html")
    assert page
    assert plain.get(ADA, headers=HERE).data == page.body
    for path in ("/live", "/live.js", "/live.css"):
        assert plain.get(path, headers=HERE).status_code == 404


def scroll_place(page: Page) -> int:
    return int(page.evaluate("Math.round(scrollY)"))


def test_an_open_page_follows_the_files(browser: Browser, example: Path) -> None:
    file = example / "data" / "cv" / "ada-lindqvist.yaml"
    good = file.read_text(encoding="utf-8")
    with watching(example) as server, browser.new_context() as context:
        page = context.new_page()
        page.goto(f"{server.address}people/ada-lindqvist")
        page.evaluate("scrollTo(0, 400)")
        banner = page.get_by_label("Problems")
        file.write_text(good.replace("Lecturer", "Lectress", 1), encoding="utf-8")
        expect(page.locator("main")).to_contain_text("Lectress", timeout=20_000)
        assert scroll_place(page) == 400
        expect(banner).to_have_count(0)
        file.write_text(f"{good}nonsense: 1\n", encoding="utf-8")
        expect(banner).to_contain_text("there is no field 'nonsense'", timeout=20_000)
        expect(banner).to_contain_text("ada-lindqvist.yaml:")
        expect(page.locator("main")).to_contain_text("Lectress")
        assert scroll_place(page) == 400
        file.write_text(good, encoding="utf-8")
        expect(banner).to_have_count(0, timeout=20_000)
        expect(page.locator("main")).not_to_contain_text("Lectress")
