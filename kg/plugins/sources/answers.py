"""Answers of sources, kept as files: in the user's cache, in a folder of `--record`, and in tests.

A file has the address, the status, and the date with a digest; then an empty line and the body:

    https://api.crossref.org/works/10.5555/ice.1
    200 application/json
    2026-11-19 sha256:5c0f…

    {"status": "ok", …
"""

from __future__ import annotations

import hashlib
import re
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from kg.files.atomic import replace_cache
from kg.files.cache import cache_folder, make_private
from kg.plugins.sources.found import Origin

NOT_IN_NAMES = re.compile(r"[^a-z0-9.]+")


@dataclass(frozen=True)
class Answer:
    """The answer of a source to one request. `address` has no key in it."""

    address: str
    status: int
    media_type: str
    asked: str  # its date: 2026-11-19
    body: bytes

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.body).hexdigest()

    @property
    def text(self) -> str:
        return self.body.decode("utf-8", errors="replace")

    def origin(self, source: str) -> Origin:
        return Origin(source, self.address, self.asked)

    def to_bytes(self) -> bytes:
        head = f"{self.address}\n{self.status} {self.media_type}\n{self.asked} sha256:{self.digest}"
        return f"{head}\n\n".encode() + self.body


def read_answer(data: bytes) -> Answer | None:
    """The answer in a file; None if the file is damaged. Files of tests may lack the digest."""
    head, _, body = data.partition(b"\n\n")
    with suppress(ValueError):
        address, status, dated = head.decode().split("\n")
        code, _, media_type = status.partition(" ")
        asked, _, digest = dated.partition(" sha256:")
        found = Answer(address, int(code), media_type, asked, body)
        if digest in ("", found.digest):
            return found
    return None


class Answers:
    """A folder of answers."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or cache_folder(Path("/")).parent / "answers"

    def path(self, address: str) -> Path:
        host, _, rest = address.partition("://")[2].partition("/")
        name = NOT_IN_NAMES.sub("-", rest.lower())[:80].strip("-.")
        mark = hashlib.blake2b(address.encode(), digest_size=6).hexdigest()
        return self.folder / host / f"{name}-{mark}.txt"

    def find(self, address: str) -> Answer | None:
        with suppress(OSError):
            found = read_answer(self.path(address).read_bytes())
            return found if found and found.address == address else None
        return None

    def keep(self, answer: Answer) -> None:
        """Writes an answer. Raises OSError."""
        path = self.path(answer.address)
        make_private(path.parent)
        replace_cache(path, answer.to_bytes())
