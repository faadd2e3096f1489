"""The editor on the page for questions: files of a Node package that `make setup` puts beside the checkout.

The package is not part of ours. Where it was not installed, as beside a wheel, the page is a plain form. Its files are served beside the
site and no part of it: what is built is the same wherever it is built.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from kg.publish.document import Document
from kg.publish.formats import OTHER_SUFFIXES

FILES = ("yasgui.min.js", "yasgui.min.css")
BESIDE = Path(__file__).parents[2] / "node_modules" / "@zazuko" / "yasgui" / "build"


def files(folder: Path = BESIDE) -> dict[str, Path]:
    """Name -> file of the editor: all it needs, or nothing."""
    found = {name: folder / name for name in FILES}
    return found if all(path.is_file() for path in found.values()) else {}


def document(path: str) -> Document | None:
    """The file of the editor at a path of the site, or None."""
    found = files().get(path.removeprefix("static/")) if path.startswith("static/") else None
    return Document(path, OTHER_SUFFIXES[found.suffix], body(found)) if found else None


@lru_cache(maxsize=len(FILES))
def body(path: Path) -> bytes:
    return path.read_bytes()
