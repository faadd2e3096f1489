"""Workers: they give what this process gives, in order; one that is killed is replaced, and none
outlives its parent.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from kg.errors import KgError
from kg.graph.parallel.executor import WorkerConfig, Workers
from tests.conftest import ROOT
from tests.graph.tasks import die, double, double_or_die, refuse

WAITING = """
import sys
from pathlib import Path
from kg.graph.parallel.executor import WorkerConfig
from tests.graph.tasks import wait
if __name__ == "__main__":
    with WorkerConfig(2).at_work() as workers:
        list(workers.each(wait, [Path(sys.argv[1])] * 2))
"""


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    with WorkerConfig(2).at_work() as found:
        assert found is not None
        yield found


def test_they_give_all_results_in_the_order_of_the_tasks(workers: Workers) -> None:
    assert list(workers.each(double, range(20))) == [2 * number for number in range(20)]


def test_what_is_wrong_is_told_here(workers: Workers) -> None:
    with pytest.raises(KgError, match="7 cannot be done"):
        list(workers.each(refuse, [7]))


def test_what_a_killed_process_had_not_done_is_done_by_others(
    workers: Workers, tmp_path: Path
) -> None:
    life = tmp_path / "life"
    life.touch()
    assert list(workers.each(double_or_die, [(number, life) for number in range(9)])) == [
        2 * number for number in range(9)
    ]
    assert not life.exists()


def test_a_task_that_kills_every_process_is_given_up() -> None:
    with WorkerConfig(2).at_work() as workers:
        assert workers is not None
        with pytest.raises(KgError, match="worker process ended"):
            list(workers.each(die, [1]))


def test_one_job_is_this_process() -> None:
    with WorkerConfig(1).at_work() as workers:
        assert workers is None


@pytest.mark.process
def test_no_process_outlives_its_parent(tmp_path: Path) -> None:
    script = tmp_path / "waiting.py"
    script.write_text(WAITING)
    begun = tmp_path / "begun"
    begun.mkdir()
    parent = subprocess.Popen(
        [sys.executable, script, begun], env={**os.environ, "PYTHONPATH": str(ROOT)}
    )
    until(lambda: len(list(begun.iterdir())) == 2)
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    until(lambda: not any(alive(int(each.name)) for each in begun.iterdir()))


def until(true: object, seconds: float = 60) -> None:
    assert callable(true)
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.05)


def alive(pid: int) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False
