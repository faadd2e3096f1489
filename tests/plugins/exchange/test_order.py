"""An import writes a layout only where the source orders its sections differently from our pages;
news stay at the top.
"""

from __future__ import annotations

import pytest

from kg.plugins.exchange.draft import Draft


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        (["work", "education", "awards", "skills", "languages"], None),
        (["publications", "awards", "skills", "interests"], None),
        (["work", "education", "Exhibitions"], None),
        (["education", "work"], ["education", "work"]),
        (["skills", "news", "work"], ["news", "skills", "work"]),
        (["news", "work", "education"], None),
        (["work", "education", "news"], None),
        (["languages", "work"], None),  # languages are in the head
        (["Exhibitions", "work"], ["Exhibitions", "work"]),
    ],
)
def test_layout_of_an_import(order: list[str], expected: list[str] | None) -> None:
    draft = Draft()
    for name in order:
        draft.cv[name] = ["entry"]
        draft.note_section(name)
    draft.keep_order()
    assert draft.cv.get("layout", {}).get("order") == expected
