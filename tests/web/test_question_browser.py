"""Questions in a real browser: in a built folder it answers those with values itself, and on a
server the form leads to the answer. Fields find things as one types.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from kg.plugins.figures.bars import stretch
from kg.publish.questions import editor
from tests.conftest import skip
from tests.web.browsing import Noise
from tests.web.serving import Server

pytestmark = pytest.mark.proof


@pytest.fixture(scope="module", autouse=True)
def installed() -> None:
    if "oxigraph.wasm" not in editor.files():
        skip("the engine for browsers is not installed; `make editor` does it where there is npm")


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    context.set_default_timeout(20_000)
    page, noise = context.new_page(), Noise()
    noise.listen(page)
    yield page
    assert (noise.console, noise.failed) == ([], [])
    context.close()


def rows(page: Page) -> list[list[str]]:
    page.locator("#found tbody tr").first.wait_for()
    return [row.locator("td").all_inner_texts() for row in page.locator("#found tbody tr").all()]


def test_a_folder_finds_a_person_as_one_types_and_answers(
    page: Page, hosts: dict[str, str], server: Server
) -> None:
    page.goto(f"{hosts['top']}queries/")
    page.get_by_role("link", name="Who has this person written with?").click()
    form = page.get_by_role("form", name="Who has this person written with?")
    field = form.get_by_label("Author", exact=True)
    field.press_sequentially("mirela z")
    form.get_by_role("option", name="Mirela Zemann").click()
    expect(field).to_have_value("Mirela Zemann")
    form.get_by_role("button", name="Ask").click()
    page.wait_for_url("**/queries/coauthors-of.html?person=mirela-zemann")
    found = rows(page)
    expect(page.get_by_label("Author", exact=True)).to_have_value("Mirela Zemann")
    assert "people/mirela-zemann#it" in (page.locator("#query").text_content() or "")
    with page.expect_download() as download:
        page.get_by_role("button", name="CSV").click()
    assert download.value.suggested_filename == "coauthors-of.csv"
    written = download.value.path().read_text(encoding="utf-8").splitlines()
    assert written[1] == ",".join(found[0][:2])
    page.goto(f"{server.address}queries/coauthors-of.html?person=mirela-zemann")
    assert rows(page) == found, "as the server answers"


@pytest.mark.parametrize(
    "given",
    [
        "coauthors-of.html?person=Mirela+Zemann",
        "coauthors-of.html?person=people/alvar-jarl",
        "who-was-at.html?organization=meridian&month=2022-07",
        "who-was-at.html?organization=meridian&month=2022",
        "positions-at.html?date=2019-07",
        "shared-coauthors.html?person=alvar-jarl&other=mirela-zemann",
    ],
)
def test_values_mean_in_a_folder_what_they_mean_on_a_server(
    page: Page, hosts: dict[str, str], server: Server, given: str
) -> None:
    page.goto(f"{hosts['below']}queries/{given}")
    found = rows(page)
    page.goto(f"{server.address}queries/{given}")
    assert rows(page) == found


def test_who_is_not_there_is_told_at_the_field_with_the_nearest(
    page: Page, hosts: dict[str, str]
) -> None:
    page.goto(f"{hosts['top']}queries/coauthors-of.html?person=mirela-zeman")
    problem = page.get_by_role("alert")
    expect(problem).to_contain_text("person cannot be 'mirela-zeman': unknown person.")
    expect(page.get_by_label("Author", exact=True)).to_have_attribute("aria-invalid", "true")
    expect(problem).to_contain_text("Did you mean mirela-zemann?")
    page.goto(f"{hosts['top']}queries/coauthors-of.html?person=mirela-zemann")
    assert len(rows(page)) > 20
    page.goto(f"{hosts['top']}queries/positions-at.html?date=20-19")
    expect(page.get_by_role("alert")).to_contain_text("date cannot be '20-19': it is not a date")
    page.goto(f"{hosts['top']}queries/positions-at.html?day=2019")
    expect(page.get_by_role("alert")).to_contain_text("Unknown parameter 'day'.")


def test_what_is_given_becomes_one_term(page: Page, hosts: dict[str, str]) -> None:
    """In the browser of who gives it; still it is never part of the query's text."""
    page.goto(f"{hosts['top']}queries/coauthors-of.html")
    terms = page.evaluate(
        """async () => {
          const { term } = await import("../static/question-answer.js");
          const xsd = "xsd:";
          const text = (value) => term({ name: "x", type: "text", suffix: "" }, value, xsd);
          return [text('a"b\\\\c\\nd'), text("} DROP"),
            term({ name: "n", type: "number" }, "12", xsd),
            term({ name: "d", type: "date", is_text: "yes" }, "2024-05", xsd),
            term({ name: "d", type: "date", is_text: "" }, "2024", xsd)];
        }"""
    )
    assert terms == [
        '"a\\"b\\\\c\\nd"',
        '"} DROP"',
        '"12"^^<xsd:integer>',
        '"2024-05"',
        '"2024-01-01"^^<xsd:date>',
    ]


def test_a_date_is_drawn_where_the_server_draws_it(page: Page, hosts: dict[str, str]) -> None:
    page.goto(f"{hosts['top']}queries/coauthors-of.html")
    dates = ["2019", "2019-09", "2019-09-01", "2019-21", "2019-23", "2019-24", "2019?", "soon"]
    found = page.evaluate(
        """async (dates) => {
          const { stretch } = await import("../static/timeline.js");
          return dates.map(stretch);
        }""",
        dates,
    )
    assert found[-1] is None
    for date, ends in zip(dates[:-1], found, strict=False):
        assert ends == pytest.approx(stretch(date)), date


def test_what_is_copied_names_this_place(page: Page, server: Server) -> None:
    page.goto(f"{server.address}queries/coauthors-of.html?person=alvar-jarl")
    page.get_by_text("pandas", exact=True).click()
    page.get_by_role("button", name="Copy").locator("visible=true").click()
    expect(page.get_by_text("Copied.")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == (
        "import pandas\n\npandas.read_csv("
        f'"{server.address}queries/coauthors-of.csv?person=alvar-jarl")'
    )
    page.locator("summary", has_text="SPARQL query").click()
    page.get_by_role("link", name="Open in editor").click()
    expect(page.locator(".yasr tbody tr").first).to_be_visible()


def test_without_a_script_the_form_leads_to_the_answer(browser: Browser, server: Server) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{server.address}queries/")
    page.get_by_role("link", name="Who has this person written with?").click()
    form = page.get_by_role("form", name="Who has this person written with?")
    form.get_by_label("Author", exact=True).fill("Mirela Zemann")
    form.get_by_role("button", name="Ask").click()
    assert len(rows(page)) > 20
    context.close()
