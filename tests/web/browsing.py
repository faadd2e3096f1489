"""A real browser, and what should not be heard from it."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field

from playwright.sync_api import Locator, Page, Request

# the first opens pages in a fifth of the time
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
QUIET = [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)


@dataclass
class Noise:
    """Everything that should not happen while a page is read."""

    console: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)

    def listen(self, page: Page) -> None:
        page.on("console", lambda message: self.console.append(message.text))
        page.on("pageerror", lambda error: self.console.append(str(error)))
        page.on("dialog", lambda dialog: self.console.append(dialog.message))
        page.on("requestfailed", self.note_failure)
        page.on("requestfinished", self.note)

    def note_failure(self, request: Request) -> None:
        if request.failure != "net::ERR_ABORTED":  # by the browser itself, when the page is left
            self.failed.append(request.url)

    def note(self, request: Request) -> None:
        self.asked.append(request.url)
        answer = request.response()
        if answer is None or answer.status >= 400:
            self.failed.append(request.url)


def follow(link: Locator) -> None:
    """Click what leads to another page, and be there: a click alone does not wait for it."""
    with link.page.expect_navigation():
        link.click()
