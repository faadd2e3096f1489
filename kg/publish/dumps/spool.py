"""Dumps too large to be held: their pieces are in a temporary file, which is mapped into memory."""

from __future__ import annotations

import hashlib
import mmap
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from threading import Lock

Bytes = bytes | memoryview
AT_ONCE = 1 << 20  # bytes, or one piece


def spooled(pieces: Iterable[Bytes]) -> list[Bytes]:
    """The pieces, in a file without a name, which is gone with the last of them."""
    with tempfile.TemporaryFile() as file:
        sizes = [file.write(piece) for piece in pieces]
        file.flush()
        body = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if any(sizes) else b""
    view = memoryview(body)
    return [view[end - size : end] for size, end in zip(sizes, accumulate(sizes), strict=True)]


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


class LargeFiles(Mapping[str, Large]):
    """Such files, by their paths. Each is made once, when it is requested, and only one at a time:
    meanwhile a request for another is refused.
    """

    def __init__(self, make: Callable[[str], Large], paths: Collection[str]) -> None:
        self.make, self.paths = make, frozenset(paths)
        self.cache: dict[str, Large] = {}
        self.lock = Lock()

    def __contains__(self, path: object) -> bool:
        return path in self.paths

    def __iter__(self) -> Iterator[str]:
        return iter(self.paths)

    def __len__(self) -> int:
        return len(self.paths)

    def __getitem__(self, path: str) -> Large:
        """Raises BlockingIOError where one is being made."""
        if path not in self.cache:
            if not self.lock.acquire(blocking=False):
                raise BlockingIOError
            try:
                self.cache[path] = self.make(path)
            finally:
                self.lock.release()
        return self.cache[path]
