"""Files too large to be held: their pieces are in a file without a name, which is mapped, and go
from there as they are needed.
"""

from __future__ import annotations

import hashlib
import mmap
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import IO

Bytes = bytes | memoryview
AT_ONCE = 1 << 20  # bytes, or one piece


def spooled(pieces: Iterable[Bytes], folder: Path) -> list[Bytes]:
    """The pieces, in a file of this folder; those that are parts of another file stay where they
    are. Raises OSError.
    """
    found: list[Bytes] = []
    sizes: list[int] = []  # of those in the file; -1 for the others
    with temporary(folder) as file:
        for piece in pieces:
            is_there = isinstance(piece, memoryview)
            found.append(piece if is_there else b"")
            sizes.append(-1 if is_there else len(piece))
            if not is_there:
                file.write(piece)
        file.flush()
        view, start = memoryview(mapped(file) if file.tell() else b""), 0
    for number, size in enumerate(sizes):
        if size >= 0:
            found[number] = view[start : start + size]
            start += size
    return found


def temporary(folder: Path) -> IO[bytes]:
    """A file without a name, here or where such files usually are."""
    try:
        return tempfile.TemporaryFile(dir=folder)
    except OSError:
        return tempfile.TemporaryFile()


def mapped(file: IO[bytes]) -> mmap.mmap:
    return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


class Large:
    """A file in pieces."""

    def __init__(self, pieces: Sequence[Bytes]) -> None:
        self.pieces = pieces

    def __len__(self) -> int:
        return sum(map(len, self.pieces))

    def __iter__(self) -> Iterator[bytes]:
        """Neither very many parts, nor very large ones."""
        waiting = bytearray()
        for piece in self.pieces:
            for start in range(0, len(piece), AT_ONCE):
                waiting += piece[start : start + AT_ONCE]
                if len(waiting) >= AT_ONCE:
                    yield bytes(waiting)
                    waiting.clear()
        if waiting:
            yield bytes(waiting)

    @cached_property
    def tag(self) -> str:
        content = hashlib.sha256()
        for piece in self.pieces:
            content.update(piece)
        return content.hexdigest()[:32]


class Larges(Mapping[str, Large]):
    """Such files, by their paths. Each is made once, when it is wanted, and only one at a time:
    meanwhile who wants another is refused.
    """

    def __init__(self, make: Callable[[str], Large], paths: Collection[str]) -> None:
        self.make, self.paths = make, frozenset(paths)
        self.made: dict[str, Large] = {}
        self.lock = Lock()

    def __contains__(self, path: object) -> bool:
        return path in self.paths

    def __iter__(self) -> Iterator[str]:
        return iter(self.paths)

    def __len__(self) -> int:
        return len(self.paths)

    def __getitem__(self, path: str) -> Large:
        """Raises BlockingIOError where one is being made."""
        if path not in self.made:
            if not self.lock.acquire(blocking=False):
                raise BlockingIOError
            try:
                self.made[path] = self.make(path)
            finally:
                self.lock.release()
        return self.made[path]
