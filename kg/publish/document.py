"""A file of a site, where it is, and those that every site has."""

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
REMARK = re.compile(
    rb"^ *(?://.*|/\*\*[^\n]*\*/)\n", re.MULTILINE
)  # a line of a script that only its authors read
LOOSE = re.compile(
    rb"(?<=[a-z])(:) (?=[^\s\"])"  # behind the name of a property
    rb"|;(?=\s*\})"  # before the end of a rule
    rb"| *([{},;])\s+| +(?=\{)"
)
# in a folder that kg build wrote, the list of its files; any other folder is not replaced
MARKER = ".cv-kg"
# What the endpoint of a server knows, as files: facts, the description of the site, and pages.
DUMP, ABOUT, PAGES = "dump.nq", "void.ttl", "pages.nq"
STATIC = Path(__file__).parent / "static"
STYLE = "style.css"  # one file of many, each with the looks of one part of a page
STYLES = Path(__file__).parent / "style"
# The letters that every page has, which it loads first. `make editor` makes it where there is Node;
# without it the styles name fonts of the reader's system.
FONT = "static/source-serif-latin.woff2"


@dataclass(frozen=True, slots=True)
class Document:
    """A file of the site: where it is below the base, what it is, and its bytes."""

    path: str
    media_type: str
    body: bytes


def static_files(own: Path | None = None) -> Iterator[tuple[str, tuple[str, str]]]:
    """Path of each file that was written by hand, for every site or by the site in its `own` folder
    -> what it is made from, and its media type.
    """
    found = {path.name for path in STATIC.iterdir() if path.is_file()}
    if own and own.is_dir():
        found |= {path.name for path in own.iterdir() if own_file(own, path.name)}
    for name in sorted(found | {STYLE}):
        if not name.startswith("."):
            top = "" if name == "favicon.ico" else "static/"  # where browsers look for it unasked
            yield (
                f"{top}{name}",
                (
                    "static",
                    OTHER_SUFFIXES.get(Path(name).suffix.lower(), "application/octet-stream"),
                ),
            )


def own_file(folder: Path, name: str) -> Path | None:
    """A file in a folder of the site, if it is one; a link may not lead out of the site."""
    found = folder / name
    return found if found.is_file() and not leads_out(found, folder.parent) else None


def static_body(path: str, own: Path | None = None, named: Set[str] = frozenset()) -> bytes:
    """Such a file: the site's own in the place of ours. Its styles are added to ours instead, so
    that a page still needs one file. Its images have no metadata; those that entries have `named`
    are scaled.
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
    return REMARK.sub(b"", body) if name.endswith(".js") else body


def styles() -> bytes:
    """Ours, in the order of their names."""
    return b"".join(path.read_bytes() for path in sorted(STYLES.glob("*.css")))


def squeezed(text: bytes) -> bytes:
    """Styles without what only their authors read: comments, and the space around lines and
    signs.
    """
    plain = COMMENT.sub(b"", text)
    return (
        LOOSE.sub(
            lambda found: found[1] or found[2] or b"",
            b"\n".join(line.strip() for line in plain.splitlines() if line.strip()),
        )
        + b"\n"
    )
