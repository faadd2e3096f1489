"""The pages of docs/ that are generated, and the list of all pages in mkdocs.yml."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kg.web.app import CONSOLE_PATHS
from release import reference
from tests.conftest import ROOT

DOCS = ROOT / "docs"
MOST_WORDS = 30  # of the glossary


@pytest.fixture(scope="module")
def generated() -> dict[Path, str]:
    return reference.pages()


def test_generated_pages_are_current(generated: dict[Path, str]) -> None:
    for file, text in generated.items():
        assert file.read_text(encoding="utf-8") == text, f"{file.name}: run make reference"


def test_every_page_of_the_reference_is_generated(generated: dict[Path, str]) -> None:
    assert {*reference.FOLDER.glob("*.md")} == {*generated} - {DOCS / "formats.md", reference.STUB}


def test_the_reference_is_complete(generated: dict[Path, str]) -> None:
    pages = {file.stem: text for file, text in generated.items()}
    asked = re.findall(r"^### `(.+)`", pages["questions"], re.MULTILINE)
    assert sorted(asked) == sorted(path.stem for path in (ROOT / "queries").glob("*.rq"))
    assert pages["commands"].count("\n### `kg ") >= 25
    assert pages["rules"].count("\n## ") >= 190
    assert {*CONSOLE_PATHS, *reference.routes()} <= {*reference.ADDRESSES}


def test_mkdocs_lists_every_page() -> None:
    config = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    listed = re.findall(r"^ +- (?:\w+: )?(\S+\.md)$", config, re.MULTILINE)
    pages = [path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")]
    assert sorted(listed) == sorted([*pages, "README.md", "CONTRIBUTING.md"])


def test_the_glossary_is_short_and_sorted() -> None:
    text = (DOCS / "glossary.md").read_text(encoding="utf-8")
    words = re.findall(r"^## (.+)\n\n(.+)\n", text, re.MULTILINE)
    names = [name for name, _ in words]
    assert len(names) == text.count("\n## ") <= MOST_WORDS
    assert names == sorted(names, key=str.casefold)
