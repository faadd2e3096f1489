"""Files and folders that are written beside their places first, and then take them: who is killed
on the way leaves what was there or what is new, and never half of it.

What a killed process left behind is removed by the next one that writes there. Who is at work holds
a lock, which ends with the process, however that ends.
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

DRAFT = re.compile(r"\..+\.\d+\.kg~")  # hidden, so that nobody reads it as data
SCRATCH = ".kg-scratch-"
DATA = "data"  # the folder of a site that is locked


def draft_of(path: Path) -> Path:
    return path.with_name(f".{path.name}.{os.getpid()}.kg~")


def replace_files(folder: Path, texts: Mapping[str, str | bytes]) -> None:
    """Writes files, each by its path in a folder: all are written beside their places first, and
    then take them, in the order given: it should be one in which the first so many are right
    without the others, such as an entry before what refers to it. A file that is to have no text is
    removed.
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
                if path.exists() and not path.is_file():  # a device, or a pipe
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
            f"{path} cannot be written: {error.strerror}. Each file is as it was, or new. "
            f"{remedy(error)}".strip()
        ) from error
    finally:
        for each in filter(None, drafts.values()):
            with suppress(OSError):
                each.unlink(missing_ok=True)


def write(draft: Path, body: bytes, path: Path) -> None:
    """With the rights of the file whose place it takes, and until then for its owner alone; a loss
    of power leaves one of the two.
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
    """In one step, for another process may be reading or writing. Raises OSError."""
    draft = draft_of(path)
    try:
        draft.write_bytes(body)
        draft.replace(path)
    except OSError:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
        raise


def clear_drafts(folder: Path) -> None:
    """Removes what killed processes left in a folder. Who writes into a cache meanwhile has one
    result less there.
    """
    with suppress(OSError), os.scandir(folder) as entries:
        for path in [Path(entry.path) for entry in entries if DRAFT.fullmatch(entry.name)]:
            with suppress(OSError):
                path.unlink()


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """While others who lock this folder wait."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # a file system without locks
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


@contextmanager
def lock_site(site: Path, tell: Callable[[str], None] = lambda _: None) -> Iterator[None]:
    """While other commands that change the files of a site wait, so that each reads what the other
    wrote; one that waits says so. A folder that does not exist yet is made, and removed if nothing
    is written into it.
    """
    data = site / DATA
    new = [folder for folder in (data, *data.parents) if not folder.exists()]
    handle = lock_folder(data, tell)
    try:
        yield
    finally:
        for folder in new:
            with suppress(OSError):  # it is not empty
                folder.rmdir()
        os.close(handle)


def lock_folder(data: Path, tell: Callable[[str], None]) -> int:
    """The handle that locks a folder until it is closed."""
    while True:
        data.mkdir(parents=True, exist_ok=True)
        with suppress(FileNotFoundError):
            handle = os.open(data, os.O_RDONLY)
            with suppress(OSError):  # a file system without locks
                try:
                    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    tell(f"Another command changes {data}/. This one goes on when that has ended.")
                    fcntl.flock(handle, fcntl.LOCK_EX)
            if data.exists() and os.path.samestat(os.fstat(handle), data.stat()):
                return handle
            os.close(handle)  # another command removed the folder


def lock(handle: int) -> bool:
    """Whether a folder is ours alone until the handle is closed, or this process ends."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """A folder for temporary files. Those that killed processes of this user left are removed, for
    what was in them may be private.
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
    """Whether it is in a scratch folder, which does not last."""
    return any(part.startswith(SCRATCH) for part in path.parts)


def new_folder(place: Path) -> tuple[Path, int]:
    """A new folder and the handle that locks it."""
    while True:
        folder = Path(tempfile.mkdtemp(prefix=SCRATCH, dir=place))
        with suppress(OSError):
            handle = os.open(folder, os.O_RDONLY)
            lock(handle)
            if folder.exists():  # nobody removed it before it was locked
                return folder, handle
            os.close(handle)
