"""A new site: a CV to begin with or the invented people of the example, and what a repository of it
needs.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from string import Template
from typing import Literal

from kg.errors import KgError
from kg.facts import schema
from kg.facts.values.text import address_slug
from kg.facts.yaml.rows import flow
from kg.files.atomic import DRAFT, replace_files
from kg.settings import SITE_FILE, shipped

Host = Literal["github", "gitlab"]
FILES = Path(__file__).parent / "files"
NAME = "Your Name"
WORKFLOWS = {"github": ".github/workflows/site.yml", "gitlab": ".gitlab-ci.yml"}
WHEELS = (
    "It installs cv-kg from `wheels/`: run `make wheel` in a checkout of cv-kg, copy the wheels "
    "from its `dist/` to `wheels/`, and commit them."
)
PUBLISH = {
    "": "`kg build` writes it into `site/`, a folder for any web host.",
    "github": f"GitHub checks each change and publishes it. {WHEELS} Choose GitHub Actions as the "
    "source under Settings, Pages.",
    "gitlab": f"GitLab checks each change and publishes it; Deploy, Pages shows where. {WHEELS}",
}


def write_new(folder: Path, files: dict[str, str]) -> None:
    """Writes files into a new folder, or one that is empty but for its repository, with the schemas
    for editors. Raises KgError where there is something already.
    """
    new = {**schema.files(), **files}
    there = sorted({each.name for each in folder.iterdir()} - {".git"}) if folder.exists() else []
    if there and not is_unfinished(folder, new):
        raise KgError(
            f"{folder} is not empty: there is {there[0]}. Name a folder that is new or empty."
        )
    replace_files(folder, new)


def is_unfinished(folder: Path, new: Mapping[str, str]) -> bool:
    """Whether a folder has some of these files, and no others, as when writing them was stopped."""
    written = 0
    for path in files_in(folder):
        name = path.relative_to(folder).as_posix()
        if name not in new or path.read_bytes() != new[name].encode():
            return False
        written += 1
    return written < len(new)


def files_in(folder: Path) -> Iterator[Path]:
    """All but drafts and those of git, one after another, for there may be very many."""
    for here, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if Path(here, name) != folder / ".git"]
        yield from (Path(here, name) for name in names if not DRAFT.fullmatch(name))


def new_site(name: str = NAME, host: Host | None = None) -> dict[str, str]:
    """Path -> text: a site of one person, whose CV says the name and invites to say more."""
    file = f"data/cv/{address_slug(name) or 'me'}.yaml"
    return {
        str(SITE_FILE): filled("site.yaml", title=flow(name)),
        file: filled("cv.yaml", name=flow(name)),
        **dict(repository(name, file, host)),
    }


def example_site(host: Host | None = None) -> dict[str, str]:
    """Path -> text: a site of two invented people, who have something of every kind."""
    folder = shipped("example")
    data = {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*.yaml"))
    }
    return {**data, **dict(repository("Two invented people", "data/cv/", host))}


def repository(heading: str, file: str, host: Host | None) -> Iterator[tuple[str, str]]:
    """Path -> text: what is beside the data."""
    publish = PUBLISH[host or ""]
    yield "README.md", filled("README.md", heading=heading, where=file, publish=publish)
    yield ".gitignore", filled("gitignore")
    if host:
        yield WORKFLOWS[host], filled(f"{host}.yml")


def filled(file: str, **values: str) -> str:
    text = (FILES / file).read_text(encoding="utf-8")
    return Template(text).safe_substitute(values)
