"""The folder that a build has replaced, kept by a process that builds again and again.

It has the same files as the one in its place, but for those that changed. So it is soon made the
same, and the next build, which writes into it, need not put there again what is there.
"""

from __future__ import annotations

import fcntl
import os
import shutil
from contextlib import suppress
from pathlib import Path


class Spare:
    """One folder, or none. `files` are those of the folder in its place, `stale` those of them that
    are others here, or only here.
    """

    def __init__(self) -> None:
        self.target, self.folder, self.handle = (0, 0, 0), Path(), -1
        self.files: set[str] = set()
        self.stale: set[str] = set()

    @property
    def is_held(self) -> bool:
        return self.handle >= 0

    def hold(self, target: Path, folder: Path, files: set[str], stale: set[str]) -> None:
        """Keeps a folder; nobody else clears it away."""
        try:
            handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        except OSError:
            return
        with suppress(OSError):  # a file system without locks: then nothing is cleared away either
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        self.keep(target, folder, handle, files, stale)

    def keep(
        self, target: Path, folder: Path, handle: int, files: set[str], stale: set[str]
    ) -> None:
        """The same with a handle that has locked it."""
        self.target, self.folder, self.handle, self.files, self.stale = (
            identity(target),
            folder,
            handle,
            files,
            stale,
        )

    def taken(self, target: Path) -> tuple[Path, int, set[str]] | None:
        """A folder that has the files of the target, its handle, and what is in it; None where
        there is none, or somebody else has replaced the target since.
        """
        if self.handle < 0:
            return None
        if target.is_dir() and identity(target) == self.target:
            with suppress(OSError):
                remove(self.folder, self.stale)
                for path in self.stale & self.files:
                    (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
                    os.link(target / path, self.folder / path, follow_symlinks=False)
                found, self.handle = (self.folder, self.handle, self.files), -1
                return found
        self.clear()
        return None

    def clear(self) -> None:
        """Lets go of it."""
        if self.handle >= 0:
            shutil.rmtree(self.folder, ignore_errors=True)
            os.close(self.handle)
            self.handle = -1


def identity(folder: Path) -> tuple[int, int, int]:
    """The number of a folder may be given to another, but not with the same time."""
    found = folder.stat()
    return found.st_dev, found.st_ino, found.st_mtime_ns


def remove(folder: Path, paths: set[str]) -> None:
    """Files that are no longer wanted, and the folders that only they were in."""
    for path in paths:
        (folder / path).unlink(missing_ok=True)
    for above in sorted(
        {above for path in paths for above in Path(path).parents},
        key=lambda above: -len(above.parts),
    ):
        if above.parts:
            with suppress(OSError):  # there is something in it
                (folder / above).rmdir()
