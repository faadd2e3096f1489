"""Pages that renew themselves: after a save, for the author, who opened one on the same machine or
with the key, and for nobody else.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from werkzeug.test import Client

from kg.check.check import Checked
from kg.errors import Place, Problem, SiteNotFound
from kg.publish.site import Documents
from kg.sparql.endpoint import Embedded
from kg.web import live
from kg.web.app import Options
from kg.web.state import CurrentSite, State
from tests.client import client_of
from tests.web.browsing import follow
from tests.web.serving import KEY, WITH_KEY, watching

ADA = "/people/alvar-jarl"
VISIT = {"Accept": "text/html", "Sec-Fetch-Dest": "document"}
PROBLEMS = [
    Problem(Place("data/cv/ada.yaml", line, 7), "error", f"<b>{line}</b> is wrong.", "made-up")
    for line in range(1, 6)
]


@pytest.fixture
def current(documents: Documents, endpoint: Embedded) -> CurrentSite:
    """The site is served, and its newest state has errors."""
    found = Checked(replace(documents.graph), PROBLEMS)
    return CurrentSite(State(documents, endpoint), found, watched=True)


@pytest.fixture
def client(current: CurrentSite) -> Client:
    return client_of(current, Options(key=KEY))


def test_a_visit_gets_the_script_and_no_word_of_the_files(
    client: Client, current: CurrentSite
) -> None:
    answer = client.get(ADA, headers=VISIT)
    assert answer.text.count(live.SCRIPT_TAG.format(current.version, "")) == 1
    assert "wrong" not in answer.text
    assert "ada.yaml" not in answer.text
    assert "ETag" not in answer.headers
    assert client.get("/live.js").mimetype == "text/javascript"


def test_every_state_has_a_version(client: Client, current: CurrentSite) -> None:
    before = current.version
    current.note(SiteNotFound("There is no site here"))
    assert client.get(f"/live?state={before}", headers=WITH_KEY).text == current.version != before
    before = current.version
    current.put(current.state, Checked(current.state.documents.graph, []))
    assert client.get(f"/live?state={before}", headers=WITH_KEY).text == current.version != before


def test_a_page_waits_until_there_is_another_state(
    client: Client, current: CurrentSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "POLL_TIMEOUT", 0.3)
    assert client.get(f"/live?state={current.version}", headers=WITH_KEY).text == current.version


def test_a_program_gets_the_page_as_it_is(client: Client, documents: Documents) -> None:
    page = documents.get("people/alvar-jarl.html")
    assert page
    assert client.get(ADA, headers={"Accept": "text/html", **WITH_KEY}).data == page.body


def test_without_watching_there_is_nothing_of_it(documents: Documents, endpoint: Embedded) -> None:
    found = CurrentSite(State(documents, endpoint), Checked(documents.graph, PROBLEMS))
    plain = client_of(found, Options(key=KEY))
    page = documents.get("people/alvar-jarl.html")
    assert page
    assert plain.get(ADA, headers=VISIT | WITH_KEY).data == page.body
    for path in ("/live", "/live.js", "/live.css"):
        assert plain.get(path, headers=VISIT | WITH_KEY).status_code == 404


BROWSER = VISIT | {"Host": "127.0.0.1:8000", "Connection": "keep-alive"}
ASKED = {"Connection": "keep-alive", "Sec-Fetch-Site": "same-origin", "Host": "127.0.0.1:8000"}
FOR_AUTHORS = (
    *("/live", "/console", "/console.json", "/console/why?thing=people/alvar-jarl"),
    "/console/edit?page=people/alvar-jarl",
)


def cookie_of(client: Client) -> str:
    answer = client.get(ADA, headers=BROWSER)
    assert answer.text.count(live.AUTHOR_ATTRIBUTE) == 1
    assert answer.headers["Cache-Control"] == "no-store"
    assert "Access-Control-Allow-Origin" not in answer.headers
    value, *attributes = answer.headers["Set-Cookie"].split("; ")
    assert attributes == ["Path=/", "HttpOnly", "SameSite=Strict"]
    assert KEY not in value
    return value


@pytest.mark.sample(test=0.3)
@pytest.mark.parametrize("path", FOR_AUTHORS)
def test_a_browser_on_this_machine_is_the_authors(current: CurrentSite, path: str) -> None:
    client = client_of(current, Options(key=KEY))
    headers = ASKED | {"Cookie": f"other=1; {cookie_of(client)}"}
    assert client.get(path, headers=headers).status_code == 200
    assert client.get("/metrics", headers=headers).status_code == 404, "that is for the key"


@pytest.mark.parametrize("path", FOR_AUTHORS)
@pytest.mark.parametrize(
    "changed",
    [
        {"Host": "evil.example.org:8000"},  # whose address is this machine
        {"Host": "127.0.0.1.example.org"},
        {"Host": "evil.localhost:8000"},
        {"Host": "127.0.0.1:8001"},  # another server, with a cookie of its own
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": ""},
        {"Connection": "close"},
        {"X-Forwarded-For": "192.0.2.1"},
        {"X-Forwarded-Host": "127.0.0.1"},
        {"Forwarded": "for=192.0.2.1"},
        {"Via": "1.1 proxy"},
        {"Cookie": "kg-1270018000="},
        {"Cookie": ""},
    ],
    ids=str,
)
def test_no_other_request_is_the_authors(
    current: CurrentSite, path: str, changed: dict[str, str]
) -> None:
    client = client_of(current, Options(key=KEY))
    headers = ASKED | {"Cookie": cookie_of(client)} | changed
    client.delete_cookie("kg-1270018000", domain="127.0.0.1")
    assert client.get(path, headers=headers).status_code == 404


@pytest.mark.parametrize(
    ("options", "changed"),
    [
        ({"host": "0.0.0.0"}, {}),  # noqa: S104
        ({"host": "192.0.2.1"}, {}),
        ({"host": "cv.example.org"}, {}),
        ({"proxies": 1}, {}),
        ({}, {"Host": "evil.example.org:8000"}),
        ({}, {"Host": "192.0.2.1:8000"}),
        ({}, {"Connection": "close"}),  # as nginx
        ({}, {"X-Forwarded-For": "127.0.0.1"}),  # as Apache, Caddy and others
        ({}, {"Sec-Fetch-Dest": "empty"}),
    ],
    ids=str,
)
def test_no_other_server_and_no_other_visit_gives_a_cookie(
    current: CurrentSite, options: dict[str, Any], changed: dict[str, str]
) -> None:
    answer = client_of(current, Options(key=KEY, **options)).get(ADA, headers=BROWSER | changed)
    assert answer.status_code == 200
    assert "Set-Cookie" not in answer.headers
    assert live.AUTHOR_ATTRIBUTE not in answer.text


def test_each_server_has_a_cookie_of_its_own(current: CurrentSite) -> None:
    first, second = (client_of(current, Options(key=KEY)) for _ in range(2))
    headers = ASKED | {"Cookie": cookie_of(first)}
    assert first.get("/console.json", headers=headers).status_code == 200
    assert second.get("/console.json", headers=headers).status_code == 404


def scroll_place(page: Page) -> int:
    return int(page.evaluate("Math.round(scrollY)"))


@pytest.mark.proof
def test_the_printed_address_follows_the_files(browser: Browser, example: Path) -> None:
    file = example / "data" / "cv" / "ada-lindqvist.yaml"
    good = file.read_text(encoding="utf-8")
    with watching(example) as server, browser.new_context() as context:
        page = context.new_page()
        page.goto(server.address)
        follow(page.get_by_role("link", name="Ada Lindqvist").first)
        page.get_by_text("Sources of this page").click()
        expect(page.locator(".origins pre")).to_contain_text("data/cv/ada-lindqvist.yaml:5:9")
        file.write_text(good.replace("Lecturer", "Lectress", 1), encoding="utf-8")
        expect(page.locator("main")).to_contain_text("Lectress", timeout=20_000)
        file.write_text(f"{good}nonsense: 1\n", encoding="utf-8")
        banner = page.get_by_label("Problems")
        expect(banner).to_contain_text("unknown field 'nonsense'", timeout=20_000)
        (cookie,) = context.cookies()
        assert (cookie["httpOnly"], cookie["sameSite"], cookie["expires"]) == (True, "Strict", -1)
        # another name of the same machine, as after DNS rebinding
        other_name = server.address.replace("127.0.0.1", "evil.localhost")
        with context.new_page() as other:
            other.goto(f"{other_name}people/ada-lindqvist", wait_until="networkidle")
            assert other.locator('script[src="/live.js"]').count() == 1
            assert other.get_by_label("Problems").count() == 0
            for path in ("live", "console.json"):
                assert other.evaluate(f"fetch('/{path}').then((got) => got.status)") == 404
                refused = other.evaluate(
                    "(url) => fetch(url, {credentials: 'include'}).then(String, String)",
                    f"{server.address}{path}",
                )
                assert refused == "TypeError: Failed to fetch"
        banner.get_by_role("link", name="All problems").click()
        expect(page.locator("article.error")).to_have_count(1)
        file.write_text(good, encoding="utf-8")
        expect(page.locator("main")).to_contain_text("shows the current files", timeout=20_000)


@pytest.mark.proof
def test_an_open_page_follows_the_files(browser: Browser, example: Path) -> None:
    file = example / "data" / "cv" / "ada-lindqvist.yaml"
    good = file.read_text(encoding="utf-8")
    wrong = "".join(f"nonsense{number}: 1\n" for number in range(5))
    with watching(example) as server, browser.new_context() as context:
        page, sent = context.new_page(), []
        page.on("request", lambda request: sent.append((request.url, request.headers)))
        address = server.address.replace("127.0.0.1", "b.localhost")  # no host of ours
        page.goto(f"{address}people/ada-lindqvist?lang=en&key={KEY}")
        assert page.url == f"{address}people/ada-lindqvist?lang=en", "the key is hidden"
        page.get_by_text("Sources of this page").click()
        expect(page.locator(".origins pre")).to_contain_text("data/cv/ada-lindqvist.yaml:5:9")
        page.evaluate("scrollTo(0, 400)")
        banner = page.get_by_label("Problems")
        file.write_text(good.replace("Lecturer", "Lectress", 1), encoding="utf-8")
        expect(page.locator("main")).to_contain_text("Lectress", timeout=20_000)
        assert scroll_place(page) == 400
        expect(banner).to_have_count(0)
        file.write_text(good + wrong, encoding="utf-8")
        expect(banner).to_contain_text("unknown field 'nonsense0'", timeout=20_000)
        expect(banner).to_contain_text("5 errors. This page shows the last good version.")
        expect(banner).to_contain_text("ada-lindqvist.yaml:")
        expect(banner).to_contain_text("and 2 more")
        expect(page.locator("main")).to_contain_text("Lectress")
        assert scroll_place(page) == 400
        with context.new_page() as stranger:  # whose tab has no key, and no cookie
            stranger.goto(page.url.replace("b.localhost", "a.localhost"), wait_until="networkidle")
            assert stranger.locator('script[src="/live.js"]').count() == 1
            assert stranger.get_by_label("Problems").count() == 0
            assert stranger.get_by_text("Sources of this page").count() == 0
        banner.get_by_role("link", name="All problems").click()
        expect(page.locator("article.error")).to_have_count(5)
        page.goto(f"{address}people/ada-lindqvist")
        expect(banner).to_contain_text("5 errors.")
        file.write_text(good, encoding="utf-8")
        expect(banner).to_have_count(0, timeout=20_000)
        expect(page.locator("main")).not_to_contain_text("Lectress")
        told = [url for url, _ in sent if KEY in url]
        assert len(told) >= 2
        assert all("?lang=en&key=" in url or "/console?key=" in url for url in told)
        assert not any(KEY in headers.get("referer", "") for _, headers in sent)
        assert context.cookies() == []
