"""A file of a site, where it is, and those that every site has."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from kg.publish.formats import OTHER_SUFFIXES

STATIC = Path(__file__).parent / "static"


@dataclass(frozen=True, slots=True)
class Document:
    """A file of the site: where it is below the base, what it is, and its bytes."""

    path: str
    media_type: str
    body: bytes


def static_files() -> Iterator[tuple[str, tuple[str, str]]]:
    """Path of each file that is the same in every site -> what it is made from, and its media type."""
    for path in sorted(STATIC.iterdir()):
        top = "" if path.name == "favicon.ico" else "static/"  # where browsers look for it unasked
        yield f"{top}{path.name}", ("static", OTHER_SUFFIXES[path.suffix])


def root_of(path: str) -> str:
    """The way from a page to the top of the site."""
    return "../" * path.count("/") or "./"


def page_at(path: str) -> str:
    """The page of an address, as links say it: `people/ada.html`; a list is its folder."""
    return path if not path or path.endswith("/") else f"{path}.html"


def file_of(path: str, suffix: str) -> str:
    """`people/ada` -> `people/ada.ttl`; a list is the index of its folder."""
    return f"{path}index{suffix}" if not path or path.endswith("/") else f"{path}{suffix}"
