"""Plain files: whether one is as it was written, and the same one under another name."""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path

Stamp = tuple[int, int]  # size, and when it was written


def stamp_of(file: Path | str) -> Stamp | None:
    """Size and time of a plain file."""
    try:
        found = os.lstat(file)
    except OSError:
        return None
    return (found.st_size, found.st_mtime_ns) if stat.S_ISREG(found.st_mode) else None


def holds(file: Path | str, body: bytes) -> bool:
    """Whether there is a plain file with these bytes."""
    found = stamp_of(file)
    try:
        return found is not None and found[0] == len(body) and Path(file).read_bytes() == body
    except OSError:
        return False


def take(old: Path | str, new: Path | str) -> None:
    """The same file under another name; where there are no such links, a copy with the same
    time.
    """
    try:
        os.link(old, new, follow_symlinks=False)
    except OSError:
        shutil.copy2(old, new, follow_symlinks=False)
