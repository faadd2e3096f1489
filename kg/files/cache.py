"""A memo of pure functions: a result is found by the digest of the program, the function and its
inputs.

    .kg-cache/memo/5c0f…    a result, signed and pickled

The latest results are in memory, all of them on disk, where a site has a folder for them; both are
bounded. A file is written under another name and then renamed, so it is never half written. Each is
signed with a key of this user, for a folder that came from elsewhere may hold forged files, and
unpickling one of those would run it.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import pickle
import secrets
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol, TypeVar

from kg.files.atomic import clear_drafts, replace_cache

CACHE = ".kg-cache"  # in a site's folder: what is kept between runs, and may be deleted at any time
FOLDER = Path(CACHE) / "memo"
SIGNATURE = 32  # bytes
LIBRARIES = ("pyshacl", "rdflib", "pyoxigraph", "pydantic", "yaml")
IN_MEMORY, ON_DISK = 1 << 26, 1 << 28  # bytes of results


class Inputs(Protocol):
    """An argument whose value, with that of the files it names, is these bytes."""

    def inputs(self) -> bytes: ...


T = TypeVar("T", bound=Inputs)
Result = TypeVar("Result")
Map = Callable[
    [Callable[[Any], Any], Iterable[Any]], Iterator[Any]
]  # `map`, or that of an executor


class Memo:
    """Results of functions. Without a site they are in memory only."""

    def __init__(self, site: Path | None = None) -> None:
        self.recent: OrderedDict[str, bytes] = OrderedDict()
        self.size = 0  # bytes
        self.folder = (site / FOLDER).resolve() if site else None

    def map(
        self, function: Callable[[T], Result], tasks: Sequence[T], each: Map = map
    ) -> Iterator[Result]:
        """The result of each task, in their order. Unknown ones are computed by `each`."""
        keys = [key_of(function, task) for task in tasks]
        known = {key: found for key in keys if (found := self.find(key))}
        unknown = {key: task for key, task in zip(keys, tasks, strict=True) if key not in known}
        computed = zip(unknown.items(), each(function, unknown.values()), strict=True)
        for key in keys:
            if key not in known:
                (_, task), result = next(computed)
                known[key] = pickle.dumps(result)
                if key_of(function, task) == key:  # no file was written to meanwhile
                    self.save(key, known[key])
            yield pickle.loads(known[key])  # noqa: S301  we wrote it

    def find(self, key: str) -> bytes | None:
        if key in self.recent:
            self.recent.move_to_end(key)
            return self.recent[key]
        with suppress(OSError):
            if self.folder:
                path = self.folder / key
                signature, data = (read := path.read_bytes())[:SIGNATURE], read[SIGNATURE:]
                if hmac.compare_digest(signature, sign(key, data)):
                    os.utime(path)  # so that the files that are used stay longest
                    self.remember(key, data)
                    return data
        return None

    def save(self, key: str, data: bytes) -> None:
        """Where nothing can be written, another run has to compute it again."""
        self.remember(key, data)
        with suppress(OSError):
            if self.folder:
                self.folder.mkdir(parents=True, exist_ok=True)
                replace_cache(self.folder.parent / ".gitignore", b"*\n")
                replace_cache(self.folder / key, sign(key, data) + data)

    def remember(self, key: str, data: bytes) -> None:
        self.size += len(data) - len(self.recent.pop(key, b""))
        self.recent[key] = data
        while self.size > IN_MEMORY:
            self.size -= len(self.recent.popitem(last=False)[1])

    def trim(self) -> None:
        """Removes the files that were used longest ago, where there are too many."""
        if not self.folder:
            return
        clear_drafts(self.folder)
        with suppress(OSError):
            entries = [(entry, entry.stat()) for entry in os.scandir(self.folder)]
            size = sum(status.st_size for _, status in entries)
            for entry, status in sorted(entries, key=lambda each: each[1].st_mtime):
                if size <= ON_DISK:
                    break
                Path(entry.path).unlink(missing_ok=True)
                size -= status.st_size


def key_of(function: Callable[[T], Any], task: T) -> str:
    name = f"{program()} {function.__module__}.{function.__qualname__} "
    digest = hashlib.blake2b(name.encode(), digest_size=16)
    digest.update(task.inputs())
    return digest.hexdigest()


def sign(key: str, data: bytes) -> bytes:
    """With its key, for a result that another has the name of is as wrong as a forged one."""
    return hmac.digest(secret(), key.encode() + data, "sha256")


def secret() -> bytes:
    """The key of this user; where it cannot be stored, one of this process."""
    folder = os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser()
    return secret_in(Path(folder) / "cv-kg" / "key")


@cache
def secret_in(path: Path) -> bytes:
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not path.exists() or path.stat().st_size != SIGNATURE:
            replace_cache(path, secrets.token_bytes(SIGNATURE), 0o600)
        if len(key := path.read_bytes()) == SIGNATURE:
            return key
    return secrets.token_bytes(SIGNATURE)


@cache
def program() -> str:
    """What results depend on besides their inputs: our own code and its tables, and the libraries
    under it. A file counts as changed when its size or time of modification is another.
    """
    here = Path(__file__).parents[1]
    files = [
        os.path.join(folder, name)  # noqa: PTH118  half as slow as pathlib, for hundreds of files
        for folder, _, names in os.walk(here)
        for name in names
        if name.endswith((".py", ".yaml", ".tsv"))
    ]
    found = (find_spec(name) for name in LIBRARIES)
    files += [spec.origin for spec in found if spec and spec.origin]
    digest = hashlib.blake2b(digest_size=16)
    for file in sorted(files):
        status = os.stat(file)  # noqa: PTH116
        digest.update(f"{file} {status.st_size} {status.st_mtime_ns}\n".encode())
    return digest.hexdigest()
