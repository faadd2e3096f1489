from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.conftest import LARGE_SITE, skip
from tests.kinds import starts
from tests.web.browsing import CHROMIUM, QUIET
from tests.web.hosting import hosting
from tests.web.serving import Server, serving


@pytest.fixture(scope="session")
@starts("server")
def server() -> Iterator[Server]:
    """The real site, served by a real process."""
    with serving(LARGE_SITE) as server:
        yield server


@pytest.fixture(scope="module")
@starts("browser")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        skip("no Chromium was found")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu", *QUIET]
        )
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def folder(real_folder: Path) -> Path:
    return real_folder


@pytest.fixture(scope="session")
@starts("server")
def hosts(folder: Path) -> Iterator[dict[str, str]]:
    """The same folder at the top of a host, and below a path of another."""
    with ExitStack() as stack:
        below = stack.enter_context(hosting(folder.parent.parent))
        yield {"top": stack.enter_context(hosting(folder)), "below": f"{below}~me/cv/"}
