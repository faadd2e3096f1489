from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.conftest import ROOT, skip
from tests.web.browsing import CHROMIUM, QUIET
from tests.web.serving import Server, serving


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """The real site, served by a real process."""
    with serving(ROOT) as server:
        yield server


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        skip("no Chromium was found")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu", *QUIET])
        yield browser
        browser.close()
