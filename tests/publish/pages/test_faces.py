"""Pictures and initials of people in lists."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from kg.publish.formats.urls import Cell, Link
from kg.publish.pages.rows import PageSection, RowGroup, add_faces
from kg.text.person_names import initials


@pytest.mark.parametrize(
    ("name", "letters"),
    [
        ("Mirela Zemann", "MZ"),
        ("Yūko Černá", "YČ"),
        ("Juan de la Cruz", "JC"),
        ("K. R. Sodorrinmo Dakevik Guvikve Ram", "KR"),
        ("C-H. Chu", "CC"),
        ("Martin Luther King, Jr.", "MK"),
        ("Plato", "P"),
        ("bell hooks", "b"),
        ("林美", "林"),
        ("نور حداد", "ن"),
        ("4711", ""),
    ],
)
def test_initials(name: str, letters: str) -> None:
    assert initials(name) == letters


def test_a_picture_that_is_not_there_gives_way_to_initials(tmp_path: Path) -> None:
    (tmp_path / "static").mkdir()
    (tmp_path / "static" / "ada.jpg").touch()
    rows = [
        defaultdict[str, list[Cell]](list, item=[Link("Ada Berg", "ada.html")], face=[Link("", to)])
        for to in ("../static/ada.jpg", "../static/gone.jpg", "https://elsewhere.example/ada.jpg")
    ]
    add_faces([PageSection("owners", "people", "People", [RowGroup("", rows)])], tmp_path)
    assert [row["face"] for row in rows] == [[Link("", "../static/ada.jpg")], ["AB"], ["AB"]]
