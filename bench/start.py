"""Start-up time: `kg --help` against bare Python, `kg check`, and `kg serve` until its first
answer. CPU of all processes.
"""

from __future__ import annotations

import os
import re
import resource
import shutil
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from kg.files.cache import cache_folder

KG = Path(sys.executable).with_name("kg")
TICK = os.sysconf("SC_CLK_TCK")


def cpu_of(command: list[str], runs: int = 15) -> float:
    """The minimum CPU of several runs of a command, including its children."""
    best = float("inf")
    for _ in range(runs):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return best


def cpu_now(pid: int) -> float:
    """CPU seconds of a process and its descendants so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    own = sum(map(int, fields[11:15])) / TICK
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return own + sum(cpu_now(int(child)) for child in children)


def first_answer() -> float:
    server = subprocess.Popen([KG, "serve", "--port", "0"], stderr=subprocess.PIPE, text=True)
    try:
        assert server.stderr is not None  # noqa: S101
        address = next(
            found[1] for line in server.stderr if (found := re.search(r"Serving (\S+)", line))
        )
        urllib.request.urlopen(address + "people/arpan-jain").read()  # noqa: S310
        time.sleep(0.1)
        return cpu_now(server.pid)
    finally:
        server.terminate()
        server.wait()


def checked(warm: bool) -> float:
    """CPU of `kg check` on the starting data, with or without a warm cache."""
    folder = Path(__file__).parent.parent
    best = float("inf")
    for _ in range(4):
        if not warm:
            shutil.rmtree(cache_folder(folder), ignore_errors=True)
        best = min(best, cpu_of([str(KG), "check", str(folder)], runs=1))
    return best


def against_limit(work: str, cpu: float, limit: float) -> dict[str, object]:
    against = f"{limit:g} s of CPU"
    return {
        "work": work,
        "cpu": round(cpu, 2),
        "against": against,
        "ratio": round(cpu / limit, 2),
        "goal": 1.0,
        "note": "starting data",
    }


def run() -> list[dict[str, object]]:
    bare = cpu_of([sys.executable, "-c", "pass"])
    helped = cpu_of([str(KG), "--help"])
    served = min(first_answer() for _ in range(3))
    against = f"bare Python {bare * 1000:.0f} ms"
    return [
        {
            "work": "kg --help",
            "cpu": round(helped, 3),
            "against": against,
            "ratio": round(helped / bare, 2),
            "goal": 6.0,
            "note": "",
        },
        against_limit("kg check, cold", checked(warm=False), 8),
        against_limit("kg check, warm", checked(warm=True), 1.5),
        against_limit("kg serve until its first answer, warm", served, 3),
    ]
