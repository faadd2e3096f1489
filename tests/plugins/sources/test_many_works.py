"""People with hundreds and thousands of works: few requests, and every work with its authors."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from kg.check.check import good
from kg.cli import main
from kg.facts.yaml.reader import read
from kg.plugins.sources.client import MIRROR
from tests.kinds import starts
from tests.plugins.sources.many_works import ORCID, ManyWorks
from tests.plugins.sources.recorded_server import RecordedServer, served


@pytest.fixture
@starts("server")
def many(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Iterator[RecordedServer]:
    with served(ManyWorks(request.param)) as found:
        monkeypatch.setenv(MIRROR, found.root)
        monkeypatch.setenv("KG_CACHE", str(tmp_path / "cache"))
        yield found


@pytest.mark.parametrize(
    ("many", "count", "requests"),
    [(120, 120, 8), pytest.param(2_000, 2_000, 63, marks=pytest.mark.proof)],
    indirect=["many"],
)
def test_every_work_comes_with_its_authors(
    many: RecordedServer, tmp_path: Path, count: int, requests: int
) -> None:
    """ORCID gives 100 works in a request, Crossref 50: one record, and no request for one work."""
    site = tmp_path / "mysite"
    words = ["import", f"orcid:{ORCID}", "--into", str(site)]
    found = CliRunner().invoke(main, words)
    assert found.exit_code == 0, found.output[-2000:]
    row, _ = read("cv.yaml", (site / "data/cv/hana-lind.yaml").read_bytes())
    assert row is not None
    assert len(row["publications"]) == count
    assert all(len(work["authors"]) >= 3 for work in row["publications"])
    assert len(many.asked) <= requests
    assert good(site), "no errors"
