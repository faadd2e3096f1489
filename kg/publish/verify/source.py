"""Reads a published site from a folder or from a server."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from kg.errors import KgError
from kg.publish.document import MARKER

Look = Callable[[str, bytes], None]


def ignore(path: str, body: bytes) -> None:
    """Does nothing with a file."""


@dataclass
class Evidence:
    """What the verification of the whole site needs of one file: the triples of its document, its
    link targets in the site (`people/ada.html#it`), the number of links on a page, the anchors of a
    page, and its statements about other documents, as N-Triples.
    """

    triples: int = 0
    links: list[str] = field(default_factory=list)
    count: int = 0
    anchors: list[str] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)


class SiteSource(ABC):
    """Files by path below the root of the site. `look` is called with everything that is read."""

    look: Look

    @abstractmethod
    def get(self, path: str) -> bytes | None:
        """The bytes of a file, or None."""

    @abstractmethod
    def has(self, path: str) -> bool: ...

    @abstractmethod
    def name(self, path: str) -> str:
        """The file as shown to users."""

    @abstractmethod
    def why(self, path: str) -> str:
        """Why a file cannot be read."""

    @abstractmethod
    def files(self) -> list[str]:
        """All files that a build lists, as far as known."""

    @abstractmethod
    def rest(self) -> list[str]:
        """All readable files, listed or not."""

    def leads_on(self, address: str) -> bool:
        """Whether a former document redirects or is reported as gone."""
        return False


def is_below(path: str) -> bool:
    """Whether a path stays within the site; a dump can contain any path."""
    return not path.startswith("/") and ".." not in path.split("/")


class Directory(SiteSource):
    """A folder. `shown` is its displayed name."""

    def __init__(self, folder: Path, shown: Path | None = None, look: Look = ignore) -> None:
        self.folder, self.shown, self.look = folder, folder if shown is None else shown, look
        self.known: frozenset[str] = frozenset()  # files known to exist
        if not folder.is_dir():
            raise KgError(
                f"{folder} is not a folder. Give a folder written by kg build, or the address of a "
                "server."
            )

    def get(self, path: str) -> bytes | None:
        if not self.has(path):
            return None
        body = (self.folder / path).read_bytes()
        self.look(path, body)
        return body

    def has(self, path: str) -> bool:
        return path in self.known or (is_below(path) and (self.folder / path).is_file())

    def name(self, path: str) -> str:
        return str(self.shown / path)

    def why(self, path: str) -> str:
        return "it is not in the folder"

    def files(self) -> list[str]:
        """From the list of the build. Other files are not ours and are not verified."""
        return (self.get(MARKER) or b"").decode("utf-8", "replace").splitlines()

    def rest(self) -> list[str]:
        found = (path for path in sorted(self.folder.rglob("*")) if path.is_file())
        below = (path.relative_to(self.folder) for path in found)
        return [str(path) for path in below if ".git" not in path.parts]
