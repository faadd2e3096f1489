"""Where a published site is read: a folder, or a server that shows the same."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from kg.errors import KgError
from kg.publish.document import MARKER

Look = Callable[[str, bytes], None]


class Source(Protocol):
    """Files by their paths below the top of the site. Somebody may `look` at all that is read."""

    def get(self, path: str) -> bytes | None:
        """The bytes of a file, or None where there is none."""

    def has(self, path: str) -> bool:
        """Whether there is such a file."""

    def leads_on(self, address: str) -> bool:
        """Whether a document that is not here any more redirects, or is said to be gone."""

    def name(self, path: str) -> str:
        """A file as a person would look for it."""

    def why(self, path: str) -> str:
        """What is said instead of giving a file."""

    def files(self) -> list[str]:
        """All files that a build says it wrote, as far as that can be known."""

    def rest(self) -> list[str]:
        """Whatever else can be read there."""

    def close(self) -> None:
        """Nothing more is asked."""


def is_below(path: str) -> bool:
    """Whether a path stays in the site; a dump may name any."""
    return not path.startswith("/") and ".." not in path.split("/")


class Directory:
    """A folder. `shown` is what its files are called by."""

    def __init__(
        self, folder: Path, shown: Path | None = None, look: Look = lambda path, body: None
    ) -> None:
        self.folder, self.shown, self.look = folder, folder if shown is None else shown, look
        if not folder.is_dir():
            raise KgError(
                f"{folder} is no folder. Name one that kg build wrote, or the address of a server."
            )

    def get(self, path: str) -> bytes | None:
        if not self.has(path):
            return None
        body = (self.folder / path).read_bytes()
        self.look(path, body)
        return body

    def has(self, path: str) -> bool:
        return is_below(path) and (self.folder / path).is_file()

    def leads_on(self, address: str) -> bool:
        return False  # a folder has a page for it, or nothing

    def name(self, path: str) -> str:
        return str(self.shown / path)

    def why(self, path: str) -> str:
        return "it is not in the folder"

    def files(self) -> list[str]:
        """What a build wrote, according to its own list. What else lies there is not ours, and is
        not judged.
        """
        return [*(self.get(MARKER) or b"").decode("utf-8", "replace").splitlines()]

    def rest(self) -> list[str]:
        found = (
            path.relative_to(self.folder)
            for path in sorted(self.folder.rglob("*"))
            if path.is_file()
        )
        return [str(path) for path in found if ".git" not in path.parts]

    def close(self) -> None:
        pass
