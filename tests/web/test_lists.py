"""Lists of works in a real browser: filters with an address, counts, and exports of what is shown,
on a server and in a folder.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.browsing import Noise

pytestmark = pytest.mark.proof

QUERY = "?kind=journal&year=2020-"


@pytest.fixture(params=["server", "folder"])
def address(request: pytest.FixtureRequest) -> str:
    if request.param == "server":
        return str(request.getfixturevalue("server").address)
    return str(request.getfixturevalue("hosts")["below"])


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(10_000)
    page, noise = context.new_page(), Noise()
    noise.listen(page)
    yield page
    context.close()
    assert (noise.console, noise.failed) == ([], [])


def titles(page: Page) -> list[str]:
    return page.locator(".work:visible .title").all_inner_texts()


def count(page: Page) -> str:
    return page.locator(".bar [role=status]").inner_text()


def test_a_filter_has_an_address_that_others_can_open(page: Page, address: str) -> None:
    page.goto(f"{address}publications/")
    assert count(page) == "75 of 75 works"
    page.get_by_role("checkbox", name="Journal").check()
    page.get_by_label("From").select_option("2020")
    expect(page).to_have_url(f"{address}publications/{QUERY}")
    found = titles(page)
    assert count(page) == f"{len(found)} of 75 works"
    assert 0 < len(found) < 6
    other = page.context.new_page()
    other.goto(f"{address}publications/{QUERY}")
    expect(other.locator(".bar [role=status]")).to_have_text(f"{len(found)} of 75 works")
    assert titles(other) == found
    expect(other.get_by_role("checkbox", name="Journal")).to_be_checked()
    expect(other.get_by_label("From")).to_have_value("2020")
    other.get_by_role("checkbox", name="Workshop").check()
    expect(other.locator(".bar [role=status]")).not_to_have_text(f"{len(found)} of 75 works")
    assert set(found) < set(titles(other)), "the complete list is filtered, not what was shown"


def test_the_back_button_undoes_a_filter(page: Page, address: str) -> None:
    page.goto(f"{address}publications/")
    page.get_by_role("checkbox", name="Thesis").check()
    assert count(page) == "3 of 75 works"
    page.get_by_role("checkbox", name="Poster").check()
    assert count(page) == "5 of 75 works"
    page.go_back()
    expect(page.locator(".bar [role=status]")).to_have_text("3 of 75 works")
    expect(page.get_by_role("checkbox", name="Poster")).not_to_be_checked()
    page.get_by_role("link", name="Clear").click()
    expect(page.locator(".bar [role=status]")).to_have_text("75 of 75 works")
    assert page.url == f"{address}publications/"


def test_each_facet_filters_and_states_its_number(page: Page, address: str) -> None:
    page.goto(f"{address}publications/")
    for label in ("Person", "Venue"):
        field = page.get_by_label(label)
        for option in field.locator("option:not([value=''])").all()[:3]:
            field.select_option(value=option.get_attribute("value"))
            stated = (option.text_content() or "").rpartition("(")[2].rstrip(")")
            assert count(page) == f"{stated} of 75 works"
        field.select_option(value="")
    page.get_by_label("Words").fill("LAGOONS")
    assert titles(page)[0].startswith("LAGOONS")
    assert page.locator(".year:visible").count() == len(titles(page)) < 5
    page.get_by_label("Words").fill("no such words")
    expect(page.get_by_text("No matches. Clear a filter to see more.")).to_be_visible()


@pytest.mark.parametrize("query", [QUERY, "?person=alvar-jarl&year=2021", "?words=learning"])
def test_what_is_shown_is_exported(page: Page, address: str, query: str) -> None:
    page.goto(f"{address}publications/{query}")
    expect(page.locator(".bar [role=status]")).not_to_have_text("75 of 75 works")
    page.get_by_label("Words").press("End")
    links = page.locator(".work:visible .title a").all()
    slugs = {(link.get_attribute("href") or "").removesuffix(".html") for link in links}
    assert 0 < len(slugs) < 75
    for name in ("BibTeX", "CSL-JSON", "CSV"):
        with page.expect_download() as started:
            page.locator(".bar").get_by_role("link", name=name, exact=True).click()
        text = started.value.path().read_text(encoding="utf-8")
        if name == "CSL-JSON":
            found = {entry["id"] for entry in json.loads(text)}
        elif name == "BibTeX":
            heads = [line for line in text.splitlines() if line.startswith("@")]
            found = {line.partition("{")[2].rstrip(",") for line in heads}
        else:
            rows = [line for line in text.splitlines() if line.startswith("http")]
            found = {row.partition(",")[0].rpartition("/")[2] for row in rows}
            assert text.startswith("address,title,authors,year,kind,venue,doi,arxiv")
        assert found == slugs, name


def test_without_a_script_the_server_filters_and_a_folder_shows_the_whole_list(
    browser: Browser, address: str, request: pytest.FixtureRequest
) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{address}publications/")
    page.get_by_role("checkbox", name="Report").check()
    page.get_by_label("From").select_option("2015")
    page.get_by_role("button", name="Show").click()
    if "server" in request.node.callspec.id:
        shown = titles(page)
        assert count(page) == f"{len(shown)} of 75 works"
        assert 0 < len(shown) <= 3
        expect(page.get_by_role("checkbox", name="Report")).to_be_checked()
        assert "?kind=report&year=2015-" in (
            page.locator(".bar a", has_text="CSV").get_attribute("href") or ""
        )
    else:
        assert count(page) == "75 of 75 works"
        assert len(titles(page)) == 75
    context.close()


@pytest.mark.parametrize("query", ["?year=20xx", "?kind=none", "?unknown=1", "?year=2024-2010"])
def test_an_odd_address_is_no_error(page: Page, address: str, query: str) -> None:
    page.goto(f"{address}publications/{query}")
    assert count(page).endswith(" of 75 works")


@pytest.mark.parametrize("width", [1280, 768, 390])
def test_nothing_moves_while_the_list_loads(page: Page, address: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.add_init_script(
        "window.moved = 0; new PerformanceObserver((list) => list.getEntries().forEach((each) => {"
        " moved += each.value; })).observe({ type: 'layout-shift', buffered: true });"
    )
    page.goto(f"{address}publications/", wait_until="networkidle")
    assert page.evaluate("moved") == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= width
