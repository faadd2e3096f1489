"""Entries that fit two sections are listed; `kg import --review` asks about them at a terminal."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
import termios
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from kg.cli import main
from kg.facts.load import load
from kg.plugins.exchange.edits.splice import compose
from kg.plugins.exchange.edits.unsure_entries import ANSWERS_FILE
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
QUESTION = b"q  quit"
START = [sys.executable, "-c", "from kg.cli import main; main()"]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "ada.yaml"
    path.write_text(RENDERCV, encoding="utf-8")
    return path


def run(*words: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def press(keys: str, *words: object) -> str:
    """What a command shows at a terminal where one key is pressed after each question."""
    near, far = pty.openpty()
    command = [*START, *map(str, words)]
    with subprocess.Popen(command, stdin=far, stdout=far, stderr=far) as process:
        os.close(far)
        shown, left = b"", list(keys)
        try:
            while portion := os.read(near, 4096):
                shown += portion
                while left and shown.count(QUESTION) > len(keys) - len(left):
                    while termios.tcgetattr(near)[3] & termios.ICANON:  # not waiting for a key yet
                        time.sleep(0.01)
                    os.write(near, left.pop(0).encode())
        except OSError:  # the command has ended
            pass
        os.close(near)
        assert process.wait(60) == 0, shown.decode()
    assert not left
    return shown.decode()


def cv(site: Path) -> dict[str, Any]:
    found: dict[str, Any] = compose((site / "data/cv/ada-berg.yaml").read_text("utf-8")).plain
    return found


def files(site: Path) -> dict[str, str]:
    return {
        str(path): path.read_text(encoding="utf-8")
        for path in sorted((site / "data").rglob("*"))
        if path.is_file() and ".schema" not in str(path)
    }


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
    assert "To decide on 4 entries, add --review." in result.stderr
    assert [each["title"] for each in cv(site)["sections"]] == [
        "Awards and certificates",
        "Work and volunteering",
    ]
    assert not {"awards", "certificates", "work", "volunteer"} & {*cv(site)}
    assert not (site / ANSWERS_FILE).exists()


@pytest.mark.process
def test_one_key_decides_and_the_answers_are_remembered(source: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    assert run("import", source, "--into", site).exit_code == 0
    shown = press("21lq", "import", source, "--into", site, "--review")
    assert "1  awards: {title: Field safety, date: 2019-05}" in shown
    assert "To decide on 1 entry, add --review." in shown
    assert cv(site)["certificates"] == [{"name": "Field safety", "date": "2019-05"}]
    assert cv(site)["awards"] == [{"title": "Prize of the River Society", "date": "2021"}]
    assert [len(each["entries"]) for each in cv(site)["sections"]] == [1, 2]
    assert (site / ANSWERS_FILE).read_text(encoding="utf-8").partition("\n")[2] == (
        "ada-berg:\n"
        "  Awards and certificates:\n"
        "    Field safety: certificates\n"
        "    Prize of the River Society: awards\n"
        "  Work and volunteering:\n"
        "    Red Cross: sections\n"
    )
    before = files(site)
    again = run("import", source, "--into", site)
    assert '"Acme"  not sure' in again.stdout
    assert "Red Cross" not in again.stdout
    assert files(site) == before
    press("1", "import", source, "--into", site, "--review")
    assert [each["organization"] for each in cv(site)["work"]] == ["Acme"]
    before = files(site)
    assert "Nothing new" in run("import", source, "--into", site).stderr
    assert files(site) == before
    assert load(site).problems == []


def test_answers_hold_for_a_newer_file(source: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    (site / ANSWERS_FILE).parent.mkdir(parents=True)
    (site / ANSWERS_FILE).write_text(
        "ada-berg:\n  Awards and certificates:\n    Field safety: certificates\n"
        "    Prize of the River Society: awards\n  Work and volunteering:\n"
        "    Red Cross: sections\n    Acme: work\n",
        encoding="utf-8",
    )
    assert "not sure" not in run("import", source, "--into", site).output
    assert [each["position"] for each in cv(site)["work"]] == ["Engineer"]
    source.write_text(RENDERCV.replace("Engineer", "Chief engineer"), encoding="utf-8")
    assert "not sure" not in run("import", source, "--into", site, "--apply").output
    assert [each["position"] for each in cv(site)["work"]] == ["Chief engineer"]
    assert len(cv(site)["certificates"]) == 1


@pytest.mark.proof
@pytest.mark.process
def test_answers_hold_for_a_new_site_and_a_newer_file(source: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    press("21l1", "import", source, "--into", site, "--review")
    assert cv(site)["work"] == [
        {
            "organization": "Acme",
            "position": "Engineer",
            "startDate": "2019-03",
            "endDate": "present",
        }
    ]
    source.write_text(RENDERCV.replace("Engineer", "Chief engineer"), encoding="utf-8")
    result = run("import", source, "--into", site, "--apply")
    assert "not sure" not in result.output
    assert [each["position"] for each in cv(site)["work"]] == ["Chief engineer"]
    assert len(cv(site)["certificates"]) == 1
    assert QUESTION.decode() not in press("", "import", source, "--into", site, "--review")


def test_without_a_terminal_the_entries_are_listed(source: Path, tmp_path: Path) -> None:
    result = run("import", source, "--into", tmp_path / "site", "--review")
    assert result.exit_code == 0
    assert "--review asks on a terminal." in result.stderr
    assert result.stdout.count("not sure") == 4


def test_an_entry_that_the_author_edited_is_kept(source: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    run("import", source, "--into", site)
    path = site / "data/cv/ada-berg.yaml"
    edited = path.read_text("utf-8").replace("name: Field safety", "name: Field safety, with boats")
    path.write_text(edited, encoding="utf-8")
    (site / ANSWERS_FILE).write_text(
        "ada-berg:\n  Awards and certificates:\n    Field safety: certificates\n", encoding="utf-8"
    )
    run("import", source, "--into", site, "--apply")
    assert "with boats" in path.read_text(encoding="utf-8")


@pytest.mark.sample(test=0.3)
@pytest.mark.parametrize("text", ["- a list", "ada-berg: [1]", "a: {b: c}", "{", "\0"])
def test_unreadable_answers_are_reported(source: Path, tmp_path: Path, text: str) -> None:
    site = tmp_path / "site"
    run("import", source, "--into", site)
    (site / ANSWERS_FILE).write_text(text, encoding="utf-8")
    result = run("import", source, "--into", site)
    assert result.exit_code != 0
    assert "answers.yaml cannot be read. Fix it, or delete it to be asked again." in result.output


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
