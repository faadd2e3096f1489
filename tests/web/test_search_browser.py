"""Search in a real browser: on the server and in a folder, as one types; and the browser finds just
what the server finds.
"""

from __future__ import annotations

import json
import random
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from kg.publish.document import STATIC
from kg.publish.search import index as finding
from kg.publish.search.matching import Index
from kg.publish.site import Documents
from kg.text.normalize import LETTERS, fold, fold_text, words
from tests.conftest import ROOT
from tests.kinds import starts
from tests.publish.search.names import SCRIPTS, finder_of, made_of_sounds
from tests.web.browsing import Noise, follow
from tests.web.folder import hosted
from tests.web.serving import serving

pytestmark = pytest.mark.proof

# Both are given and give JSON as text, which goes to the browser and back much quicker than values.
FIND = """async (given) => {
  const [root, queries] = JSON.parse(given);
  const { Catalogue } = await import(new URL("static/finding.js", root));
  const catalogue = new Catalogue(root), found = [];
  for (const query of queries) {
    const { total, hits } = await catalogue.find(query, 50);
    found.push([total, hits.map((hit) => [hit.entry.address, hit.parts, hit.also])]);
  }
  return JSON.stringify(found);
}"""


@pytest.fixture(scope="module", params=["server", "folder"])
@starts("server")
def address(request: pytest.FixtureRequest, built: Path) -> Iterator[str]:
    """The example site, served by us and by any web host."""
    if request.param == "server":
        with serving(ROOT / "kg" / "example") as server:
            yield server.address
    else:
        with hosted(built) as address:
            yield address


@pytest.fixture
def noise() -> Noise:
    return Noise()


@pytest.fixture
def page(browser: Browser, noise: Noise) -> Iterator[Page]:
    context = browser.new_context()
    context.set_default_timeout(10_000)
    page = context.new_page()
    noise.listen(page)
    yield page
    assert (noise.console, noise.failed) == ([], [])
    context.close()


def test_the_keyboard_finds_a_person(page: Page, address: str, noise: Noise) -> None:
    page.goto(f"{address}publications/", wait_until="networkidle")
    assert not any("search.json" in url for url in noise.asked), (
        "nothing is loaded before it is needed"
    )
    page.keyboard.press("/")
    field = page.get_by_role("combobox", name="Search")
    expect(field).to_be_focused()
    page.keyboard.type("ferr tom")
    options = page.locator(".found").get_by_role("option")
    option = options.first
    expect(option).to_contain_text("Tomás Ferreira")
    expect(options.nth(1)).to_be_visible()  # a work of his
    assert option.locator("mark").all_inner_texts() == ["Tom", "Ferr"]
    expect(field).to_have_attribute("aria-expanded", "true")
    expect(page.locator(".found [role=status]")).to_have_text(f"{options.count()} results")
    typed, found = field.bounding_box(), page.locator(".found").bounding_box()
    assert typed and found and 0 <= found["y"] - typed["y"] - typed["height"] < 10, (
        "the list stands right below the field"
    )
    page.keyboard.press("ArrowDown")
    expect(option).to_have_attribute("aria-selected", "true")
    expect(field).to_have_attribute("aria-activedescendant", option.get_attribute("id") or "")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Tomás Ferreira")
    assert page.url == f"{address}people/tomas-ferreira.html"


def test_arrows_go_round_and_escape_closes(page: Page, address: str) -> None:
    page.goto(address)
    field = page.get_by_role("combobox", name="Search")
    field.fill("r")
    options = page.get_by_role("option")
    expect(options.nth(1)).to_be_visible()
    number = options.count()
    chosen = page.locator("[role=option][aria-selected=true]")
    field.press("ArrowUp")
    expect(chosen).to_have_id(f"found-{number - 1}")
    field.press("ArrowDown")
    expect(chosen).to_have_count(0)
    field.press("ArrowDown")
    expect(chosen).to_have_id("found-0")
    field.press("Escape")
    expect(page.get_by_role("listbox")).to_be_hidden()
    expect(field).to_have_attribute("aria-expanded", "false")
    expect(field).to_have_value("r")
    field.fill("qqqq")
    expect(page.locator(".found [role=status]")).to_have_text("No results.")


def test_a_click_leads_there_and_what_is_typed_in_other_fields_stays(
    page: Page, address: str
) -> None:
    page.goto(f"{address}sparql.html")
    question = page.locator("textarea").first
    question.press("Control+End")
    question.press("/")
    assert question.input_value().endswith("/")
    page.get_by_role("combobox", name="Search").fill("riv")
    page.get_by_role("option", name="Symposium on Rivers").click()
    expect(page.locator("h1")).to_have_text("Symposium on Rivers")


def test_enter_shows_all_that_was_found(page: Page, address: str) -> None:
    page.goto(f"{address}people/ada-lindqvist.html")
    page.get_by_role("combobox", name="Search").fill("lindq")
    page.get_by_role("combobox", name="Search").press("Enter")
    first = page.locator(".results li").first
    expect(first).to_contain_text("Ada Lindqvist")
    expect(first.locator("mark")).to_have_text("Lindq")
    expect(
        page.get_by_role("searchbox").or_(page.get_by_role("combobox", name="Search"))
    ).to_have_value("lindq")
    first.get_by_role("link").click()
    expect(page.locator("h1")).to_have_text("Ada Lindqvist (she/her)")


