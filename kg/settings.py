"""The settings of a site: its folder and the content of `data/site.yaml`, as an immutable value.
Nothing is read at import.
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
FOLDERS = ("data", "shapes", "queries", "templates", "static")  # folders of a site
NOWHERE = "https://site.example/"  # base IRI if none is known


class Withdrawn(NamedTuple):
    """A withdrawn address (`people/ada`), the reason and date to show, and the place of the
    entry.
    """

    address: str
    reason: str | None
    date: str | None
    place: Place


class Moved(NamedTuple):
    """An address (`orgs/charls-university`) that redirects to another, and the place that says
    so.
    """

    old: str
    new: str
    place: Place


class Vocabulary(NamedTuple):
    """Terms that a site uses in addition to ours; without `terms`, all of a namespace."""

    prefix: str
    namespace: str
    terms: tuple[str, ...] = ()


JOINED_SOURCE = "sources/joined-"  # the documents about joined sites begin with this


class Joined(NamedTuple):
    """A site whose facts this site publishes, too: its address or file, the base it may use, the
    kinds of entries it is trusted for (default: all), and how it agreed.
    """

    site: str
    base: str = ""
    trusted: tuple[str, ...] = ()
    consent: str = ""


@dataclass(frozen=True, slots=True)
class Site:
    """The settings of a site. `base` ends with a slash; no other field contains the address of the
    site.
    """

    folder: Path
    base: str
    title: str
    description: str = ""
    modified: str | None = None
    license: str | None = None
    contact: str | None = None
    visibility: Mapping[str, str] = field(default_factory=dict)  # of whole sections, in all CVs
    withdrawn: tuple[Withdrawn, ...] = ()
    language: str | None = None  # preferred language of texts in several
    moved: tuple[Moved, ...] = ()
    vocabularies: tuple[Vocabulary, ...] = ()
    files: Mapping[str, bool] = field(default_factory=dict)  # of plugins, by name
    joined: tuple[Joined, ...] = ()  # in the order of trust


def site_file(folder: Path) -> Path:
    """The file that makes a folder a site. Raises SiteNotFound."""
    path = folder / SITE_FILE
    if os.path.lexists(path):
        return path
    if meant := site_around(folder) or site_in(folder):
        raise SiteNotFound(
            f"{folder} is not a site, but {meant} is.",
            folder,
            meant,
        )
    raise SiteNotFound(
        f"{folder} is not a site: {path} does not exist. {how_to_begin(folder)}", folder
    )


def site_around(folder: Path) -> Path | None:
    """The site that contains a folder; relative to the current folder, unless `folder` is
    absolute.
    """
    whole = folder.absolute()
    found = next((above for above in whole.parents if (above / SITE_FILE).is_file()), None)
    return found and (found if folder.is_absolute() else Path(os.path.relpath(found)))


def site_in(folder: Path) -> Path | None:
    """The only site inside a folder."""
    found = [path.parents[1] for path in folder.glob(f"*/{SITE_FILE}")]
    return found[0] if len(found) == 1 else None


def how_to_begin(folder: Path) -> str:
    """How to turn a folder into a site."""
    for place in (folder / "data", folder):
        for path in sorted(place.glob("[sS][iI][tT][eE].*")):
            target = shlex.quote(str(folder / SITE_FILE))
            mkdir = "" if place != folder else f"mkdir -p {shlex.quote(str(folder / 'data'))} && "
            return f"Run: {mkdir}mv {shlex.quote(str(path))} {target}"
    if (folder / "data").is_dir():
        return "Create it with 'base: https://cv.example.org/' and 'title: My CV', on two lines."
    is_empty = folder.is_dir() and not any(folder.iterdir())
    return f"To create one, run `kg new {folder if is_empty else 'FOLDER'}`."


def shipped(name: str) -> Path:
    """The folder of the built-in `shapes` or `queries`: inside the installed package, or beside it
    in a checkout.
    """
    inside = Path(__file__).parent / name
    return inside if inside.is_dir() else Path(__file__).parent.parent / name


def query(name: str) -> str:
    """The text of a built-in query, e.g. `site/owners`."""
    return shipped("queries").joinpath(f"{name}.rq").read_text(encoding="utf-8")


def resources(site: Site, name: str, pattern: str) -> list[Path]:
    """The built-in files and the site's own, which replace built-in files of the same name.
    Unreadable files are left out; the check reports them.
    """
    found: dict[str, Path] = {}
    for folder in dict.fromkeys((shipped(name).resolve(), (site.folder / name).resolve())):
        found.update({str(path.relative_to(folder)): path for path in readable(folder, pattern)})
    return [found[key] for key in sorted(found)]


def own_resources(site: Site, name: str, pattern: str) -> list[Path]:
    """The site's own files, without the built-in ones."""
    folder = (site.folder / name).resolve()
    return [] if folder == shipped(name).resolve() else readable(folder, pattern)


def readable(folder: Path, pattern: str) -> list[Path]:
    """The readable files that match a pattern, without hidden ones."""
    found = (path for path in sorted(folder.glob(pattern)) if path.name[0] != ".")
    return [path for path in found if not fault_of(path)]
