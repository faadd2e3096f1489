"""An academic CV in one file, without any registry: it checks without errors, and its pages show
every fact in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from kg.check.check import check
from kg.facts.reading.yaml import read
from kg.facts.values.prose import plain_prose
from kg.publish.site import Documents
from kg.publish.text import wording

FILE = Path(__file__).with_name("hana-lind.yaml")
CV, _ = read(FILE.name, FILE.read_bytes())
# What pages put in other words.
AS_SHOWN = {
    "@hlind@ice.example": "https://ice.example/@hlind",
    "self-employed": "self-employment",
    "12000000 NOK": "12,000,000 NOK",
    "101-119": "101–119",
    "33-58": "33–58",
    "book-chapter": "book chapter",
    "978-3-16-148410-0": "9783161484100",
    "2023-01": "preprint, 2023-01",
    "CC-BY-4.0": "https://creativecommons.org/licenses/by/4.0/",
}
HIDDEN = {("skills.name", "Programming")}  # by the layout; a skill of that group has a page


def leaves(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, str]]:
    """Each text of the file, with the fields that lead to it."""
    if isinstance(value, dict):
        for name, each in value.items():
            yield from leaves(each, (*path, name))
    elif isinstance(value, list):
        for each in value:
            yield from leaves(each, path)
    else:
        yield ".".join(path), value


FACTS = [fact for fact in leaves(CV) if not fact[0].startswith("layout.") and fact not in HIDDEN]


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> Documents:
    folder = tmp_path_factory.mktemp("one")
    (folder / "data" / "cv").mkdir(parents=True)
    (folder / "data" / "cv" / FILE.name).write_bytes(FILE.read_bytes())
    site = "base: https://lind.example.org/\ntitle: Hana Lind\n"
    (folder / "data" / "site.yaml").write_text(site, encoding="utf-8")
    (folder / "static").mkdir()
    (folder / "static" / "photo.jpg").write_bytes(b"")
    found = check(folder)
    assert [str(each) for each in found.problems if each.severity == "error"] == []
    assert found.graph is not None
    return Documents(found.graph)


@pytest.fixture(scope="module")
def shown(documents: Documents) -> str:
    """What all pages show: their texts, and where they link to."""
    pages = [path for path in documents.files if path.endswith(".html") and "/" in path]
    texts = []
    for path in pages:
        document = documents.get(path)
        assert document is not None
        body = document.body.decode().partition("<main")[2]
        links = " ".join(re.findall('(?:href|src)="([^"]*)"', body))
        texts.append(unescape(re.sub("<[^>]*>", "", body.replace("</p><p>", " "))) + links)
    return " ".join(" ".join(texts).split()).casefold()


@pytest.mark.parametrize(("path", "value"), sorted(set(FACTS)))
def test_a_page_shows_it(path: str, value: str, shown: str) -> None:
    is_date = re.fullmatch(r"\d{4}(-\d\d)*", value)
    words = wording.date(value) if is_date else " ".join(plain_prose(value).split())
    assert AS_SHOWN.get(value, words).casefold() in shown


def test_no_fact_went_missing(shown: str) -> None:
    assert len(FACTS) >= 160
    assert "an invented word" not in shown
