"""Links that open the lines of an entry in an editor, for the author on this machine."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from kg.check.check import good
from kg.plugins.edit.editors import ADDRESSES, address, editor
from kg.plugins.edit.route import links
from tests.conftest import ROOT
from tests.web.serving import watching

EXAMPLE = ROOT / "kg" / "example"


@pytest.mark.parametrize(
    ("environment", "begin"),
    [
        ({}, "vscode://file/"),
        ({"EDITOR": "vim"}, "vscode://file/"),
        ({"EDITOR": "/usr/local/bin/subl -w"}, "subl://open?url=file:///"),
        ({"EDITOR": "vim", "VISUAL": "zed --wait"}, "zed://file/"),
        ({"EDITOR": "subl", "KG_EDITOR": "my://{path}?at={line}"}, "my:///"),
    ],
)
def test_the_editor_is_the_one_that_is_named(environment: dict[str, str], begin: str) -> None:
    found = address(editor(environment), Path("/home/ada/my cv.yaml"), 12, 3)
    assert found.startswith(begin)
    assert "/home/ada/my%20cv.yaml" in found
    assert "12" in found


def test_each_entry_of_a_page_has_its_line() -> None:
    graph = good(EXAMPLE)
    found = dict(links(graph, "people/ada-lindqvist"))
    lines = (EXAMPLE / "data/cv/ada-lindqvist.yaml").read_text().splitlines()
    award = found["award-best-paper-award-rivers-2021"]
    file, _, line = award["place"].rpartition(":")
    assert file == "data/cv/ada-lindqvist.yaml"
    assert "Best Paper Award" in lines[int(line) - 1]
    assert award["href"].startswith(ADDRESSES["code"].partition("{")[0])
    assert str(EXAMPLE / file) in award["href"]
    assert found["publications/lindqvist-2024-sand"]["place"].startswith("data/publications.yaml:")


@pytest.mark.browser
def test_the_author_gets_an_edit_link_beside_each_entry(browser: Browser, example: Path) -> None:
    with watching(example) as server, browser.new_context() as context:
        page = context.new_page()
        page.goto(f"{server.address}people/ada-lindqvist")
        expect(page.locator("h1 .edit")).to_have_attribute(
            "href", f"vscode://file{example.resolve()}/data/cv/ada-lindqvist.yaml:5:3"
        )
        entries = page.locator("main [id^=award-]:has(.what)")
        assert entries.count()
        expect(entries.locator(".edit")).to_have_count(entries.count())
        works = page.locator(".works .work, .publications .work")
        expect(works.locator(".title .edit")).to_have_count(works.count())
        assert works.count() > 3
        with context.new_page() as stranger:
            other = server.address.replace("127.0.0.1", "evil.localhost")
            stranger.goto(f"{other}people/ada-lindqvist", wait_until="networkidle")
            assert stranger.locator(".edit").count() == 0
