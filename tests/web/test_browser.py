"""The site in a real browser, from a real `kg serve`, and the end of that server."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from tests.conftest import ROOT
from tests.sparql.processes import descendants, still_alive
from tests.web.browsing import Noise, follow
from tests.web.serving import KEY, Server, serving, watching


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context()
    context.set_default_timeout(10_000)
    yield context
    context.close()


@pytest.mark.proof
@pytest.mark.parametrize(
    "path",
    ["", "people/alvar-jarl", "people/", "publications/jarl-2021-super", "terms/cv", "sparql"],
)
def test_a_page_opens_without_a_sound(context: BrowserContext, server: Server, path: str) -> None:
    page, noise = context.new_page(), Noise()
    noise.listen(page)
    page.goto(server.address + path, wait_until="networkidle")
    assert page.locator("h1").is_visible()
    assert (noise.console, noise.failed) == ([], [])
    assert f"{server.address}static/style.css" in noise.asked
    assert [url for url in noise.asked if not url.startswith(server.address)] == [], (
        "nothing is fetched from elsewhere"
    )


@pytest.mark.parametrize(
    ("section", "link", "kind"),
    [
        ("positions", "Meridian", "orgs"),
        ("coauthors", "Halvor Sundquist", "people"),
        ("works", "IEEE Micro", "venues"),
        ("works", "Hy-Fi", "publications"),
        ("studies", "The Orla State University", "orgs"),
    ],
)
def test_the_page_of_a_person_leads_on(
    context: BrowserContext, server: Server, section: str, link: str, kind: str
) -> None:
    page = context.new_page()
    page.goto(f"{server.address}people/alvar-jarl")
    anchor = page.locator(f"section.{section} a", has_text=link).first
    expected = anchor.inner_text()
    follow(anchor)
    assert page.url.startswith(f"{server.address}{kind}/")
    assert (
        page.locator("h1").inner_text() in expected or expected in page.locator("h1").inner_text()
    )
    assert page.locator("a[href$='alvar-jarl.html']:visible").count(), "and back"


@pytest.mark.proof
def test_every_link_of_a_persons_page_is_answered(context: BrowserContext, server: Server) -> None:
    page = context.new_page()
    page.goto(f"{server.address}people/alvar-jarl")
    targets = set(
        page.locator("a").evaluate_all(
            "links => links.map(link => new URL(link.getAttribute('href'), "
            "link.baseURI).href.split('#')[0])"
        )
    )
    own = {target for target in targets if target.startswith(server.address)}
    assert len(own) > 50
    assert {
        target: status for target in own if (status := context.request.get(target).status) != 200
    } == {}


def test_pages_work_without_javascript(browser: Browser, server: Server) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(server.address)
    follow(page.get_by_role("link", name="Alvar Jarl").first)
    assert page.locator("h1").inner_text() == "Dr. Alvar Jarl"
    assert page.locator("section.works .work").count() == 23
    page.goto(f"{server.address}sparql")
    page.get_by_label("Query").fill("ASK { <people/alvar-jarl#it> ?p ?o }")
    follow(page.get_by_role("button", name="Run"))
    assert page.locator(".answer .verdict").inner_text() == "Yes."
    context.close()


@pytest.mark.proof
def test_the_console_follows_the_saves_by_itself(browser: Browser, example: Path) -> None:
    cv = example / "data" / "cv" / "ada-lindqvist.yaml"
    good = cv.read_text(encoding="utf-8")
    context = browser.new_context(java_script_enabled=False, viewport={"width": 320, "height": 640})
    page, noise = context.new_page(), Noise()
    noise.listen(page)
    with watching(example) as server:
        page.goto(f"{server.address}console?key={KEY}")
        expect(page.get_by_text("The server shows the current files.")).to_be_visible()
        cv.write_text(good.replace("position: Lecturer", "postion: Lecturer"), encoding="utf-8")
        message = page.locator("article.error", has_text="Did you mean 'position'?")
        expect(message).to_be_visible(timeout=10_000)
        expect(page.get_by_role("heading", name="data/cv/ada-lindqvist.yaml")).to_be_visible()
        expect(page.get_by_text("The server shows an older version of the files")).to_be_visible()
        cv.write_text(good, encoding="utf-8")
        expect(page.get_by_text("The server shows the current files.")).to_be_visible(
            timeout=10_000
        )
        expect(page.locator("article.error")).to_have_count(0)
        context.close()
    assert (noise.console, [url for url in noise.failed if "/console" not in url]) == (
        [],
        [],
    )


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_reader_chooses_light_or_dark(browser: Browser, server: Server, scheme: str) -> None:
    context = browser.new_context(color_scheme=scheme)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(f"{server.address}people/alvar-jarl")

    def is_light() -> bool:
        paper, ink = (
            sum(map(int, page.evaluate(f"getComputedStyle({of}.match(/\\d+/g)")[:3])) / 3
            for of in ("document.documentElement).backgroundColor", "document.body).color")
        )
        assert abs(paper - ink) > 150, "one can read it"
        return paper > ink

    assert is_light() == (scheme == "light"), "by the system"
    button = page.get_by_role("button", name="Colours")
    for chosen in ("light", "dark"):
        button.click()
        assert is_light() == (chosen == "light")
    page.reload()
    assert not is_light(), "it is remembered"
    expect(button).to_have_accessible_name("Colours: dark")
    button.click()
    assert is_light() == (scheme == "light")
    context.close()


def test_a_page_fits_a_narrow_screen(browser: Browser, server: Server) -> None:
    context = browser.new_context(viewport={"width": 320, "height": 640})
    page = context.new_page()
    page.goto(f"{server.address}people/alvar-jarl")
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    context.close()


@pytest.mark.server
@pytest.mark.proof
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_server_ends_well_and_leaves_no_process(how: signal.Signals) -> None:
    with serving(ROOT / "kg" / "example") as server:
        started = descendants(server.process.pid)
        assert len(started) >= 3, "a loader and its workers"
        code, said = server.interrupt(how)
    assert code == (130 if how == signal.SIGINT else 0)
    assert "Traceback" not in said
    assert not still_alive(started, patience=1)
