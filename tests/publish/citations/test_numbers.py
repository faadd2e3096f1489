"""The volume and issue of a work are on its page and in its citation, wherever it appeared."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.check.check import good
from kg.publish.site import Documents

SITE = "base: https://lab.example.org/\ntitle: Lab\n"
WORK = "title: Thin Ice, year: 2020, authors: [Ada Berg]"
NUMBERS = {
    "conference: Snow Days, kind: conference, volume: 36, issue: 4": ("36", "4"),
    "conference: Snow Days, kind: conference, volume: 36": ("36", ""),
    "journal: Annals of Ice, kind: journal, issue: 341": ("", "341"),
    "journal: Annals of Ice, kind: journal, volume: 7, issue: 3": ("7", "3"),
    "book: Big Ice, kind: book-chapter, volume: 9": ("9", ""),
}


@pytest.mark.parametrize(("fields", "numbers"), NUMBERS.items(), ids=str)
def test_volume_and_issue(fields: str, numbers: tuple[str, str], tmp_path: Path) -> None:
    (tmp_path / "data" / "cv").mkdir(parents=True)
    (tmp_path / "data" / "site.yaml").write_text(SITE, encoding="utf-8")
    text = f"basics: {{name: Ada Berg}}\npublications: [{{key: ice, {WORK}, {fields}}}]\n"
    (tmp_path / "data" / "cv" / "ada.yaml").write_text(text, encoding="utf-8")
    page = Documents(good(tmp_path)).get("publications/ice.md")
    assert page
    work, _, rest = page.body.decode().partition("## Cite")
    citation, _, details = rest.partition("## Details")
    volume, issue = numbers
    assert ("  volume = {" in citation, "  number = {" in citation) == (bool(volume), bool(issue))
    assert f"volume = {{{volume}}}" in citation or not volume
    assert f"number = {{{issue}}}" in citation or not issue
    if volume and issue and "journal" in fields:
        assert f"Annals of Ice {volume}({issue})" in work
    else:
        assert f"Volume: {volume}" in details or not volume
        assert f"Issue: {issue}" in details or not issue
