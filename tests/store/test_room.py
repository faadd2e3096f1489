"""A site whose graph is too large for memory: its lines in a file, its store on disk, and
everything else as it is in memory.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from kg.check import verdict_cache
from kg.check.check import check, remembered
from kg.errors import KgError
from kg.graph import sorted_lines
from kg.graph.parallel.executor import Crew
from kg.publish.site import Documents
from kg.settings import CACHE
from kg.store import filed
from kg.store.filed import Filed
from kg.store.passing import Passing
from kg.store.room import Room
from tests.test_cli import run

TODAY = "2026-11-15"
NONE = Crew(1, room=Room(0))


@pytest.fixture(autouse=True)
def _large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(filed, "LARGE", 1)


@pytest.fixture
def broken(example: Path) -> Path:
    cv = example / "data" / "cv" / "ada-lindqvist.yaml"
    cv.write_text(
        cv.read_text(encoding="utf-8").replace("endDate: present", "endDate: 1999", 1),
        encoding="utf-8",
    )
    return example


def test_the_check_finds_the_same_again_and_after_an_edit(
    broken: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(filed, "LARGE", 1 << 26)
        here = check(broken, TODAY)
    assert here.graph
    assert isinstance(here.graph.nquads, bytes)
    for how in ("cold", "warm", "edited"):
        if how == "edited":
            cv = broken / "data" / "cv" / "ada-lindqvist.yaml"
            cv.write_text(
                cv.read_text(encoding="utf-8").replace("endDate: 1999", "endDate: 1998"),
                encoding="utf-8",
            )
            here = check(broken, TODAY)
        there = remembered(broken, TODAY, crew=NONE)
        assert there.graph
        assert here.graph
        assert isinstance(there.graph.nquads, Filed)
        assert isinstance(there.graph.memory, Passing)
        assert there.graph.nquads == here.graph.nquads
        assert there.problems == here.problems
        assert any(problem.rule == "role-dates" for problem in there.problems)
        assert set(there.graph.memory.all()) == set(here.graph.memory.all())
        assert (kept := verdict_cache.load(broken))
        assert kept == there.verdict
        assert isinstance(kept.nquads, Filed)


def test_the_files_are_the_same(example: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    there = check(example, crew=NONE).graph
    monkeypatch.undo()
    here = check(example).graph
    assert here
    assert there
    in_memory, on_disk = Documents(here), Documents(there)
    assert isinstance(there.memory, Passing)
    assert list(on_disk.files) == list(in_memory.files)
    some = [
        path
        for path in in_memory.files
        if path.endswith((".html", ".csl.json"))
        or path in ("dump.ttl", "dump.nt", "dump.nq", "void.ttl")
    ]
    assert len(some) > 50
    for path in some:
        assert on_disk.make(path) == in_memory.make(path), path


def test_nothing_is_left_and_a_folder_that_cannot_be_written_is_no_hindrance(example: Path) -> None:
    assert check(example, TODAY, crew=NONE).publishable
    assert list((example / CACHE).iterdir()) == []
    (example / "queries" / "rules").mkdir(parents=True)
    (example / "queries" / "rules" / "wrong.rq").write_text(
        "CONSTRUCT { <http://a.b/> <http://a.b/> 1 } {}", encoding="utf-8"
    )
    with pytest.raises(KgError, match="may only speak of things of this site"):
        check(example, TODAY, crew=NONE)
    assert list((example / CACHE).iterdir()) == []
    shutil.rmtree(example / "queries")
    (example / CACHE).rmdir()
    (example / CACHE).write_bytes(b"in the way")
    found = check(example, TODAY, crew=NONE)
    assert found.publishable
    assert found.graph
    assert isinstance(found.graph.nquads, Filed)


def test_where_no_file_can_be_written_the_lines_stay_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_bytes(b"in the way")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "file"))
    found = sorted_lines.merged_in(
        tmp_path / "file", [sorted_lines.packed(["b\n", "a\n"]), sorted_lines.packed(["a\n"])]
    )
    assert (type(found), found) == (bytes, b"a\nb\n")


def test_the_command_says_so_and_reports_the_same(broken: Path) -> None:
    here, there = run("check", broken), run("check", "--share", "0", broken)
    assert (there.exit_code, there.stdout) == (here.exit_code, here.stdout)
    said = [line for line in there.stderr.splitlines() if line not in here.stderr.splitlines()]
    assert len(said) == 1
    assert said[0].startswith(
        "The graph would take 0.0 GB of memory, more than 0% of this machine's: it lives on disk"
    )
