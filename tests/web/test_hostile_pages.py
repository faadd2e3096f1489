"""Hostile texts in a real browser, from a folder, where no header of ours protects the reader:
nothing runs, nothing is fetched.
"""

from __future__ import annotations

import re
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Browser

from kg.check.check import good
from kg.plugins.embed.inject import inject, script_of
from kg.publish.export.export import export
from kg.publish.site import Documents
from tests.conftest import ROOT
from tests.publish.harmless import NAME
from tests.publish.hostile import HOSTILE, HOSTILE_TITLE, Author
from tests.publish.hostile_fields import publish_some
from tests.web.browsing import Noise
from tests.web.folder import hosted

pytestmark = pytest.mark.proof

STARTED = "window.ran = []; window.alert = window.zqx = (text) => window.ran.push(text);"


SOME = ("people/ada-lindqvist", "publications/lindqvist-2024-sand", "orgs/northfjord", "index")


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Documents:
    """The site of a hostile author."""
    return Documents(good(Author(HOSTILE).write(tmp_path_factory.mktemp("hostile") / "site")))


@pytest.fixture(scope="module")
def folder(hostile: Documents, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same as a folder, and a page elsewhere that has the script of one of its pages."""
    out = tmp_path_factory.mktemp("hostile") / "out"
    export(hostile, out)
    elsewhere = (ROOT / "tests" / "pages" / "no-head.html").read_bytes()
    (out / "elsewhere.html").write_bytes(
        inject(elsewhere, script_of(hostile, "people/ada-lindqvist"))
    )
    return out


@pytest.fixture(scope="module")
def some_pages(hostile: Documents, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A few of its pages, with what they look like."""
    out = tmp_path_factory.mktemp("some")
    for path in (*(f"{page}.html" for page in SOME), "static/style.css"):
        made = hostile.get(path)
        assert made is not None
        (out / path).parent.mkdir(exist_ok=True)
        (out / path).write_bytes(made.body)
    return out


def visit(browser: Browser, folder: Path) -> int:
    """Reads a page of each kind, and counts them; fails where one runs, fetches or says
    something.
    """
    context = browser.new_context()
    context.add_init_script(STARTED)
    page, noise = context.new_page(), Noise()
    noise.listen(page)
    pages = {
        (path.parent, path.name == "index.html"): path
        for path in sorted(folder.rglob("*.html"))
        if path.name != "sparql.html" and 'http-equiv="refresh"' not in path.read_text("utf-8")
    }.values()  # of each kind one, and its list, but nothing that only leads on
    with hosted(folder) as address:
        for path in pages:
            page.goto(f"{address}{path.relative_to(folder)}", wait_until="load")
            page.evaluate(
                "document.querySelectorAll('*').forEach((each) => each.dispatchEvent(new "
                "MouseEvent('mouseover')))"
            )
            assert page.evaluate("window.ran") == [], path
        context.close()
    assert (noise.console, noise.failed) == ([], [])
    assert [url for url in noise.asked if not url.startswith(address)] == []
    return len(pages)


class WithHeaders(SimpleHTTPRequestHandler):
    """A host that reads `_headers`."""

    def end_headers(self) -> None:
        rules = re.split(r"\n(?=/)", Path(self.directory, "_headers").read_text("utf-8"))
        for path, *headers in map(str.splitlines, rules):
            if re.fullmatch(re.escape(path).replace(r"\*", ".*"), self.path):
                for name, value in (header.strip().split(": ", 1) for header in headers):
                    self.send_header(name, value)
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Nobody reads it."""


def test_a_drawing_with_a_script_runs_nothing_on_hosts_that_read_headers(
    browser: Browser, site: Path, tmp_path: Path
) -> None:
    drawing = "<svg xmlns='http://www.w3.org/2000/svg'><script>window.ran = 1</script></svg>"
    (site / "static").mkdir(exist_ok=True)
    (site / "static" / "mark.svg").write_text(drawing)
    export(Documents(good(site)), tmp_path / "out")
    page, ran = browser.new_page(), []
    for handler in (SimpleHTTPRequestHandler, WithHeaders):
        host = partial(handler, directory=str(tmp_path / "out"))
        with ThreadingHTTPServer(("127.0.0.1", 0), host) as server:
            thread = Thread(target=server.serve_forever)
            thread.start()
            page.goto(f"http://127.0.0.1:{server.server_port}/static/mark.svg")
            ran.append(page.evaluate("window.ran"))
            server.shutdown()
            thread.join()
    page.close()
    assert ran == [1, None]


def test_no_page_runs_anything(browser: Browser, folder: Path) -> None:
    assert visit(browser, folder) >= 31


@pytest.mark.proof
def test_no_field_runs_anything(browser: Browser, tmp_path: Path) -> None:
    documents = publish_some(tmp_path / "site").documents
    for path in documents.files:  # not exported: the data of such pages are too long to be proved
        made = documents.get(path)
        assert made is not None
        (tmp_path / "out" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "out" / path).write_bytes(made.body)
    assert {each.name for each in tmp_path.iterdir()} == {"site", "out"}
    files = [each.relative_to(tmp_path / "out") for each in (tmp_path / "out").rglob("*")]
    assert [each for each in files if not NAME.fullmatch(each.as_posix())] == []
    assert visit(browser, tmp_path / "out") >= 30


def test_the_text_is_what_the_reader_sees(browser: Browser, some_pages: Path) -> None:
    page = browser.new_page(viewport={"width": 320, "height": 640})
    for path in SOME:
        page.goto((some_pages / f"{path}.html").as_uri())
        text = HOSTILE_TITLE if path.startswith("publications/") else HOSTILE
        assert text in (page.locator("h1").text_content() or "")
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, (
            "a long word stays on the page"
        )
    page.close()


def test_a_name_that_turns_the_direction_turns_only_itself(
    browser: Browser, some_pages: Path
) -> None:
    page = browser.new_page()
    page.goto((some_pages / "index.html").as_uri())
    names = "<p><a href=x id=one>\u202eone</a>, <a href=x id=two>two</a></p>"
    page.evaluate("(names) => { document.body.innerHTML = names; }", names)
    one, two = (page.locator(name).bounding_box() for name in ("#one", "#two"))
    assert one and two
    assert one["x"] < two["x"]
    page.close()
