"""`kg diff`, and commands with `--as-of`, on sites in git."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from pathlib import Path

import pytest

from tests.cli.test_cli import run
from tests.files.test_git import git
from tests.kinds import starts

SUMMARY = "Measures how rivers carry sand, and why they drop it."
LINES = ["Ada Lindqvist", f"  ~ Description changed: Listens to rivers. (was: {SUMMARY})"]


@pytest.fixture
@starts("process")
def site(example: Path) -> Path:
    """The example, committed twice."""
    git(example, "init", "-q")
    git(example, "add", "data")
    git(example, "commit", "-q", "-m", "one", day="2026-02-01T12:00:00+0000")
    path = example / "data/cv/ada-lindqvist.yaml"
    text = path.read_text(encoding="utf-8").replace(SUMMARY, "Listens to rivers.")
    path.write_text(text, encoding="utf-8")
    git(example, "commit", "-q", "-a", "-m", "two", day="2026-03-01T12:00:00+0000")
    return example


def test_what_changed_between_revisions_days_folders_and_dumps(
    site: Path, built: Path, tmp_path: Path
) -> None:
    dump = tmp_path / "old.nt.gz"
    shutil.copy(built / "dump.nt.gz", dump)
    for old, new in (("HEAD~1", "2026-03-01"), (dump, site), (built, "HEAD")):
        found = run("diff", old, new, site)
        assert found.exit_code == 1, found.stderr
        assert found.stdout.splitlines() == LINES
        assert found.stderr == "1 triple added, 1 removed.\n"
    same = run("diff", built, "2026-02-10", site)
    assert (same.exit_code, same.stdout, same.stderr) == (0, "", "No changes.\n")


def test_the_triples_are_a_patch_and_json_has_all(site: Path, built: Path) -> None:
    report = json.loads(run("diff", built, "HEAD", site, "--json").stdout)
    digest = hashlib.sha256((built / "dump.nq").read_bytes()).hexdigest()
    assert report["old"] == f"sha256:{digest}"
    assert f'"sha256:{digest}"' in (built / "void.ttl").read_text()
    assert [change["text"] for change in report["changes"]] == [
        "Description changed: Listens to rivers."
    ]
    assert len(report["added"]) == len(report["removed"]) == 1
    found = run("diff", built, "HEAD", site, "--triples")
    patch = sorted(found.stdout.splitlines()[2:])
    assert patch == [f"+ {report['added'][0]}", f"- {report['removed'][0]}"]


def test_what_is_neither_here_nor_in_git_is_wrong_use(site: Path) -> None:
    found = run("diff", "HEAD~9", "HEAD", site)
    assert found.exit_code == 2
    assert "'HEAD~9' is neither" in found.stderr


def test_a_broken_state_is_compared_and_said_to_be_broken(site: Path) -> None:
    path = site / "data/cv/ada-lindqvist.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("startDate: 2013,", "startDate: soon,"), encoding="utf-8")
    found = run("diff", "HEAD", site, site)
    assert found.exit_code == 1
    assert re.search(r" has 1 error; changes may be missing", found.stderr)


def test_commands_see_a_site_as_it_stood(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (cache := tmp_path / "cache").mkdir()
    monkeypatch.setenv("KG_CACHE", str(cache))
    ask = "ASK { ?ada schema:description ?text FILTER(?text = 'Listens to rivers.') }"
    query = f"PREFIX schema: <http://schema.org/> {ask}"
    assert run("query", query, site, "--as-of", "2026-02-28", "-f", "table").stdout == "No.\n"
    early = run("check", site, "--as-of", "2026-01-31")
    assert (early.exit_code, early.stdout) == (2, "")
    assert "begins on 2026-02-01" in early.stderr
    assert run("check", site, "--as-of", "2026-02-28", "--watch").exit_code == 2
    assert not list(cache.iterdir()), "neither the site itself nor its copy is cached"


@pytest.mark.proof
def test_a_site_is_built_as_it_stood(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (cache := tmp_path / "cache").mkdir()
    monkeypatch.setenv("KG_CACHE", str(cache))
    made = ["build", site, "--as-of", "2026-02-28", "-o", tmp_path / "out"]
    assert run(*made).exit_code == 0
    assert "rivers carry sand" in (tmp_path / "out/people/ada-lindqvist.html").read_text()
    assert not list(cache.iterdir()), "neither the site itself nor its copy is cached"
