"""Cache of a site: results that later runs would compute again. It can be deleted at any time.

It is in the user's cache folder, or in KG_CACHE, with one folder for each site:

    ~/.cache/cv-kg/5c0f…/memo/9a1e…    result of a pure function, by the digest of the program,
                                       the function and its inputs

Each file begins with a digest; damaged files and those of other program versions are ignored.
Writes are atomic. If the folder is not writable, everything works, but slower. Results are
unpickled, so only the user may have write access.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol, TypeVar

from kg import doors
from kg.files.atomic import clear_drafts, is_scratch, replace_cache

MEMO = "memo"
DIGEST_SIZE = 16  # bytes of the digest
LIBRARIES = ("pyshacl", "rdflib", "pyoxigraph", "pydantic", "yaml", "jinja2", "markupsafe", "PIL")
MAX_MEMO_BYTES = 1 << 28  # maximum size of memo/ in bytes


class Inputs(Protocol):
    """An argument with a byte representation, including the files that it names."""

    def inputs(self) -> bytes: ...


T = TypeVar("T", bound=Inputs)
Result = TypeVar("Result")
Map = Callable[
    [Callable[[Any], Any], Iterable[Any]], Iterator[Any]
]  # `map`, or that of an executor


class Cache:
    """The cache of a site. Without a site, or in a scratch folder, nothing is cached."""

    def __init__(self, site: Path | None = None) -> None:
        self.folder = cache_folder(site) if site and not is_scratch(site) else None

    def read(self, name: str) -> bytes | None:
        """Reads what this version of the program wrote under a name."""
        with suppress(OSError):
            if self.folder:
                found = (self.folder / name).read_bytes()
                if found[:DIGEST_SIZE] == digest(name, found[DIGEST_SIZE:]):
                    return found[DIGEST_SIZE:]
        return None

    def write(self, name: str, data: bytes) -> None:
        with suppress(OSError):
            if self.folder:
                path = make_private(self.folder) / name
                path.parent.mkdir(exist_ok=True)
                replace_cache(path, digest(name, data) + data)

    def map(
        self, function: Callable[[T], Result], tasks: Sequence[T], each: Map = map
    ) -> Iterator[Result]:
        """Yields the result of each task in order; uncached ones are computed with `each`."""
        keys = [key_of(function, task) for task in tasks]
        known = {key: found for key in keys if (found := self.find(key))}
        unknown = {key: task for key, task in zip(keys, tasks, strict=True) if key not in known}
        computed = zip(unknown.items(), each(function, unknown.values()), strict=True)
        for key in keys:
            if key not in known:
                (_, task), result = next(computed)
                known[key] = pickle.dumps(result)
                if key_of(function, task) == key:  # no input file changed meanwhile
                    self.write(f"{MEMO}/{key}", known[key])
            yield pickle.loads(known[key])  # noqa: S301  we wrote it

    def find(self, key: str) -> bytes | None:
        """Finds a result, and marks it as recently used."""
        found = self.read(f"{MEMO}/{key}")
        if found and self.folder:
            with suppress(OSError):
                os.utime(self.folder / MEMO / key)
        return found

    def trim(self) -> None:
        """Removes the least recently used results above the maximum size."""
        if not self.folder:
            return
        clear_drafts(self.folder)
        clear_drafts(self.folder / MEMO)
        with suppress(OSError):
            entries = [(entry, entry.stat()) for entry in os.scandir(self.folder / MEMO)]
            size = sum(status.st_size for _, status in entries)
            for entry, status in sorted(entries, key=lambda each: each[1].st_mtime):
                if size <= MAX_MEMO_BYTES:
                    break
                Path(entry.path).unlink(missing_ok=True)
                size -= status.st_size


def key_of(function: Callable[[T], Any], task: T) -> str:
    name = f"{program()} {function.__module__}.{function.__qualname__} "
    digest = hashlib.blake2b(name.encode(), digest_size=16)
    digest.update(task.inputs())
    return digest.hexdigest()


def cache_folder(site: Path) -> Path:
    """The cache folder of a site, by the digest of its absolute path."""
    name = hashlib.blake2b(os.fsencode(site.resolve()), digest_size=8).hexdigest()
    if top := os.environ.get("KG_CACHE"):
        return Path(top).absolute() / name
    from platformdirs import user_cache_dir  # noqa: PLC0415

    try:
        return Path("/", user_cache_dir("cv-kg"), name)
    except RuntimeError:  # a user without a home cannot write anywhere either
        return Path("/", "~", "cv-kg", name)


def make_private(folder: Path) -> Path:
    """Creates a folder that only this user can read, because the cache may contain private data."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder


def digest(name: str, data: bytes) -> bytes:
    """The digest of an entry. It includes the name, so a renamed file is invalid, too."""
    found = hashlib.blake2b(f"{program()} {name} ".encode(), digest_size=DIGEST_SIZE)
    found.update(data)
    return found.digest()


@cache
def program() -> str:
    """Digest of everything that results depend on besides inputs: our files, Python, libraries and
    plugins.
    A file counts as changed if its size or modification time differs.
    """
    here = Path(__file__).parents[1]
    found = (find_spec(name) for name in LIBRARIES)
    files = [spec.origin for spec in found if spec and spec.origin]
    for top in (here, here.parent / "queries", here.parent / "shapes"):
        for folder, folders, names in os.walk(top):
            folders[:] = [name for name in folders if name != "__pycache__"]
            files += [f"{folder}/{name}" for name in names]  # twice as fast as pathlib
    known = "\n".join([sys.version, *doors.versions()])
    digest = hashlib.blake2b(known.encode(), digest_size=16)
    for file in sorted(files):
        status = os.stat(file)  # noqa: PTH116
        digest.update(f"{file} {status.st_size} {status.st_mtime_ns}\n".encode())
    return digest.hexdigest()
