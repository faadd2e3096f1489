"""Every rule of the check is explained, with a bad example that breaks it at the line that is shown, and a good one that does not."""

from pathlib import Path

import pytest

from kg.graph.check import check
from tests.cases import EXPLAINED, problems, site

each_rule = pytest.mark.parametrize("folder", EXPLAINED, ids=lambda folder: folder.name)


@each_rule
def test_the_bad_example_breaks_it(folder: Path, tmp_path: Path) -> None:
    found = problems(folder / "bad", tmp_path)
    assert f"[{folder.name}]" in found
    assert found.splitlines() == (folder / "problems.txt").read_text(encoding="utf-8").splitlines()


@each_rule
def test_the_good_example_does_not(folder: Path, tmp_path: Path) -> None:
    assert [problem for problem in check(site(folder / "good", tmp_path)).problems if problem.rule == folder.name] == []


@each_rule
def test_it_is_told_why(folder: Path) -> None:
    assert len((folder / "why.txt").read_text(encoding="utf-8").split()) >= 8
