"""The exported folder in a real browser, from a plain file server: its pages, and questions that the browser answers itself."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from kg.engine.embedded import Embedded
from kg.engine.store import Wanted
from kg.publish import editor
from kg.publish.export import export
from kg.publish.site import Documents
from tests.conftest import skip
from tests.engine.test_slips import SLIPS
from tests.web.browsing import Noise
from tests.web.hosting import hosting
from tests.web.serving import Server
from tests.web.test_editor import rows

ENGINE = "static/oxigraph.wasm"
JSON = Wanted("application/sparql-results+json", "text/turtle")
YEARS = "How many works appeared in each year?"
PAIRS = "PREFIX schema: <http://schema.org/> SELECT ?work ?who { ?work schema:author ?who } LIMIT 20"
SLOW = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"
MORE = [  # beside the named queries
    "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }",
    "SELECT (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } }",
    "SELECT (COUNT(*) AS ?n) { GRAPH <void> { ?s ?p ?o } }",
    "SELECT (COUNT(*) AS ?n) FROM <people/arpan-jain> { ?s ?p ?o }",
    "SELECT (COUNT(*) AS ?n) FROM NAMED <people/arpan-jain> { ?s ?p ?o }",
    "SELECT DISTINCT * { ?work <http://schema.org/author> ?a . ?a <http://schema.org/name> ?name } ORDER BY ?work ?a LIMIT 9",
    "SELECT ('é\U0001f600 \"quoted\"'@en AS ?text) (1.50 AS ?number) (<no/such> AS ?iri) ?nothing { # FROM here, * there\n}",
    "ASK { <people/arpan-jain#it> a <http://schema.org/Person> }",
]


@pytest.fixture(scope="module", autouse=True)
def installed() -> None:
    if "oxigraph.wasm" not in editor.files():
        skip("the engine for browsers is not installed; `make editor` does it where there is npm")


@pytest.fixture(scope="module")
def folder(documents: Documents, tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("host") / "~me" / "cv"
    export(documents, target)
    return target


@pytest.fixture(scope="module")
def hosts(folder: Path) -> Iterator[dict[str, str]]:
    """The same folder at the top of a host, and below a path of another."""
    with ExitStack() as stack:
        below = stack.enter_context(hosting(folder.parent.parent))
        yield {"top": stack.enter_context(hosting(folder)), "below": f"{below}~me/cv/"}


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


@pytest.fixture(scope="module")
def asked(browser: Browser, hosts: dict[str, str]) -> Iterator[Page]:
    """A page whose engine is loaded once, for many questions."""
    context = browser.new_context()
    context.set_default_timeout(20_000)
    page, noise = context.new_page(), Noise()
    noise.listen(page)
    page.goto(f"{hosts['top']}sparql.html")
    yield page
    assert (noise.console, noise.failed) == ([], [])
    context.close()


def ask(page: Page, query: str, form: str = "html") -> None:
    page.evaluate("query => document.querySelector('.CodeMirror').CodeMirror.setValue(query)", query)
    page.get_by_label("Answer as").select_option(form)
    page.get_by_role("button", name="Ask").click()


def answer(page: Page, query: str, form: str = "json") -> str:
    """The file in which an answer is given."""
    with page.expect_download() as download:
        ask(page, query, form)
    return download.value.path().read_text(encoding="utf-8")


def test_the_browser_finds_the_rows_that_the_server_finds(asked: Page, documents: Documents, endpoint: Embedded) -> None:
    queries = [example.query for example in documents.pages.examples]
    assert len(queries) >= 32
    different = []
    for query in [*queries, *MORE]:
        here, there = json.loads(answer(asked, query)), json.loads(endpoint.answer(query, JSON).body)
        if here != there:
            different.append((query, here, there))
    assert different == []


@pytest.mark.parametrize("query", SLIPS)
def test_a_slip_is_told_as_the_server_tells_it(asked: Page, query: str) -> None:
    ask(asked, query)
    expect(asked.locator(".yasr .errorResult")).to_have_text(SLIPS[query])


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("SELECT (<urn:f>(1) AS ?x) {}", "The query could not be evaluated: The custom function <urn:f> is not supported"),
        ("SELECT * { SERVICE <http://127.0.0.1/> { ?s ?p ?o } }", "The service <http://127.0.0.1/> is not supported"),
        ("DELETE WHERE { ?s ?p ?o }", "line 1, column 1: the query cannot be read from 'DELETE' on"),
        (f"ASK {'{' * 800}{'}' * 800}", "The query was too much for the engine"),
    ],
)
def test_what_the_engine_cannot_do_is_told_and_the_next_question_answered(asked: Page, query: str, message: str) -> None:
    ask(asked, query)
    expect(asked.locator(".yasr .errorResult")).to_contain_text(message)
    ask(asked, "SELECT (1 + 1 AS ?two) {}")
    assert rows(asked) == [["2"]]


def test_an_answer_is_had_in_other_forms(asked: Page) -> None:
    assert answer(asked, "SELECT ?name { <people/arpan-jain#it> <http://schema.org/name> ?name }", "csv") == "name\nArpan Jain\n"
    line = '<urn:s> <urn:p> "o" .\n'
    assert (
        answer(asked, "CONSTRUCT { <urn:s> <urn:p> 'o' } {}", "turtle")
        == answer(asked, "CONSTRUCT { <urn:s> <urn:p> 'o' } {}", "nt")
        == line
    )
    expect(asked.get_by_text("Saved as answer.nt.")).to_be_visible()
    ask(asked, "ASK {}", "turtle")
    expect(asked.locator(".yasr .errorResult")).to_have_text("This query gives a table; ask for JSON, XML, CSV or TSV.")


def test_answers_are_drawn_and_lead_to_pages(asked: Page) -> None:
    ask(asked, PAIRS)
    found = rows(asked)
    asked.get_by_role("button", name="Shows Network view").click()
    assert asked.locator("svg.network line").count() == len({tuple(row) for row in found})
    asked.get_by_role("button", name="Shows Table view").click()
    things = (
        "<> <people/> <people/arpan-jain> <people/arpan-jain#it> <people/arpan-jain#x> <terms/cv#Study> <void#it> <https://example.org/x>"
    )
    ask(asked, f"SELECT * {{ VALUES ?thing {{ {things} }} }}")
    expect(asked.locator(".yasr tbody tr")).to_have_count(8)
    assert asked.locator(".yasr td a").evaluate_all("links => links.map(link => link.getAttribute('href'))") == [
        "./",
        "./people/",
        "./people/arpan-jain.html",
        "./people/arpan-jain.html",
        "./people/arpan-jain.html#x",
        "./terms/cv.html#Study",
        "./void.ttl",
        "https://example.org/x",
    ]


def test_a_slow_question_can_be_stopped(asked: Page) -> None:
    ask(asked, SLOW)
    asked.get_by_text("Asking …").wait_for()
    assert asked.evaluate("1 + 1") == 2, "the page lives"
    asked.get_by_role("button", name="Stop").click()
    expect(asked.locator(".yasr .errorResult")).to_have_text("Stopped.")
    expect(asked.get_by_role("button", name="Stop")).to_be_hidden()
    ask(asked, SLOW)
    asked.get_by_text("Asking …").wait_for()
    ask(asked, "SELECT (1 + 1 AS ?two) {}")  # who asks again waits for no older question
    assert rows(asked) == [["2"]]


@pytest.mark.parametrize("where", ["top", "below"])
def test_pages_lead_to_questions_and_their_answers_at_any_address(page: Page, noise: Noise, hosts: dict[str, str], where: str) -> None:
    page.goto(hosts[where])
    page.get_by_role("link", name="Arpan Jain").first.click()
    expect(page.locator("h1")).to_have_text("Arpan Jain")
    page.locator("section.coauthors a", has_text="Hari Subramoni").first.click()
    expect(page.locator("h1")).to_have_text("Hari Subramoni")
    page.go_back()
    page.get_by_role("link", name="Ask about this in SPARQL").click()
    assert len(rows(page)) > 10
    page.locator(".yasr td a", has_text="people/hari-subramoni#it").first.click()
    expect(page.locator("h1")).to_have_text("Hari Subramoni")
    assert (noise.console, noise.failed) == ([], [])
    assert f"{hosts[where]}{ENGINE}" in noise.asked, "what the worker asks is heard"
    assert [url for url in noise.asked if not url.startswith(hosts[where])] == [], "nothing is fetched from elsewhere"


def test_nothing_is_loaded_before_the_first_question(page: Page, noise: Noise, hosts: dict[str, str]) -> None:
    page.goto(f"{hosts['top']}sparql.html", wait_until="networkidle")
    expect(page.locator(".editor .CodeMirror")).to_be_visible()
    expect(page.locator("#needs")).to_have_count(0)
    assert [url for url in noise.asked if re.search("oxigraph|engine|dump|void", url)] == []
    page.get_by_role("link", name=YEARS).click()
    assert len(rows(page)) > 5
    assert f"{hosts['top']}{ENGINE}" in noise.asked
    page.get_by_role("button", name="Copy link").click()
    assert page.evaluate("navigator.clipboard.readText()") == page.url
    assert page.get_by_role("button", name=re.compile("Copy as")).count() == 0, "there is no endpoint for programs"
    page.reload()
    assert len(rows(page)) > 5
    assert (noise.console, noise.failed) == ([], [])


@pytest.mark.parametrize("can_unpack", [True, False])
def test_a_packed_dump_is_unpacked_or_left_alone(page: Page, noise: Noise, folder: Path, hosts: dict[str, str], can_unpack: bool) -> None:
    (folder / "dump.nq.gz").write_bytes(gzip.compress((folder / "dump.nq").read_bytes()))
    said = re.sub(r'data-dump="[^"]*"', 'data-dump="./dump.nq.gz"', (folder / "sparql.html").read_text(encoding="utf-8"))
    page.route("**/sparql.html*", lambda route: route.fulfill(body=said, content_type="text/html"))
    if not can_unpack:
        page.add_init_script("delete window.DecompressionStream")
    page.goto(f"{hosts['top']}sparql.html?{urlencode({'query': 'SELECT ?name { <people/arpan-jain#it> <http://schema.org/name> ?name }'})}")
    assert rows(page) == [["Arpan Jain"]]
    assert [url.rpartition("/")[2] for url in noise.asked if "dump" in url] == ["dump.nq.gz" if can_unpack else "dump.nq"]


def test_a_question_without_an_answer_ends(page: Page, hosts: dict[str, str]) -> None:
    page.clock.install()
    page.goto(f"{hosts['top']}sparql.html?{urlencode({'query': SLOW})}")
    page.get_by_text("Asking …").wait_for()
    page.clock.fast_forward(61_000)
    expect(page.locator(".yasr .errorResult")).to_have_text("Stopped: there was no answer after 60 seconds.")


def test_data_that_cannot_be_loaded_is_told_and_tried_again(page: Page, hosts: dict[str, str]) -> None:
    def refuse(route: Route) -> None:
        route.fulfill(status=503, body="not now")

    page.context.route("**/void.ttl", refuse)
    page.goto(f"{hosts['top']}sparql.html?{urlencode({'query': 'SELECT (1 + 1 AS ?two) {}'})}")
    expect(page.locator(".yasr .errorResult")).to_contain_text("void.ttl could not be loaded (503")
    page.context.unroute("**/void.ttl", refuse)
    page.get_by_role("button", name="Ask").click()
    assert rows(page) == [["2"]]


def test_without_javascript_the_page_says_what_it_needs_and_where_the_data_are(browser: Browser, hosts: dict[str, str]) -> None:
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(f"{hosts['below']}sparql.html")
    expect(page.locator("#needs")).to_contain_text("takes JavaScript")
    addresses = page.locator("#needs a").evaluate_all("links => links.map(link => link.href)")
    assert [page.request.get(address).status for address in addresses] == [200, 200]
    page.context.close()


def test_a_page_from_the_disk_says_why_it_does_not_answer(browser: Browser, folder: Path) -> None:
    page = browser.new_context().new_page()
    page.goto(f"{folder.as_uri()}/sparql.html")
    expect(page.locator("#needs")).to_contain_text("opened from the disk")
    expect(page.get_by_label("Question", exact=True)).to_be_visible()
    page.context.close()


def test_a_server_has_the_same_page_and_answers_its_questions(page: Page, noise: Noise, server: Server, folder: Path) -> None:
    assert page.request.get(f"{server.address}sparql.html").body() == (folder / "sparql.html").read_bytes()
    page.goto(f"{server.address}sparql.html")
    page.get_by_role("link", name=YEARS).click()
    found = rows(page)
    assert f"{server.address}{ENGINE}" in noise.asked, "its policy allows the engine, in the page and in the worker"
    page.reload()
    assert page.url.startswith(f"{server.address}sparql?"), "with a question, the endpoint is asked"
    assert rows(page) == found
    assert (noise.console, noise.failed) == ([], [])
