"""Questions asked in a real browser, without JavaScript."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.browsing import Noise, follow
from tests.web.serving import Server

pytestmark = pytest.mark.proof


@pytest.fixture
def noise() -> Noise:
    return Noise()


@pytest.fixture
def page(browser: Browser, noise: Noise) -> Iterator[Page]:
    """A page of a narrow screen without JavaScript."""
    context = browser.new_context(java_script_enabled=False, viewport={"width": 360, "height": 640})
    context.set_default_timeout(10_000)
    page = context.new_page()
    noise.listen(page)
    yield page
    context.close()


def ask(page: Page, server: Server, query: str) -> None:
    page.goto(f"{server.address}sparql")
    page.get_by_label("Query", exact=True).fill(query)
    follow(page.get_by_role("button", name="Run"))


def test_a_question_in_words_is_answered_by_a_click(
    page: Page, server: Server, noise: Noise
) -> None:
    page.goto(f"{server.address}sparql")
    follow(page.get_by_role("link", name="How many works appeared each year?"))
    assert page.locator("th").all_inner_texts() == ["Year", "Works"]
    rows = page.locator("tbody tr").count()
    assert rows > 5
    assert page.get_by_text(f"{rows} rows.").is_visible()
    assert (
        page.get_by_label("Query", exact=True)
        .input_value()
        .startswith("#+ summary: How many works appeared each year?")
    )
    assert (noise.console, noise.failed) == ([], [])


def test_a_question_about_one_person_is_found_folded(page: Page, server: Server) -> None:
    page.goto(f"{server.address}sparql")
    question = page.get_by_role("link", name="Who has this person written with?")
    assert not question.is_visible()
    page.get_by_text("About one person").click()
    follow(question)
    asked = page.get_by_label("Query", exact=True).input_value()
    assert asked.startswith("#+ summary: Who has this person written with")


def test_the_things_of_an_answer_lead_to_their_pages(
    page: Page, server: Server, noise: Noise
) -> None:
    ask(page, server, "SELECT ?person { ?person <http://schema.org/name> 'Alvar Jarl' }")
    follow(page.get_by_role("link", name="Alvar Jarl", exact=True))
    assert page.url == f"{server.address}people/alvar-jarl.html"
    assert page.locator("h1").inner_text() == "Dr. Alvar Jarl"
    assert (noise.console, noise.failed) == ([], [])


def test_a_description_is_a_table_too(page: Page, server: Server) -> None:
    ask(page, server, "DESCRIBE <people/alvar-jarl#it>")
    assert page.locator("th").all_inner_texts() == ["Subject", "Predicate", "Object"]
    assert page.get_by_role("link", name="schema:Person").first.is_visible()


def test_a_slip_is_told_beside_the_question_which_is_kept(page: Page, server: Server) -> None:
    ask(page, server, "SELECT ?a WHERE {\n  ?a ?b\n}")
    assert "line 2" in page.locator("form [role=alert]").inner_text()
    assert page.get_by_label("Query", exact=True).input_value() == "SELECT ?a WHERE {\n  ?a ?b\n}"
    assert page.locator("table").count() == 0


def test_an_answer_is_had_in_other_forms(page: Page, server: Server) -> None:
    ask(
        page,
        server,
        "SELECT ?name { ?person a <http://schema.org/Person> ; <http://schema.org/name> ?name }",
    )
    addresses = [
        link.get_attribute("href") or "" for link in page.locator("section.answer > p.note a").all()
    ]
    assert len(addresses) == 4
    answers = [
        page.request.get(f"{server.address}{address.removeprefix('./')}") for address in addresses
    ]
    assert [answer.status for answer in answers] == [200] * 4
    assert len({answer.headers["content-type"] for answer in answers}) == 4


def test_a_form_can_be_chosen(page: Page, server: Server) -> None:
    page.goto(f"{server.address}sparql")
    page.get_by_label("Format").select_option(label="JSON")
    page.get_by_role("button", name="Run").click()
    expect(page.locator("body")).to_contain_text('"bindings"')


def test_what_a_stranger_sends_stays_text(browser: Browser, server: Server) -> None:
    context = browser.new_context()  # with JavaScript, so that it would be heard
    page, noise = context.new_page(), Noise()
    noise.listen(page)
    page.route(
        "**/static/editor.js", lambda route: route.fulfill(body="", content_type="text/javascript")
    )  # it would draw its own table
    markup = "</textarea><script>alert(1)</script><img src=x onerror=alert(2)>"
    query = f'SELECT * {{ VALUES ?x {{ "{markup}" <javascript:alert(3)> "{markup}"@en }} }}'
    page.goto(f"{server.address}sparql?{urlencode({'query': query, 'format': 'html'})}")
    assert page.locator("td").all_inner_texts() == [markup, "javascript:alert(3)", f"{markup} @en"]
    assert page.locator("td a, td img, main script").count() == 0
    assert (noise.console, noise.failed) == ([], [])
    context.close()


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * { ?s ?p ?o . ?o ?q ?r } LIMIT 50",
        f"SELECT ('{'x' * 900}' AS ?long) ('word {'word ' * 300}' AS ?words) {{}}",
    ],
)
def test_a_wide_table_scrolls_by_itself(page: Page, server: Server, query: str) -> None:
    ask(page, server, query)
    table, region = (
        page.locator("table").bounding_box(),
        page.get_by_role("region", name="Answer").last.bounding_box(),
    )
    assert table and region
    assert region["x"] + region["width"] <= 360
    assert table["width"] > region["width"]
    heading = page.locator("h1").bounding_box()
    assert heading and heading["x"] + heading["width"] <= 360, "and the page does not"
