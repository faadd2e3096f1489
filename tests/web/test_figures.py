"""Pictures in a real browser: names that can be read at every width, and a network that answers to
who points at it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.browsing import Noise
from tests.web.serving import Server

pytestmark = pytest.mark.proof

PAGES = {
    "": ["explore"],
    "people/mirela-zemann": ["timeline"],
    "people/alvar-jarl": ["timeline"],
    "people/sigvard-sunde": ["timeline"],
    "orgs/osu": ["presence"],
}
# Each picture: texts that overlap, that leave it, and the size of the smallest letters.
READ = """() => [...document.querySelectorAll('svg.drawn')].map((drawing) => {
  const frame = drawing.getBoundingClientRect();
  const seen = [...drawing.querySelectorAll('text')].filter((text) => getComputedStyle(text).opacity !== '0');
  const boxes = seen.map((text) => [text.textContent, text.getBoundingClientRect()]);
  const over = boxes.flatMap(([one, a], number) => boxes.slice(number + 1)
    .filter(([, b]) => a.left + 1 < b.right && b.left + 1 < a.right && a.top + 3 < b.bottom && b.top + 3 < a.bottom)
    .map(([other]) => `${one} | ${other}`));
  const cut = boxes.filter(([, box]) => box.left < frame.left - 2 || box.right > frame.right + 2).map(([text]) => text);
  const size = Math.min(...seen.map((text) => parseFloat(getComputedStyle(text).fontSize)));
  return { name: drawing.classList[1], count: seen.length, over, cut, size };
})"""  # noqa: E501


@pytest.fixture
def home(browser: Browser, server: Server) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1100, "height": 1000})
    context.set_default_timeout(10_000)
    page, noise = context.new_page(), Noise()
    noise.listen(page)
    page.goto(server.address, wait_until="networkidle")
    yield page
    assert (noise.console, noise.failed) == ([], []), "nothing is forbidden by the page's policy"
    context.close()


@pytest.mark.parametrize("width", [360, 1100])
def test_every_name_can_be_read(browser: Browser, server: Server, width: int) -> None:
    context = browser.new_context(viewport={"width": width, "height": 900})
    page = context.new_page()
    for path, names in PAGES.items():
        page.goto(server.address + path)
        pictures = page.evaluate(READ)
        assert [picture["name"] for picture in pictures] == names, path
        for picture in pictures:
            assert picture["count"] >= 2
            assert (picture["over"], picture["cut"]) == ([], []), f"{path} at {width} px"
            assert picture["size"] >= 11
        assert page.evaluate("document.documentElement.scrollWidth") == width
    context.close()


def test_without_scripts_the_network_is_there_and_leads_on(
    browser: Browser, server: Server
) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(server.address)
    assert page.locator("svg.explore a.owner").count() == 3
    assert page.locator(".explore input").count() == 0, "nothing that would not work"
    page.locator("svg.explore a", has_text="Alvar Jarl").click()
    expect(page.locator("h1")).to_have_text("Dr. Alvar Jarl")
    context.close()


def test_who_is_pointed_at_or_reached_by_key_lights_up_with_their_co_authors(home: Page) -> None:
    alvar = home.locator("svg.explore a", has_text="Alvar Jarl")
    alvar.locator("circle").hover()
    expect(home.locator("svg.explore")).to_have_class(re.compile("dim"))
    lit = home.locator("svg.explore a.lit").count()
    assert 20 < lit < home.locator("svg.explore a").count()
    assert home.locator("svg.explore a.lit", has_text="Halvor Sundquist").count() == 1
    home.mouse.move(5, 5)
    expect(home.locator("svg.explore")).not_to_have_class(re.compile("dim"))
    alvar.focus()
    assert home.locator("svg.explore a.lit").count() == lit
    home.keyboard.press("Enter")
    expect(home.locator("h1")).to_have_text("Dr. Alvar Jarl")


def test_names_are_found(home: Page) -> None:
    home.get_by_label("Find a name").fill("sundquíst")
    expect(home.locator("section.explore [role=status]")).to_have_text(re.compile(r"^1 of \d+$"))
    assert home.locator("svg.explore a.lit").all_text_contents() != []
    expect(home.locator("svg.explore a.lit")).to_contain_text("Halvor Sundquist")
    home.get_by_label("Find a name").fill("")
    expect(home.locator("svg.explore")).not_to_have_class(re.compile("dim"))


def test_one_can_look_closer_and_move_about(home: Page) -> None:
    drawing, canvas = home.locator("svg.explore"), home.locator("svg.explore .canvas")
    letters = home.locator("svg.explore a.owner text").first.bounding_box()
    for _ in range(2):
        home.get_by_role("button", name="Zoom in").click()
    assert float((canvas.get_attribute("width") or "").rstrip("%")) == pytest.approx(256)
    expect(drawing).to_have_class(re.compile("near"))
    nearer = home.locator("svg.explore a.owner text").first.bounding_box()
    assert letters
    assert nearer
    assert nearer["height"] == pytest.approx(letters["height"], abs=1), (
        "there is more room, not larger letters"
    )
    drawing.scroll_into_view_if_needed()
    box = drawing.bounding_box()
    assert box
    before = canvas.get_attribute("x")
    home.mouse.move(box["x"] + 300, box["y"] + 200)
    home.mouse.down()
    home.mouse.move(box["x"] + 400, box["y"] + 250, steps=4)
    home.mouse.up()
    assert float(canvas.get_attribute("x") or 0) == pytest.approx(float(before or 0) + 100, abs=1)
    expect(home.locator("svg.explore")).to_be_visible()
    home.get_by_role("button", name="Reset zoom").click()
    assert (canvas.get_attribute("width"), float(canvas.get_attribute("x") or 1)) == ("100%", 0)


def test_the_timeline_is_not_printed(browser: Browser, server: Server) -> None:
    page = browser.new_page()
    page.goto(f"{server.address}people/sigvard-sunde")
    assert page.locator("svg.timeline").is_visible()
    page.emulate_media(media="print")
    assert not page.locator("svg.timeline").is_visible()
    page.close()
