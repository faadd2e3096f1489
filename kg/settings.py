"""A site: where its files are, and what `data/site.yaml` says about it. A frozen value, handed
down; nothing is read at import.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from kg.errors import Place, SiteNotFound
from kg.files.disk import fault_of

SITE_FILE = Path("data", "site.yaml")
FOLDERS = ("data", "shapes", "queries", "templates", "static")  # that a site is made of
NOWHERE = "https://site.example/"  # a base where none is known


class Withdrawn(NamedTuple):
    """An address (`people/ada`) that leads nowhere any more, what is told of it, and where that is
    written.
    """

    address: str
    reason: str | None
    date: str | None
    place: Place


class Moved(NamedTuple):
    """An address (`orgs/charls-university`) that leads to another now, and where that is written;
    or where the name is that was corrected.
    """

    old: str
    new: str
    place: Place


class Vocabulary(NamedTuple):
    """Terms that a site uses beside those of the product; without `terms`, all of a namespace."""

    prefix: str
    namespace: str
    terms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Site:
    """`base` ends in a slash and is the only place where the address of the site is written."""

    folder: Path
    base: str
    title: str
    description: str = ""
    modified: str | None = None
    license: str | None = None
    contact: str | None = None
    visibility: Mapping[str, str] = field(default_factory=dict)  # of whole sections, in all CVs
    withdrawn: tuple[Withdrawn, ...] = ()
    language: str | None = None  # of texts that are written in several
    moved: tuple[Moved, ...] = ()
    vocabularies: tuple[Vocabulary, ...] = ()


def site_file(folder: Path) -> Path:
    """The file that makes a folder a site."""
    path = folder / SITE_FILE
    if os.path.lexists(path):
        return path
    if meant := site_around(folder) or site_in(folder):
        raise SiteNotFound(
            f"{folder} is not a site; {meant} is.",
            folder,
            meant,
        )
    raise SiteNotFound(
        f"{folder} is not a site: there is no {path}. {how_to_begin(folder)}", folder
    )


def site_around(folder: Path) -> Path | None:
    """The site that a folder lies in, as it is named from here."""
    whole = folder.absolute()
    found = next((above for above in whole.parents if (above / SITE_FILE).is_file()), None)
    return found and (found if folder.is_absolute() else Path(os.path.relpath(found)))


def site_in(folder: Path) -> Path | None:
    """The only site that lies in a folder."""
    found = [path.parents[1] for path in folder.glob(f"*/{SITE_FILE}")]
    return found[0] if len(found) == 1 else None


def how_to_begin(folder: Path) -> str:
    """How a folder becomes a site."""
    for place in (folder / "data", folder):
        for path in sorted(place.glob("[sS][iI][tT][eE].*")):
            target = shlex.quote(str(folder / SITE_FILE))
            mkdir = "" if place != folder else f"mkdir -p {shlex.quote(str(folder / 'data'))} && "
            return f"Type: {mkdir}mv {shlex.quote(str(path))} {target}"
    if (folder / "data").is_dir():
        return "Write two lines into it: 'base: https://cv.example.org/' and 'title: My CV'."
    is_empty = folder.is_dir() and not any(folder.iterdir())
    return f"`kg new {folder if is_empty else 'FOLDER'}` writes a small one to start from."


def shipped(name: str) -> Path:
    """The folder of the built-in `shapes` or `queries`: inside the installed package, or beside it
    in a checkout.
    """
    inside = Path(__file__).parent / name
    return inside if inside.is_dir() else Path(__file__).parent.parent / name


def query(name: str) -> str:
    """The text of a built-in query: `site/owners`."""
    return shipped("queries").joinpath(f"{name}.rq").read_text(encoding="utf-8")


def resources(site: Site, name: str, pattern: str) -> list[Path]:
    """The built-in files of a kind, and the site's own beside them; a site's file of the same name
    takes the built-in one's place. Those that cannot be read are left out; the check reports them.
    """
    found: dict[str, Path] = {}
    for folder in dict.fromkeys((shipped(name).resolve(), (site.folder / name).resolve())):
        found.update({str(path.relative_to(folder)): path for path in readable(folder, pattern)})
    return [found[key] for key in sorted(found)]


def own_resources(site: Site, name: str, pattern: str) -> list[Path]:
    """The same without the built-in ones."""
    folder = (site.folder / name).resolve()
    return [] if folder == shipped(name).resolve() else readable(folder, pattern)


def readable(folder: Path, pattern: str) -> list[Path]:
    """Without what is hidden."""
    found = (path for path in sorted(folder.glob(pattern)) if path.name[0] != ".")
    return [path for path in found if not fault_of(path)]
