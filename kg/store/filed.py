"""The lines of a graph: bytes, or, where there are many, a file that is read as it is needed and
takes no memory of its own.

The file has no name, so it is gone with the last who uses it, however that ends; who wants to keep
it gives it one.
"""

from __future__ import annotations

import mmap
import os
import tempfile
import weakref
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import IO

LARGE = 1 << 26  # bytes
BLOCK = 1 << 20  # bytes that are looked at together


class Filed(mmap.mmap):
    """What is used of bytes, and mmap has not. A part of it is bytes."""

    handle: int  # of the file

    def count(self, sign: bytes, start: int = 0, end: int | None = None) -> int:
        """How often there is one byte."""
        return sum(block.count(sign) for block in blocks(self, start, end))

    def startswith(self, part: bytes | memoryview, start: int = 0) -> bool:
        return self[start : start + len(part)] == bytes(part)

    def __contains__(self, part: object) -> bool:
        return isinstance(part, bytes) and self.find(part) >= 0

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, bytes | Filed) or len(self) != len(other):
            return False
        return all(one == two for one, two in zip(blocks(self), blocks(other), strict=True))

    __hash__ = None  # type: ignore[assignment]


Text = bytes | Filed
Texts = Text | Sequence[Text]  # one, or several that make one together


def parts_of(texts: Texts) -> Sequence[Text]:
    return [texts] if isinstance(texts, Text) else texts


def blocks(text: Text, start: int = 0, end: int | None = None) -> Iterator[bytes]:
    end = len(text) if end is None else end
    return (text[at : min(at + BLOCK, end)] for at in range(start, end, BLOCK))


def lines(text: Text) -> Iterator[bytes]:
    """One after the other, each with its end."""
    start = 0
    while start < len(text):
        end = text.find(b"\n", start + BLOCK) + 1 or len(text)
        yield from text[start:end].splitlines(keepends=True)
        start = end


def joined(parts: Iterable[bytes]) -> bytes:
    found = BytesIO()  # which gives what it holds without a copy
    for part in parts:
        found.write(part)
    return found.getvalue()


def filed(parts: Iterable[bytes], folder: Path) -> Text:
    """The parts as one text, in a file of this folder, or of the one for passing things where this
    cannot be written. Raises OSError.
    """
    with nameless(folder) as file:
        for part in parts:
            file.write(part)
        file.flush()
        return seen(file)


def nameless(folder: Path) -> IO[bytes]:
    place = folder if is_usable(folder) else Path(tempfile.gettempdir())
    if hasattr(os, "O_TMPFILE"):
        with suppress(OSError):
            return os.fdopen(os.open(place, os.O_TMPFILE | os.O_RDWR, 0o666), "w+b")
    return tempfile.TemporaryFile(dir=place)


def is_usable(folder: Path) -> bool:
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
    return folder.is_dir() and os.access(folder, os.W_OK)


def seen(file: IO[bytes]) -> Filed:
    found = Filed(file.fileno(), 0, access=mmap.ACCESS_READ)
    found.handle = os.dup(file.fileno())
    weakref.finalize(found, os.close, found.handle)
    return found


def read(path: Path) -> Text:
    """Raises OSError."""
    if path.stat().st_size < LARGE:
        return path.read_bytes()
    with path.open("rb") as file:
        return seen(file)


def write(text: Text, path: Path) -> None:
    """Under this name, in one step, for another may be reading or writing. Raises OSError."""
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    draft.unlink(missing_ok=True)
    if not isinstance(text, Filed) or not is_named(text.handle, draft):
        draft.write_bytes(text)
    draft.replace(path)
    draft.unlink(missing_ok=True)  # which is left where both were names of the same file


def is_named(handle: int, path: Path) -> bool:
    """Gives a file a name, where the system can do that."""
    try:
        place = os.open("/proc/self/fd", os.O_RDONLY)
        try:
            os.link(str(handle), path, src_dir_fd=place, follow_symlinks=True)
        finally:
            os.close(place)
    except (OSError, NotImplementedError):
        return False
    return True
