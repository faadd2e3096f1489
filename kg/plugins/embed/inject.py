"""Inserts JSON-LD scripts into other people's HTML pages and updates them.

Each script has the address of its document in an attribute, so that a page can hold several and
each is found by the next update. Everything else in the page stays the same, byte for byte. All
files are read and checked before the first is written, and each is replaced atomically.

A page is decoded so that each byte is one character, and positions in the text are positions in the
file. Nothing is repaired and no tree is built: the rest of the page must not change.
"""

from __future__ import annotations

import codecs
import html
import json
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from kg.errors import KgError
from kg.files.atomic import replace_files
from kg.publish.formats import jsonld
from kg.publish.formats.jsonld import Json
from kg.publish.site import Documents
from kg.text.html import Piece, pieces

MARK = "data-cv-kg"
OURS = "cv-kg"  # our folder within the partial templates of a site
UTF_16 = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
# Characters in JSON strings that could end a script or start template code (Liquid, Go, Jinja …).
# The braces of the JSON itself are at the ends of lines.
SPECIAL = re.compile(r"[<>&]|\{(?![\n}])")


def script(iri: str, value: Json) -> str:
    """The script element for other sites. It is ASCII without template syntax, so it can be
    inserted anywhere.
    """
    body = SPECIAL.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(value, indent=1))
    mark = html.escape(iri).encode("ascii", "xmlcharrefreplace").decode()
    return f'<script type="application/ld+json" {MARK}="{mark}">\n{body}\n</script>'


def script_of(documents: Documents, address: str, is_full: bool = False) -> str:
    """The script of a document: the JSON-LD of its page without breadcrumbs, or all its facts."""
    if is_full:
        value = jsonld.document(documents.base, documents.describe(address), is_plain=True)
    else:
        value = {**documents.page(address).head.data}
        value.pop("breadcrumb", None)
    return script(documents.base + address, value)


def inject(page: bytes, script: str) -> bytes:
    """The page with the script: it replaces the script with the same mark, or is added at the end
    of the head.
    """
    # Other encodings are read byte by byte; our script is ASCII, which they all contain.
    encoding = UTF_16.get(page[:2], "latin-1")
    try:
        text = page.decode(encoding, "surrogatepass")
    except UnicodeDecodeError as error:
        raise KgError(f"it starts like {encoding.upper()} but is not. Save it as UTF-8.") from error
    if "\0" in text:
        raise KgError("it is not an HTML page: it contains NUL characters. Save it as UTF-8 text.")
    (mark,) = marks(script)
    line_end = next(iter(re.findall(r"\r\n|\n|\r", text)), "\n")
    changed = put(text, mark, script.replace("\n", line_end), line_end)
    if mark not in marks(changed):
        raise KgError(
            "a comment, script or text field in it is never closed, so the embedded "
            "data would be hidden. Close it first."
        )
    return changed.encode(encoding, "surrogatepass")


def marks(text: str) -> set[str | None]:
    return {tag.attributes.get(MARK) for tag in pieces(text) if tag.name == "script"} - {None}


def put(text: str, mark: str | None, script: str, line_end: str) -> str:
    found = list(pieces(text))
    changed, place = "", 0
    for tag, closing in pairwise([*found, None]):
        if tag and tag.name == "script" and tag.attributes.get(MARK) == mark:
            if not closing or closing.start != tag.text_end:
                raise KgError("the script from the last run is never closed. Close or remove it.")
            changed += text[place : tag.start] + script
            place = closing.end
    if not place:
        place = insertion_point(text, found)
        stands_alone = text[place - 1 : place] in ("", "\r", "\n")
        changed = text[:place] + script + (line_end if stands_alone else "")
    return changed + text[place:]


def insertion_point(text: str, found: list[Piece]) -> int:
    """The position for the script: before the end of the head, or before the body; without either
    tag, at the end of the page. It does not separate a tag from its indentation.
    """
    wanted = next((tag for tag in found if tag.name in ("/head", "body", "frameset")), None)
    wanted = wanted or next((tag for tag in found if tag.name in ("/body", "/html")), None)
    place = wanted.start if wanted else len(text)
    line = len(text[:place].rstrip(" \t"))
    return line if text[line - 1 : line] in ("", "\r", "\n") else place


def update_files(script: str, files: Iterable[Path]) -> list[tuple[Path, bool]]:
    """Inserts or updates the script in files. A new file contains only the script. Returns each
    file and whether it changed; files that are up to date are not touched.
    """
    named = {file.resolve(): file for file in files}  # resolves links and removes duplicates
    pages = {file: file.read_bytes() if file.exists() else b"" for file in named}
    new: dict[Path, bytes] = {}
    for file, page in pages.items():
        try:
            new[file] = inject(page, script)
        except KgError as error:
            raise KgError(f"{named[file]}: {error}") from error
    changed = [file for file in new if new[file] != pages[file]]
    for file in changed:
        refuse_unwritable(file, named[file])
    for file in changed:
        replace_files(file.parent, {file.name: new[file]})
    return [(name, file in changed) for file, name in named.items()]


def refuse_unwritable(file: Path, name: Path) -> None:
    if file.exists() and not (file.stat().st_mode & 0o222 and os.access(file, os.W_OK)):
        raise KgError(
            f"{name} is read-only. Nothing was written. Make it writable (chmod u+w) or "
            "leave it out."
        )
    folder = next(folder for folder in file.parents if folder.exists())
    if not os.access(folder, os.W_OK):
        raise KgError(f"{name}: its folder is not writable. Nothing was changed.")


@dataclass(frozen=True)
class Generator:
    """A static site generator. At least one of `signs` is in the folder of a site; `pieces` are the
    possible folders for partial templates, the last one being the default.
    """

    name: str
    signs: tuple[str, ...]
    pieces: tuple[str, ...]
    use: str
    layout: str

    def file(self, folder: Path, piece: str) -> Path:
        """The path of a partial template in the folder of a site. Raises KgError if the folder is
        not such a site.
        """
        if not any((folder / sign).exists() for sign in self.signs):
            known = ", ".join(self.signs[:-1])
            raise KgError(
                f"{folder} is not a {self.name} site: it has no {known} or {self.signs[-1]}. "
                "Give the folder of the site."
            )
        place = next((place for place in self.pieces if (folder / place).is_dir()), self.pieces[-1])
        return folder / place / OURS / piece

    def line(self, piece: str) -> str:
        """The line that includes the partial template in a layout."""
        return self.use.format(f"{OURS}/{piece}")


JEKYLL = Generator(
    name="Jekyll",
    signs=("_config.yml", "_config.yaml", "_config.toml", "_layouts", "_includes"),
    pieces=("_includes",),
    use="{{% include {} %}}",
    layout="_includes/head.html or _layouts/default.html",
)
HUGO = Generator(
    name="Hugo",
    signs=(
        "hugo.toml",
        "hugo.yaml",
        "hugo.json",
        "config.toml",
        "config.yaml",
        "config.json",
        "config",
        "layouts",
    ),
    pieces=(
        "layouts/_partials",
        "layouts/partials",
    ),  # the name since 0.146, and the one that all versions support
    use='{{{{ partial "{}" . }}}}',
    layout="layouts/partials/head.html or layouts/_default/baseof.html",
)
