"""What a running server takes of the machine, as Linux tells in /proc."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Vitals:
    """Memory in MB; a page that several processes share is counted in parts (PSS), but wholly in
    `resident`.
    """

    web: float
    resident: float  # of the web process
    loader: float
    workers: float  # all together
    threads: int
    files: int  # that are open, sockets too
    spooled: int  # of those, without a name any more


def children(pid: int, dead: bool = False) -> list[int]:
    """The oldest first; those that live, or those that ended while nobody looked. (Linux lists them
    by the thread that started them.)
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
