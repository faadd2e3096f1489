"""Which files belong where in `data/`: the kind of a file by its name, and advice for misplaced
files.
"""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

from kg.errors import Fix, Place, Problem
from kg.facts.bibliography.bibliographies import is_bibliography
from kg.facts.models import REGISTRIES, SECTIONS
from kg.facts.models.people import Cv
from kg.facts.values.text import slugify
from kg.facts.yaml.reader import read
from kg.facts.yaml.rows import Row
from kg.files.disk import read_bytes
from kg.text.nearest import closest

CV, TURTLE, SITE = "cv", "ttl", "site"
PLACEHOLDER_KEY = "your-name"  # placeholder for the key of a CV
OTHERS = {TURTLE: "{}.ttl", "bib": "publications/{}.bib", "bibtex": "publications/{}.bib"}
# name of a file or folder -> kind
KINDS_BY_FILE = {CV: CV, **{registry.file: kind for kind, registry in REGISTRIES.items()}}
FILES_BY_KIND = {kind: name for name, kind in KINDS_BY_FILE.items()}
CV_FIELDS = {"basics", *SECTIONS, *Cv.model_fields}
ROWS = ("yaml", "yml", "json")
SYNONYMS = {  # other usual names
    "resume": CV,
    "resumes": CV,
    "vita": CV,
    "vitae": CV,
    "orgs": "organizations",
    "companies": "organizations",
    "universities": "organizations",
    "authors": "people",
    "persons": "people",
    "papers": "publications",
    "articles": "publications",
    "works": "publications",
    "bibliography": "publications",
    "conferences": "venues",
    "journals": "venues",
    "funding": "grants",
    "keywords": "topics",
}
# files that are published as they are
PICTURES = ("gif", "jpeg", "jpg", "pdf", "png", "svg", "webp")
DOCUMENTATION = ("readme", "license", "licence")  # documentation of the other files
READABLE_FILES = "Facts are read from .yaml, .ttl, .bib and CSL-JSON (.json) files."


def kind_of(name: str) -> str:
    """The kind of a file in `data/` by its name: Turtle, CV or a registry; empty if it is not
    read.
    """
    *above, last = name.split("/")
    key, _, suffix = last.rpartition(".")
    stem = above[0] if above else key
    if suffix == TURTLE and not above:
        return TURTLE
    if is_bibliography(name) and len(above) < 2 and stem in (CV, "publications", key):
        return "publications"
    if suffix not in ("yaml", "yml") or len(above) > 1 or (stem == CV and not above):
        return ""
    return KINDS_BY_FILE.get(stem, "")


def is_remark(name: str) -> bool:
    """Whether a file is documentation, which is skipped silently."""
    stem, _, suffix = name.rpartition("/")[2].lower().partition(".")
    return stem in DOCUMENTATION and suffix in ("", "md", "txt")


def unknown_file(folder: Path, name: str) -> Problem:
    """The warning about a file in `data/` that is not read."""
    is_row = suffix_of(name) in ROWS
    content = read_bytes(folder / "data" / name) if is_row else b""
    row = read(name, content)[0] if isinstance(content, bytes) else None
    return unread_file(name, row, folder)


def unread_file(name: str, row: Any, folder: Path | None = None) -> Problem:
    """The warning about a file that is not read; advice depends on its content (`row`) and the
    files of the site (`folder`).
    """
    target = right_place(name, row, folder)
    new = f"data/{target}" if target else ""
    if suffix_of(name) in PICTURES:
        new = f"static/{name.rpartition('/')[2]}"
    hint = move(f"data/{name}", new, folder) if new else f"{READABLE_FILES} Move it out of data/."
    message = f"This file is not read. {hint}"
    word = name.partition("/")[0].partition(".")[0].lower()
    is_free = folder is not None and not (folder / new).exists()
    is_certain = is_free and (looks_like_cv(row) or word in {*SYNONYMS, *KINDS_BY_FILE})
    fix = Fix(f"data/{name}", (new,), is_certain, is_moved=True) if new and is_free else None
    return Problem(Place(f"data/{name}"), "warning", message, "unknown-file", fix=fix)


