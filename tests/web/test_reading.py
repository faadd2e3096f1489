"""Reading the pages in a real browser: filters, paper, and the way to an answer without a query."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.browsing import Noise
from tests.web.serving import Server


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context()
    context.set_default_timeout(10_000)
    page, noise = context.new_page(), Noise()
    noise.listen(page)
    yield page
    context.close()
    assert (noise.console, noise.failed) == ([], [])


def test_a_list_is_filtered_as_one_types(page: Page, server: Server) -> None:
    page.goto(f"{server.address}people/")
    page.get_by_label("Filter").fill("SUBRA hari")
    assert page.locator(".listed li:visible").all_inner_texts() == ["Hari Subramoni"]
    assert page.locator(".letter:visible").count() == 1
    assert page.get_by_role("status").first.inner_text().startswith("1 of ")
    page.get_by_label("Filter").fill("")
    assert page.locator(".listed li:visible").count() > 150


def test_works_are_filtered_by_kind_and_venue(page: Page, server: Server) -> None:
    page.goto(f"{server.address}people/minjia-zhang")
    works = page.locator("section.works ul.works > li:visible")
    everything = works.count()
    page.get_by_label("All kinds").select_option("Patent")
    assert 0 < works.count() < everything
    assert set(works.evaluate_all("items => items.map(item => item.dataset.kind)")) == {"Patent"}
    page.get_by_label("All kinds").select_option("")
    page.get_by_label("All venues").select_option("NeurIPS")
    assert works.count() > 1
    assert all("NeurIPS" in text for text in works.locator(".venue").all_inner_texts())
    headings = page.locator("section.works h3:visible").count()
    assert headings == page.locator("section.works ul.works:visible").count()


def test_shared_coauthors_are_two_clicks_away_without_a_script(browser: Browser, server: Server) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(server.address)
    page.get_by_role("link", name="Minjia Zhang").first.click()
    page.get_by_text("Also wrote with Arpan Jain").click()
    expect(page.locator("details[open]").get_by_role("link", name="Hari Subramoni")).to_be_visible()
    context.close()


def test_on_paper_a_person_is_a_cv(page: Page, server: Server) -> None:
    page.goto(f"{server.address}people/arpan-jain")
    page.emulate_media(media="print")
    for hidden in ("header.site", ".contents", "section.data", "section.coauthors", ".filters", "footer"):
        expect(page.locator(hidden).first).to_be_hidden()
    for shown in ("h1", "section.positions", "section.studies", "section.works"):
        expect(page.locator(shown).first).to_be_visible()
    assert page.pdf(format="A4").startswith(b"%PDF")


@pytest.mark.parametrize(
    "path", ["", "people/", "people/minjia-zhang", "publications/singh-2024-democratizing-ai", "orgs/microsoft", "venues/sc"]
)
def test_pages_fit_a_phone(browser: Browser, server: Server, path: str) -> None:
    context = browser.new_context(viewport={"width": 320, "height": 640})
    page = context.new_page()
    page.goto(server.address + path)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    context.close()
