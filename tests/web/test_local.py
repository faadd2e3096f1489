"""Questions that a browser answers itself, in the exported folder: with the rows, the errors and
the views that the server gives.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from playwright.sync_api import Browser, Page, expect

from kg.publish.questions import editor
from kg.publish.site import Documents
from kg.sparql.endpoint import Embedded
from kg.store.protocol import Wanted
from tests.conftest import skip
from tests.sparql.asking import answered
from tests.sparql.test_parse_errors import SLIPS
from tests.web.browsing import Noise
from tests.web.test_editor import rows

pytestmark = pytest.mark.proof

JSON = Wanted("application/sparql-results+json", "text/turtle")
PAIRS = (
    "PREFIX schema: <http://schema.org/> SELECT ?work ?who { ?work schema:author ?who } LIMIT 20"
)
SLOW = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"
MORE = [  # beside the named queries
    # The browser has the description of the site only if a query names it.
    "SELECT (COUNT(*) AS ?n) { ?s a <http://schema.org/Person> ; ?p ?o }",
    "SELECT (COUNT(*) AS ?n) { GRAPH ?g { ?s a <http://schema.org/Person> ; ?p ?o } }",
    "SELECT (COUNT(*) AS ?n) { GRAPH <void> { ?s ?p ?o } }",
    "SELECT (COUNT(*) AS ?n) { ?s ?p ?o . GRAPH <pages> { ?o ?q ?s } }",
    "SELECT (COUNT(*) AS ?n) FROM <people/alvar-jarl> { ?s ?p ?o }",
    "SELECT (COUNT(*) AS ?n) FROM NAMED <people/alvar-jarl> { ?s ?p ?o }",
    (
        "SELECT DISTINCT * { ?work <http://schema.org/author> ?a . ?a <http://schema.org/name> "
        "?name } ORDER BY ?work ?a LIMIT 9"
    ),
    (
        "SELECT ('é\U0001f600 \"quoted\"'@en AS ?text) (1.50 AS ?number) (<no/such> AS ?iri) "
        "?nothing { # FROM here, * there\n}"
    ),
    "ASK { <people/alvar-jarl#it> a <http://schema.org/Person> }",
]


@pytest.fixture(scope="module", autouse=True)
def installed() -> None:
    if "oxigraph.wasm" not in editor.files():
        skip("the engine for browsers is not installed; `make editor` does it where there is npm")


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
    page.evaluate(
        "query => document.querySelector('.CodeMirror').CodeMirror.setValue(query)", query
    )
    page.get_by_label("Format").select_option(form)
    page.get_by_role("button", name="Run").click()


def answer(page: Page, query: str, form: str = "json") -> str:
    """The file in which an answer is given."""
    with page.expect_download() as download:
        ask(page, query, form)
    return download.value.path().read_text(encoding="utf-8")


def test_the_browser_finds_the_rows_that_the_server_finds(
    asked: Page, documents: Documents, endpoint: Embedded
) -> None:
    queries = [question.text for question in documents.pages.questions]
    assert len(queries) >= 51
    different = []
    with ThreadPoolExecutor(1) as pool:  # for the browser's own event loop runs in this thread
        for query in [*queries, *MORE]:
            served = pool.submit(answered, endpoint, query, JSON)
            here, there = json.loads(answer(asked, query)), json.loads(served.result().body)
            if here != there:
                different.append((query, here, there))
    assert different == []


@pytest.mark.parametrize("query", [each for each in SLIPS if "schema:" not in each])  # is known
def test_a_slip_is_told_as_the_server_tells_it(asked: Page, query: str) -> None:
    ask(asked, query)
    expect(asked.locator(".yasr .errorResult")).to_have_text(SLIPS[query])


@pytest.mark.parametrize(
    ("query", "message"),
    [
        (
            "SELECT (<urn:f>(1) AS ?x) {}",
            "The query cannot be evaluated: The custom function <urn:f> is not supported",
        ),
        (
            "SELECT * { SERVICE <http://127.0.0.1/> { ?s ?p ?o } }",
            "The service <http://127.0.0.1/> is not supported",
        ),
        (
            "DELETE WHERE { ?s ?p ?o }",
            "line 1, column 1: unexpected 'DELETE'",
        ),
        (f"ASK {'{' * 800}{'}' * 800}", "The query is nested too deeply"),
    ],
)
def test_what_the_engine_cannot_do_is_told_and_the_next_question_answered(
    asked: Page, query: str, message: str
) -> None:
    ask(asked, query)
    expect(asked.locator(".yasr .errorResult")).to_contain_text(message)
    ask(asked, "SELECT (1 + 1 AS ?two) {}")
    assert rows(asked) == [["2"]]


def test_an_answer_is_had_in_other_forms(asked: Page) -> None:
    assert (
        answer(
            asked, "SELECT ?name { <people/alvar-jarl#it> <http://schema.org/name> ?name }", "csv"
        )
        == "name\nAlvar Jarl\n"
    )
    line = '<urn:s> <urn:p> "o" .\n'
    assert (
        answer(asked, "CONSTRUCT { <urn:s> <urn:p> 'o' } {}", "turtle")
        == answer(asked, "CONSTRUCT { <urn:s> <urn:p> 'o' } {}", "nt")
        == line
    )
    expect(asked.get_by_text("Saved as answer.nt.")).to_be_visible()
    ask(asked, "ASK {}", "turtle")
    expect(asked.locator(".yasr .errorResult")).to_have_text(
        "This query returns a table. Request JSON, XML, CSV or TSV."
    )


def test_answers_are_drawn_and_lead_to_pages(asked: Page) -> None:
    ask(asked, PAIRS)
    found = rows(asked)
    asked.get_by_role("button", name="Shows Network view").click()
    expect(asked.locator("svg.network line")).to_have_count(len({tuple(row) for row in found}))
    asked.get_by_role("button", name="Shows Table view").click()
    things = (
        "<> <people/> <people/alvar-jarl> <people/alvar-jarl#it> <people/alvar-jarl#x> "
        "<https://w3id.org/cv-kg/terms#Study> <void#it> <https://example.org/x>"
    )
    ask(asked, f"SELECT * {{ VALUES ?thing {{ {things} }} }}")
    expect(asked.locator(".yasr tbody tr")).to_have_count(8)
    assert asked.locator(".yasr td a").evaluate_all(
        "links => links.map(link => link.getAttribute('href'))"
    ) == [
        "./",
        "./people/",
        "./people/alvar-jarl.html",
        "./people/alvar-jarl.html",
        "./people/alvar-jarl.html#x",
        "./terms/cv.html#Study",
        "./void.ttl",
        "https://example.org/x",
    ]


def test_a_slow_question_can_be_stopped(asked: Page) -> None:
    ask(asked, SLOW)
    asked.get_by_text("Running …").wait_for()
    assert asked.evaluate("1 + 1") == 2, "the page lives"
    asked.get_by_role("button", name="Stop").click()
    expect(asked.locator(".yasr .errorResult")).to_have_text("Stopped.")
    expect(asked.get_by_role("button", name="Stop")).to_be_hidden()
    ask(asked, SLOW)
    asked.get_by_text("Running …").wait_for()
    ask(asked, "SELECT (1 + 1 AS ?two) {}")  # who asks again waits for no older question
    assert rows(asked) == [["2"]]
