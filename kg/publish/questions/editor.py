"""The SPARQL editor and the query engine for browsers: Node packages, installed by `make setup` in
a checkout, or from the wheel cv-kg-editor.

The packages are not part of cv-kg. Without them, a server has a plain query form, and a folder says
what is missing. With them, their files are served and built with the site, and nothing is loaded
from other hosts.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path

from kg.publish.document import Document
from kg.publish.formats.media import GZIP, OTHER_SUFFIXES
from kg.sparql.answer_cache import pack

CHECKOUT = Path(__file__).parents[3] / "node_modules"
PACKAGE, MODULE = "cv-kg-editor", "cv_kg_editor"  # the wheel and its Python package
EDITOR = {name: f"@zazuko/yasgui/build/{name}" for name in ("yasgui.min.js", "yasgui.min.css")}
LICENCES = "editor-licences.txt"  # must accompany every copy
# our scripts that need these packages
SCRIPTS = {
    f"static/{name}"
    for name in (
        *("completion.js", "editor.css", "editor.js", "engine.js", "query.js", "snippets.js"),
    )
}
WASM, PACKED = "oxigraph.wasm", ".gz"
ENGINE = {"oxigraph.js": "oxigraph/web.js", WASM: "oxigraph/web_bg.wasm"}


@cache
def packages() -> Path:
    """The folder of the packages, which may not exist."""
    found = None if CHECKOUT.is_dir() else find_spec(MODULE)
    return Path(found.origin).parent if found and found.origin else CHECKOUT


def files(folder: Path | None = None) -> dict[str, Path]:
    """Name -> file: those of the editor, if complete, then those of the engine, which needs the
    editor, then the licences.
    """
    folder = folder or packages()
    found: dict[str, Path] = {}
    for package in (EDITOR, ENGINE):
        paths = {name: folder / path for name, path in package.items()}
        if not all(path.is_file() for path in paths.values()):
            break
        found |= paths
    # next to the files in the wheel; in a checkout, in the folder of the wheel
    home = CHECKOUT.parent / "editor" / MODULE if folder == CHECKOUT else folder
    notices = home / "licences.txt"
    return found | {LICENCES: notices} if found and notices.is_file() else found


def lacking() -> str:
    """What a build without the packages cannot do."""
    is_complete = set(ENGINE) <= set(files())
    return (
        ""
        if is_complete
        else "sparql.html cannot run queries in this build; kg doctor reports why."
    )


def listed() -> Iterator[tuple[str, tuple[str, str]]]:
    """Path of each file -> its origin and media type. The engine is also there compressed, for
    hosts that do not compress it.
    """
    for name in files():
        yield f"static/{name}", ("package", OTHER_SUFFIXES[Path(name).suffix])
        if name == WASM:
            yield f"static/{name}{PACKED}", ("package", GZIP)


def document(path: str) -> Document | None:
    """The file at a path of the site, or None."""
    name, is_packed = path.removeprefix("static/"), path == f"static/{WASM}{PACKED}"
    found = files().get(WASM if is_packed else name) if path.startswith("static/") else None
    if found and is_packed:
        return Document(path, GZIP, packed_body(found))
    return Document(path, OTHER_SUFFIXES[found.suffix], body(found)) if found else None


@lru_cache(maxsize=1)
def packed_body(path: Path) -> bytes:
    return pack(body(path))


@lru_cache(maxsize=len(EDITOR) + len(ENGINE) + 1)
def body(path: Path) -> bytes:
    return path.read_bytes()
