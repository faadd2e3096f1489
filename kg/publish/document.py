"""A file of a site, where it is, and those that every site has."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from kg.publish.formats import OTHER_SUFFIXES

STATIC = Path(__file__).parent / "static"
STYLE = "style.css"


@dataclass(frozen=True, slots=True)
class Document:
    """A file of the site: where it is below the base, what it is, and its bytes."""

    path: str
    media_type: str
    body: bytes


def static_files(own: Path | None = None) -> Iterator[tuple[str, tuple[str, str]]]:
    """Path of each file that was written by hand, for every site or by the site in its `own` folder -> what it is made from, and its
    media type."""
    for name in sorted(
        {path.name for folder in (STATIC, own) if folder and folder.is_dir() for path in folder.iterdir() if path.is_file()}
    ):
        if not name.startswith("."):
            top = "" if name == "favicon.ico" else "static/"  # where browsers look for it unasked
            yield f"{top}{name}", ("static", OTHER_SUFFIXES.get(Path(name).suffix, "application/octet-stream"))


def static_body(path: str, own: Path | None = None) -> bytes:
    """Such a file: the site's own in the place of ours. Its styles are added to ours instead, so that a page still needs one file."""
    name = Path(path).name
    found = [folder / name for folder in (STATIC, own) if folder and (folder / name).is_file()]
    return b"\n".join(file.read_bytes() for file in (found if name == STYLE else found[-1:]))


def root_of(path: str) -> str:
    """The way from a page to the top of the site."""
    return "../" * path.count("/") or "./"


def page_at(path: str) -> str:
    """The page of an address, as links say it: `people/ada.html`; a list is its folder."""
    return path if not path or path.endswith("/") else f"{path}.html"


def file_of(path: str, suffix: str) -> str:
    """`people/ada` -> `people/ada.ttl`; a list is the index of its folder."""
    return f"{path}index{suffix}" if not path or path.endswith("/") else f"{path}{suffix}"
