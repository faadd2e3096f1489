"""The time of a check grows with the size of a site, not with its square. CPU times of one process
are compared at two sizes: four times as much may take seven times as long, not sixteen.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from kg.check.check import check
from kg.check.shapes import read
from kg.graph.parallel.executor import WorkerConfig
from kg.graph.parallel.run import Run
from kg.settings import resources

TODAY = "2026-11-15"
SITE = "base: https://cv.example.org/\ntitle: Growth\n"
TIMES, MOST = 4, 7


def long_cv(folder: Path, jobs: int) -> None:
    """One CV with many jobs, of a year each, at as many organisations."""
    lines = [
        f"  - {{organization: Company {n}, position: Engineer, startDate: {1950 + n % 70}-03, "
        f"endDate: {1951 + n % 70}-02}}"
        for n in range(jobs)
    ]
    write(folder, "long", "basics: {name: Ada Berg}\nwork:\n" + "\n".join(lines))


def old_works(folder: Path, people: int) -> None:
    """Many CVs with works from before the first known job of their authors."""
    for n in range(people):
        works = [
            f"  - {{kind: journal, key: work-{n}-{m}, title: Work {n} {m}, "
            f"authors: [Person {n}], journal: Ice, date: 193{m}}}"
            for m in range(10)
        ]
        work = f"work:\n  - {{organization: Lab {n}, position: Engineer, startDate: 1990}}"
        study = f"education:\n  - {{institution: Lab {n}, studyType: PhD, startDate: 1985}}"
        cv = [f"basics: {{name: Person {n}}}", work, *([study] if n % 2 else [])]
        write(folder, f"person-{n}", "\n".join([*cv, "publications:", *works]))


def write(folder: Path, name: str, cv: str) -> None:
    (folder / "data/cv").mkdir(parents=True, exist_ok=True)
    (folder / "data/site.yaml").write_text(SITE, encoding="utf-8")
    (folder / f"data/cv/{name}.yaml").write_text(f"{cv}\n", encoding="utf-8")


def seconds(work: Callable[[], object]) -> float:
    """The CPU time of something; the shorter of two, for the first one also loads modules."""
    found = list[float]()
    for _ in range(2):
        gc.collect()
        start = time.process_time()
        work()
        found.append(time.process_time() - start)
    return min(found)


def checking(folder: Path) -> float:
    return seconds(lambda: check(folder, Run(TODAY, workers=WorkerConfig(jobs=1))))


def judging(folder: Path) -> float:
    """The CPU time of the rules alone."""
    graph = check(folder, Run(TODAY, workers=WorkerConfig(jobs=1))).graph
    assert graph is not None
    shapes = read(graph.site.base, resources(graph.site, "shapes", "*.ttl"))
    run = Run(TODAY, workers=WorkerConfig(jobs=1))
    return seconds(lambda: shapes.find(graph.memory, run))


@pytest.mark.proof
def test_a_long_cv_takes_time_by_its_length(tmp_path: Path) -> None:
    long_cv(tmp_path / "few", 250)
    long_cv(tmp_path / "many", 250 * TIMES)
    assert checking(tmp_path / "many") < MOST * checking(tmp_path / "few")


@pytest.mark.proof
def test_many_cvs_with_old_works_take_time_by_their_number(tmp_path: Path) -> None:
    old_works(tmp_path / "few", 40)
    old_works(tmp_path / "many", 40 * TIMES)
    assert judging(tmp_path / "many") < MOST * judging(tmp_path / "few")
