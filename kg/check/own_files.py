"""Checks the site's own queries, page blocks, templates and static files.

Everything that a build would refuse or silently leave out is a problem with its line. Rules are
checked where they are used (`graph/rules.py`), shapes in `shacl/`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from kg.check.blocks import problems_of
from kg.errors import Place, Problem
from kg.facts.bibliography.placement import is_remark, move
from kg.files.disk import MOST, Walk, leads_out, walk
from kg.settings import FOLDERS as SITE_FOLDERS
from kg.settings import NOWHERE, SITE_FILE, Site, own_resources, resources, shipped
from kg.sparql.reading.own_queries import BLOCKS, read_named, read_query, read_text
from kg.text.nearest import closest

# The suffix of files that are read (empty: any), and the allowed subfolders.
FOLDERS = {
    "queries": (".rq", ("pages", "rules")),
    "shapes": (".ttl", ("explained",)),
    "static": ("", ()),
    "templates": ("", ()),
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
    yield from unused_templates(site)
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
        target = right_place(name, path)
        if target != path and not is_remark(path):
            hint = move(f"{name}/{path}", f"{name}/{target}", folder)
            what = "published" if name == "static" else "read"
            message = f"This file is not {what}. {hint}"
            yield Problem(Place(f"{name}/{path}"), "warning", message, "unknown-file")


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


def right_place(name: str, path: str) -> str:
    """The path at which a file of this folder would be read."""
    suffix, below = FOLDERS[name]
    *above, last = path.split("/")
    near = closest(above[0], below, most=1) if above else []
    if suffix and near != ["explained"]:
        last = last.removesuffix(Path(last).suffix) + suffix
    return "/".join([*near, last])


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
        yield from problems_of(file, query, site.base, templates, names) if query else ()


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
            place = place_of(file, text.split("\n"), error.lineno)
            words = f"{(error.message or '').rstrip('.')}. Fix the template."
            yield Problem(place, "error", words, "template")
        except RecursionError:
            message = "This template is nested too deeply. Split it into smaller ones."
            yield Problem(Place(file), "error", message, "template")


def unused_templates(site: Site) -> Iterator[Problem]:
    """Templates that replace none of ours and that no block and no other template names."""
    ours, own = shipped("publish") / "templates", site.folder / "templates"
    names = [name for name in walk(own).files if name.endswith((".html", ".md"))]
    files = resources(site, "queries", "pages/*.rq") if names else []
    texts = [each.read_text("utf-8", "replace") for each in [*files, *(own / it for it in names)]]
    for name in names:
        path = PurePosixPath(name)
        is_named = any(f'"{name}"' in text or f"'{name}'" in text for text in texts)
        is_block = path.parent.name == "blocks" and any(
            f"# template: {path.stem}\n" in text for text in texts
        )
        if not (is_remark(name) or is_named or is_block or (ours / name).exists()):
            near = closest(name, [str(each.relative_to(ours)) for each in ours.rglob("*.*")])
            advice = f"Did you mean {near[0]}? " if near else ""
            message = (
                f"no page uses this template. {advice}Give it the name of a built-in one, include "
                "it in another one, or remove it."
            )
            yield Problem(Place(f"templates/{name}"), "warning", message, "unused-template")


def place_of(file: str, lines: list[str], line: int, word: str = "") -> Place:
    """The place of a word on the line of its tag or one of the next lines; otherwise the start of
    the line.
    """
    edge = r"\b" if word.isidentifier() else ""
    pattern = re.compile(edge + re.escape(word) + edge)
    for number in range(max(line, 1), min(line + 5, len(lines)) + 1) if word else ():
        if found := pattern.search(lines[number - 1]):
            return Place(file, number, found.start() + 1)
    here = lines[line - 1] if 0 < line <= len(lines) else ""
    return Place(file, max(line, 1), len(here) - len(here.lstrip()) + 1)
