"""`kg pdf`, by a real browser."""

from __future__ import annotations

import re
import zlib
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner, Result

from kg.cli import main
from tests.conftest import ROOT, skip
from tests.web.browsing import CHROMIUM

pytestmark = pytest.mark.proof

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


SITE = {"base": "https://cv.example.org/", "title": "One person"}
POSTS = [
    {
        "organization": f"Employer {number}",
        "position": "Engineer",
        "startDate": 2000 + number,
        "endDate": 2001 + number,
        "summary": f"Led team {number}.",
        "highlights": [f"Result {letter} of post {number}" for letter in "ABCDEF"],
        "keywords": [f"Topic {number}"],
    }
    for number in range(6)
]
WORKS = [
    {
        "kind": "journal",
        "title": f"Paper number {number}",
        "authors": ["Mira Sand", *(f"Author {number} {letter}" for letter in "ABC")],
        "year": 1980 + number,
        "journal": "Journal of Sand",
        "abstract": f"This is abstract {number}.",
        "selected": number > 30,
        "summary": f"Reason {number}.",
    }
    for number in range(40)
]
PRESS = [
    {
        "title": f"Report {number}",
        "publisher": "The Paper",
        "date": 2020,
        "url": f"https://p.org/{number}",
    }
    for number in range(9)
]


def text_of(pdf_file: bytes) -> str:
    """The text of a PDF that Chromium wrote, without spaces."""
    objects = dict(re.findall(rb"(\d+) 0 obj\s(.*?)endobj", pdf_file, re.DOTALL))
    fonts = {
        number: characters(content(objects[found[1]]))
        for number, each in objects.items()
        if (found := re.search(rb"/ToUnicode (\d+) 0 R", each))
    }
    text = ""
    for reference in re.findall(rb"/Type /Page\b.*?/Contents (\d+) 0 R", pdf_file, re.DOTALL):
        shown = re.findall(rb"/F(\d+) [\d.]+ Tf|<([0-9A-F]+)> Tj", content(objects[reference]))
        font = b""
        for named, codes in shown:
            font = named or font
            size, known = fonts[font]
            parts = (codes[at : at + size] for at in range(0, len(codes), size))
            text += "".join(known.get(int(part, 16), "?") for part in parts)
    return "".join(text.split())


def content(stream: bytes) -> bytes:
    return zlib.decompress(stream.split(b"stream\n", 1)[1])


def characters(table: bytes) -> tuple[int, dict[int, str]]:
    """The number of digits of a code, and the characters of each."""
    known = {}
    for first, last, letters in re.findall(
        rb"<([0-9A-F]+)> (?:<([0-9A-F]+)> )?<([0-9A-F]+)>\n", table.split(b"endcodespacerange")[1]
    ):
        start = bytes.fromhex(letters.decode()).decode("utf-16-be")
        for code in range(int(first, 16), int(last or first, 16) + 1):
            known[code] = start[:-1] + chr(ord(start[-1]) + code - int(first, 16))
    size = re.search(rb"begincodespacerange\n<([0-9A-F]+)>", table)
    assert size
    return len(size[1]), known


def test_what_a_page_folds_is_printed(tmp_path: Path) -> None:
    if CHROMIUM is None:
        skip("no Chromium was found")
    cv = {"basics": {"name": "Mira Sand"}, "work": POSTS, "publications": WORKS, "press": PRESS}
    for name, content in {"site": SITE, "cv/mira-sand": cv}.items():
        written = tmp_path / "data" / f"{name}.yaml"
        written.parent.mkdir(exist_ok=True)
        written.write_text(yaml.safe_dump(content), encoding="utf-8")
    file = tmp_path / "mira.pdf"
    result = pdf("mira-sand", tmp_path, "-o", file, "--browser", CHROMIUM)
    assert result.exit_code == 0, result.output
    text = text_of(file.read_bytes())
    wanted = [
        *(line for post in POSTS for line in [*post["highlights"], post["summary"]]),
        *(work["title"] for work in WORKS),
        *(f"Reason {number}." for number in range(31, 40)),
        *(report["title"] for report in PRESS),
        *(f"Topic {number}" for number in range(6)),
    ]
    assert [each for each in wanted if each.replace(" ", "") not in text] == []
    # Abstracts are for readers of a screen.
    for control in ("more", "Cite", "SaveasPDF", "earlierworks", "Thisisabstract"):
        assert control not in text


def test_without_a_browser_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    result = pdf("ada-lindqvist", EXAMPLE, "-o", tmp_path / "ada.pdf")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("Chromium or Chrome is missing. Install it")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["ada-lindquist"], "Unknown page 'ada-lindquist'. Closest: ada-lindqvist"),
        (["ada-lindqvist", "--browser", "/no/such"], "Browser not found: '/no/such'."),
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
    assert result.stderr == "/bin/false printed nothing: no reason given\n"
