"""A command that is given the wrong folder says which is right, or how a folder becomes a site."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from kg.settings import shipped
from tests.cli.test_cli import run


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(shipped("example"), tmp_path / "mysite", ignore=shutil.ignore_patterns(".*"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("check mysite/data", "kg check mysite"),
        ("check mysite/data/cv --strict", "kg check mysite --strict"),
        ("build mysite/data -o out", "kg build mysite -o out"),
        ("dump --format nt mysite/data", "kg dump --format nt mysite"),
        ("serve mysite/data/cv", "kg serve mysite"),
        ("check", "kg check mysite"),
        ("shapes .", "kg shapes mysite"),
        ("embed ada --site mysite/data", "kg embed ada --site mysite"),
    ],
)
def test_the_right_command_is_told(here: Path, typed: str, wanted: str) -> None:
    result = run(*typed.split())
    assert result.exit_code == 2
    assert "is not a site, but mysite is." in result.stderr
    assert result.stderr.splitlines()[-1] == f"Run: {wanted}"


def test_a_command_inside_the_data_leads_out(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(here / "mysite" / "data" / "cv")
    assert run("check").stderr.splitlines()[-1] == "Run: kg check ../.."


def test_any_file_of_a_site_limits_the_report(here: Path) -> None:
    for name in ("queries/mine.rq", "templates/page.html"):
        (here / "mysite" / name).parent.mkdir()
        (here / "mysite" / name).write_text("SELECT {{", encoding="utf-8")
    result = run("check", "mysite/queries/mine.rq")
    assert result.exit_code == 1
    assert [line.partition(":")[0] for line in result.stdout.splitlines()] == [
        "mysite/queries/mine.rq"
    ]


@pytest.mark.parametrize(
    ("files", "advice"),
    [
        ([], "To create one, run `kg new other`."),
        (["notes.txt"], "To create one, run `kg new FOLDER`."),
        (["data/site.yml"], "Run: mv other/data/site.yml other/data/site.yaml"),
        (["data/Site.YAML"], "Run: mv other/data/Site.YAML other/data/site.yaml"),
        (["data/site.json"], "Run: mv other/data/site.json other/data/site.yaml"),
        (["site.yaml"], "Run: mkdir -p other/data && mv other/site.yaml other/data/site.yaml"),
        (["data/cv/ada.yaml"], "Create it with 'base: https://cv.example.org/'"),
    ],
)
def test_a_folder_that_is_no_site_is_told_how_to_become_one(
    here: Path, files: list[str], advice: str
) -> None:
    (here / "other").mkdir()
    for name in files:
        path = here / "other" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("base: https://cv.example.org/\ntitle: Us\n", encoding="utf-8")
    result = run("check", "other")
    assert result.exit_code == 2
    assert "other is not a site: other/data/site.yaml does not exist." in result.stderr
    assert advice in result.stderr
