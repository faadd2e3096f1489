"""Mistakes as people make them (`mistakes.yaml`), in copies of the real data: each is found at its
place, in words that help.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import yaml

from kg.check.check import Checked, check
from kg.check.verdict import save_verdict
from kg.errors import Place, Problem
from tests.conftest import ROOT
from tests.test_cli import run

TODAY = "2026-11-15"
MISTAKES = yaml.safe_load(Path(__file__).with_name("mistakes.yaml").read_text(encoding="utf-8"))

Mistake = dict[str, str]


@pytest.fixture(scope="module")
def unbroken() -> Checked:
    return check(ROOT, TODAY)


@pytest.fixture
def site(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "data", tmp_path / "data", ignore=shutil.ignore_patterns(".*"))
    return tmp_path


def make(mistake: Mistake, data: Path) -> Place:
    """Puts a mistake into the data, and tells where it should be found."""
    path, old, new = data / mistake["file"], mistake.get("old", ""), mistake["new"]
    assert path.exists() == bool(old)
    before = path.read_text(encoding="utf-8") if old else ""
    assert not old or before.count(old) == 1
    path.write_text(before.replace(old, new) if old else new, encoding="utf-8")
    if seen := mistake.get("seen"):
        return place(data, seen, 0, (data / seen).read_text(encoding="utf-8"), mistake["at"])
    return place(data, mistake["file"], before.index(old), new, mistake["at"])


def place(data: Path, file: str, start: int, text: str, at: str) -> Place:
    """The spot of some words in a text that starts there in a file."""
    assert text.count(at) == 1
    above = (data / file).read_text(encoding="utf-8")[: start + text.index(at)].split("\n")
    return Place(f"data/{file}", len(above), len(above[-1]) + 1)


def new(checked: Checked, before: Checked) -> list[Problem]:
    """What was not there before; lines may have moved."""
    known = {(each.rule, each.message) for each in before.problems}
    return [each for each in checked.problems if (each.rule, each.message) not in known]


def test_there_are_many_and_they_differ() -> None:
    assert len(MISTAKES) >= 60
    assert len({mistake["rule"] for mistake in MISTAKES.values()}) >= 40


@pytest.mark.proof
@pytest.mark.parametrize("mistake", MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_found_where_it_stands(
    mistake: Mistake, site: Path, unbroken: Checked
) -> None:
    where = make(mistake, site / "data")
    checked = check(site, TODAY, unbroken.verdict)
    problems = new(checked, unbroken)
    found = [each for each in problems if each.rule == mistake["rule"] and each.place == where]
    assert len(found) == 1, problems
    assert mistake["word"] in found[0].message
    errors = {each.rule for each in problems if each.severity == "error"}
    assert errors <= {mistake["rule"], *mistake.get("follows", ())}, (
        "a mistake brings no errors but its own"
    )
    assert checked.publishable == (not errors)


@pytest.mark.parametrize(
    ("name", "codes"),
    [
        ("an end before the start", (1, 1)),
        ("a tab", (1, 1)),
        ("pages backwards", (0, 1)),
        ("a title in lower case", (0, 1)),
    ],
)
def test_errors_fail_and_warnings_when_they_must(
    name: str, codes: tuple[int, int], site: Path, unbroken: Checked
) -> None:
    """The unbroken data has warnings of its own, so that `--strict` fails in any case."""
    where = make(MISTAKES[name], site / "data")
    assert unbroken.verdict
    save_verdict(site, unbroken.verdict)
    results = [run("check", site, "--today", TODAY, *options) for options in ((), ("--strict",))]
    assert tuple(result.exit_code for result in results) == codes
    assert all(f"{where}  " in result.stdout for result in results)


def test_nothing_is_wrong_before(unbroken: Checked) -> None:
    assert unbroken.publishable
