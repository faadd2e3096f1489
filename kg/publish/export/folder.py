"""Atomic replacement of a folder: write the new one beside it, then swap the two.

Unchanged files are hard-linked (same time, same inode), so that a deployment transfers only new
files. A build that is killed leaves the old folder complete, and a partial one beside it, which the
next build resumes or removes.
"""

from __future__ import annotations

import ctypes
import fcntl
import filecmp
import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from glob import escape
from itertools import chain
from pathlib import Path

from kg.errors import KgError
from kg.files.atomic import lock, locked
from kg.publish.document import MARKER

REMOVAL_THREADS = 4  # threads
OLD = "-old"
AT_FDCWD, RENAME_EXCHANGE = -100, 2
Stamp = tuple[int, int]  # size and modification time (ns) of a file


class Folder:
    """The new folder while it is written, and the old one it will replace. (Paths are strings: with
    this many files, creating Path objects takes longer than checking the files.)
    """

    def __init__(self, target: Path, beside: Path, partial: Sequence[Path]) -> None:
        """`partial` are folders of interrupted builds."""
        self.target, self.beside = target, beside
        self.sources = [f"{target}", *map(str, partial)]
        self.folders, self.has_old = {""}, target.exists()
        self.kept: set[str] = set()  # files reused from the old folder

    def put(self, path: str, *pieces: bytes | memoryview) -> Stamp:
        """Writes a file, or links the old one if it is unchanged."""
        new, old = self.new(path), f"{self.target}/{path}"
        with open(new, "wb") as file:  # noqa: PTH123
            file.writelines(pieces)
            file.flush()
            found = os.fstat(file.fileno())
        if self.has_old and stamp_of(old) and filecmp.cmp(old, new, shallow=False):
            os.unlink(new)  # noqa: PTH108
            link(old, new)
            found = os.lstat(new)
        return found.st_size, found.st_mtime_ns

    def found(self, files: Mapping[str, Stamp]) -> dict[str, str] | None:
        """The locations of these files, if all are still as written."""
        found = {}
        for path, stamp in files.items():
            for folder in self.sources:
                if stamp_of(file := f"{folder}/{path}") == stamp:
                    found[path] = file
                    break
            else:
                return None
        return found

    def take_over(self, files: Mapping[str, str]) -> None:
        for path, file in files.items():
            link(file, self.new(path))
            if file == f"{self.target}/{path}":
                self.kept.add(path)

    def new(self, path: str) -> str:
        above = path.rpartition("/")[0]
        if above not in self.folders:
            with suppress(FileExistsError):  # other processes create folders too
                os.mkdir(self.new(above))  # noqa: PTH102
            self.folders.add(above)
        return f"{self.beside}/{path}"

    def finish(self, files: Iterable[str]) -> list[str]:
        """Replaces the old folder with the new one, which has these files, if they differ. Files of
        others (.git, CNAME) are kept. Returns the files that differ.
        """
        old, new = listed_files(self.target), list(files)
        changed = [
            path
            for path in new
            if path not in self.kept
            and stamp_of(f"{self.beside}/{path}") != stamp_of(f"{self.target}/{path}")
        ]
        if changed or old.difference(new):
            carry_over(self.target, self.beside, old)
            replace(self.beside, self.target)
        return changed


@contextmanager
def renewed(
    target: Path, resume: bool = False, waiting: Callable[[], None] = lambda: None
) -> Iterator[Folder]:
    """A new folder to write into; `finish` puts it in place of the target, and it is removed in any
    case. A symbolic link is followed. If another process is writing there, `waiting` is called, and
    this one continues after it.

    With `resume`, the folder of an interrupted build (Ctrl-C, or killed) is left for the next
    build, which can reuse its files.
    """
    target = target.resolve()
    if target.exists() and (
        not target.is_dir() or (any(target.iterdir()) and not (target / MARKER).exists())
    ):
        raise KgError(
            f"{target} exists and was not written by kg build. Choose another folder or "
            "empty this one."
        )
    target.parent.mkdir(parents=True, exist_ok=True)
    while True:
        with locked(target.parent):  # so that nobody removes the new folder right away
            if not (busy := running_builds(target)):
                partial = clear(target, resume)
                beside = Path(tempfile.mkdtemp(prefix=prefix(target), dir=target.parent))
                handle = os.open(beside, os.O_RDONLY)
                lock(handle)
                break
        waiting()
        for other in busy:
            with suppress(FileNotFoundError), locked(other):
                pass
    is_stopped = False
    try:
        beside.chmod(0o755)
        yield Folder(target, beside, list(partial))
    except KeyboardInterrupt:
        is_stopped = resume
        raise
    finally:
        for folder in (*partial, beside):
            if not is_stopped:
                remove(folder)
        for each in (*partial.values(), handle):
            os.close(each)


