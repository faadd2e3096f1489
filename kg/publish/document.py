"""A file of a site, its location, and the static files that every site has."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from dataclasses import dataclass
from pathlib import Path

from kg.check.images import ImageFile, encode, is_image
from kg.errors import KgError
from kg.files.disk import leads_out
from kg.publish.formats.media import OTHER_SUFFIXES

COMMENT = re.compile(rb"/\*.*?\*/", re.DOTALL)
SCRIPT_COMMENT = re.compile(
    rb"^ *(?://.*|/\*\*[^\n]*\*/)\n", re.MULTILINE
)  # comment lines of scripts
REMOVABLE = re.compile(
    rb"(?<=[a-z])(:) (?=[^\s\"])"  # after a property name
    rb"|;(?=\s*\})"  # before the end of a rule
    rb"| *([{},;])\s+| +(?=\{)"
)
# the list of files in a folder written by kg build; other folders are never replaced
MARKER = ".cv-kg"
# The data of the endpoint as files: facts, the description of the site, and everything: the facts
# first, then pages, sources and the vocabulary, then the description.
DUMP, ABOUT, ALL = "dump.nq", "void.ttl", "all.nq"
WELL_KNOWN = ".well-known/void"  # the same description as in ABOUT
STATIC = Path(__file__).parent / "static"
STYLE = "style.css"  # concatenated from style/*.css
STYLES = Path(__file__).parent / "style"
# The page font, preloaded by every page. `make editor` builds it if Node is installed; without it,
# the styles fall back to system fonts.
FONT = "static/source-serif-latin.woff2"


@dataclass(frozen=True, slots=True)
class Document:
    """A file of the site: its path below the base, its media type and its bytes."""

    path: str
    media_type: str
    body: bytes


def facts_and_rest(folder: Path) -> tuple[bytes, bytes]:
    """The lines of a built folder: facts, and everything else; a folder without that was written by
    an earlier version.
    """
    facts, whole = (folder / DUMP).read_bytes(), folder / ALL
    return facts, whole.read_bytes()[len(facts) :] if whole.is_file() else b""


def is_dump(name: str) -> bool:
    """Whether files with this origin (`=dump.ttl`) are dumps."""
    return name.startswith(("=dump.", f"={ALL}"))


def static_files(own: Path | None = None) -> Iterator[tuple[str, tuple[str, str]]]:
    """Path of each hand-written file, built in or from the site's `own` folder -> its origin and
    media type.
    """
    found = {path.name for path in STATIC.iterdir() if path.is_file()}
    if own and own.is_dir():
        found |= {path.name for path in own.iterdir() if own_file(own, path.name)}
    for name in sorted(found | {STYLE}):
        if not name.startswith("."):
            top = "" if name == "favicon.ico" else "static/"  # browsers request it at the root
            yield (
                f"{top}{name}",
                (
                    "static",
                    OTHER_SUFFIXES.get(Path(name).suffix.lower(), "application/octet-stream"),
                ),
            )


def own_file(folder: Path, name: str) -> Path | None:
    """A file in a folder of the site; None if it is missing or a link leads outside the site."""
    found = folder / name
    return found if found.is_file() and not leads_out(found, folder.parent) else None


def static_body(path: str, own: Path | None = None, named: Set[str] = frozenset()) -> bytes:
    """The content of a static file; the site's own file replaces the built-in one. Its styles are
    appended to ours, so that a page still loads one file. Metadata is removed from images; those
    that entries have `named` are scaled.
    """
    name = Path(path).name
    theirs = own_file(own, name) if own else None
    if name == STYLE:
        return squeezed(styles()) + (theirs.read_bytes() if theirs else b"")
    if theirs and is_image(theirs):
        encoded = encode(ImageFile(theirs, name in named))
        if encoded.fault:
            raise KgError(f"static/{name}: {encoded.fault}")
        return encoded.body
    if theirs:
        return theirs.read_bytes()
    body = (STATIC / name).read_bytes() if (STATIC / name).is_file() else b""
    return SCRIPT_COMMENT.sub(b"", body) if name.endswith(".js") else body


def styles() -> bytes:
    """The built-in style sheets, in the order of their names."""
    return b"".join(path.read_bytes() for path in sorted(STYLES.glob("*.css")))


def squeezed(text: bytes) -> bytes:
    """Minified CSS: without comments and unnecessary white space."""
    plain = COMMENT.sub(b"", text)
    return (
        REMOVABLE.sub(
            lambda found: found[1] or found[2] or b"",
            b"\n".join(line.strip() for line in plain.splitlines() if line.strip()),
        )
        + b"\n"
    )
