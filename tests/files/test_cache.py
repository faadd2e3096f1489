"""A memo: what was computed is not computed again, and no result is used that cannot be trusted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from kg.check.check import check
from kg.files import cache as memo
from kg.files.cache import FOLDER, Memo
from kg.graph.parallel import shards
from kg.graph.parallel.executor import AHEAD
from kg.graph.parallel.run import Run
from tests.graph.alone import AloneCrew

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


@pytest.fixture(autouse=True)
def _own_key(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def numbers(*given: int) -> list[Number]:
    return list(map(Number, given))


def test_what_was_computed_is_not_computed_again(tmp_path: Path) -> None:
    (done, first), (later, second) = doubling(), doubling()
    one = Memo(tmp_path)
    assert list(one.map(first, numbers(1, 2))) == [2, 4]
    assert list(one.map(first, numbers(2, 1, 5, 1))) == [4, 2, 10, 2]
    assert done == [1, 2, 5]
    assert list(Memo(tmp_path).map(second, numbers(1, 3, 2))) == [2, 6, 4]
    assert later == [3], "the others are on disk"
    assert list(Memo().map(second, numbers(1))) == [2]
    assert later == [3, 1], "a memo without a folder knows nothing of them"


def test_results_come_in_the_order_of_the_tasks_however_they_are_computed(tmp_path: Path) -> None:
    done, double = doubling()
    one = Memo(tmp_path)
    list(one.map(double, numbers(2, 3, 7)))

    def all_at_once(work: Callable[[Number], int], tasks: object) -> object:
        return iter([work(task) for task in list(tasks)])  # type: ignore[call-overload]

    found = one.map(double, numbers(*range(9)), all_at_once)  # type: ignore[arg-type]
    assert list(found) == [2 * number for number in range(9)]
    assert sorted(done) == list(range(9))


def test_memory_and_disk_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done, double = doubling()
    one = Memo(tmp_path)
    list(one.map(double, numbers(1)))
    (path,) = (tmp_path / FOLDER).iterdir()
    size = path.stat().st_size
    monkeypatch.setattr(memo, "IN_MEMORY", one.size * 2)
    monkeypatch.setattr(memo, "ON_DISK", size * 3)
    list(one.map(double, numbers(2, 3, 4)))
    assert len(one.recent) == 2
    assert list(one.map(double, numbers(1))) == [2]
    assert done == [1, 2, 3, 4], "what is not in memory is on disk"
    one.trim()
    left = list((tmp_path / FOLDER).iterdir())
    assert len(left) == 3
    assert path in left, "it was used last"


def test_a_file_that_is_cut_short_or_signed_by_another_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done, double = doubling()

    def run() -> list[int]:
        return list(Memo(tmp_path).map(double, numbers(1)))

    run()
    (path,) = (tmp_path / FOLDER).iterdir()
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    assert run() == [2]
    assert path.read_bytes() == whole
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "another"))
    assert run() == [2]
    assert done == [1, 1, 1]


def test_a_site_that_cannot_be_written_is_worked_on_all_the_same(tmp_path: Path) -> None:
    (tmp_path / ".kg-cache").write_text("no folder")
    done, double = doubling()
    one = Memo(tmp_path)
    assert list(one.map(double, numbers(1, 1))) == [2, 2]
    one.trim()
    assert done == [1]


class Changing:
    """Its inputs change while it is read."""

    text = b"a"

    def inputs(self) -> bytes:
        return self.text


def test_a_result_whose_inputs_changed_meanwhile_is_not_saved() -> None:
    def read(task: Changing) -> bytes:
        task.text = b"b"
        return task.text

    one, task = Memo(), Changing()
    assert list(one.map(read, [task])) == [b"b"]
    assert not one.recent
    assert list(one.map(read, [task])) == [b"b"]
    assert len(one.recent) == 1


def test_a_check_that_was_stopped_is_taken_up_where_it_was(
    example: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shards, "WORTH", 0)
    monkeypatch.setattr(shards, "SIZE", 1)
    real, mapped, most = shards.map_shard, [], 3

    def map_shard(task: shards.Task) -> object:
        if len(mapped) == most:
            raise KeyboardInterrupt
        mapped.append(task.inputs())
        return real(task)

    monkeypatch.setattr(shards, "map_shard", map_shard)
    with pytest.raises(KeyboardInterrupt):
        check(example, Run(TODAY, workers=AloneCrew(), cache=Memo(example)))
    begun, most = len(mapped), 1000
    found = check(example, Run(TODAY, workers=AloneCrew(), cache=Memo(example)))
    assert begun == 3
    assert 3 < len(set(mapped)) <= len(mapped)
    assert len(mapped) < len(set(mapped)) + AHEAD, "only what was under way is mapped twice"
    assert len(list((example / FOLDER).iterdir())) > len(set(mapped))  # what they look at too
    monkeypatch.undo()
    whole = check(example, Run(TODAY))
    assert (found.problems, found.graph and found.graph.nquads) == (
        whole.problems,
        whole.graph and whole.graph.nquads,
    )
