"""Atomic replacement of files: write beside the target, then rename.

Leftovers of killed processes are removed by the next process that writes there. Writers hold a
lock, which the operating system releases when the process ends.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from kg.errors import KgError, remedy

DRAFT = re.compile(r"\..+\.\d+\.kg~")  # hidden, so that it is not read as data
SCRATCH = ".kg-scratch-"
DATA = "data"  # the folder of a site that is locked


def draft_of(path: Path) -> Path:
    return path.with_name(f".{path.name}.{os.getpid()}.kg~")


def replace_files(folder: Path, texts: Mapping[str, str | bytes]) -> None:
    """Writes several files: all drafts first, then renames them in the given order.

    Choose an order in which every prefix is consistent, such as an entry before the references to
    it. A file with empty text is removed.
    """
    drafts: dict[Path, Path | None] = {}
    path = folder
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with locked(folder):
            for above in {(folder / name).resolve().parent for name in texts}:
                clear_drafts(above)
            for name, text in texts.items():
                path = (folder / name).resolve()
                if not text:
                    drafts[folder / name] = None
                    continue
                body = text if isinstance(text, bytes) else text.encode()
                if path.exists() and not path.is_file():  # a device or a pipe
                    path.write_bytes(body)
                    continue
                path.parent.mkdir(parents=True, exist_ok=True)
                drafts[path] = draft = draft_of(path)
                write(draft, body, path)
            for path, each in drafts.items():
                if each:
                    each.replace(path)
                else:
                    path.unlink(missing_ok=True)
    except OSError as error:
        raise KgError(
            f"cannot write {path}: {error.strerror}. Each file is either unchanged or new. "
            f"{remedy(error)}".strip()
        ) from error
    finally:
        for each in filter(None, drafts.values()):
            with suppress(OSError):
                each.unlink(missing_ok=True)


def write(draft: Path, body: bytes, path: Path) -> None:
    """Writes and syncs a draft with the permissions of the target; until then only the owner can
    read it.
    """
    rights = 0o600 if path.exists() else 0o666
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, rights)
    with os.fdopen(handle, "wb") as file:
        file.write(body)
        file.flush()
        os.fsync(file.fileno())
    if path.exists():
        shutil.copymode(path, draft)


def replace_cache(path: Path, body: bytes) -> None:
    """Replaces a cache file in one step, because other processes may be reading or writing it.
    Raises OSError.
    """
    draft = draft_of(path)
    try:
        draft.write_bytes(body)
        draft.replace(path)
    except OSError:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
        raise


def clear_drafts(folder: Path) -> None:
    """Removes drafts of killed processes. A concurrent cache writer may lose one result."""
    with suppress(OSError), os.scandir(folder) as entries:
        for path in [Path(entry.path) for entry in entries if DRAFT.fullmatch(entry.name)]:
            with suppress(OSError):
                path.unlink()


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Locks a folder; waits for other lock holders."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # a file system without locks
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


@contextmanager
def lock_site(site: Path, tell: Callable[[str], None] = lambda _: None) -> Iterator[None]:
    """Locks the data of a site against other commands that change it; `tell` reports waiting. A
    missing folder is created, and removed again if it stays empty.
    """
    data = site / DATA
    new = [folder for folder in (data, *data.parents) if not folder.exists()]
    handle = lock_folder(data, tell)
    try:
        yield
    finally:
        for folder in new:
            with suppress(OSError):  # not empty
                folder.rmdir()
        os.close(handle)


def lock_folder(data: Path, tell: Callable[[str], None]) -> int:
    """Returns a handle that locks a folder until it is closed."""
    while True:
        data.mkdir(parents=True, exist_ok=True)
        with suppress(FileNotFoundError):
            handle = os.open(data, os.O_RDONLY)
            with suppress(OSError):  # a file system without locks
                try:
                    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    tell(f"Waiting for another command that changes {data}/.")
                    fcntl.flock(handle, fcntl.LOCK_EX)
            if data.exists() and os.path.samestat(os.fstat(handle), data.stat()):
                return handle
            os.close(handle)  # another command removed the folder


def lock(handle: int) -> bool:
    """Tries to lock a folder; the lock ends with the handle or the process."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """A folder for temporary files. Leftovers of this user's killed processes are removed, because
    they may contain private data.
    """
    place = Path(tempfile.gettempdir())
    for left in place.glob(f"{SCRATCH}*"):
        with suppress(OSError):
            handle = os.open(left, os.O_RDONLY | os.O_NOFOLLOW | os.O_DIRECTORY)
            if os.fstat(handle).st_uid == os.getuid() and lock(handle):
                shutil.rmtree(left, ignore_errors=True)
            os.close(handle)
    folder, handle = new_folder(place)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(handle)


def is_scratch(path: Path) -> bool:
    """Whether a path is in a scratch folder."""
    return any(part.startswith(SCRATCH) for part in path.parts)


def new_folder(place: Path) -> tuple[Path, int]:
    """A new folder, and the handle that locks it."""
    while True:
        folder = Path(tempfile.mkdtemp(prefix=SCRATCH, dir=place))
        with suppress(OSError):
            handle = os.open(folder, os.O_RDONLY)
            lock(handle)
            if folder.exists():  # not removed before it was locked
                return folder, handle
            os.close(handle)
