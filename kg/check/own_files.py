"""Checks the site's own queries, page blocks, templates and static files.

Everything that a build would refuse or silently leave out is a problem with its line. Rules are
checked where they are used (`graph/rules.py`), shapes in `shacl/`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path

from kg.check.blocks import problems_of
from kg.errors import Place, Problem
from kg.facts.bibliography.placement import is_remark
from kg.files.disk import MOST, Walk, leads_out, walk
from kg.settings import FOLDERS as SITE_FOLDERS
from kg.settings import NOWHERE, SITE_FILE, Site, own_resources, resources, shipped
from kg.sparql.reading.own_queries import BLOCKS, read_named, read_query, read_text

# The files that are read in each folder. Templates may include any file.
FOLDERS = {
    "queries": ("*.rq", "pages/*.rq", "rules/*.rq"),
    "shapes": ("*.ttl", "explained/*.yaml"),
    "static": ("*",),
    "templates": (),
}

CONTENT = (".md", ".markdown", ".yaml", ".yml", ".html", ".rq", ".ttl", ".bib")
READ = (*SITE_FOLDERS, "joined")  # the last one by kg join
OTHERS = (".cv-kg", ".git", "pyvenv.cfg", "package.json", "pyproject.toml", ".package-lock.json")


def own_problems(site: Site) -> Iterator[Problem]:
    for name in FOLDERS:
        if (site.folder / name).resolve() != shipped(name).resolve():
            most = sys.maxsize if name == "static" else MOST
            yield from misplaced_files(site.folder, name, walk(site.folder / name, most))
    if (site.folder / "queries").resolve() != shipped("queries").resolve():
        yield from ignored_content(site.folder)
    yield from own_queries(site)
    yield from own_pages(site)
    yield from own_templates(site.folder)
    if site.base != NOWHERE and not site.license:
        message = (
            "the published data has no licence, so nobody can know how they may use it. Add, for "
            "example, 'license: CC-BY-4.0': everyone may use it who gives credit."
        )
        yield Problem(Place(str(SITE_FILE)), "info", message, "no-license")


def misplaced_files(folder: Path, name: str, found: Walk) -> Iterator[Problem]:
    """Files that cannot be read, and files in a place where they are ignored."""
    for path, fault in found.faults.items():
        place = Place(f"{name}/{path}".rstrip("/"))
        yield Problem(place, "error", fault, "unreadable-file")
    for path in found.files if name != "templates" else ():  # templates may include any file
        if name == "static" and leads_out(folder / name / path, folder):
            message = "This link leads to a file outside the site. Copy the file here instead."
            yield Problem(Place(f"{name}/{path}"), "error", message, "unreadable-file")
            continue
        if not is_remark(path) and not any(is_like(path, each) for each in FOLDERS[name]):
            what = "published" if name == "static" else "read"
            names = ", ".join(f"{name}/{each}" for each in FOLDERS[name])
            message = f"This file is not {what}. Move it; kg reads {names}."
            yield Problem(Place(f"{name}/{path}"), "warning", message, "unknown-file")


def is_like(path: str, pattern: str) -> bool:
    return fnmatchcase(path, pattern) and path.count("/") == pattern.count("/")


def ignored_content(folder: Path) -> Iterator[Problem]:
    """Files beside the folders of a site that look like content: one hint per folder."""
    for top in sorted(folder.iterdir()) if folder.is_dir() else ():
        if top.name.startswith((".", "_site")) or top.name in READ or is_other(top):
            continue
        found = [""] if top.is_file() else walk(top).files
        names = [
            f"{top.name}/{path}".rstrip("/")
            for path in found
            if Path(path or top.name).suffix.lower() in CONTENT and not is_remark(path or top.name)
        ]
        if names:
            more = f" Nor are {len(names) - 1} more in {top.name}/." if names[1:] else ""
            message = (
                f"This file is not read.{more} kg reads {', '.join(SITE_FOLDERS)}. Free text of a "
                "CV goes into its 'sections'."
            )
            yield Problem(Place(names[0]), "info", message, "unknown-file")


def is_other(folder: Path) -> bool:
    """Whether a folder belongs to another program, or is a built site."""
    return any((folder / name).exists() for name in OTHERS)


def has_own_pages(site: Site) -> bool:
    """Whether the site has its own templates or page blocks."""
    return bool(
        own_resources(site, "queries", "pages/*.rq") or walk(site.folder / "templates").files
    )


def own_queries(site: Site) -> Iterator[Problem]:
    for path in own_resources(site, "queries", "*.rq"):
        yield from read_named(path, f"queries/{path.name}", site.base)[1]


def own_pages(site: Site) -> Iterator[Problem]:
    """Problems of the site's own page blocks."""
    blocks = resources(site, "queries", "pages/*.rq")
    own = own_resources(site, "queries", "pages/*.rq")
    folders = (shipped("publish") / "templates", site.folder / "templates")
    templates = {path.stem for folder in folders for path in folder.glob("blocks/*.html")}
    names = [path.stem for path in blocks]
    for path in own:
        file = f"queries/pages/{path.name}"
        query, problems = read_query(path, file, site.base, BLOCKS)
        yield from problems
        yield from problems_of(file, query, templates, names) if query else ()


def own_templates(folder: Path) -> Iterator[Problem]:
    """Templates that Jinja cannot parse, with Jinja's message. Other errors appear when pages are
    rendered (`publish/verify/trial.py`).
    """
    found = walk(folder / "templates").files
    names = [name for name in found if name.endswith(".html") and not is_remark(name)]
    if not names:
        return
    from jinja2 import Environment, TemplateSyntaxError  # noqa: PLC0415  few sites have templates

    environment = Environment(autoescape=True)
    for name in names:
        file = f"templates/{name}"
        text, problems = read_text(folder / file, file)
        yield from problems
        try:
            environment.parse(text)
        except TemplateSyntaxError as error:
            place = Place(file, error.lineno)
            words = f"{(error.message or '').rstrip('.')}. Fix the template."
            yield Problem(place, "error", words, "template")
        except RecursionError:
            message = "This template is nested too deeply. Split it into smaller ones."
            yield Problem(Place(file), "error", message, "template")
