"""A store on disk, for graphs that memory is too small for: written beside, moved into its place when it is whole, and never changed.

    FOLDER/store-4f1c…/     by the digest of the graph, so that the same graph finds it again

It is written by a program of its own, `python -m kg.engine.disk FOLDER`, which reads N-Quads from standard input, for that takes memory
that is to be given back.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from pyoxigraph import RdfFormat, Store

from kg.engine import jail
from kg.errors import KgError

PREFIX, UNFINISHED = "store-", ".store-"
WEIGHT = 2  # a graph takes about twice as much memory as its N-Quads
MEMINFO, GROUP = Path("/proc/meminfo"), Path("/sys/fs/cgroup/memory.max")


class Disk:
    """One store, for as long as it is used."""

    def __init__(self, nquads: bytes, folder: Path | None = None) -> None:
        """In this folder, where the next to come with the same graph finds it; or in one that is gone in the end."""
        self.is_passing = folder is None or not is_usable(folder)
        self.folder = Path(tempfile.mkdtemp(prefix="kg-")) if folder is None or self.is_passing else folder
        self.path = self.folder / f"{PREFIX}{hashlib.blake2b(nquads, digest_size=16).hexdigest()}"
        try:
            if not self.path.exists():
                write(nquads, self.path)
            self.handle = held(self.path)
        except BaseException:
            self.remove()
            raise
        clear(self.folder)

    def close(self) -> None:
        os.close(self.handle)
        self.remove()

    def remove(self) -> None:
        if self.is_passing:
            shutil.rmtree(self.folder, ignore_errors=True)


def is_usable(folder: Path) -> bool:
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
    return folder.is_dir() and os.access(folder, os.W_OK)


def write(nquads: bytes, path: Path) -> None:
    draft = Path(tempfile.mkdtemp(prefix=UNFINISHED, dir=path.parent))
    handle = held(draft)
    try:
        done = subprocess.run(  # noqa: S603
            [sys.executable, "-P", "-m", "kg.engine.disk", draft / "store"], input=nquads, capture_output=True, check=False
        )
        if done.returncode:  # a full disk, too little memory
            why = done.stderr.decode(errors="replace").strip().splitlines()[-1:] or ["the process ended"]
            raise KgError(f"The store cannot be written into {path.parent} ({why[0]}). Make room on the disk, or set TMPDIR to another.")
        (draft / "store").rename(path)
    finally:
        os.close(handle)
        shutil.rmtree(draft, ignore_errors=True)


def clear(folder: Path) -> None:
    """Removes stores of other states, and what killed programs left, but not what somebody still uses."""
    for left in [*folder.glob(f"{PREFIX}*"), *folder.glob(f"{UNFINISHED}*")]:
        with suppress(OSError):
            handle = os.open(left, os.O_RDONLY | os.O_NOFOLLOW | os.O_DIRECTORY)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(left, ignore_errors=True)
            finally:
                os.close(handle)


def held(folder: Path) -> int:
    """A handle; as long as it is open, nobody clears the folder away."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    fcntl.flock(handle, fcntl.LOCK_SH)
    return handle


def is_needed(nquads: bytes, share: float) -> bool:
    """Whether a graph would take more than this share of the machine's memory, and there are the means to keep it elsewhere."""
    return len(nquads) * WEIGHT > share * memory() and jail.is_possible()


def memory() -> int:
    """Bytes that this machine, or our part of it, has."""
    found = []
    with suppress(OSError, ValueError):
        found.append(int(MEMINFO.read_text(encoding="ascii").split()[1]) * 1024)
    with suppress(OSError, ValueError):  # where there is no limit it says so in a word
        found.append(int(GROUP.read_text(encoding="ascii")))
    return min(found, default=1 << 62)


def main(path: Path) -> None:
    store = Store(path)
    store.bulk_load(sys.stdin.buffer, RdfFormat.N_QUADS, lenient=True)
    store.optimize()
    store.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