def test_without_javascript_the_server_answers_and_a_folder_says_why_not(
    browser: Browser, address: str
) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{address}people/ada-lindqvist.html")
    page.get_by_role("searchbox", name="Search").fill("tomas")
    with page.expect_navigation():
        page.get_by_role("searchbox", name="Search").press("Enter")
    if "search.html" in page.url:
        expect(page.get_by_text("Search needs JavaScript")).to_be_visible()
        follow(page.get_by_role("link", name="People").last)
    follow(page.get_by_role("link", name="Tomás Ferreira"))
    expect(page.locator("h1")).to_have_text("Tomás Ferreira")
    context.close()


@pytest.mark.parametrize("width", [320, 1100])
def test_what_is_found_fits_the_screen(browser: Browser, address: str, width: int) -> None:
    context = browser.new_context(viewport={"width": width, "height": 640})
    page = context.new_page()
    page.goto(address)
    page.get_by_role("combobox", name="Search").fill("a")
    expect(page.get_by_role("option").first).to_be_visible()
    box = page.locator(".found").bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    context.close()


def as_python_finds(index: Index, queries: list[str]) -> list[Any]:
    found = []
    for query in queries:
        hits, total = index.find(query, 50)
        found.append(
            [
                total,
                [[hit.entry.address, [list(part) for part in hit.parts], hit.also] for hit in hits],
            ]
        )
    return found


def queries_for(names: list[str]) -> list[str]:
    """Beginnings of words of names in any order, whole names, slips of the finger, and things that
    are no name.
    """
    chance = random.Random(11)
    found = ["", " ", "''", "zhang minj", "e&d", "2021 deep", "s of t", "<b>", "ω", "n" * 300]
    for name in names:
        pieces = [
            word[: chance.randint(1, len(word))]
            for word in chance.sample(words(name), min(len(words(name)), 3))
        ]
        found += [name, " ".join(pieces)]
        letters = list("".join(words(name))[:12])
        if len(letters) > 5:
            place = chance.randint(2, len(letters) - 2)
            letters[place : place + 2] = reversed(letters[place : place + 2])
            found.append("".join(letters))
    return found


def blank(context: BrowserContext, address: str) -> Page:
    """A page of the host with nothing in it, to run things in."""
    page = context.new_page()
    page.goto(f"{address}static/icon.svg")
    return page


LAY = """async (given) => {
  const [root, texts, letters] = JSON.parse(given);
  const { fold, lay } = await import(new URL("static/finding.js", root));
  return JSON.stringify(texts.map((text) => [fold(text, letters), lay(text, letters).joined, lay(text, letters).starts]));
}"""  # noqa: E501


def test_both_fold_every_letter_and_every_name_alike(
    browser: Browser, documents: Documents, tmp_path: Path
) -> None:
    (tmp_path / "static").symlink_to(STATIC)
    codes = [
        *range(0x3400),
        *range(0x9FF0, 0xAC80),
        *range(0xF900, 0x10000),
        *range(0x1D400, 0x1D800),
    ]
    letters = [
        letter
        for letter in map(chr, codes)
        if unicodedata.category(letter) not in ("Cn", "Cs", "Co")
    ]
    names = [
        name for entry in documents.finder.index.entries for name in (entry.name, *entry.others)
    ]
    context = browser.new_context()
    with hosted(tmp_path) as address:
        theirs = json.loads(
            blank(context, address).evaluate(LAY, json.dumps([address, letters + names, LETTERS]))
        )
    context.close()
    assert len(letters) > 15_000
    assert len(names) > 600
    assert {
        letter: other
        for letter, (other, *_) in zip(letters, theirs, strict=False)
        if fold(letter) != other
    } == {}
    assert [[fold_text(name).letters, list(fold_text(name).starts)] for name in names] == [
        other[1:] for other in theirs[len(letters) :]
    ]


def test_both_find_the_same_on_the_real_site(
    browser: Browser, documents: Documents, tmp_path: Path
) -> None:
    (tmp_path / "static").symlink_to(STATIC)
    (tmp_path / "search.json").write_bytes(documents.finder.text("search.json"))
    names = [
        name for entry in documents.finder.index.entries for name in (entry.name, *entry.others)
    ]
    queries = queries_for(random.Random(3).sample(names, 150))
    context = browser.new_context()
    with hosted(tmp_path) as address:
        theirs = json.loads(blank(context, address).evaluate(FIND, json.dumps([address, queries])))
    context.close()
    assert len(queries) > 400
    for query, ours, other in zip(
        queries, as_python_finds(documents.finder.index, queries), theirs, strict=True
    ):
        assert other == ours, query


def test_both_find_the_same_in_parts_and_in_any_script(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(finding, "MAX_IN_ONE_FILE", 100)
    monkeypatch.setattr(finding, "MAX_IN_A_PART", 60)
    names = SCRIPTS + made_of_sounds()
    finder = finder_of(names)
    (tmp_path / "static").symlink_to(STATIC)
    (tmp_path / "search").mkdir()
    for path in finder.paths:
        (tmp_path / path).write_bytes(finder.text(path))
    queries = [
        *SCRIPTS,
        *(fold_text(name).letters[:2] for name in SCRIPTS),
        "李",
        "佐々",
        *(name.partition(" ")[0] for name in names[10:200]),
    ]
    context, noise = browser.new_context(), Noise()
    with hosted(tmp_path) as address:
        page = blank(context, address)
        noise.listen(page)
        theirs = json.loads(page.evaluate(FIND, json.dumps([address, queries])))
    context.close()
    assert len([url for url in noise.asked if "/search/" in url]) > 30
    assert noise.failed == []
    for query, ours, other in zip(
        queries, as_python_finds(finder.index, queries), theirs, strict=True
    ):
        assert other == ours, query
