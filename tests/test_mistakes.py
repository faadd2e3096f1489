"""Mistakes as people make them (`mistakes/`), and what is unusual but right (`right/`), each in a
copy of a site: `kg check` finds a mistake at its place, in words that help, and brings no other
problem.

In `file`, `old` becomes `new`; without `old` it is a new file; `also` has the texts of further new
files. The problem is shown where `at` stands in `new`, or in the file `seen`. It has this `rule`,
`severity` (an error if nothing is said) and says all of `says`. `follows`: rules of further
problems that are there because of it.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml

from kg.check.check import Checked, check
from kg.errors import Place, Problem
from kg.graph.parallel.run import Run
from kg.plugins.fix.edits import applied, certain, edits_of
from kg.publish.verify.trial import with_trial
from kg.settings import shipped
from tests.cli.test_cli import run
from tests.conftest import LARGE_SITE

pytestmark = pytest.mark.corpus

TODAY = "2026-11-15"
REAL = "real-data"  # the mistakes in copies of data/; all others are made in the example

Mistake = dict[str, Any]


def told(folder: str) -> dict[str, Mistake]:
    """`file: what is done` -> how."""
    return {
        f"{path.stem}: {name}": mistake
        for path in sorted(Path(__file__).with_name(folder).glob("*.yaml"))
        for name, mistake in yaml.load(path.read_bytes(), yaml.CSafeLoader).items()
    }


MISTAKES, RIGHT = told("mistakes"), told("right")


def copy(name: str, folder: Path) -> Path:
    """A copy of the site in which a mistake is made."""
    hidden = shutil.ignore_patterns(".*")
    if name.startswith(f"{REAL}: "):
        shutil.copytree(LARGE_SITE / "data", folder / "data", ignore=hidden)
    else:
        shutil.copytree(shipped("example"), folder, ignore=hidden, dirs_exist_ok=True)
    return folder


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> dict[bool, Checked]:
    """The check of the real data, and of the example."""
    return {
        is_real: check(
            copy(f"{REAL}: " if is_real else "", tmp_path_factory.mktemp("site")), Run(TODAY)
        )
        for is_real in (True, False)
    }


def make(mistake: Mistake, site: Path) -> Place | None:
    """Makes a mistake, and tells where it should be found."""
    path, old, new = site / mistake["file"], mistake.get("old", ""), mistake["new"]
    assert path.exists() == bool(old)
    before = path.read_text(encoding="utf-8") if old else ""
    assert not old or before.count(old) == 1
    for file, text in {
        **mistake.get("also", {}),
        mistake["file"]: before.replace(old, new) if old else new,
    }.items():
        (site / file).parent.mkdir(parents=True, exist_ok=True)
        (site / file).write_text(text, encoding="utf-8")
    if "at" not in mistake:
        return None
    if seen := mistake.get("seen"):
        return place(site, seen, 0, (site / seen).read_text(encoding="utf-8"), mistake["at"])
    return place(site, mistake["file"], before.index(old), new, mistake["at"])


def place(site: Path, file: str, start: int, text: str, at: str) -> Place:
    """The spot of some words in a text that starts there in a file."""
    assert text.count(at) == 1
    above = (site / file).read_text(encoding="utf-8")[: start + text.index(at)].split("\n")
    return Place(file, len(above), len(above[-1]) + 1)


def new(checked: Checked, before: Checked) -> list[Problem]:
    """What was not there before; lines may have moved."""
    known = {(each.rule, each.message) for each in before.problems}
    return [each for each in checked.problems if (each.rule, each.message) not in known]


def test_there_are_many_and_they_differ() -> None:
    assert len(MISTAKES) >= 60
    assert len({mistake["rule"] for mistake in MISTAKES.values()}) >= 40


@pytest.mark.sample(test=0.015)
@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_found_where_it_stands(
    name: str, tmp_path: Path, unbroken: dict[bool, Checked]
) -> None:
    mistake, before = MISTAKES[name], unbroken[name.startswith(REAL)]
    site = copy(name, tmp_path)
    where = make(mistake, site)
    checked = with_trial(check(site, Run(TODAY)))
    problems = new(checked, before)
    found = [each for each in problems if each.rule == mistake["rule"] and each.place == where]
    assert len(found) == 1, problems
    assert found[0].severity == mistake.get("severity", "error")
    assert [word for word in mistake["says"] if word not in found[0].message] == []
    brought = {each.rule for each in problems} - {mistake["rule"], *mistake.get("follows", ())}
    assert brought == set(), "a mistake brings no problems but its own"
    assert checked.publishable == (not any(each.severity == "error" for each in problems))


@pytest.mark.sample(test=0.015)
@pytest.mark.parametrize("name", MISTAKES)
def test_a_certain_fix_removes_the_problem_and_changes_nothing_else(
    name: str, tmp_path: Path, unbroken: dict[bool, Checked]
) -> None:
    """`fix` is what is written, in the order of the checks; `then` are rules of problems that can
    be seen only afterwards.
    """
    mistake, before = MISTAKES[name], unbroken[name.startswith(REAL)]
    site = copy(name, tmp_path)
    make(mistake, site)
    written, fixed = list[str](), set[Problem]()
    first = problems = new(with_trial(check(site, Run(TODAY))), before)
    while edits := edits_of(site, problems, certain):
        for file, found in edits.items():
            old = (site / file).read_bytes()
            data = applied(file, old, [edit for _, edit in found])
            changed = {edit.start.line for _, edit in found}
            assert unlike(old.decode(), data.decode()) <= changed
            (site / file).write_bytes(data)
            written += [edit.text for _, edit in found]
            fixed |= {problem for problem, _ in found}
        problems = new(with_trial(check(site, Run(TODAY))), before)
    fix = mistake.get("fix", [])
    assert written == ([fix] if isinstance(fix, str) else fix)
    left = {each for each in problems if each.rule not in mistake.get("then", ())}
    assert not fixed or left == {*first} - fixed


def unlike(before: str, after: str) -> set[int]:
    """The numbers of the lines that differ."""
    pairs = zip(before.split("\n"), after.split("\n"), strict=True)
    return {number for number, (old, new) in enumerate(pairs, 1) if old != new}


def test_many_mistakes_have_a_certain_fix() -> None:
    assert sum("fix" in mistake for mistake in MISTAKES.values()) >= 50


@pytest.mark.sample(test=0.015)
@pytest.mark.parametrize("name", RIGHT)
def test_what_is_right_brings_no_complaint(
    name: str, tmp_path: Path, unbroken: dict[bool, Checked]
) -> None:
    before = unbroken[name.startswith(REAL)]
    site = copy(name, tmp_path)
    make(RIGHT[name], site)
    assert new(check(site, Run(TODAY)), before) == []


@pytest.mark.sample(test=0.5)
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
    name: str, codes: tuple[int, int], tmp_path: Path
) -> None:
    """The unbroken data has warnings of its own, so that `--strict` fails in any case."""
    site = copy(f"{REAL}: ", tmp_path)
    where = make(MISTAKES[f"{REAL}: {name}"], site)
    results = [run("check", site, "--today", TODAY, *options) for options in ((), ("--strict",))]
    assert tuple(result.exit_code for result in results) == codes
    assert all(f"{where}  " in result.stdout for result in results)


def test_nothing_is_wrong_before(unbroken: dict[bool, Checked]) -> None:
    assert all(each.publishable for each in unbroken.values())
