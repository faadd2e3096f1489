"""The exported folder in a real browser, from a plain file server: its pages, and the way from them
to questions.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from kg.publish.questions import editor
from tests.conftest import skip
from tests.web.browsing import Noise, follow
from tests.web.serving import Server
from tests.web.test_editor import rows

pytestmark = pytest.mark.proof

ENGINE = "static/oxigraph.wasm.gz"
YEARS = "How many works appeared each year?"
SLOW = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"


@pytest.fixture(scope="module", autouse=True)
def installed() -> None:
    if "oxigraph.wasm" not in editor.files():
        skip("the engine for browsers is not installed; `make editor` does it where there is npm")


@pytest.fixture
def noise() -> Noise:
    return Noise()


@pytest.fixture
def page(browser: Browser, noise: Noise) -> Iterator[Page]:
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    context.set_default_timeout(20_000)
    page = context.new_page()
    noise.listen(page)
    yield page
    context.close()


@pytest.mark.parametrize("where", ["top", "below"])
def test_pages_lead_to_questions_and_their_answers_at_any_address(
    page: Page, noise: Noise, hosts: dict[str, str], where: str
) -> None:
    page.goto(hosts[where])
    page.get_by_role("link", name="Alvar Jarl").first.click()
    expect(page.locator("h1")).to_have_text("Dr. Alvar Jarl")
    page.locator("section.coauthors a", has_text="Halvor Sundquist").first.click()
    expect(page.locator("h1")).to_have_text("Halvor Sundquist")
    page.go_back()
    follow(page.get_by_role("link", name="SPARQL", exact=True))
    assert len(rows(page)) > 10
    page.locator(".yasr td a", has_text="Halvor Sundquist").first.click()
    expect(page.locator("h1")).to_have_text("Halvor Sundquist")
    assert (noise.console, noise.failed) == ([], [])
    assert f"{hosts[where]}{ENGINE}" in noise.asked, "what the worker asks is heard"
    assert [url for url in noise.asked if not url.startswith(hosts[where])] == [], (
        "nothing is fetched from elsewhere"
    )


def test_nothing_is_loaded_before_the_first_question(
    page: Page, noise: Noise, hosts: dict[str, str]
) -> None:
    page.goto(f"{hosts['top']}sparql.html", wait_until="networkidle")
    expect(page.locator(".editor .CodeMirror")).to_be_visible()
    expect(page.locator("#needs")).to_have_count(0)
    assert [url for url in noise.asked if re.search("oxigraph|engine|dump|void", url)] == []
    page.get_by_role("link", name=YEARS).click()
    assert len(rows(page)) > 5
    assert f"{hosts['top']}{ENGINE}" in noise.asked
    page.get_by_role("button", name="Copy link").click()
    assert page.evaluate("navigator.clipboard.readText()") == page.url
    assert page.get_by_role("button", name=re.compile("Copy as")).count() == 0, (
        "there is no endpoint for programs"
    )
    page.reload()
    assert len(rows(page)) > 5
    assert (noise.console, noise.failed) == ([], [])


@pytest.mark.parametrize("can_unpack", [True, False])
def test_a_packed_dump_is_unpacked_or_left_alone(
    page: Page, noise: Noise, folder: Path, hosts: dict[str, str], can_unpack: bool
) -> None:
    packed = gzip.compress((folder / "dump.nq").read_bytes())
    page.route(
        "**/dump.nq.gz", lambda route: route.fulfill(body=packed, content_type="application/gzip")
    )
    said = re.sub(
        r'data-dump="[^"]*"',
        'data-dump="./dump.nq.gz"',
        (folder / "sparql.html").read_text(encoding="utf-8"),
    )
    page.route("**/sparql.html*", lambda route: route.fulfill(body=said, content_type="text/html"))
    if not can_unpack:
        page.add_init_script("delete window.DecompressionStream")
    page.goto(
        f"{hosts['top']}sparql.html?{urlencode({'query': 'SELECT ?name { <people/alvar-jarl#it> <http://schema.org/name> ?name }'})}"  # noqa: E501
    )
    assert rows(page) == [["Alvar Jarl"]]
    assert [url.rpartition("/")[2] for url in noise.asked if "dump" in url] == [
        "dump.nq.gz" if can_unpack else "dump.nq"
    ]


def test_a_question_without_an_answer_ends(page: Page, hosts: dict[str, str]) -> None:
    page.clock.install()
    page.goto(f"{hosts['top']}sparql.html?{urlencode({'query': SLOW})}")
    page.get_by_text("Running …").wait_for()
    page.clock.fast_forward(61_000)
    expect(page.locator(".yasr .errorResult")).to_have_text("Stopped: no answer after 60 s.")


def test_data_that_cannot_be_loaded_is_told_and_tried_again(
    page: Page, hosts: dict[str, str]
) -> None:
    def refuse(route: Route) -> None:
        route.fulfill(status=503, body="not now")

    page.context.route("**/all.nq*", refuse)
    query = "SELECT (1 + 1 AS ?two) FROM <pages> {}"
    page.goto(f"{hosts['top']}sparql.html?{urlencode({'query': query})}")
    expect(page.locator(".yasr .errorResult")).to_contain_text("all.nq.gz could not be loaded (503")
    page.context.unroute("**/all.nq*", refuse)
    page.get_by_role("button", name="Run").click()
    assert rows(page) == [["2"]]


def test_the_browser_loads_the_packed_engine_and_no_description(
    page: Page, noise: Noise, folder: Path, hosts: dict[str, str]
) -> None:
    query = "SELECT ?name { <people/alvar-jarl#it> a cv:Owner ; schema:name ?name }"
    page.goto(f"{hosts['top']}sparql.html?{urlencode({'query': query})}")
    assert rows(page) == [["Alvar Jarl"]], "the usual prefixes need no declaration"
    files = [url.removeprefix(hosts["top"]) for url in noise.asked]
    loaded = [each for each in files if re.search("wasm|dump|void|all.nq", each)]
    assert sorted(loaded) == ["dump.nq.gz", ENGINE]
    assert (folder / ENGINE).stat().st_size < 1_500_000 < (folder / ENGINE[:-3]).stat().st_size
    about = "SELECT ?title { <void#it> a void:Dataset ; dcterms:title ?title }"
    page.goto(f"{hosts['top']}sparql.html?{urlencode({'query': about})}")
    assert rows(page) == [["Buoys and their work"]]
    assert f"{hosts['top']}all.nq.gz" in noise.asked


def test_loading_says_how_much(page: Page, hosts: dict[str, str]) -> None:
    page.add_init_script("""
        window.said = [];
        new MutationObserver(() => {
          const status = document.querySelector(".hint")?.textContent;
          if (status) window.said.push(status);
        }).observe(document, { subtree: true, childList: true, characterData: true });
    """)
    page.goto(f"{hosts['top']}sparql.html?{urlencode({'query': 'ASK {}'})}")
    expect(page.locator(".yasr")).to_contain_text("True")
    said = page.evaluate("window.said")
    assert any(
        re.fullmatch(r"Loading the engine and the data: \d\.\d( of \d\.\d)? MB …", each)
        for each in said
    ), said


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ("coauthors-of.html?person=alvar-jral", "Alvar Jarl"),
        ("coauthors-of.html?person=Alvr+Jarl", "Alvar Jarl"),
    ],
)
def test_a_wrong_name_gets_the_nearest_in_a_folder(
    page: Page, hosts: dict[str, str], asked: str, name: str
) -> None:
    page.goto(f"{hosts['top']}queries/{asked}")
    expect(page.locator(".wrong .problem")).to_contain_text("unknown person. Did you mean")
    page.locator(".wrong").get_by_role("link", name=name).first.click()
    expect(page.locator("#found table")).to_be_visible()
    expect(page.locator("#found")).to_contain_text("Sources: ")


def test_an_unknown_prefix_is_reported_at_its_place(page: Page, hosts: dict[str, str]) -> None:
    query = "SELECT ?n { ?p a cv:Owner ; nonsuch:name ?n }"
    page.goto(f"{hosts['top']}sparql.html?{urlencode({'query': query})}")
    expect(page.locator(".yasr .errorResult")).to_contain_text("line 1, column 41: the prefix")


def test_without_javascript_the_page_says_what_it_needs_and_where_the_data_are(
    browser: Browser, hosts: dict[str, str]
) -> None:
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(f"{hosts['below']}sparql.html")
    expect(page.locator("#needs")).to_contain_text("needs JavaScript")
    addresses = page.locator("#needs a").evaluate_all("links => links.map(link => link.href)")
    assert [page.request.get(address).status for address in addresses] == [200, 200]
    page.context.close()


def test_a_page_from_the_disk_says_why_it_does_not_answer(browser: Browser, folder: Path) -> None:
    page = browser.new_context().new_page()
    page.goto(f"{folder.as_uri()}/sparql.html")
    expect(page.locator("#needs")).to_contain_text("opened from disk")
    expect(page.get_by_label("Query", exact=True)).to_be_visible()
    page.context.close()


def test_a_server_has_the_same_page_and_answers_its_questions(
    page: Page, noise: Noise, server: Server, folder: Path
) -> None:
    assert (
        page.request.get(f"{server.address}sparql.html").body()
        == (folder / "sparql.html").read_bytes()
    )
    page.goto(f"{server.address}sparql.html")
    page.get_by_role("link", name=YEARS).click()
    found = rows(page)
    assert f"{server.address}{ENGINE}" in noise.asked, (
        "its policy allows the engine, in the page and in the worker"
    )
    page.reload()
    assert page.url.startswith(f"{server.address}sparql?"), "with a question, the endpoint is asked"
    assert rows(page) == found
    assert (noise.console, noise.failed) == ([], [])
