"""What is seldom, long or empty, in a real browser: it stays on the page of a phone, and can be
read, tapped and printed.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from kg.check.check import good
from kg.publish.site import Documents

pytestmark = pytest.mark.proof

ARABIC, HAN, NAGARI = "محمد بن موسى الخوارزمي", "李思遠", "आनन्द कुमार शर्मा"
WORD = "Donaudampfschifffahrts" * 6
TITLE = (
    "On titles that nobody reads to their end, though they are printed in full wherever a "
    "work is named. "
) * 3
AUTHORS = [f"Ada Number{letter}{other}" for letter in "abcdefgh" for other in "abcdefgh"]
PAGES = {
    "sixty authors": "publications/many",
    "a long title": "publications/long",
    "a long word": "publications/word",
    "other scripts": "publications/scripts",
    "many works": "people/vera",
    "nothing but a name": "people/bare",
    "a hundred people": "orgs/uni",
    "many editions": "venues/conf",
    "the start": "index",
}
SMALL = """() => {
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = new Set();
  while (walk.nextNode()) {
    const part = walk.currentNode.parentElement;
    const isSmall = parseFloat(getComputedStyle(part).fontSize) < 12;
    if (isSmall && walk.currentNode.data.trim() && part.checkVisibility()) found.add(part.outerHTML.slice(0, 80));
  }
  return [...found];
}"""  # noqa: E501
# Of the way around a site, and what unfolds. Links in a text are as high as its lines.
NARROW = """() => [...document.querySelectorAll("header a, nav a, button, select, input, summary")]
  .filter((part) => part.checkVisibility()).map((part) => [part.textContent.trim(), part.getBoundingClientRect()])
  .filter(([, box]) => box.left >= 0 && (box.height < 23.5 || box.width < 23.5))
  .map(([text, box]) => `${text} ${Math.round(box.width)} x ${Math.round(box.height)}`)"""  # noqa: E501
EDGE = """(name) => {
  const text = document.createRange();
  text.selectNodeContents(document.querySelector(name));
  return text.getBoundingClientRect().left;
}"""


def written(site: Path) -> Path:
    """A site of hard cases."""
    files = {
        "site": "base: https://hard.example.org/\ntitle: Hard cases\nmodified: 2026-01-01\n",
        "organizations": "uni: {name: University of the Far North, kind: university}\n",
        "venues": "conf:\n  name: Conference on Everything\n  kind: conference\n  editions:\n"
        + "".join(
            f"    {year}: {{acceptance: {{accepted: {year - 1900}, submitted: {year}}}}}\n"
            for year in range(2000, 2025)
        ),
        "people": "".join(
            f"a{number}: {{name: {name}}}\n"
            for number, name in enumerate([*AUTHORS, ARABIC, HAN, NAGARI])
        ),
        "cv/bare": "basics: {name: Bare Name}\n",
        "cv/vera": "basics: {name: Vera Vielschreiber}\n"
        "work: [{organization: uni, position: Professor, startDate: 2000, endDate: present}]\n"
        "publications: [many, long, word, scripts, "
        f"{', '.join(f'w{number}' for number in range(60))}]\n",
    }
    works = {
        "many": ("Many", AUTHORS),
        "long": (TITLE.strip(), []),
        "word": (f"The {WORD} gene", []),
        "scripts": (f"{HAN} {ARABIC}", [ARABIC, HAN, NAGARI]),
    }
    works |= {
        f"w{number}": (f"Work number {number}", AUTHORS[number : number + 5])
        for number in range(60)
    }
    common = {"kind": "conference", "venue": "conf", "year": "2020"}
    files["publications"] = "".join(
        (
            f"{slug}: "
            f"{json.dumps({**common, 'title': title, 'authors': [*authors, 'Vera Vielschreiber']})}\n"  # noqa: E501
        )
        for slug, (title, authors) in works.items()
    )
    for number in range(100):
        job = f"position: Lecturer, startDate: {1995 + number % 28}, endDate: {1997 + number % 28}"
        files[f"cv/p{number}"] = (
            f"basics: {{name: Person "
            f"Numbered{chr(97 + number // 26)}{chr(97 + number % 26)}}}\nwork: "
            f"[{{organization: uni, {job}}}]\n"
        )
    for name, text in files.items():
        path = site / "data" / f"{name}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return site


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Just the pages that are looked at, and what they load."""
    top = tmp_path_factory.mktemp("hard")
    documents = Documents(good(written(top / "site")))
    for path in [
        *(f"{path}.html" for path in PAGES.values()),
        "static/style.css",
        "static/pages.js",
        "static/search.js",
    ]:
        document = documents.get(path)
        assert document, path
        (top / path).parent.mkdir(parents=True, exist_ok=True)
        (top / path).write_bytes(document.body)
    return top


@pytest.fixture(scope="module")
def phone(browser: Browser) -> Page:
    return browser.new_page(viewport={"width": 360, "height": 640})


@pytest.mark.parametrize("path", PAGES.values(), ids=PAGES)
def test_a_hard_case_fits_a_phone(phone: Page, folder: Path, path: str) -> None:
    phone.goto((folder / f"{path}.html").as_uri())
    assert phone.evaluate("document.documentElement.scrollWidth") <= 360
    assert phone.evaluate(SMALL) == []
    assert phone.evaluate(NARROW) == []


def test_a_heading_in_any_script_begins_where_the_page_does(phone: Page, folder: Path) -> None:
    phone.goto((folder / "publications" / "scripts.html").as_uri())
    phone.evaluate("(name) => { document.querySelector('h1').textContent = name; }", ARABIC)
    assert phone.evaluate(EDGE, "h1") == pytest.approx(16, abs=4)
    assert phone.evaluate(EDGE, "p.authors") == pytest.approx(16, abs=4), (
        "though the first author is written from right to left"
    )


def test_on_paper_very_many_works_take_few_pages(phone: Page, folder: Path) -> None:
    phone.goto((folder / "people" / "vera.html").as_uri())
    paper = phone.pdf(format="A4")
    assert 2 <= len(re.findall(rb"/Type\s*/Page\b", paper)) <= 6, "of 64 works"


def test_what_is_folded_is_open_while_the_page_is_printed(phone: Page, folder: Path) -> None:
    """For browsers whose style sheets cannot unfold it."""
    phone.goto((folder / "publications" / "many.html").as_uri())
    count = phone.locator("main details").count()
    assert count > 0
    states = []
    for event in ("beforeprint", "afterprint"):
        phone.evaluate("(name) => dispatchEvent(new Event(name))", event)
        states.append(phone.locator("main details[open]").count())
    assert states == [count, 0]
