"""A memo: what was computed is not computed again, and no result is used that cannot be trusted."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from kg.check.check import check
from kg.files import cache as memo
from kg.files.atomic import scratch_folder
from kg.files.cache import Cache, cache_folder
from kg.graph.parallel import shards
from kg.graph.parallel.executor import TASKS_PER_PROCESS
from kg.graph.parallel.run import Run
from kg.publish.site import Documents
from tests.graph.alone import AloneWorkers

TODAY = "2026-11-15"


class Number(NamedTuple):
    number: int

    def inputs(self) -> bytes:
        return str(self.number).encode()


def doubling() -> tuple[list[int], Callable[[Number], int]]:
    """A function that doubles, and what it has doubled."""
    done: list[int] = []

    def double(task: Number) -> int:
        done.append(task.number)
        return 2 * task.number

    return done, double


def numbers(*given: int) -> list[Number]:
    return list(map(Number, given))


def test_what_was_computed_is_not_computed_again(tmp_path: Path) -> None:
    (done, first), (later, second) = doubling(), doubling()
    one = Cache(tmp_path)
    assert list(one.map(first, numbers(1, 2))) == [2, 4]
    assert list(one.map(first, numbers(2, 1, 5, 1))) == [4, 2, 10, 2]
    assert done == [1, 2, 5]
    assert list(Cache(tmp_path).map(second, numbers(1, 3, 2))) == [2, 6, 4]
    assert later == [3], "the others are on disk"
    assert list(Cache().map(second, numbers(1))) == [2]
    assert later == [3, 1], "without a site nothing is cached"


def test_results_come_in_the_order_of_the_tasks_however_they_are_computed(tmp_path: Path) -> None:
    done, double = doubling()
    one = Cache(tmp_path)
    list(one.map(double, numbers(2, 3, 7)))

    def all_at_once(work: Callable[[Number], int], tasks: object) -> object:
        return iter([work(task) for task in list(tasks)])  # type: ignore[call-overload]

    found = one.map(double, numbers(*range(9)), all_at_once)  # type: ignore[arg-type]
    assert list(found) == [2 * number for number in range(9)]
    assert sorted(done) == list(range(9))


def test_the_results_on_disk_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done, double = doubling()
    one = Cache(tmp_path)
    list(one.map(double, numbers(1)))
    (path,) = (cache_folder(tmp_path) / "memo").iterdir()
    size = path.stat().st_size
    monkeypatch.setattr(memo, "MAX_MEMO_BYTES", size * 3)
    list(one.map(double, numbers(2, 3, 4)))
    assert list(one.map(double, numbers(1))) == [2]
    assert done == [1, 2, 3, 4]
    one.trim()
    left = list((cache_folder(tmp_path) / "memo").iterdir())
    assert len(left) == 3
    assert path in left, "it was used last"


def test_a_file_that_is_cut_short_or_of_another_program_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done, double = doubling()

    def run() -> list[int]:
        return list(Cache(tmp_path).map(double, numbers(1)))

    run()
    (path,) = (cache_folder(tmp_path) / "memo").iterdir()
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    assert run() == [2]
    assert path.read_bytes() == whole
    monkeypatch.setattr(memo, "program", lambda: "another")
    assert run() == [2]
    assert done == [1, 1, 1]


def test_each_site_has_a_folder_in_the_cache_of_the_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which nobody else can read, and KG_CACHE names another."""
    one = cache_folder(tmp_path / "one")
    assert one.parent == Path(os.environ["KG_CACHE"])
    assert one != cache_folder(tmp_path / "two")
    Cache(tmp_path / "one").write("name", b"value")
    assert one.stat().st_mode & 0o077 == 0
    (tmp_path / "link").symlink_to("one")
    assert Cache(tmp_path / "link").read("name") == b"value"
    monkeypatch.chdir(tmp_path)
    assert Cache(Path("one")).read("name") == b"value"
    monkeypatch.delenv("KG_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "mine"))
    assert cache_folder(tmp_path / "one") == tmp_path / "mine" / "cv-kg" / one.name


def test_a_site_in_a_scratch_folder_leaves_nothing() -> None:
    with scratch_folder() as scratch:
        kept = Cache(scratch / "site")
        kept.write("name", b"value")
        done, double = doubling()
        assert list(kept.map(double, numbers(1, 1))) == [2, 2]
        assert (done, kept.folder) == ([1], None)
        assert not cache_folder(scratch / "site").exists()


def test_where_the_cache_cannot_be_written_all_is_computed(tmp_path: Path) -> None:
    cache_folder(tmp_path).write_text("no folder")
    done, double = doubling()
    one = Cache(tmp_path)
    assert list(one.map(double, numbers(1, 1))) == [2, 2]
    one.trim()
    assert done == [1]


def test_a_cache_of_an_earlier_version_in_the_site_is_ignored(example: Path) -> None:
    before = check(example, Run(TODAY))
    old = example / ".kg-cache"
    old.mkdir()
    for name in ("graph.nq", "verdict", "more.yaml"):
        (old / name).write_text("old: [")
    later = check(example, Run(TODAY, cache=Cache(example)))
    assert later.problems == before.problems
    assert later.graph is not None
    assert not any("kg-cache" in path for path in Documents(later.graph).files)
    assert {path.name for path in old.iterdir()} == {"graph.nq", "verdict", "more.yaml"}


class Changing:
    """Its inputs change while it is read."""

    text = b"a"

    def inputs(self) -> bytes:
        return self.text


def test_a_result_whose_inputs_changed_meanwhile_is_not_saved(tmp_path: Path) -> None:
    def read(task: Changing) -> bytes:
        task.text = b"b"
        return task.text

    one, task = Cache(tmp_path), Changing()
    assert list(one.map(read, [task])) == [b"b"]
    assert not cache_folder(tmp_path).exists()
    assert list(one.map(read, [task])) == [b"b"]
    assert len(list((cache_folder(tmp_path) / "memo").iterdir())) == 1


def test_a_check_that_was_stopped_is_taken_up_where_it_was(
    example: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shards, "MIN_SHARDED_SIZE", 0)
    monkeypatch.setattr(shards, "SHARD_SIZE", 1)
    real, mapped, most = shards.map_shard, [], 3

    def map_shard(task: shards.Task) -> object:
        if len(mapped) == most:
            raise KeyboardInterrupt
        mapped.append(task.inputs())
        return real(task)

    monkeypatch.setattr(shards, "map_shard", map_shard)
    with pytest.raises(KeyboardInterrupt):
        check(example, Run(TODAY, workers=AloneWorkers(), cache=Cache(example)))
    begun, most = len(mapped), 1000
    found = check(example, Run(TODAY, workers=AloneWorkers(), cache=Cache(example)))
    assert begun == 3
    assert 3 < len(set(mapped)) <= len(mapped)
    assert len(mapped) < len(set(mapped)) + TASKS_PER_PROCESS, (
        "only what was under way is mapped twice"
    )
    assert len(list((cache_folder(example) / "memo").iterdir())) > len(
        set(mapped)
    )  # what they look at too
    monkeypatch.undo()
    whole = check(example, Run(TODAY))
    assert (found.problems, found.graph and found.graph.nquads) == (
        whole.problems,
        whole.graph and whole.graph.nquads,
    )
