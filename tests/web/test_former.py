"""Old addresses over HTTP: what moved leads on for good, what was withdrawn is gone."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Browser
from werkzeug.test import Client

from kg.publish.formats.media import HTML, PAGE_SUFFIXES
from kg.publish.site import Documents
from kg.sparql.endpoint import Embedded
from kg.web.state import State
from tests.client import client_of
from tests.publish.hosting.test_host_rules import plain_server

OLD, NEW = "/people/n-haddad", "/people/noor-haddad"


@pytest.fixture(scope="module")
def client(renamed: Documents, endpoint: Embedded) -> Client:
    return client_of(State(renamed, endpoint))


@pytest.mark.parametrize("suffix", ["", *PAGE_SUFFIXES])
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_an_old_address_leads_to_the_new_one_in_the_same_form(
    client: Client, suffix: str, method: str
) -> None:
    answer = client.open(OLD + suffix, method=method)
    assert (answer.status_code, urljoin(OLD, answer.headers["Location"])) == (301, NEW + suffix)
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert client.get(NEW + suffix).status_code == 200


def test_the_form_is_chosen_where_it_leads(client: Client) -> None:
    target = urljoin(OLD, client.get(OLD, headers={"Accept": "text/turtle"}).headers["Location"])
    answer = client.get(target, headers={"Accept": "text/turtle"})
    assert (target, answer.status_code, answer.mimetype) == (NEW, 200, "text/turtle")


def test_below_a_path_of_the_host_it_leads_there(client: Client) -> None:
    target = client.get(f"{OLD}.ttl", environ_overrides={"SCRIPT_NAME": "/cv"}).headers["Location"]
    assert urljoin(f"/cv{OLD}.ttl", target) == f"/cv{NEW}.ttl"


@pytest.mark.parametrize("suffix", ["", *PAGE_SUFFIXES])
def test_what_led_to_a_list_still_leads_there(client: Client, suffix: str) -> None:
    answer, target = client.get(f"/topics/docker{suffix}"), f"index{suffix}" if suffix else ""
    assert answer.status_code == 302
    assert urljoin("/topics/docker", answer.headers["Location"]) == f"/topics/{target}"
    assert client.get(f"/topics/{target}").status_code == 200


@pytest.mark.parametrize(
    "path", [f"{OLD}.exe", f"{OLD}/", f"{OLD}x", "/people/eli/", "/people/eli-2"]
)
def test_nothing_else_leads_anywhere(client: Client, path: str) -> None:
    assert client.get(path).status_code == 404


@pytest.mark.parametrize("suffix", ["", *PAGE_SUFFIXES])
def test_what_was_withdrawn_is_gone_in_every_form(
    client: Client, renamed: Documents, suffix: str
) -> None:
    page = client.get(f"/press/rumour{suffix}", headers={"Accept": "text/html"})
    line = client.get(f"/press/rumour{suffix}", headers={"Accept": "text/turtle"})
    data = client.get(f"/press/rumour{suffix}", headers={"Accept": "application/json"})
    assert (page.status_code, line.status_code, data.status_code) == (410, 410, 410)
    assert page.mimetype == HTML
    assert (
        line.text == "press/rumour was withdrawn (Feb 2026) and is no longer available. "
        "<b>It</b> was untrue.\n"
    )
    assert json.loads(data.data) == {
        "title": "Gone",
        "status": 410,
        "detail": line.text.strip(),
    }
    stub = renamed.get("press/rumour.html")
    assert stub is not None
    assert page.data == stub.body, "a folder shows the same"


def test_files_for_hosts_are_documents_as_others(client: Client, renamed: Documents) -> None:
    for path in ("addresses.txt", "_redirects", "_headers", ".htaccess", ".nojekyll", "404.html"):
        answer, made = client.get(f"/{path}"), renamed.get(path)
        assert made is not None
        assert (answer.status_code, answer.data) == (200, made.body)


@pytest.mark.proof
def test_a_browser_is_led_on_by_the_page_of_a_folder_without_scripts(
    renamed_folder: Path, browser: Browser
) -> None:
    with plain_server(renamed_folder.parent) as host:
        page = browser.new_page(java_script_enabled=False)
        page.goto(f"{host}cv{OLD}.html")
        page.wait_for_url(f"{host}cv{NEW}.html")
        assert page.inner_text("h1") == "Noor Haddad"
        page.goto(f"{host}cv/404.html")
        page.get_by_role("link", name="Home page").click()
        page.wait_for_url(f"{host}cv/")
        page.close()
