"""A store on disk, for graphs that memory is too small for: written beside, moved into its place
when it is whole, and never changed.

    FOLDER/store-4f1c…/     by the digest of the graph, so that the same graph finds it again

It is written by a program of its own, `python -m kg.sparql.disk FOLDER`, which reads N-Quads from
standard input, for that takes memory that is to be given back.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from pyoxigraph import RdfFormat, Store

from kg.errors import KgError
from kg.sparql.workers import sandbox
from kg.store.filed import Text, Texts, is_usable, parts_of

PREFIX, UNFINISHED = "store-", ".store-"
AT_ONCE = (
    1 << 25
)  # bytes of lines that are loaded together, which takes some seven times as much memory
BLANK = b"_:"
WEIGHT = 2  # a graph takes about twice as much memory as its N-Quads
MEMINFO, GROUP = Path("/proc/meminfo"), Path("/sys/fs/cgroup/memory.max")


class Disk:
    """One store, for as long as it is used."""

    def __init__(self, nquads: Texts, folder: Path | None = None) -> None:
        """In this folder, where the next to come with the same graph finds it; or in one that is
        gone in the end.
        """
        self.is_passing = folder is None or not is_usable(folder)
        self.folder = (
            Path(tempfile.mkdtemp(prefix="kg-")) if folder is None or self.is_passing else folder
        )
        self.path = self.folder / f"{PREFIX}{digest(parts_of(nquads))}"
        try:
            if not self.path.exists():
                write(parts_of(nquads), self.path)
            self.handle = held(self.path)
        except BaseException:
            self.remove()
            raise
        clear(self.folder, PREFIX, UNFINISHED)

    def close(self) -> None:
        os.close(self.handle)
        self.remove()

    def remove(self) -> None:
        if self.is_passing:
            shutil.rmtree(self.folder, ignore_errors=True)


def digest(texts: Sequence[Text]) -> str:
    found = hashlib.blake2b(digest_size=16)
    for text in texts:
        found.update(text)
    return found.hexdigest()


def write(texts: Sequence[Text], path: Path) -> None:
    draft = Path(tempfile.mkdtemp(prefix=UNFINISHED, dir=path.parent))
    handle = held(draft)
    try:
        at_once = 0 if any(BLANK in text for text in texts) else AT_ONCE
        command = [sys.executable, "-P", "-m", "kg.sparql.disk", str(draft / "store"), str(at_once)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:  # noqa: S603
            try:
                said = sent(texts, process)
            except BaseException:
                process.kill()
                raise
        if process.returncode:  # a full disk, too little memory
            why = said.decode(errors="replace").strip().splitlines()[-1:] or ["the process ended"]
            raise KgError(
                f"The store cannot be written into {path.parent} ({why[0]}). Make room on "
                "the disk, or set TMPDIR to another."
            )
        (draft / "store").rename(path)
    finally:
        os.close(handle)
        shutil.rmtree(draft, ignore_errors=True)


def sent(texts: Sequence[Text], process: subprocess.Popen[bytes]) -> bytes:
    """Gives a process all lines, and then what it said of errors."""
    assert process.stdin is not None  # noqa: S101
    with suppress(BrokenPipeError):
        for text in texts:
            process.stdin.write(text)
    return process.communicate()[1]


def clear(folder: Path, *prefixes: str) -> None:
    """Removes stores of other states, and what killed programs left, but not what somebody still
    uses.
    """
    for left in [path for prefix in prefixes for path in folder.glob(f"{prefix}*")]:
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


def is_needed(size: int, share: float) -> bool:
    """Whether a graph would take more than this share of the machine's memory, and strangers can be
    let ask it elsewhere.
    """
    return is_larger(size, share) and sandbox.is_possible()


def is_larger(size: int, share: float) -> bool:
    """Whether a graph of so many bytes of lines would take more memory than this share of the
    machine's.
    """
    return size * WEIGHT > share * memory()


def memory() -> int:
    """Bytes that this machine, or our part of it, has."""
    found = []
    with suppress(OSError, ValueError):
        found.append(int(MEMINFO.read_text(encoding="ascii").split()[1]) * 1024)
    with suppress(OSError, ValueError):  # where there is no limit it says so in a word
        found.append(int(GROUP.read_text(encoding="ascii")))
    return min(found, default=1 << 62)


def main(path: Path, at_once: int) -> None:
    """`at_once` are so many bytes of lines, or 0 for all, where there are blank nodes: a name of
    those holds for one load.
    """
    store = Store(path)
    if not at_once:
        store.bulk_load(sys.stdin.buffer, RdfFormat.N_QUADS, lenient=True)
    while some := sys.stdin.buffer.read(at_once):
        store.bulk_load(some + sys.stdin.buffer.readline(), RdfFormat.N_QUADS, lenient=True)
    store.optimize()
    store.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
