"""A new site: a CV to begin with or the invented people of the example, and what a repository of it
needs.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from string import Template
from typing import Literal

from kg.errors import KgError
from kg.facts import schema
from kg.facts.reading.rows import flow
from kg.facts.values.text import address_slug
from kg.settings import SITE_FILE, shipped

Host = Literal["github", "gitlab"]
FILES = Path(__file__).parent / "files"
NAME = "Your Name"
WORKFLOWS = {"github": ".github/workflows/site.yml", "gitlab": ".gitlab-ci.yml"}
PUBLISH = {
    "": "`kg build` writes it into `site/`, a folder for any web host.",
    "github": "GitHub checks each change and publishes it, once you choose GitHub Actions as the "
    "source under Settings, Pages.",
    "gitlab": "GitLab checks each change and publishes it; Deploy, Pages shows where.",
}


def write_new(folder: Path, files: dict[str, str]) -> None:
    """Writes files into a new folder, or one that is empty but for its repository, with the schemas
    for editors. Raises KgError where there is something already.
    """
    if folder.exists() and (there := sorted({each.name for each in folder.iterdir()} - {".git"})):
        raise KgError(
            f"{folder} is not empty: there is {there[0]}. Name a folder that is new or empty."
        )
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    schema.write(folder)


def new_site(name: str = NAME, host: Host | None = None) -> dict[str, str]:
    """Path -> text: a site of one person, whose CV says the name and invites to say more."""
    file = f"data/cv/{address_slug(name) or 'me'}.yaml"
    return {
        str(SITE_FILE): filled("site.yaml", title=flow(name)),
        file: filled("cv.yaml", name=flow(name)),
        **dict(repository(name, file, host)),
    }


def untouched(folder: Path) -> dict[str, str]:
    """The files of a new site that are still as `kg new` wrote them, if its CV is."""
    files = new_site()
    cv = next(path for path in files if path.startswith("data/cv/"))
    found = {
        path: text
        for path, text in files.items()
        if (folder / path).is_file() and (folder / path).read_bytes() == text.encode()
    }
    return found if cv in found and len([*(folder / "data/cv").iterdir()]) == 1 else {}


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
