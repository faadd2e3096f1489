"""What parts have given is kept until the whole is done, and used by nobody who cannot trust it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from kg import memo
from kg.check import local_shapes
from kg.check.check import check, checked
from kg.graph.parallel import shards
from kg.graph.parallel.executor import Workers, silent
from tests.graph.alone import Alone

TODAY = "2026-11-15"


class Number(NamedTuple):
    number: int

    def inputs(self) -> bytes:
        return str(self.number).encode()


def doubling() -> tuple[list[int], Callable[[Number], int]]:
    """A work that doubles, and what it has doubled."""
    done: list[int] = []

    def double(task: Number) -> int:
        done.append(task.number)
        return 2 * task.number

    return done, double


@pytest.fixture(autouse=True)
def _own_key(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def test_what_is_done_is_not_done_again(tmp_path: Path) -> None:
    (done, first), (later, second) = doubling(), doubling()
    assert [memo.kept(first, tmp_path)(Number(each)) for each in (1, 2)] == [2, 4]
    assert [memo.kept(second, tmp_path)(Number(each)) for each in (1, 2, 3)] == [2, 4, 6]
    assert (done, later) == ([1, 2], [3])
    memo.forget(tmp_path)
    assert memo.kept(second, tmp_path)(Number(1)) == 2
    assert later == [3, 1]


def test_a_file_that_is_cut_short_or_signed_by_another_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done, work = doubling()
    memo.kept(work, tmp_path)(Number(1))
    (path,) = (tmp_path / memo.FOLDER).iterdir()
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    assert memo.kept(work, tmp_path)(Number(1)) == 2
    assert path.read_bytes() == whole
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "another"))
    assert memo.kept(work, tmp_path)(Number(1)) == 2
    assert done == [1, 1, 1]


def test_a_site_that_cannot_be_written_is_worked_on_all_the_same(tmp_path: Path) -> None:
    (tmp_path / ".kg-cache").write_text("no folder")
    done, work = doubling()
    assert memo.kept(work, tmp_path)(Number(1)) == 2
    assert done == [1]


def test_a_check_that_was_stopped_is_taken_up_where_it_was(
    example: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module, name, size in (
        (shards, "WORTH", 0),
        (shards, "SIZE", 1),
        (local_shapes, "WORTH_WORKERS", 0),
        (local_shapes, "PORTION", 1 << 15),
    ):
        monkeypatch.setattr(module, name, size)
    workers = Workers(Alone, 1, lambda what: silent)
    real, judged, most = local_shapes.judge, [], 3

    def judge(portion: local_shapes.Portion) -> object:
        if len(judged) == most:
            raise KeyboardInterrupt
        judged.append(portion)
        return real(portion)

    monkeypatch.setattr(local_shapes, "judge", judge)
    with pytest.raises(KeyboardInterrupt):
        checked(example, TODAY, workers)
    begun, most = len(judged), 1000
    found = checked(example, TODAY, workers)
    assert begun == 3
    assert len(judged) == len(set(judged)) > 3
    assert len(list((example / memo.FOLDER).iterdir())) > len(judged)  # those of the shards too
    monkeypatch.undo()
    whole = check(example, TODAY)
    assert (found.problems, found.graph and found.graph.nquads) == (
        whole.problems,
        whole.graph and whole.graph.nquads,
    )
    assert not (example / memo.FOLDER).exists()
