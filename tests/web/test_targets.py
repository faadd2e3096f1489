"""Links and buttons in a list of works keep apart, whatever font a machine has; and the search of a
folder that is opened without a server.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

# Tall letters, as those of Noto Sans, in any font.
TALL = """
@font-face { font-family: tall; src: local("DejaVu Sans"), local("Liberation Sans");
  ascent-override: 110%; descent-override: 36%; line-gap-override: 0%; }
* { font-family: tall !important; }
"""
# The buttons that are lower than 24 px, or that another link covers in part.
SMALL = """() => [...document.querySelectorAll(".go > *")].filter((one) => {
  const box = one.getBoundingClientRect();
  const covers = (other) => Math.min(box.right, other.right) > Math.max(box.left, other.left)
    && Math.min(box.bottom, other.bottom) > Math.max(box.top, other.top);
  const others = [...document.querySelectorAll("main a, main button")].filter((it) => it !== one);
  const isCovered = others.some((each) => [...each.getClientRects()].some(covers));
  return box.height && (box.height < 24 || isCovered);
}).map((one) => one.outerHTML)"""


@pytest.mark.parametrize("width", [1280, 390, 320])
def test_buttons_are_24_px_high_and_nothing_covers_them(
    browser: Browser, built: Path, width: int
) -> None:
    page = browser.new_page(viewport={"width": width, "height": 800})
    page.goto((built / "people" / "tomas-ferreira.html").as_uri())
    page.add_style_tag(content=TALL)
    page.evaluate("document.fonts.ready")
    assert page.locator(".go > *").count() >= 4
    assert page.evaluate(SMALL) == []
    page.close()


def test_the_search_of_a_folder_opened_from_disk_says_what_it_needs(
    browser: Browser, built: Path
) -> None:
    page = browser.new_page()
    page.goto((built / "index.html").as_uri())
    field = page.locator("form.find input").first
    field.fill("river gauges")
    field.press("Enter")
    page.wait_for_url("**/search.html?q=*")
    assert page.locator("[data-results]").inner_text() == (
        "Search needs a web server: kg serve FOLDER"
    )
    assert page.locator("form.find input").input_value() == "river gauges"
    page.close()
