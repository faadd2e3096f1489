"""SHACL validation: `kg check` against plain pyshacl with the same graph and shapes.

Only validation is timed, each run in its own process. Reading, mapping and deriving are measured in
bench/mapping.py. Rows with `whole` are the time a user waits, from the files to the report.
"""

from __future__ import annotations

import json
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench.generate import generate

WORK = Path(__file__).parent / "work"
TODAY = "2026-11-15"
FAULTS = 0.1


def cpu() -> float:
    """CPU seconds of this process and its finished children."""
    return sum(
        used.ru_utime + used.ru_stime
        for used in (
            resource.getrusage(resource.RUSAGE_SELF),
            resource.getrusage(resource.RUSAGE_CHILDREN),
        )
    )


def timed(work: Callable[[], Any]) -> tuple[dict[str, float], Any]:
    start, wall = cpu(), time.perf_counter()
    result = work()
    return {"cpu": cpu() - start, "wall": time.perf_counter() - wall}, result


def loaded(folder: Path) -> Any:
    from kg.check.shapes import read  # noqa: PLC0415
    from kg.facts.load import load  # noqa: PLC0415
    from kg.graph.build import build  # noqa: PLC0415
    from kg.settings import resources  # noqa: PLC0415

    facts = load(folder)
    assert facts.site is not None  # noqa: S101
    graph = build(facts, facts.site)
    return graph, read(facts.site.base, resources(facts.site, "shapes", "*.ttl"))


def plain(folder: Path) -> dict[str, Any]:
    from tests.check.plain_pyshacl import reference, results  # noqa: PLC0415

    graph, shapes = loaded(folder)
    times, found = timed(lambda: reference(graph, shapes, TODAY))
    return {**times, "findings": len(results(found))}


def cold(folder: Path) -> dict[str, Any]:
    from kg.graph.parallel.run import Run  # noqa: PLC0415
    from tests.check.plain_pyshacl import results  # noqa: PLC0415

    graph, shapes = loaded(folder)
    times, found = timed(lambda: shapes.find(graph.memory, Run(TODAY)))
    return {**times, "findings": len(results(found)), "triples": graph.nquads.count(b"\n")}


def whole(folder: Path) -> dict[str, Any]:
    """From the files to the report, without a cache."""
    from kg.check.check import check  # noqa: PLC0415
    from kg.graph.parallel.run import Run  # noqa: PLC0415

    return timed(lambda: check(folder, Run(TODAY)))[0]


TASKS = {"plain": plain, "cold": cold, "whole": whole}


def measure(task: str, folder: Path) -> dict[str, Any]:
    print(f"  {task} on {folder.name} ...", file=sys.stderr)
    found = subprocess.run(
        [sys.executable, "-m", "bench.check", task, str(folder)],
        check=True,
        capture_output=True,
        text=True,
    )
    return dict(json.loads(found.stdout.splitlines()[-1]))


def run(
    counts: tuple[int, ...] = (10, 100, 1000), plainly: tuple[int, ...] = (10, 100)
) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    seconds: dict[int, float] = {}
    for count in counts:
        folder = WORK / f"faulty-{count}"
        shutil.rmtree(folder, ignore_errors=True)
        generate(folder, count, faults=FAULTS)
        found = measure("cold", folder)
        if count in plainly:
            reference = measure("plain", folder)
            assert reference["findings"] == found["findings"]  # noqa: S101
            seconds[count], said = reference["wall"], f"plain pyshacl {reference['wall']:.1f} s"
        else:
            seconds[count] = seconds[max(plainly)] * count / max(plainly)
            said = f"plain pyshacl {seconds[count]:.0f} s (extrapolated from {max(plainly)} CVs)"
        note = (
            f"{found['findings']} findings in {found['triples']} triples, CPU {found['cpu']:.1f} s"
        )
        rows.append(
            row(
                f"SHACL, {count} CVs, cold",
                found["wall"],
                said,
                found["wall"] / seconds[count],
                0.2,
                note,
            )
        )
        all_of_it = measure("whole", folder)
        rows.append(
            row(
                f"kg check, {count} CVs, without a cache",
                all_of_it["wall"],
                "",
                0,
                0,
                f"CPU {all_of_it['cpu']:.1f} s",
            )
        )
    return rows


def row(
    work: str, seconds: float, against: str, ratio: float, goal: float, note: str
) -> dict[str, object]:
    return {
        "work": work,
        "cpu": round(seconds, 3),
        "against": against,
        "ratio": round(ratio, 4),
        "goal": goal,
        "note": note,
    }


if __name__ == "__main__":
    task = TASKS[sys.argv[1]]
    task_folder = Path(sys.argv[2])
    import pyshacl  # noqa: F401  imports are not measured

    print(json.dumps(task(task_folder)))
