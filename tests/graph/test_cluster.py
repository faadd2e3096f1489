"""A Dask cluster: real processes map and judge a site; some are killed meanwhile, and the result is
that of one process.
"""

from __future__ import annotations

import os
import re
import runpy
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from bench.generate import generate
from kg.check.check import check
from kg.cli import main
from kg.graph.parallel import executor, shards
from kg.graph.parallel.executor import WorkerConfig
from kg.graph.parallel.run import Run
from tests.conftest import ROOT
from tests.kinds import starts

pytestmark = pytest.mark.proof

TODAY = "2026-11-15"
ADDRESS = "tcp://10.0.0.5:8786"  # in docs/cluster.md
DASK = (
    [sys.executable, "-m", "distributed.cli.dask_scheduler"],
    [sys.executable, "-m", "distributed.cli.dask_worker"],
)


class Cluster:
    """A scheduler and its workers, on this machine only."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
        self.folder, self.log = folder, (folder / "log").open("wb")
        self.scheduler = self.start(DASK[0], "--host", self.address, "--no-dashboard")
        self.workers = [
            self.start(DASK[1], self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard")
            for _ in range(3)
        ]

    def start(self, command: list[str], *options: str) -> subprocess.Popen[bytes]:
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        return subprocess.Popen(
            [*command, *options],
            stdout=self.log,
            stderr=self.log,
            env=environment,
            cwd=self.log.name.rpartition("/")[0],
        )

    def kill_one(self) -> None:
        worker = self.workers.pop()
        worker.send_signal(signal.SIGKILL)
        worker.wait()

    def close(self) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
        for process in (*self.workers, self.scheduler):
            process.wait()
        self.log.close()


@pytest.fixture(scope="module")
@starts("process")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    cluster = Cluster(tmp_path_factory.mktemp("dask"))
    try:
        ready(cluster)
        yield cluster
    finally:
        cluster.close()


def ready(cluster: Cluster) -> None:
    from distributed import Client

    with Client(cluster.address, timeout="60s", set_as_default=False) as client:
        client.wait_for_workers(3, timeout=60)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve invented CVs."""
    folder = tmp_path_factory.mktemp("cvs") / "site"
    generate(folder, 12)
    return folder


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Every file is a shard."""
    monkeypatch.setattr(shards, "MIN_SHARDED_SIZE", 0)
    monkeypatch.setattr(shards, "SHARD_SIZE", 1)


def test_the_result_is_that_of_one_process_though_workers_are_killed(
    cluster: Cluster, folder: Path
) -> None:
    killed: list[str] = []

    def counting(what: str) -> Callable[[int, int], None]:
        def progress(done: int, total: int) -> None:
            assert 0 < done <= total
            if what == "files mapped" and not killed and total > 5 * done:  # much to do yet
                killed.append(what)
                cluster.kill_one()

        return progress

    there = check(
        folder, Run(TODAY, workers=WorkerConfig(cluster=cluster.address, counting=counting))
    )
    here = check(folder, Run(TODAY, workers=WorkerConfig(1)))
    assert killed == ["files mapped"]
    assert there.problems == here.problems
    assert there.graph is not None
    assert here.graph is not None
    assert there.graph.nquads == here.graph.nquads
    assert len(here.problems) > 12


def test_the_crew_of_ones_own_that_the_page_shows_finds_the_same(
    cluster: Cluster, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (ROOT / "docs" / "cluster.md").read_text(encoding="utf-8")
    [code] = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    for shown, real in {ADDRESS: cluster.address, "/shared/site": str(folder)}.items():
        assert shown in code
        code = code.replace(shown, real)
    (tmp_path / "page.py").write_text(code, encoding="utf-8")
    runpy.run_path(str(tmp_path / "page.py"))
    problems = check(folder, Run(TODAY, workers=WorkerConfig(1))).problems
    assert capsys.readouterr().out == f"{len(problems)} problems\n"


def test_files_of_nquads_are_the_same_from_a_cluster_and_from_here(
    cluster: Cluster, folder: Path, tmp_path: Path
) -> None:
    for name, crew in (("there", ["--cluster", cluster.address]), ("here", ["--jobs", "1"])):
        result = CliRunner().invoke(
            main, ["dump", str(folder), "--shards", "3", "-o", str(tmp_path / name), *crew]
        )
        assert (result.exit_code, result.stdout) == (0, "")
    there, here = (
        {path.name: path.read_bytes() for path in (tmp_path / name).iterdir()}
        for name in ("there", "here")
    )
    assert there == here
    assert set(here) == {"part-0001-of-0003.nq", "part-0002-of-0003.nq", "part-0003-of-0003.nq"}


def test_a_cluster_that_is_not_there_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(executor, "SCHEDULER_TIMEOUT", 1)
    monkeypatch.setenv("KG_CACHE", str(tmp_path))  # which has no report of this site yet
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
        for each in (address, "foo"):
            result = CliRunner().invoke(
                main, ["check", str(ROOT / "kg" / "example"), "--cluster", each]
            )
            assert (result.exit_code, result.stdout) == (2, "")
            assert f"cannot reach a Dask scheduler at {each}" in result.stderr


def test_processes_and_a_cluster_are_not_both_chosen() -> None:
    result = CliRunner().invoke(
        main,
        ["check", str(ROOT / "kg" / "example"), "--cluster", "tcp://127.0.0.1:1", "--jobs", "2"],
    )
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Give one." in result.stderr
