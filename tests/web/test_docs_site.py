"""The site of `docs/` is built without a warning, each of its links leads somewhere, and who reads
it fetches nothing from elsewhere.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urldefrag

import lxml.html
import pytest
from playwright.sync_api import Browser

from tests.conftest import ROOT
from tests.kinds import starts

pytestmark = pytest.mark.proof
NOT_FETCHED = ("canonical", "prev", "next", "edit")  # rel of links that are only told
OUTSIDE = re.compile(r"(?:[a-z][a-z0-9+.-]*:)?//|[a-z]+:", re.IGNORECASE)


@pytest.fixture(scope="module")
@starts("process")
def docs_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("docs") / "site"
    run = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-d", folder],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")
    return folder


def pages_of(folder: Path) -> dict[Path, lxml.html.HtmlElement]:
    # the page for wrong addresses is served at any, so its links are from the root of the host
    found = [path for path in folder.rglob("*.html") if path.name != "404.html"]
    return {path: lxml.html.fromstring(path.read_bytes()) for path in found}


def fetched(page: lxml.html.HtmlElement) -> Iterator[str]:
    """What a browser fetches for a page."""
    yield from page.xpath("//@src | //@srcset | //@data-src | //object/@data")
    for link in page.xpath("//link[@href]"):
        if not {*link.get("rel", "").split()} & {*NOT_FETCHED}:
            yield link.get("href")


def test_every_page_is_there_and_every_link_leads_somewhere(docs_site: Path) -> None:
    pages = pages_of(docs_site)
    sources = {path.stem for path in ROOT.glob("docs/**/*.md")} | {"index", "CONTRIBUTING"}
    assert {path.stem for path in pages} == sources
    ids = {path: {*page.xpath("//@id")} for path, page in pages.items()}
    links = 0
    for path, page in pages.items():
        for target in [*page.xpath("//a/@href"), *fetched(page)]:
            if OUTSIDE.match(target):
                continue
            links += 1
            address, fragment = urldefrag(unquote(target))
            there = (path.parent / address).resolve() if address not in ("", ".") else path
            there = there / "index.html" if there.is_dir() else there
            assert there.is_file(), f"{path.name}: {target}"
            assert not fragment or fragment in ids.get(there, {fragment}), f"{path.name}: {target}"
    assert links > 20 * len(pages)


def test_nothing_is_fetched_from_elsewhere(docs_site: Path) -> None:
    for path, page in pages_of(docs_site).items():
        assert [each for each in fetched(page) if OUTSIDE.match(each)] == [], path.name
    styles = [path.read_text(encoding="utf-8") for path in docs_site.rglob("*.css")]
    assert styles
    for style in styles:
        assert re.findall(r"(?:url\(\s*[\"']?|@import\s+[\"'])(?:https?:)?//", style) == []


def test_a_browser_asks_nobody_else(docs_site: Path, browser: Browser) -> None:
    page, asked = browser.new_page(), []
    page.on("request", lambda request: asked.append(request.url))
    for name in ("index.html", "CONTRIBUTING.html", "extend.html"):
        page.goto((docs_site / name).as_uri())
        page.wait_for_load_state("networkidle")
    page.close()
    assert len(asked) > 10
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
