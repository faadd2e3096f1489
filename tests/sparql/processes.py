"""Which processes a process started, and which of them still live, as Linux tells in /proc."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable
from pathlib import Path

PROC = Path("/proc")


def descendants(pid: int) -> set[int]:
    """The children of a process, and theirs."""
    children = {each for each, parent in parents().items() if parent == pid}
    return children.union(*map(descendants, children))


def parents() -> dict[int, int]:
    """Process -> parent, without the zombies."""
    found = {}
    for path in PROC.glob("[0-9]*/stat"):
        try:
            state, parent = (
                path.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[:2]
            )
        except OSError:  # it ended while we looked
            continue
        if state not in "ZX":
            found[int(path.parent.name)] = int(parent)
    return found


def still_alive(pids: Iterable[int], patience: float = 60) -> set[int]:
    """Which of the processes live on, after some time to end."""
    until = time.monotonic() + patience
    while (left := set(pids) & set(parents())) and time.monotonic() < until:
        time.sleep(0.02)
    return left


def wait_until(holds: Callable[[], bool], seconds: float = 60) -> None:
    """Waits for an event. The bound is for what never comes, also on a busy machine."""
    until = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < until, "it did not come"
        time.sleep(0.02)


def cpu_seconds(pid: int) -> float:
    """The CPU time of a process, which tells how far it is, on a busy machine too."""
    fields = (PROC / str(pid) / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
