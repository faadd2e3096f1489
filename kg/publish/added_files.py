"""Files that plugins add to a site (`kg.site_files`), such as its change log."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from kg import doors
from kg.publish.page_files import SiteFiles
from kg.publish.pages.frame import Frame
from kg.sparql.reading.questions import Question


class Publication(SiteFiles, Protocol):
    """What the files are made for: `kg.publish.site.Documents`."""

    addresses: set[str]
    is_lean: bool
    suffixes: Mapping[str, str]
    previous: Path | None
    today: str

    @property
    def pages(self) -> Frame: ...

    @property
    def questions(self) -> Mapping[str, Question]: ...

    @property
    def own_queries(self) -> bytes: ...


def whole(documents: Publication, body: bytes) -> bytes:
    return body


@dataclass(frozen=True)
class AddedFiles:
    """The files of a plugin for one site: path -> media type. `make` returns the content of one.
    `state` is everything they depend on besides the list of files. `own` returns the part of a file
    that is specific to the site and is searched for private values.
    """

    types: Mapping[str, str]
    make: Callable[[Publication, str], bytes]
    state: str = ""
    own: Callable[[Publication, bytes], bytes] = whole


@dataclass(frozen=True)
class FileAdder:
    """`files_of` returns the files for the documents of a site, or None."""

    files_of: Callable[[Publication], AddedFiles | None]


def adders() -> dict[str, FileAdder]:
    return doors.each("kg.site_files", FileAdder)
