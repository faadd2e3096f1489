"""YAML to N-Quads, against PyYAML's C loader on the same files. CPU seconds, each task in its own
process.
"""

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
    for path in sorted((folder / "data").rglob("*.yaml")):
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


def loaded(folder: Path) -> int:
    """Reads a graph that was written before, and writes it again."""
    from pyoxigraph import RdfFormat  # noqa: PLC0415

    from kg.store.memory import Memory  # noqa: PLC0415

    path = folder / "cvs.nq"
    nquads = path.read_bytes() if path.exists() else b""  # the warm-up site has none
    return len(Memory("https://bench.example.org/", nquads).store.dump(format=RdfFormat.N_QUADS))


TASKS = {"loader": loader, "asserted": asserted, "derived": derived, "loaded": loaded}


def measure(task: str, folder: Path, times: int) -> dict[str, float]:
    """The minimum CPU of three runs, each of which does the task several times."""
    command = [sys.executable, "-m", "bench.mapping", task, str(folder), str(times)]
    runs = [
        json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        for _ in range(3)
    ]
    return dict(min(runs, key=lambda run: run["cpu"]))


def run(count: int = 1000) -> list[dict[str, object]]:
    folder = WORK / f"cvs-{count}"
    shutil.rmtree(
        folder, ignore_errors=True
    )  # an earlier folder may be incomplete or from another version
    generate(folder, count)
    sites = [
        (folder, f"{count} CVs", count, 1),
        (Path(__file__).parent.parent, "the real data", 3, 20),
    ]
    rows = []
    for site, name, cvs, times in sites:
        plain = measure("loader", site, times)
        for task, goal in (("asserted", 2.0), ("derived", 4.0)):
            found = measure(task, site, times)
            rows.append(
                {
                    "work": f"YAML to {task} N-Quads, {name}",
                    "cpu": round(found["cpu"], 3),
                    "against": f"PyYAML C loader {plain['cpu']:.3f} s",
                    "ratio": round(found["cpu"] / plain["cpu"], 2),
                    "goal": goal,
                    "note": f"{found['quads'] / cvs:.0f} quads per CV",
                }
            )
    return rows


if __name__ == "__main__":
    task, times = TASKS[sys.argv[1]], int(sys.argv[3])
    task(Path("kg/example"))  # imports are not measured
    gc.collect()
    start = time.process_time()
    for _ in range(times):
        quads = task(Path(sys.argv[2]))
    print(json.dumps({"cpu": (time.process_time() - start) / times, "quads": quads}))
