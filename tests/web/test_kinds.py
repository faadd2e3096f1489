"""Each kind of page in a real browser, live and from a folder: quiet, as wide as the screen, and
open to all readers (axe-core).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize

from kg.facts.models import REGISTRIES
from tests.conftest import ROOT, skip
from tests.kinds import starts
from tests.web.browsing import Noise
from tests.web.hosting import hosting
from tests.web.kinds import ASKED, KINDS, PLACES, address
from tests.web.serving import Server, serving

AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
COLOURS = {"runOnly": ["color-contrast"]}
ALL_ELSE = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "rules": {"color-contrast": {"enabled": False}, "target-size": {"enabled": True}},
}
# The editor is the work of others.
RUN = """async (rules) => (await axe.run({ exclude: [[".editor"], [".yasr"]] }, { ...rules, resultTypes: ["violations"] })).violations
  .map((violation) => `${violation.impact} ${violation.id}: ${violation.nodes.map((node) => node.html.slice(0, 120)).join("  ")}`)"""  # noqa: E501
WIDE, NARROW = ViewportSize(width=1280, height=800), ViewportSize(width=360, height=640)
PAGES = [
    # the page of the HTTP API is long, so that axe needs 10 s for it
    pytest.param(place, kind, marks=[pytest.mark.proof] if kind == "api" else [])
    for place in PLACES
    for kind in KINDS
]


@pytest.fixture(scope="module")
@starts("server")
def server() -> Iterator[Server]:
    with serving(ROOT / "kg" / "example") as server:
        yield server


@pytest.fixture(scope="module")
@starts("server")
def host(built: Path) -> Iterator[str]:
    with hosting(built) as host:
        yield host


@pytest.fixture(scope="module")
def axe() -> str:
    if not AXE.is_file():
        skip("axe-core is not installed; `make editor` does it where there is npm")
    return AXE.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context()
    context.set_default_timeout(20_000)
    yield context
    context.close()


@pytest.fixture(scope="module")
@starts("server")
def at(request: pytest.FixtureRequest, server: Server) -> Callable[[str, str], str]:
    """The address of a page of a kind. The folder is built only where it is needed."""

    def find(place: str, kind: str) -> str:
        folder = request.getfixturevalue("built") if kind in REGISTRIES else Path()
        top: str = request.getfixturevalue("host") if place == "folder" else server.address
        return f"{top}{address(place, kind, folder)}"

    return find


def looked_at(page: Page, axe: str) -> dict[str, list[str]]:
    """What is wrong with a page on a wide screen and on a narrow one, in the light and in the
    dark. Its colours are the same on both screens, and slow to look at.
    """
    page.evaluate(f"{axe}; 0")
    found = {}
    page.set_viewport_size(WIDE)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        found[scheme] = page.evaluate(RUN, COLOURS)
    for name, size in (("wide", WIDE), ("narrow", NARROW)):
        page.set_viewport_size(size)
        width = page.evaluate("document.documentElement.scrollWidth")
        found[name] = page.evaluate(RUN, ALL_ELSE) + (
            [f"is {width} wide"] if width > size["width"] else []
        )
    return {name: wrong for name, wrong in found.items() if wrong}


def test_axe_finds_what_is_wrong(context: BrowserContext, axe: str) -> None:
    page = context.new_page()
    page.set_content(
        "<title>x</title><main><h1>x</h1><p style='color: #777; background: #888; width: "
        "2000px'>pale</p><img src='data:,'><button style='width: 9px; height: 9px'>a</button>"
        "<button style='width: 9px; height: 9px'>b</button></main>"
    )
    found = looked_at(page, axe)
    page.close()
    for scheme in ("light", "dark"):
        assert [line.split()[1] for line in found[scheme]] == ["color-contrast:"]
    assert 'critical image-alt: <img src="data:,">' in found["wide"]
    assert 'critical image-alt: <img src="data:,">' in found["narrow"]
    assert "is 2008 wide" in found["narrow"]
    for name in ("wide", "narrow"):
        assert "target-size:" in [line.split()[1] for line in found[name]]


def test_no_kind_of_page_went_missing() -> None:
    assert len(PAGES) == 2 * len(KINDS) >= 48


@pytest.mark.sample(test=0.02)
@pytest.mark.parametrize(("place", "kind"), PAGES)
def test_each_kind_of_page_is_quiet_fits_and_is_open_to_all(
    context: BrowserContext, axe: str, at: Callable[[str, str], str], place: str, kind: str
) -> None:
    page, noise = context.new_page(), Noise()
    noise.listen(page)
    top = at(place, "home")
    page.goto(
        at(place, kind),
        wait_until="networkidle" if kind in ("found", "form") else "load",
    )
    assert page.locator("h1").is_visible()
    found = looked_at(page, axe)
    page.close()
    if (place, kind) == ("server", "missing"):
        assert noise.console.pop().endswith("status of 404 (Not Found)")
        assert noise.failed.pop() == f"{top}people/nobody"
    assert (noise.console, noise.failed) == ([], [])
    assert [url for url in noise.asked if not url.startswith(top)] == [], (
        "nothing is fetched from elsewhere"
    )
    assert found == {}


@pytest.mark.proof
@pytest.mark.parametrize(
    ("kind", "has_scripts"),
    [*((kind, False) for kind in ASKED), ("asked", True), ("endpoint", True), ("console", True)],
)
def test_the_form_for_questions_is_open_to_all(
    context: BrowserContext,
    axe: str,
    at: Callable[[str, str], str],
    kind: str,
    has_scripts: bool,
) -> None:
    page = context.new_page()
    if not has_scripts:  # axe is one itself, so it is the page's own that are kept away
        page.route("**/*.js", lambda route: route.abort())
    page.goto(
        at("server", kind),
        wait_until="networkidle" if has_scripts else "load",
    )
    found = looked_at(page, axe)
    page.close()
    assert found == {}


@pytest.mark.proof
@pytest.mark.parametrize("place", ["server", "folder"])
def test_without_javascript_nothing_is_missing(
    browser: Browser, at: Callable[[str, str], str], place: str
) -> None:
    """What a script adds are fields and buttons; what it hides is nothing."""
    parts = (
        "[...document.querySelectorAll('main :is(h1, h2, h3, p, li, dd, td, "
        "pre)')].filter((part) => part.checkVisibility() && !part.closest('form')).length"
    )
    counts: dict[bool, dict[str, int]] = {}
    for scripts in (True, False):
        context = browser.new_context(java_script_enabled=scripts)
        page = context.new_page()
        counts[scripts] = {}
        for kind in KINDS:
            if kind not in ("form", "found"):
                page.goto(at(place, kind))
                counts[scripts][kind] = page.evaluate(parts)
        context.close()
    assert counts[False] == counts[True]
    assert min(counts[False].values()) > 1
