"""Entries that fit two sections stay in a free section and are listed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from kg.cli import main
from kg.plugins.exchange.edits.splice import compose
from kg.plugins.exchange.titles import section_for, sections_meant

RENDERCV = """\
cv:
  name: Ada Berg
  sections:
    awards_and_certificates:
      - name: Field safety
        date: 2019-05
      - name: Prize of the River Society
        date: 2021
      - name: Boat race
        date: 2022
        location: Northfjord
    Work and volunteering:
      - {company: Red Cross, position: First aider, start_date: 2018-01, end_date: 2019-02}
      - {company: Acme, position: Engineer, start_date: 2019-03, end_date: present}
"""
JSON_RESUME = {
    "basics": {"name": "Ada Berg"},
    "work": [{"name": "Acme", "position": "Engineer", "startDate": "2019"}],
    "awardsAndCertificates": [{"title": "Field safety", "date": "2019-05"}],
}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "ada.yaml"
    path.write_text(RENDERCV, encoding="utf-8")
    return path


def run(*words: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def cv(site: Path) -> dict[str, Any]:
    found: dict[str, Any] = compose((site / "data/cv/ada-berg.yaml").read_text("utf-8")).plain
    return found


@pytest.mark.parametrize(
    ("title", "sections"),
    [
        ("Awards and certificates", ["awards", "certificates"]),
        ("Work and volunteering", ["work", "volunteer"]),
        ("teaching_and_mentoring", ["teaching", "mentoring"]),
        ("Honors and awards", []),
        ("Teaching, service and mentoring", []),
        ("Awards and other things", []),
        ("Publications", []),
    ],
)
def test_a_title_can_mean_two_sections(title: str, sections: list[str]) -> None:
    assert sections_meant(title) == sections
    assert not (sections and section_for(title))


def test_an_entry_that_fits_two_sections_stays_free_and_both_readings_are_listed(
    source: Path, tmp_path: Path
) -> None:
    site = tmp_path / "site"
    result = run("import", source, "--into", site)
    place = f'{source.name}:5:15  Awards and certificates  "Field safety"'
    assert f"{place}  not sure; left in this section. Could be:" in result.stdout
    assert "\n  awards: {title: Field safety, date: 2019-05}\n" in result.stdout
    assert "\n  certificates: {name: Field safety, date: 2019-05}\n" in result.stdout
    assert "Boat race" not in result.stdout, "its place fits no award"
    assert result.stdout.count("not sure") == 4
    assert [each["title"] for each in cv(site)["sections"]] == [
        "Awards and certificates",
        "Work and volunteering",
    ]
    assert not {"awards", "certificates", "work", "volunteer"} & {*cv(site)}


def test_json_resume_lists_them_too(tmp_path: Path) -> None:
    (tmp_path / "resume.json").write_text(json.dumps(JSON_RESUME), encoding="utf-8")
    result = run(
        "import", tmp_path / "resume.json", "--into", tmp_path / "site", "--report", "json"
    )
    found = [each for each in json.loads(result.stdout) if each["why"] == "not sure"]
    readings = {
        "awards": {"title": "Field safety", "date": "2019-05"},
        "certificates": {"name": "Field safety", "date": "2019-05"},
    }
    assert [each["readings"] for each in found] == [readings]
