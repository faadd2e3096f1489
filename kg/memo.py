"""What parts of a large piece of work have given, kept until the whole is done: a run that was
stopped is taken up where it was.

    .kg-cache/parts/5c0f…    one file for each part, named by a digest of all that it hangs on

Each is written under another name and then renamed, so that a file that is there is whole, whoever
wrote it and how often. And each is signed with a key of this user's own: a folder that came from
elsewhere may hold files that look like ours, and are not.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import pickle
import secrets
import shutil
import zlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, Protocol, TypeVar

from kg.settings import CACHE

FOLDER = Path(CACHE) / "parts"
SIGNATURE = 32  # bytes


Body = Callable[[str], bytes]


class Part(Protocol):
    """A task that can tell what comes of it hangs on."""

    def inputs(self) -> bytes: ...


class PartOfFiles(Protocol):
    """One that hangs on files, of which each may be told by its bytes or by what stands for
    them.
    """

    def inputs(self, body: Body = ...) -> bytes: ...


def read_body(path: str) -> bytes:
    with open(path, "rb") as file:  # noqa: PTH123 (a Path for each of thousands of files takes longer than reading it)
        return file.read()


P = TypeVar("P", bound=Part)
Result = TypeVar("Result")


@dataclass(frozen=True)
class Kept:
    """A work whose results are kept in a folder. (A class, for it travels to other processes.)"""

    folder: Path
    made_by: str
    key: bytes = field(repr=False)
    work: Callable[[Any], Any]

    def __call__(self, task: Part) -> Any:
        digest = hashlib.blake2b(
            f"{self.made_by} {self.work.__qualname__} ".encode(), digest_size=16
        )
        digest.update(task.inputs())
        path = self.folder / digest.hexdigest()
        with suppress(OSError):
            signature, data = (held := path.read_bytes())[:SIGNATURE], held[SIGNATURE:]
            if hmac.compare_digest(signature, self.sign(data)):
                return pickle.loads(zlib.decompress(data))  # noqa: S301 (we wrote it)
        found = self.work(task)
        data = zlib.compress(pickle.dumps(found), 1)
        with suppress(OSError):  # where nothing can be written, another run has to do it again
            draft = path.with_name(f"{path.name}.{os.getpid()}")
            draft.write_bytes(self.sign(data) + data)
            draft.replace(path)
        return found

    def sign(self, data: bytes) -> bytes:
        return hmac.digest(self.key, data, "sha256")


def kept(work: Callable[[P], Result], site: Path) -> Callable[[P], Result]:
    """The same work, whose results are kept in the site's folder, if that can be written."""
    folder = (site / FOLDER).resolve()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder.parent / ".gitignore").write_text("*\n")
    except OSError:
        return work
    return Kept(folder, made_by(), own_key(), work)


def forget(site: Path) -> None:
    """Removes what was kept: the whole is done."""
    shutil.rmtree(site / FOLDER, ignore_errors=True)


def own_key() -> bytes:
    """A secret of this user; another one each time, where none can be kept."""
    path = Path(os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser()) / "cv-kg" / "key"
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with (
            suppress(FileExistsError),
            os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file,
        ):
            file.write(secrets.token_bytes(SIGNATURE))
        if len(key := path.read_bytes()) == SIGNATURE:
            return key
    return secrets.token_bytes(SIGNATURE)


@cache
def made_by() -> str:
    """What results hang on besides their inputs: our own code, and the libraries that judge."""
    code = b"".join(path.read_bytes() for path in sorted(Path(__file__).parent.rglob("*.py")))
    versions = (version(name) for name in ("pyshacl", "rdflib", "pydantic", "pyyaml"))
    return " ".join([hashlib.blake2b(code, digest_size=16).hexdigest(), *versions])
