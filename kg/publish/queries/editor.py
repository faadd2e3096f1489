"""The SPARQL editor and the engine for browsers, from Node packages that `make setup` installs
beside the checkout.

The packages are not part of ours. Where they were not installed, as beside a wheel, the page of a
server is a plain form, and the copy in a folder says what it lacks. Where they are, their files are
served and built with the site, and nothing is loaded from elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from kg.publish.document import Document
from kg.publish.formats.media import OTHER_SUFFIXES

PACKAGES = Path(__file__).parents[3] / "node_modules"
EDITOR = {name: f"@zazuko/yasgui/build/{name}" for name in ("yasgui.min.js", "yasgui.min.css")}
ENGINE = {"oxigraph.js": "oxigraph/web.js", "oxigraph.wasm": "oxigraph/web_bg.wasm"}


def files(folder: Path = PACKAGES) -> dict[str, Path]:
    """Name -> file: those of the editor, if all are there, then those of the engine, which is of no
    use without the editor.
    """
    found: dict[str, Path] = {}
    for package in (EDITOR, ENGINE):
        paths = {name: folder / path for name, path in package.items()}
        if not all(path.is_file() for path in paths.values()):
            break
        found |= paths
    return found


def listed() -> Iterator[tuple[str, tuple[str, str]]]:
    """Path of each file in a site -> what it is made from, and its media type."""
    for name in files():
        yield f"static/{name}", ("package", OTHER_SUFFIXES[Path(name).suffix])


def document(path: str) -> Document | None:
    """The file at a path of the site, or None."""
    found = files().get(path.removeprefix("static/")) if path.startswith("static/") else None
    return Document(path, OTHER_SUFFIXES[found.suffix], body(found)) if found else None


@lru_cache(maxsize=len(EDITOR) + len(ENGINE))
def body(path: Path) -> bytes:
    return path.read_bytes()
