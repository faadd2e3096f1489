"""Memory, threads and files of a running server, from /proc on Linux."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Vitals:
    """Memory in MB. Pages that several processes share are counted in parts (PSS), except in
    `resident`.
    """

    web: float
    resident: float  # of the web process
    loader: float
    workers: float  # all together
    threads: int
    files: int  # open files, including sockets
    spooled: int  # deleted but still open


def children(pid: int, dead: bool = False) -> list[int]:
    """The child processes, oldest first: living ones or zombies. (Linux lists them by the thread
    that started them.)
    """
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, parent = path.read_text(errors="replace").rpartition(")")[2].split()[:2]
            if int(parent) == pid and (state in "ZX") == dead:
                found.append(int(path.parent.name))
    return sorted(found)


def forked(web: int) -> tuple[int | None, list[int]]:
    """The loader and its workers."""
    loaders = children(web)
    return (loaders[-1], children(loaders[-1])) if loaders else (None, [])


def memory(pid: int, kind: str = "Pss:") -> float:
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith(kind):
                return int(line.split()[1]) / 1024
    return 0


def vitals(web: int) -> Vitals:
    loader, workers = forked(web)
    files = []
    for path in Path(f"/proc/{web}/fd").iterdir():
        with suppress(OSError):
            files.append(str(path.readlink()))
    threads = len(list(Path(f"/proc/{web}/task").iterdir()))
    spooled = sum("(deleted)" in file for file in files)
    return Vitals(
        memory(web),
        memory(web, "Rss:"),
        memory(loader or 0),
        sum(map(memory, workers)),
        threads,
        len(files),
        spooled,
    )
