"""A folder that is replaced in one step: the new one is written beside it, and then the two change
places.

A file that did not change is taken over as it is (a hard link: the same time, the same inode), so
that a deploy moves only what is new. Whoever is killed on the way leaves the old folder whole, and
beside it something that the next one to come here clears away.
"""

from __future__ import annotations

import fcntl
import filecmp
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager, suppress
from glob import escape
from pathlib import Path

from kg.errors import KgError
from kg.publish.document import MARKER
from kg.publish.export.on_disk import Stamp, holds, stamp_of, take
from kg.publish.export.spare import Spare, remove
from kg.publish.export.swapping import OLD, replace


class Folder:
    """The new folder while it is written, and the old one that it is to replace."""

    def __init__(
        self, target: Path, beside: Path, halves: Sequence[Path] = (), there: Iterable[str] = ()
    ) -> None:
        """`halves` are folders that builds left which were stopped; `there` are files of the old
        folder that are in the new one already.
        """
        self.target, self.beside, self.halves, self.there = target, beside, halves, set(there)
        self.changed: list[str] = []
        self.sources = [f"{target}", *map(str, halves)]
        self.above: set[str] = set()
        self.put_already = set(self.there)
        self.stale: set[str] | None = (
            None  # what is another file in the two, once the new one is in its place
        )

    def put(self, path: str, body: bytes) -> bool:
        """Whether that is another file than before."""
        new, old = self.new(path), f"{self.target}/{path}"
        if holds(old, body):
            take(old, new)
            return False
        with open(new, "wb") as file:  # noqa: PTH123
            file.write(body)
        self.changed.append(path)
        return True

    def stream(self, path: str, pieces: Iterable[bytes | memoryview]) -> bool:
        """The same for a file that is too large to be held at once."""
        new, old = self.new(path), f"{self.target}/{path}"
        with open(new, "wb") as file:  # noqa: PTH123
            file.writelines(pieces)
        if not stamp_of(old) or not filecmp.cmp(old, new, shallow=False):
            self.changed.append(path)
            return True
        os.unlink(new)  # noqa: PTH108
        take(old, new)
        return False

    def found(self, path: str, stamp: Stamp) -> str | None:
        """A file that was written earlier, where it is still as it was written then. (There are
        many, and a Path for each takes longer than to look at it.)
        """
        for folder in self.sources:
            if stamp_of(file := f"{folder}/{path}") == stamp:
                return file
        return None

    def is_there(self, files: Mapping[str, Stamp]) -> bool:
        """Whether all these are in the new folder already, and as they were written."""
        top = self.sources[0]
        return self.there.issuperset(files) and all(
            stamp_of(f"{top}/{path}") == stamp for path, stamp in files.items()
        )

    def keep(self, path: str, file: str) -> None:
        """Takes over a file as it is."""
        if path in self.there and file == f"{self.sources[0]}/{path}":
            return
        take(file, self.new(path))
        if file != f"{self.sources[0]}/{path}":
            self.changed.append(path)

    def new(self, path: str) -> str:
        """Where a file goes, which is not there yet."""
        above = path.rpartition("/")[0]
        if above not in self.above:
            (self.beside / above).mkdir(parents=True, exist_ok=True)
            self.above.add(above)
        new = f"{self.beside}/{path}"
        if (
            path in self.put_already
        ):  # be it as a link to what is there already, and that stays as it is
            os.unlink(new)  # noqa: PTH108
        self.put_already.add(path)
        return new

    def stamp(self, path: str) -> Stamp:
        """Of a file that was put here."""
        found = stamp_of(f"{self.beside}/{path}")
        assert found is not None  # noqa: S101
        return found

    def finish(self, files: set[str] | None = None, changed: Set[str] = frozenset()) -> None:
        """Puts the new folder in the place of the old one, if it differs, be it by what another
        process has `changed`. What others put there (.git, CNAME) goes along. `files` are all that
        it shall have.
        """
        files, old = files or set(), ours_in(self.target)
        gone = old - files if files else set()
        remove(self.beside, self.there - files)
        is_ours = True
        if self.changed or changed or gone:
            is_ours = not carry_over(self.target, self.beside, old)
            replace(self.beside, self.target)
        if files and is_ours and self.beside.exists():
            self.there, self.stale = files, {*self.changed, *changed, *gone}


