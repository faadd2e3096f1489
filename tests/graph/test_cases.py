"""Every case folder: what is written gives exactly these triples, or exactly these problems."""

from pathlib import Path

import pytest

from kg.check.check import check
from kg.graph.parallel.run import Run
from tests.cases import CASES, TODAY, added, expected, problems, site

pytestmark = pytest.mark.corpus

GOOD = [case for case in CASES if (case / "expected.ttl").exists()]
BAD = [case for case in CASES if (case / "problems.txt").exists()]


def test_no_case_went_missing() -> None:
    assert len(GOOD) >= 87
    assert len(BAD) >= 83
    assert set(GOOD) | set(BAD) == set(CASES)


@pytest.mark.sample(test=0.12)
@pytest.mark.parametrize("case", GOOD, ids=lambda case: case.name)
def test_these_triples(case: Path, tmp_path: Path) -> None:
    found, wanted = added(case, tmp_path), expected(case)
    assert sorted(map(str, found - wanted)) == []
    assert sorted(map(str, wanted - found)) == []


@pytest.mark.proof
@pytest.mark.parametrize(
    "case", [case for case in GOOD if case not in BAD], ids=lambda case: case.name
)
def test_what_gives_only_triples_has_no_errors(case: Path, tmp_path: Path) -> None:
    found = check(site(case, tmp_path), Run(TODAY)).problems
    assert [each for each in found if each.severity == "error"] == []


@pytest.mark.sample(test=0.12)
@pytest.mark.parametrize("case", BAD, ids=lambda case: case.name)
def test_these_problems(case: Path, tmp_path: Path) -> None:
    assert (
        problems(site(case, tmp_path)).splitlines()
        == (case / "problems.txt").read_text(encoding="utf-8").splitlines()
    )
