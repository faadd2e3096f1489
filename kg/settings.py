"""A site: where its files are, and what `data/site.yaml` says about it. A frozen value, handed
down; nothing is read at import.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from kg.errors import Place, SiteNotFound

CACHE = ".kg-cache"  # in a site's folder: what is kept between runs, and may be deleted at any time


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


def site_file(folder: Path) -> Path:
    """The file that makes a folder a site."""
    path = folder / "data" / "site.yaml"
    if not path.is_file():
        raise SiteNotFound(
            f"{folder} is not a site: there is no {path}. `kg new FOLDER` writes a small one "
            "to start from."
        )
    return path


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
    takes the built-in one's place.
    """
    found: dict[str, Path] = {}
    for folder in dict.fromkeys((shipped(name).resolve(), (site.folder / name).resolve())):
        found.update({str(path.relative_to(folder)): path for path in sorted(folder.glob(pattern))})
    return [found[key] for key in sorted(found)]
