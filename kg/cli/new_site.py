"""The files of a new site: a CV to fill in or the example, a README, and a CI workflow."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from string import Template

from kg.errors import KgError
from kg.facts import schema
from kg.facts.values.text import short_slug
from kg.facts.yaml.rows import flow
from kg.files.atomic import DRAFT, replace_files
from kg.settings import SITE_FILE, shipped

FILES = Path(__file__).parent / "files"
NAME = "Your Name"
WORKFLOWS = {
    "github": ".github/workflows/site.yml",
    "gitlab": ".gitlab-ci.yml",
    "github-sync": ".github/workflows/sync.yml",
    "gitlab-sync": ".gitlab/sync.yml",
}
WHEELS = (
    "The workflow installs cv-kg from `wheels/`: run `make wheel` in a checkout of cv-kg, copy "
    "the wheels from its `dist/` to `wheels/`, and commit them."
)
PUBLISH = {
    "": "`kg build` writes the site to `site/`, a folder for any web host.",
    "github": f"GitHub checks every change and publishes it. {WHEELS} Choose GitHub Actions as the "
    "source under Settings, Pages.",
    "gitlab": f"GitLab checks every change and publishes it; Deploy, Pages shows where. {WHEELS}",
    "github-sync": "Every month, GitHub asks ORCID, Crossref and other sources for new works and "
    "opens a pull request. Allow this under Settings, Actions, General.",
    "gitlab-sync": "A scheduled pipeline asks ORCID, Crossref and other sources for new works and "
    "opens a merge request. `.gitlab/sync.yml` says how to set it up.",
}


def write_new(folder: Path, files: dict[str, str]) -> None:
    """Writes files, and the schemas for editors, to a folder that is new or has nothing but `.git`.
    Raises KgError if it has other files.
    """
    new = {**schema.files(), **files}
    there = sorted({each.name for each in folder.iterdir()} - {".git"}) if folder.exists() else []
    if there and not is_unfinished(folder, new):
        raise KgError(f"{folder} is not empty: it has {there[0]}. Give a new or empty folder.")
    replace_files(folder, new)


def add_workflows(site: Path, hosts: Sequence[str]) -> str:
    """Adds CI workflows to a site, unless it has them; returns what to do next."""
    new = {path: text for path, text in workflows(hosts).items() if not (site / path).exists()}
    replace_files(site, new)
    steps = " ".join(PUBLISH[host] for host in hosts).replace("`", "")
    return (
        f"Added {', '.join(new)} to {site}/. {steps}"
        if new
        else f"{site}/ has these files already."
    )


def is_unfinished(folder: Path, new: Mapping[str, str]) -> bool:
    """Whether a folder has some of these files and no others: writing them was interrupted."""
    written = 0
    for path in files_in(folder):
        name = path.relative_to(folder).as_posix()
        if name not in new or path.read_bytes() != new[name].encode():
            return False
        written += 1
    return written < len(new)


def files_in(folder: Path) -> Iterator[Path]:
    """The files in a folder, without drafts and `.git`; lazily, as there may be very many."""
    for here, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if Path(here, name) != folder / ".git"]
        yield from (Path(here, name) for name in names if not DRAFT.fullmatch(name))


def new_site(name: str = NAME, hosts: Sequence[str] = ()) -> dict[str, str]:
    """Path -> text of a site with one CV, which has a name and commented-out sections."""
    file = f"data/cv/{short_slug(name) or 'me'}.yaml"
    return {
        str(SITE_FILE): fill_template("site.yaml", title=flow(name)),
        file: fill_template("cv.yaml", name=flow(name)),
        **dict(repository_files(name, file, hosts)),
    }


def example_site(hosts: Sequence[str] = ()) -> dict[str, str]:
    """Path -> text of the example: two fictional people with entries of every kind."""
    folder = shipped("example")
    data = {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*.yaml"))
    }
    return {**data, **dict(repository_files("Two fictional people", "data/cv/", hosts))}


def repository_files(heading: str, file: str, hosts: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Path -> text of the files beside the data: README, .gitignore and a CI workflow."""
    publish = "\n- ".join(PUBLISH[host] for host in hosts or [""])
    yield "README.md", fill_template("README.md", heading=heading, where=file, publish=publish)
    yield ".gitignore", fill_template("gitignore")
    yield from workflows(hosts).items()


def workflows(hosts: Sequence[str]) -> dict[str, str]:
    """Path -> text of CI workflows."""
    return {WORKFLOWS[host]: fill_template(f"{host}.yml") for host in hosts}


def fill_template(file: str, **values: str) -> str:
    return Template((FILES / file).read_text(encoding="utf-8")).safe_substitute(values)
