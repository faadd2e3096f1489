"""What a site brings along beside its facts: queries, page blocks, templates, files to publish.
What a build would refuse of them, or leave out without a word, is a problem at its line.

Rules are judged where they are used (`graph/rules.py`), shapes in `shacl/`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from kg.check.own.blocks import problems_of, settings_of
from kg.check.own.templates import judge_templates
from kg.disk import MOST, Walk, leads_out, walk
from kg.errors import Place, Problem
from kg.facts.formats.placement import is_remark, move
from kg.facts.values.text import closest
from kg.settings import Site, own_resources, resources, shipped
from kg.sparql.reading.own_queries import BLOCKS, read_named, read_query

# The suffix of what is read, of any kind where it is empty; and the folders below.
FOLDERS = {
    "queries": (".rq", ("pages", "rules")),
    "shapes": (".ttl", ("explained",)),
    "static": ("", ()),
    "templates": ("", ()),
}


def own_problems(site: Site) -> Iterator[Problem]:
    for name in FOLDERS:
        if (site.folder / name).resolve() != shipped(name).resolve():
            most = sys.maxsize if name == "static" else MOST
            yield from misplaced_files(site.folder, name, walk(site.folder / name, most))
    yield from own_queries(site)
    yield from own_pages(site)


def misplaced_files(folder: Path, name: str, found: Walk) -> Iterator[Problem]:
    """Files that cannot be read, and those that nobody would read."""
    for path, fault in found.faults.items():
        place = Place(f"{name}/{path}".rstrip("/"))
        yield Problem(place, "error", fault, "unreadable-file")
    for path in found.files if name != "templates" else ():  # which may include any other
        if name == "static" and leads_out(folder / name / path, folder):
            message = "This link leads out of the site. Put the file itself here."
            yield Problem(Place(f"{name}/{path}"), "error", message, "unreadable-file")
            continue
        target = right_place(name, path)
        if target != path and not is_remark(path):
            hint = move(f"{name}/{path}", f"{name}/{target}", folder)
            what = "published" if name == "static" else "read"
            message = f"This file is not {what}. {hint}"
            yield Problem(Place(f"{name}/{path}"), "warning", message, "unknown-file")


def right_place(name: str, path: str) -> str:
    """Where a file is read, by its path in one of the folders."""
    suffix, below = FOLDERS[name]
    *above, last = path.split("/")
    near = closest(above[0], below, most=1) if above else []
    if suffix and near != ["explained"]:
        last = last.removesuffix(Path(last).suffix) + suffix
    return "/".join([*near, last])


def has_own_pages(site: Site) -> bool:
    """Whether pages of the site are not made by our templates and blocks alone."""
    return bool(
        own_resources(site, "queries", "pages/*.rq") or walk(site.folder / "templates").files
    )


def own_queries(site: Site) -> Iterator[Problem]:
    for path in own_resources(site, "queries", "*.rq"):
        yield from read_named(path, f"queries/{path.name}", site.base)[1]


def own_pages(site: Site) -> Iterator[Problem]:
    """Blocks of pages, and the templates that show them."""
    blocks = resources(site, "queries", "pages/*.rq")
    own = own_resources(site, "queries", "pages/*.rq")
    folders = (shipped("publish") / "templates", site.folder / "templates")
    templates = {path.stem for folder in folders for path in folder.glob("blocks/*.html")}
    names = [path.stem for path in blocks]
    filled = set[str]()
    for path in own:
        file = f"queries/pages/{path.name}"
        query, problems = read_query(path, file, site.base, BLOCKS)
        yield from problems
        yield from problems_of(file, query, site.base, templates, names) if query else ()
        filled |= {
            each.value for (name, _), each in settings_of(query).items() if name == "template"
        }
    yield from judge_templates(site.folder, filled)
