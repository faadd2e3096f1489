"""`kg pdf`, by a real browser."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from kg.cli import main
from tests.conftest import ROOT, skip
from tests.web.browsing import CHROMIUM

EXAMPLE = ROOT / "kg" / "example"


def pdf(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["pdf", *map(str, arguments)])


@pytest.mark.parametrize(("paper", "width", "height"), [("A4", 595, 842), ("letter", 612, 792)])
def test_a_page_is_printed(tmp_path: Path, paper: str, width: int, height: int) -> None:
    if CHROMIUM is None:
        skip("no Chromium was found")
    file = tmp_path / "ada.pdf"
    result = pdf("ada-lindqvist", EXAMPLE, "-o", file, "--paper", paper, "--browser", CHROMIUM)
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", f"{file}: written\n")
    body = file.read_bytes()
    assert body.startswith(b"%PDF-")
    assert 1 <= len(re.findall(rb"/Type /Page\b", body)) <= 4
    found = re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", body)
    assert found
    assert [round(float(side)) for side in found.groups()] == [width, height]


def test_without_a_browser_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    result = pdf("ada-lindqvist", EXAMPLE, "-o", tmp_path / "ada.pdf")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("No Chromium or Chrome was found to print with. Install one")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["ada-lindquist"], "There is no page 'ada-lindquist'. Closest: ada-lindqvist"),
        (["ada-lindqvist", "--browser", "/no/such"], "There is no browser '/no/such'."),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, arguments: list[str], words: str) -> None:
    slug, *rest = arguments
    file = tmp_path / "ada.pdf"
    result = pdf(slug, EXAMPLE, "-o", file, *(rest or ["--browser", "/bin/false"]))
    assert (result.exit_code, result.stdout, file.exists()) == (2, "", False)
    assert words in result.stderr


def test_a_browser_that_prints_nothing_is_reported(tmp_path: Path) -> None:
    result = pdf("ada-lindqvist", EXAMPLE, "-o", tmp_path / "ada.pdf", "--browser", "/bin/false")
    assert result.exit_code == 2
    assert result.stderr == "/bin/false printed nothing: it does not say why\n"
