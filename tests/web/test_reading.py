"""Reading the pages in a real browser: filters, paper, and the way to an answer without a query."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from kg.plugins.embed.inject import script_of
from kg.publish.site import Documents
from tests.web.browsing import Noise, follow

pytestmark = pytest.mark.proof


@pytest.fixture(params=["server", "folder"])
def address(request: pytest.FixtureRequest) -> str:
    if request.param == "server":
        return str(request.getfixturevalue("server").address)
    return str(request.getfixturevalue("hosts")["below"])


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    context.set_default_timeout(10_000)
    page, noise = context.new_page(), Noise()
    noise.listen(page)
    yield page
    context.close()
    assert (noise.console, noise.failed) == ([], [])


def test_a_list_is_filtered_as_one_types(page: Page, address: str) -> None:
    page.goto(f"{address}people/")
    page.get_by_label("Filter").fill("SUNDQ halvor")
    (found,) = page.locator(".others li:visible").all_inner_texts()
    assert found.startswith("Halvor Sundquist")
    assert page.locator(".letter:visible").count() == 1
    assert page.locator(".filters").get_by_role("status").inner_text().startswith("1 of ")
    page.get_by_label("Filter").fill("")
    assert page.locator(".others li:visible").count() > 150


def test_works_are_filtered_by_kind_and_cited_without_a_script(
    browser: Browser, address: str
) -> None:
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(f"{address}people/mirela-zemann.html")
    works = page.locator("section.works .work:visible")
    assert 20 <= works.count() < 43, "the older are folded"
    page.locator("section.works .kinds label", has_text="Report").click()
    codes = [text.split()[-1] for text in works.locator(".code").all_inner_texts()]
    assert codes == ["R3", "R2", "R1"]
    assert page.locator("section.works h3:visible").count() == 3
    page.locator("section.works .kinds label", has_text="All").click()
    page.get_by_role("button", name="Cite").first.click()
    expect(page.locator(".sheet:popover-open")).to_contain_text("@inproceedings{")


def test_coauthors_of_one_work_are_two_clicks_away_without_a_script(
    browser: Browser, address: str
) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address)
    follow(page.get_by_role("link", name="Mirela Zemann").first)
    page.get_by_text("52 with one work each").click()
    expect(
        page.locator("details[open]").get_by_role("link", name="Halvor Sundquist")
    ).to_be_visible()
    context.close()


def test_the_contents_follow_the_reader(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(f"{address}people/alvar-jarl.html")
    contents = page.get_by_role("navigation", name="On this page")
    expect(contents.locator("[aria-current]")).to_have_text("Alvar Jarl")
    contents.get_by_role("link", name="Awards").click()
    expect(contents.locator("[aria-current]")).to_have_text("Awards")
    expect(contents.get_by_role("link", name="Awards")).to_be_in_viewport()
    expect(page.get_by_role("heading", name="Awards", exact=True)).to_be_in_viewport()


@pytest.mark.parametrize("slug", ["alvar-jarl", "mirela-zemann", "sigvard-sunde"])
def test_on_paper_a_person_is_a_cv(page: Page, address: str, slug: str) -> None:
    page.goto(f"{address}people/{slug}.html")
    page.emulate_media(media="print")
    controls = (".masthead", ".toc", ".do", ".kinds", "footer", "details:not(.labelled) > summary")
    for hidden in (*controls, "section.coauthors"):
        assert page.locator(hidden).filter(visible=True).count() == 0, hidden
    for shown in ("h1", "section.positions", "section.studies", "section.works"):
        expect(page.locator(shown).first).to_be_visible()
    works = page.locator("section.works .work")
    assert works.filter(visible=True).count() == works.count(), "older ones too"
    points = page.locator(".points li")
    assert points.filter(visible=True).count() == points.count() > 0, "those behind 'more', too"
    for paper in ("A4", "Letter"):
        printed = page.pdf(format=paper)
        title = re.search(rb"/Title <FEFF(\w+)>", printed)
        assert title
        name = bytes.fromhex(title[1].decode()).decode("utf-16-be").partition(" · ")[0]
        assert page.locator("h1").inner_text().endswith(name)
        assert 2 <= len(re.findall(rb"/Type\s*/Page\b", printed)) <= 6


def test_the_data_are_copied_as_the_command_prints_them(
    page: Page, address: str, documents: Documents
) -> None:
    page.goto(f"{address}people/alvar-jarl.html")
    page.get_by_role("button", name="Embed").click()
    expect(page.get_by_text("Paste it into the HTML of your page.")).to_be_visible()
    assert (
        page.evaluate("navigator.clipboard.readText()")
        == script_of(documents, "people/alvar-jarl") + "\n"
    )


@pytest.mark.parametrize(("name", "suffix"), [("BibTeX", ".bib"), ("CSL-JSON", ".csl.json")])
def test_a_work_is_copied_as_others_cite_it(
    page: Page, address: str, documents: Documents, name: str, suffix: str
) -> None:
    page.goto(f"{address}publications/jarl-2021-super.html")
    page.locator(".tabs label", has_text=name).click()
    page.locator(".tab:visible button").click()
    expect(page.get_by_role("button", name="Copied.")).to_be_visible()
    document = documents.get(f"publications/jarl-2021-super{suffix}")
    assert document
    assert page.evaluate("navigator.clipboard.readText()") == document.body.decode()