def remove(folder: Path) -> None:
    """There is a folder per document. Some kernels take milliseconds to remove one, but not longer
    for several in parallel.
    """
    inner = [str(each) for each in folder.glob("*/*/")]
    with ThreadPoolExecutor(REMOVAL_THREADS) as pool:
        list(
            pool.map(
                remove_files, (inner[number::REMOVAL_THREADS] for number in range(REMOVAL_THREADS))
            )
        )
    remove_files([str(folder)])
    shutil.rmtree(folder, ignore_errors=True)  # the rest


def remove_files(folders: list[str]) -> None:
    """Removes folders as far as possible, in two thirds of the time of `rmtree`."""
    for here, _, names in chain.from_iterable(os.walk(each, topdown=False) for each in folders):
        with suppress(OSError):
            for name in names:
                os.unlink(f"{here}/{name}")  # noqa: PTH108
            os.rmdir(here)  # noqa: PTH106


def prefix(target: Path) -> str:
    return f".{target.name}.kg-"


def running_builds(target: Path) -> list[Path]:
    """The temporary folders of other builds for the same target."""
    found = []
    for folder in target.parent.glob(f"{escape(prefix(target))}*"):
        with suppress(OSError):
            handle = os.open(folder, os.O_RDONLY | os.O_NOFOLLOW | os.O_DIRECTORY)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                found.append(folder)
            finally:
                os.close(handle)
    return found


def temporary_folders(target: Path) -> list[Path]:
    """The temporary folders of killed or running builds beside a folder."""
    return sorted(target.parent.glob(f"{escape(prefix(target))}*"))


def clear(target: Path, resume: bool = False) -> dict[Path, int]:
    """Removes temporary folders of killed builds; with `resume`, returns them with their lock
    handles instead. If a build was killed between two renames, the old folder is restored.
    """
    partial: dict[Path, int] = {}
    for left in temporary_folders(target):
        if left.name.endswith(OLD) and not target.exists():
            left.rename(target)
            continue
        with suppress(OSError):
            handle = os.open(left, os.O_RDONLY | os.O_NOFOLLOW | os.O_DIRECTORY)
            if not lock(handle):  # another build writes into it
                os.close(handle)
            elif resume:
                partial[left] = handle
            else:
                remove(left)
                os.close(handle)
    return partial


def listed_files(folder: Path) -> set[str]:
    """The files that a build wrote into a folder."""
    marker = folder / MARKER
    if not marker.exists():
        return set()
    return {MARKER, *marker.read_text(encoding="utf-8", errors="replace").splitlines()}


def carry_over(old: Path, new: Path, ours: set[str]) -> None:
    """Copies everything that the last build did not write, including empty folders, which git
    needs.
    """
    directly = [Path(folder) for folder in {path.rpartition("/")[0] for path in ours}]
    above_ours = {str(each) for folder in directly for each in (folder, *folder.parents)}
    for here, folders, names in os.walk(old):
        within = f"{here[len(str(old)) + 1 :]}/".lstrip("/")
        for path in [within + name for name in (*names, *folders)]:
            if path in ours or os.path.lexists(new / path):
                continue
            if (old / path).is_symlink() or (old / path).is_file():
                (new / path).parent.mkdir(parents=True, exist_ok=True)
                link(old / path, new / path)
            elif (old / path).is_dir() and path not in above_ours:
                (new / path).mkdir(parents=True)
                shutil.copymode(old / path, new / path)


def replace(new: Path, old: Path) -> None:
    """Puts the new folder in place of the old one; afterwards `new` is the old one, if there was
    one.
    """
    if not old.exists():
        new.rename(old)
    elif not exchange(new, old):
        aside = new.with_name(new.name + OLD)
        old.rename(aside)
        try:
            new.rename(old)
        except OSError:
            aside.rename(old)
            raise
        aside.rename(new)


def exchange(one: Path, other: Path) -> bool:
    """Swaps two folders atomically, if the system supports it (Linux)."""
    rename = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    return (
        rename is not None
        and rename(AT_FDCWD, os.fsencode(one), AT_FDCWD, os.fsencode(other), RENAME_EXCHANGE) == 0
    )


def stamp_of(file: Path | str) -> Stamp | None:
    """Size and modification time of a regular file."""
    try:
        found = os.lstat(file)
    except OSError:
        return None
    return (found.st_size, found.st_mtime_ns) if stat.S_ISREG(found.st_mode) else None


def link(old: Path | str, new: Path | str) -> None:
    """A hard link; if the file system has none, a copy with the same time."""
    try:
        os.link(old, new, follow_symlinks=False)
    except OSError:
        shutil.copy2(old, new, follow_symlinks=False)