def suffix_of(name: str) -> str:
    return name.rpartition("/")[2].rpartition(".")[2].lower()


def right_place(name: str, row: Any, folder: Path | None) -> str:
    """The name in `data/` under which a file would be read; empty if unknown."""
    *above, last = name.split("/")
    key, _, suffix = last.rpartition(".") if "." in last else (last, "", "")
    if suffix.lower() in OTHERS:
        return OTHERS[suffix.lower()].format(key)
    if looks_like_cv(row):
        return place_of_cv(key, row)
    word = above[0] if above else key
    stem = (word.rpartition(".")[0] or word).lower()
    near = SYNONYMS.get(stem) or next(iter(closest(stem, [*KINDS_BY_FILE, SITE], most=1)), "")
    if not near or suffix.lower() not in (*ROWS, "", "txt"):
        return ""
    if near == CV:
        return f"{CV}/{slugify(key) if above else PLACEHOLDER_KEY}.yaml"
    is_taken = near != SITE and folder and (folder / "data" / f"{near}.yaml").exists()
    return f"{near}/{key}.yaml" if above or is_taken else f"{near}.yaml"


def looks_like_cv(row: Any) -> bool:
    basics = row.get("basics") if isinstance(row, Row) else None
    return isinstance(basics, Row) and "name" in basics


def place_of_cv(key: str, row: Row) -> str:
    """The file of a CV: keeps its name, unless that is the name of another kind; then the
    person's.
    """
    name = row["basics"].get("name")
    owner = slugify(name) if isinstance(name, str) else ""
    is_name = key.lower() not in {*KINDS_BY_FILE, *SYNONYMS}
    return f"{CV}/{(slugify(key) if is_name else owner) or PLACEHOLDER_KEY}.yaml"


def move(old: str, new: str, folder: Path | None) -> str:
    """The command to type in the folder of the site."""
    above = new.rpartition("/")[0]
    if folder and (folder / new).exists():
        return f"Move its content to {new}, and delete it."
    if folder and not (folder / above).is_dir():
        return f"Run: mkdir -p {above} && mv {shlex.quote(old)} {shlex.quote(new)}"
    return f"Run: mv {'' if folder else '-n '}{shlex.quote(old)} {shlex.quote(new)}"


def misplaced(file: str, kind: str, row: Row) -> Problem | None:
    """The error for a CV among registry entries, or registry entries among the CVs."""
    name = file.removeprefix("data/")
    key = name.rpartition("/")[2].rpartition(".")[0]
    if kind == CV and key in KINDS_BY_FILE and CV_FIELDS.isdisjoint(row):
        hint = move(file, f"data/{key}.yaml", None)
        message = f"This is not a CV. It contains entries of '{key}'. {hint}"
        return Problem(row.place, "error", message, "wrong-folder")
    is_cv = kind != CV and looks_like_cv(row) and CV_FIELDS.issuperset(row)
    has_sections = any(isinstance(each, list) for each in row.values())
    if is_cv and (has_sections or kind in ("people", "publications")):
        hint = move(file, f"data/{place_of_cv(key, row)}", None)
        message = (
            f"This is a CV, but the file must contain entries of '{FILES_BY_KIND[kind]}'. {hint}"
        )
        return Problem(row.at("basics", key=True), "error", message, "wrong-folder")
    return None


def not_a_file(folder: Path, name: str) -> str:
    """The message about a folder with the name of a file."""
    wanted = name.rpartition(".")[0]
    hint = (
        "Replace it with the file."
        if "/" in name
        else move(f"data/{name}", f"data/{wanted}", folder)
    )
    return f"This is a folder, but a file must have this name. {hint}"
