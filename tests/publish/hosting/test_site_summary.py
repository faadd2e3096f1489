"""`site.json`: what a server of a built folder knows about the site."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.errors import KgError
from kg.publish.hosting.built_folder import FILE, BuiltFolder, SiteSummary
from kg.publish.site import Documents


def test_it_says_what_the_pages_are_called_and_where_others_went(
    renamed: Documents, tmp_path: Path
) -> None:
    document = renamed.get(FILE)
    assert document
    (tmp_path / FILE).write_bytes(document.body)
    found = SiteSummary.read(tmp_path)
    assert found.titles == {each: renamed.pages.called(each) for each in renamed.addresses}
    assert found.redirects.moved == renamed.former.moved
    assert {
        address: (gone.reason, gone.date) for address, gone in found.redirects.withdrawn.items()
    } == {address: (gone.reason, gone.date) for address, gone in renamed.former.withdrawn.items()}
    assert found.title == renamed.graph.site.title and not found.has_own_templates


@pytest.mark.parametrize("text", [None, "", "[]", "{}", '{"moved": {}, "withdrawn": 1}'])
def test_a_folder_without_it_is_to_be_built_again(tmp_path: Path, text: str | None) -> None:
    if text is not None:
        (tmp_path / FILE).write_text(text, encoding="utf-8")
    with pytest.raises(KgError, match="Run kg build again"):
        BuiltFolder(tmp_path)
