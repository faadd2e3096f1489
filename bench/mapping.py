"""YAML -> N-Quads, against PyYAML's C loader alone on the same files. CPU seconds, each in a process of its own."""

from __future__ import annotations

import gc
import json
import shutil
import subprocess
import sys
import time
from pathlib import Path

import yaml

from bench.generate import generate

WORK = Path(__file__).parent / "work"


def loader(folder: Path) -> int:
    for path in sorted(folder.rglob("*.yaml")):
        yaml.load(path.read_bytes(), yaml.CSafeLoader)
    return 0


def asserted(folder: Path) -> int:
    from kg.facts.load import load  # noqa: PLC0415
    from kg.graph.build import walk  # noqa: PLC0415

    facts = load(folder)
    assert facts.site is not None and not facts.problems, facts.problems[:3]  # noqa: S101
    return len(walk(facts, facts.site.base)[0].lines)


def derived(folder: Path) -> int:
    from kg.facts.load import load  # noqa: PLC0415
    from kg.graph.build import build  # noqa: PLC0415

    facts = load(folder)
    assert facts.site is not None  # noqa: S101
    return build(facts, facts.site).nquads.count(b"\n")


TASKS = {"loader": loader, "asserted": asserted, "derived": derived}


def measure(task: str, folder: Path) -> dict[str, float]:
    """The least CPU of three runs."""
    command = [sys.executable, "-m", "bench.mapping", task, str(folder)]
    runs = [json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout) for _ in range(3)]
    return dict(min(runs, key=lambda run: run["cpu"]))


def run(count: int = 1000) -> list[dict[str, object]]:
    folder = WORK / f"cvs-{count}"
    shutil.rmtree(folder, ignore_errors=True)  # one of an earlier run may be of another generator, or half written
    generate(folder, count)
    plain = measure("loader", folder)
    rows = []
    for task, goal in (("asserted", 2.0), ("derived", 4.0)):
        found = measure(task, folder)
        rows.append(
            {
                "work": f"YAML to {task} N-Quads, {count} CVs",
                "cpu": round(found["cpu"], 2),
                "against": f"PyYAML C loader {plain['cpu']:.2f} s",
                "ratio": round(found["cpu"] / plain["cpu"], 2),
                "goal": goal,
                "note": f"{found['quads'] / count:.0f} quads per CV",
            }
        )
    return rows


if __name__ == "__main__":
    task = TASKS[sys.argv[1]]
    task(Path("kg/example"))  # imports are not what is measured
    gc.collect()
    start = time.process_time()
    quads = task(Path(sys.argv[2]))
    print(json.dumps({"cpu": time.process_time() - start, "quads": quads}))