@contextmanager
def renewed(target: Path, resume: bool = False, spare: Spare | None = None) -> Iterator[Folder]:
    """A folder to write into, which is gone in the end, whatever happens; `finish` puts it into its
    place. A link is followed. The one that it replaces may be kept as a `spare` for the next.

    To `resume`, one that is stopped (Ctrl-C, or killed) is left for the next, which may take over
    what is in it.
    """
    target = target.resolve()
    if target.exists() and (
        not target.is_dir() or (any(target.iterdir()) and not (target / MARKER).exists())
    ):
        raise KgError(
            f"{target} exists and was not written by kg build. Choose another folder, or "
            "empty it first."
        )
    target.parent.mkdir(parents=True, exist_ok=True)
    with locked(target.parent):  # so that nobody clears away what was made this moment
        halves = clear(target, resume)
        beside, handle, there = (spare.taken(target) if spare else None) or begun(target)
    is_stopped = False
    folder = Folder(target, beside, list(halves), there)
    try:
        beside.chmod(0o755)
        yield folder
    except KeyboardInterrupt:
        is_stopped = resume
        raise
    finally:
        for left, held in halves.items():
            if not is_stopped:
                shutil.rmtree(left, ignore_errors=True)
            os.close(held)
        if spare and folder.stale is not None and not halves:
            spare.hold(target, beside, folder.there, folder.stale)
        elif not is_stopped:
            shutil.rmtree(beside, ignore_errors=True)
        os.close(handle)


def beforehand(target: Path, spare: Spare) -> None:
    """Makes a spare folder for one that has none."""
    target = target.resolve()
    files = ours_in(target)
    if spare.is_held or not files:
        return
    with locked(target.parent):
        beside, handle, _ = begun(target)
    try:
        beside.chmod(0o755)
        for above in {path.rpartition("/")[0] for path in files}:
            (beside / above).mkdir(parents=True, exist_ok=True)
        for path in files:
            take(f"{target}/{path}", f"{beside}/{path}")
        spare.keep(target, beside, handle, files, set())
    except BaseException as error:
        shutil.rmtree(beside, ignore_errors=True)
        os.close(handle)
        if not isinstance(error, OSError):  # then the next build only has more to do
            raise


def begun(target: Path) -> tuple[Path, int, set[str]]:
    """A new folder, which nobody else clears away while its handle is open."""
    beside = Path(tempfile.mkdtemp(prefix=prefix(target), dir=target.parent))
    handle = os.open(beside, os.O_RDONLY)
    lock(handle)
    return beside, handle, set()


def prefix(target: Path) -> str:
    return f".{target.name}.kg-"


def clear(target: Path, resume: bool = False) -> dict[Path, int]:
    """Removes what killed builds left here; to `resume`, gives it instead, with the handles that
    hold it. If one was killed where folders cannot change places in one step, the old one comes
    back.
    """
    halves: dict[Path, int] = {}
    for left in sorted(target.parent.glob(f"{escape(prefix(target))}*")):
        if left.name.endswith(OLD) and not target.exists():
            left.rename(target)
            continue
        with suppress(OSError):
            handle = os.open(left, os.O_RDONLY | os.O_NOFOLLOW | os.O_DIRECTORY)
            if not lock(handle):  # somebody is at work in it
                os.close(handle)
            elif resume:
                halves[left] = handle
            else:
                shutil.rmtree(left, ignore_errors=True)
                os.close(handle)
    return halves


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    handle = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # a file system without locks: then nothing is cleared away either
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def lock(handle: int) -> bool:
    """Whether a folder is ours alone until the handle is closed, or this process ends."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def ours_in(folder: Path) -> set[str]:
    """The files that were written by a build."""
    marker = folder / MARKER
    return {MARKER, *marker.read_text(encoding="utf-8").splitlines()} if marker.exists() else set()


def carry_over(old: Path, new: Path, ours: set[str]) -> bool:
    """All that the last build did not write; folders too, be they empty, for git wants its own.
    Gives whether there was anything.
    """
    if not old.is_dir():
        return False
    found = False
    directly = {path.rpartition("/")[0] for path in ours}
    above_ours = {
        path[:place]
        for path in directly
        for place, letter in enumerate(f"{path}/")
        if letter == "/"
    }
    for here, folders, names in os.walk(old):
        within = here[len(str(old)) + 1 :] + "/" if here != str(old) else ""
        for path in [within + name for name in names] + [
            within + name for name in folders if (old / within / name).is_symlink()
        ]:
            if (
                path not in ours
                and not os.path.lexists(new / path)
                and ((old / path).is_file() or (old / path).is_symlink())
            ):
                (new / path).parent.mkdir(parents=True, exist_ok=True)
                take(old / path, new / path)
                found = True
        for name in folders:
            path = within + name
            if (
                path not in above_ours
                and not os.path.lexists(new / path)
                and not (old / path).is_symlink()
            ):
                (new / path).mkdir(parents=True)
                shutil.copymode(old / path, new / path)
                found = True
    return found
