"""SHACL validation: `kg check` against plain pyshacl with the same graph and shapes, and after one
edited CV.

Only validation is timed, each run in its own process. Reading, mapping and deriving are measured in
bench/mapping.py. Rows with `whole` are the time a user waits, from the files to the report.
"""

from __future__ import annotations

import json
import os
import re
import resource
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
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
    from kg.check.shacl import shape_files  # noqa: PLC0415
    from kg.facts.load import load  # noqa: PLC0415
    from kg.graph.build import build  # noqa: PLC0415
    from kg.settings import resources  # noqa: PLC0415

    facts = load(folder)
    assert facts.site is not None  # noqa: S101
    graph = build(facts, facts.site)
    return graph, shape_files.read(facts.site.base, resources(facts.site, "shapes", "*.ttl"))


def plain(folder: Path) -> dict[str, Any]:
    from kg.check.verdict import reference  # noqa: PLC0415

    graph, shapes = loaded(folder)
    times, found = timed(lambda: reference(graph, shapes, TODAY))
    return {**times, "findings": len({each.result for each in found})}


def cold(folder: Path) -> dict[str, Any]:
    from kg.check.verdict import judge, save_verdict  # noqa: PLC0415
    from kg.files.cache import Cache  # noqa: PLC0415
    from kg.graph.parallel.run import Run  # noqa: PLC0415

    graph, shapes = loaded(folder)
    done = threading.Event()
    most: list[int] = [0]
    watcher = threading.Thread(target=largest_child, args=(done, most))
    watcher.start()
    times, verdict = timed(lambda: judge(graph, shapes, Run(TODAY)))
    done.set()
    watcher.join()
    largest = most[0]
    save_verdict(Cache(folder), verdict)
    return {
        **times,
        "findings": len({each.result for each in verdict.findings}),
        "triples": graph.nquads.count(b"\n"),
        "worker": largest,
    }


def largest_child(done: threading.Event, most: list[int]) -> None:
    """Records the peak memory of any child process in MB. (For finished children, the system would
    include the parent's memory.)
    """
    while not done.wait(0.2):
        for child in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split():
            with suppress(OSError, AttributeError):
                found = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{child}/status").read_text())
                most[0] = max(most[0], int(found[1]) // 1024)  # type: ignore[index]


def warm(folder: Path) -> dict[str, Any]:
    """In a new process, with the last verdict from the cache."""
    from kg.check.verdict import judge, load_verdict  # noqa: PLC0415
    from kg.files.cache import Cache  # noqa: PLC0415
    from kg.graph.parallel.run import Run  # noqa: PLC0415

    edit(folder, 2)
    graph, shapes = loaded(folder)
    times, verdict = timed(lambda: judge(graph, shapes, Run(TODAY), load_verdict(Cache(folder))))
    return {
        **times,
        "findings": len({each.result for each in verdict.findings}),
        "same": same(graph, shapes, verdict),
    }


def watching(folder: Path) -> dict[str, Any]:
    """In a running process, after an edit. The first edit is not timed, because it also reads the
    names of rules from their queries.
    """
    from kg.check.check import check  # noqa: PLC0415
    from kg.check.verdict import judge  # noqa: PLC0415
    from kg.graph.parallel.run import Run  # noqa: PLC0415

    graph, shapes = loaded(folder)
    verdict = judge(graph, shapes, Run(TODAY))
    edit(folder, 5)
    graph, _ = loaded(folder)
    verdict = judge(graph, shapes, Run(TODAY), verdict)
    edit(folder, 3)
    graph, _ = loaded(folder)
    times, verdict = timed(lambda: judge(graph, shapes, Run(TODAY), verdict))
    edit(folder, 4)
    whole, _ = timed(lambda: check(folder, Run(TODAY), verdict))
    return {**times, "whole": whole["wall"], "same": same(graph, shapes, verdict)}


def whole(folder: Path) -> dict[str, Any]:
    """From the files to the report, without a cache."""
    from kg.check.check import check  # noqa: PLC0415
    from kg.graph.parallel.run import Run  # noqa: PLC0415

    return timed(lambda: check(folder, Run(TODAY)))[0]


def same(graph: Any, shapes: Any, verdict: Any) -> bool:
    from kg.check.verdict import judge  # noqa: PLC0415
    from kg.graph.parallel.run import Run  # noqa: PLC0415

    return bool(judge(graph, shapes, Run(TODAY)) == verdict)


def edit(folder: Path, number: int) -> None:
    """Changes the title and the end of one position in a CV."""
    path = sorted((folder / "data" / "cv").glob("*.yaml"))[number]
    text = re.sub(r"position: (.*)", r"position: Chief \1", path.read_text(), count=1)
    path.write_text(re.sub(r"endDate: \d+-\d+", "endDate: 2031-02", text, count=1))


TASKS = {"plain": plain, "cold": cold, "warm": warm, "watching": watching, "whole": whole}


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
            f"{found['findings']} findings in {found['triples']} triples, CPU {found['cpu']:.1f} "
            f"s, largest worker {found['worker']} MB"
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
        for task, goal in (("watching", 0.01), ("warm", 0.2)):
            after = measure(task, folder)
            assert after["same"]  # noqa: S101
            where = "in a running watch" if task == "watching" else "in a new process"
            note = f"CPU {after['cpu']:.2f} s" + (
                f"; from the save to the report {after['whole']:.1f} s"
                if task == "watching"
                else ""
            )
            cold_run = f"the cold run {found['wall']:.2f} s"
            rows.append(
                row(
                    f"SHACL after one edited CV of {count}, {where}",
                    after["wall"],
                    cold_run,
                    after["wall"] / found["wall"],
                    goal,
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
