"""The picture in the README shows a page as it is. Delete docs/page.png, and this test makes it
anew.
"""

from __future__ import annotations

import base64
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from kg.settings import shipped
from tests.conftest import ROOT
from tests.web.serving import serving

pytestmark = pytest.mark.proof

PICTURE = ROOT / "docs" / "page.png"
ADDRESS, OTHER = "people/ada-lindqvist", "publications/"
FAR = 0.5  # other fonts change less, other pages more
# Both pictures as 64 by 40 greys, and which part of the ink in both is not at the same place.
APART = """async ([one, other]) => {
  const greys = async (data) => {
    const image = new Image();
    image.src = "data:image/png;base64," + data;
    await image.decode();
    const canvas = new OffscreenCanvas(64, 40), context = canvas.getContext("2d");
    context.drawImage(image, 0, 0, 64, 40);
    const pixels = context.getImageData(0, 0, 64, 40).data;
    const grey = (each) => pixels[4 * each] + pixels[4 * each + 1] + pixels[4 * each + 2];
    return [...Array(64 * 40).keys()].map((each) => Math.max(0, grey(0) - grey(each)));
  };
  const [first, second] = [await greys(one), await greys(other)];
  const ink = [...first, ...second].reduce((sum, grey) => sum + grey);
  return first.reduce((sum, grey, each) => sum + Math.abs(grey - second[each]), 0) / ink;
}"""


def test_the_picture_is_of_the_page_of_today(browser: Browser, tmp_path: Path) -> None:
    shutil.copytree(shipped("example"), tmp_path / "site", ignore=shutil.ignore_patterns(".*"))
    with serving(tmp_path / "site") as server:
        page = browser.new_page(
            viewport={"width": 1120, "height": 700}, device_scale_factor=1, color_scheme="light"
        )
        pictures = []
        for address in (ADDRESS, OTHER):
            page.goto(f"{server.address}{address}", wait_until="networkidle")
            pictures.append(page.screenshot(type="png"))
        page.close()
    if not PICTURE.exists():
        PICTURE.write_bytes(pictures[0])
    blank = browser.new_page()
    today, other, shown = (
        base64.b64encode(each).decode() for each in (*pictures, PICTURE.read_bytes())
    )
    assert blank.evaluate(APART, [today, shown]) < FAR
    assert blank.evaluate(APART, [other, shown]) > FAR  # so that it can fail
