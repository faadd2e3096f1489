"""The cost of a build after one edited CV against a full build, in `kg build --watch` and in a new
process.

The edit changes the title of a position. Measures the CPU of all processes, and the time until it
watches again.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

from bench.generate import generate
from bench.growth import WORK, Row
from bench.start import KG, cpu_now

SIZES = (100, 400)
EDITS = 4
POSITION = re.compile(r"^    position: (?:Edit \d+ )?", re.MULTILINE)


class Cost(NamedTuple):
    cpu: float
    time: float

    def __sub__(self, other: Cost) -> Cost:
        return Cost(self.cpu - other.cpu, self.time - other.time)


def run(sizes: tuple[int, ...] = SIZES) -> list[Row]:
    rows: list[Row] = []
    for size in sizes:
        print(f"  {size} CVs ...", file=sys.stderr)
        folder, output = WORK / f"edit-{size}", WORK / f"edit-{size}-site"
        for path in (folder, output):
            shutil.rmtree(path, ignore_errors=True)
        generate(folder, size)
        cv = min((folder / "data" / "cv").glob("*.yaml"))
        full, first, *later = watched(folder, output, cv)
        usual = min(later)
        edit(cv, EDITS + 1)
        rebuilt = built(folder, output)
        rows.append(
            row(
                f"kg build, {size} CVs, from nothing, until it watches",
                full,
                full,
                "",
                f"{files_in(output)} files",
            )
        )
        rows.append(row(f"the first edit in --watch, {size} CVs", first, full, "0.05"))
        rows.append(
            row(
                f"a later edit in --watch, {size} CVs",
                usual,
                full,
                "0.05",
                f"the least of {len(later)}",
            )
        )
        rows.append(
            row(f"an edit, then kg build in a new process, {size} CVs", rebuilt, full, "0.2")
        )
    return rows


def watched(folder: Path, output: Path, cv: Path) -> list[Cost]:
    """The cost of the first build and of each edit."""
    process = subprocess.Popen(
        [KG, "build", folder, "-o", output, "--watch"], stderr=subprocess.PIPE, text=True
    )
    try:
        last, costs = Cost(0, time.monotonic()), []
        for number in range(EDITS + 1):
            if number:
                time.sleep(1)
                last = Cost(cpu_now(process.pid), time.monotonic())
                edit(cv, number)
            wait(process)
            costs.append(Cost(cpu_now(process.pid), time.monotonic()) - last)
        return costs
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate()


def wait(process: subprocess.Popen[str]) -> None:
    assert process.stderr is not None  # noqa: S101
    said = []
    for line in process.stderr:
        said.append(line)
        if line.startswith("Watching"):
            return
    raise RuntimeError(f"kg build --watch ended: {''.join(said[-3:])}")


def built(folder: Path, output: Path) -> Cost:
    began = time.monotonic()
    process = subprocess.Popen([KG, "build", folder, "-o", output], stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"kg build ended with {process.returncode}")
    return Cost(used.ru_utime + used.ru_stime, time.monotonic() - began)


def edit(cv: Path, number: int) -> None:
    text = cv.read_text()
    changed = POSITION.sub(f"    position: Edit {number} ", text, count=1)
    if changed == text:
        raise RuntimeError(f"{cv} has no position to edit")
    cv.write_text(changed)


def files_in(folder: Path) -> int:
    return sum(len(names) for _, _, names in os.walk(folder))


def row(work: str, cost: Cost, full: Cost, goal: str, more: str = "") -> Row:
    note = f"{cost.time:.1f} s of time" + (f"; {more}" if more else "")
    return {
        "work": work,
        "cpu": round(cost.cpu, 2),
        "against": f"full {full.cpu:.1f} s" if goal else "",
        "ratio": round(cost.cpu / full.cpu, 4) if goal else "",
        "goal": goal,
        "note": note,
    }


if __name__ == "__main__":
    for measured in run():
        print("  ".join(f"{value}" for value in measured.values()), flush=True)
