"""Whoever is killed, and whatever the machine refuses: nothing is lost, and the next run is right.

The commands are run by modules of this folder, each in a process that forks for every command.
"""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from kg.errors import KgError
from kg.files.atomic import SCRATCH, replace_files, scratch_folder
from kg.files.cache import Cache, cache_folder
from kg.publish.export import reuse
from kg.publish.export.trace import Trace
from tests.conftest import ROOT, skip
from tests.crashes.damage import flip
from tests.crashes.machines import CASES, CLOSED, READ_ONLY, prepare

FLIPS = 40


def run(module: str, *words: str | Path, before: tuple[str | Path, ...] = ()) -> list[str]:
    done = subprocess.run(
        [*before, sys.executable, "-m", f"tests.crashes{module}", *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def names(group: str) -> list[str]:
    return [case.words for case in CASES[group]]


@pytest.mark.process
@pytest.mark.proof
@pytest.mark.parametrize("group", ["quick", pytest.param("long", marks=pytest.mark.proof)])
def test_a_machine_that_refuses_is_named_with_what_to_do(group: str, tmp_path: Path) -> None:
    """One on which permissions hold for root too, and one site cannot be written to."""
    if not shutil.which("bwrap"):
        skip("there is no bwrap (Debian: bubblewrap)")
    prepare(tmp_path)
    fixed = tmp_path / READ_ONLY
    machine = ("bwrap", "--dev-bind", "/", "/", "--ro-bind", fixed, fixed, "--cap-drop", "ALL")
    try:
        assert run(".machines", group, tmp_path, before=machine) == names(group)
    finally:
        for each in reversed(CLOSED):
            (tmp_path / each).chmod(0o755)


@pytest.mark.process
@pytest.mark.proof
@pytest.mark.parametrize(
    "kinds",
    [
        ["rebuild", "first-import", "add", "register", "push"],
        ["reload", "reload-loader", "reload-worker"],
    ],
    ids=["commands", "servers"],
)
def test_whoever_is_killed_leaves_all_old_or_new_and_the_next_run_is_right(
    kinds: list[str],
) -> None:
    ends = run("", ",".join(kinds), "3", "7")
    assert [line.partition(":")[0] for line in ends] == kinds
    assert all("'killed': 3" in line for line in ends)


@pytest.mark.process
@pytest.mark.proof
def test_several_at_once_and_clocks_that_jump_change_no_byte() -> None:
    run(".together")


@pytest.mark.process
@pytest.mark.proof
def test_a_damaged_cache_changes_no_byte() -> None:
    assert run(".damage", "4", "7")


def test_a_damaged_cache_is_whole_or_none(one_person: Path, tmp_path: Path) -> None:
    """What is read of each file of it is what was written, or nothing."""
    site = Path(shutil.copytree(one_person, tmp_path / "site"))
    memo = Cache(site)
    memo.write("memo/key", b"a result")
    cache = reuse.TraceCache(cache_folder(site))
    known = reuse.Traces("common", "graph")
    traces = {name: Trace(name, {f"{name}.html": (1, 2)}) for name in ("a", "b", "c")}
    cache.begin(tmp_path / "out", known)
    for trace in traces.values():
        cache.write(trace.line)
    cache.finish(tmp_path / "out", known)
    written = cache.path(tmp_path / "out", "traces")
    dice, lost = random.Random(23), 0
    for path in (cache_folder(site) / name for name in ("memo/key", written)):
        body = path.read_bytes()
        for _ in range(FLIPS):
            flip(path, dice)
            assert Cache(site).find("key") in (b"a result", None)
            loaded = reuse.load(written)
            if loaded and loaded.common:
                assert (loaded.common, loaded.graph) == ("common", "graph")
                assert loaded.traces.items() <= traces.items()
            lost += path.read_bytes() != body
            path.write_bytes(body)
    assert lost > FLIPS
    assert loaded is not None


def test_a_result_of_another_name_is_not_taken(tmp_path: Path) -> None:
    memo = Cache(tmp_path)
    memo.write("memo/one", b"1")
    (cache_folder(tmp_path) / "memo/one").rename(cache_folder(tmp_path) / "memo/other")
    assert Cache(tmp_path).find("other") is None


def test_what_a_killed_process_left_is_removed_by_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    (tmp_path / f"{SCRATCH}left").mkdir()
    (tmp_path / ".cv.yaml.123.kg~").write_text("half", encoding="utf-8")
    with scratch_folder() as own, scratch_folder():
        assert own.is_dir()
        assert not (tmp_path / f"{SCRATCH}left").exists()
    replace_files(tmp_path, {"cv.yaml": "whole"})
    assert [path.name for path in tmp_path.iterdir()] == ["cv.yaml"]


@pytest.mark.proof
def test_a_new_site_of_which_some_files_are_there_is_finished(tmp_path: Path) -> None:
    from kg.cli.new_site import new_site, write_new

    site = tmp_path / "site"
    write_new(site, new_site("Ada Berg"))
    (site / "data/site.yaml").unlink()
    write_new(site, new_site("Ada Berg"))
    assert (site / "data/site.yaml").exists()
    with pytest.raises(KgError, match="is not empty"):
        write_new(site, new_site("Ada Berg"))
