"""Bibliography files beside a CV: `publications: papers.bib` lists every work of the file.

.bib and CSL-JSON files in `data/` are read like files in `data/publications/`, each entry with its
key. Lists of CVs name the file; this module replaces the name with the keys.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass
from posixpath import dirname, join, normpath
from typing import Any

from kg import doors
from kg.errors import Place, Problem
from kg.facts.yaml.rows import Row, Rows, place_of
from kg.text.nearest import closest_are

GROUP = "kg.bibliographies"
SUFFIXES = (".bib", ".json")
LIST = "publications"
FOLDERS = ("cv", "publications")  # in data/, besides data/ itself
WorkRow = tuple[str, Row, Place]
Bibliographies = Mapping[str, list[str]]  # file -> keys


def is_bibliography(file: str) -> bool:
    return file.endswith(SUFFIXES)


@dataclass(frozen=True)
class BibliographyFormat:
    """A format of bibliographies, which a plugin reads. `read` gets the path and the content of a
    file, and returns its works, or None if it cannot be read.
    """

    read: Callable[[str, bytes], tuple[list[WorkRow] | None, list[Problem]]]


def read_bibliography(file: str, data: bytes) -> tuple[list[WorkRow] | None, list[Problem]]:
    """The works of a file; None if it cannot be read. Its suffix is the name of the plugin."""
    entry = doors.installed(GROUP).get(file.rpartition(".")[2])
    found = entry and doors.loaded(entry, BibliographyFormat)
    if found:
        return found.read(file, data)
    message = "No plugin that reads this file is installed. Install one, or remove the file."
    return None, [Problem(Place(file), "error", message, "unreadable-file")]


def is_same_work(row: Row, other: Row | None) -> bool:
    """Whether two entries of different bibliographies are the same work; co-authors share works."""
    return (
        other is not None
        and other.file != row.file
        and is_bibliography(other.file)
        and other.get("title") == row.get("title")
    )


def wrap_file_name(cv: Row) -> None:
    """Turns a single file name into a list."""
    name = cv.get(LIST)
    if isinstance(name, str):
        cv[LIST] = Rows.at(cv.values_at[LIST], [name])


def private_files(cvs: Iterable[Row], known: Bibliographies) -> set[str]:
    """The files that only private CVs list; their works are private."""
    named: dict[str, bool] = {}
    for cv in cvs:
        is_private = cv.row("basics").get("visibility") == "private"
        for item in cv.rows(LIST):
            if is_file(item) and (path := path_of(cv.file, item, known)):
                named[path] = named.get(path, True) and is_private
    return {path for path, is_private in named.items() if is_private}


def make_private(works: Iterable[Row], files: Container[str]) -> None:
    """Makes the works of these files private."""
    for work in works:
        if work.file in files:
            work.fill("visibility", "private")


def put_in_keys(
    cvs: Iterable[Row], known: Bibliographies, renamed: Mapping[str, Mapping[str, str]]
) -> list[Problem]:
    """Replaces file names in the lists of CVs with keys. A work that the list also names itself
    keeps that position: `[papers.bib, {key: berg2020, selected: true}]`. The list can use the
    original keys of `renamed` works.
    """
    problems: list[Problem] = []
    for cv in cvs:
        items = cv.rows(LIST)
        if not any(map(is_file, items)):
            continue
        paths = [path_of(cv.file, item, known) for item in items if is_file(item)]
        own = {old: new for path in paths for old, new in renamed.get(path, {}).items()}
        wanted = [with_key(item, own) for item in items]
        left, named = Rows(), {key_in(item) for item in wanted}
        for item, at in zip(wanted, items.spots, strict=True):
            path = path_of(cv.file, item, known) if is_file(item) else ""
            keys: list[Any] = [key for key in known.get(path, ()) if key not in named]
            if not is_file(item):
                keys = [item]
            if is_file(item) and not path:
                place, folder = place_of(cv.file, at), dirname(cv.file)
                hint = closest_are(join(folder, item), known, f"Put it into {folder}/.", most=1)
                message = f"{LIST}: the file '{item}' does not exist beside this CV. {hint}"
                problems.append(Problem(place, "error", message, "unknown-reference"))
            left.extend(keys)
            left.spots.extend(at for _ in keys)
        cv[LIST] = left
    return problems


def key_in(item: Any) -> str:
    """The key that a list item names."""
    return str(item.get("key") if isinstance(item, Row) else item)


def with_key(item: Any, renamed: Mapping[str, str]) -> Any:
    """The list item with the new key of the work."""
    key = renamed.get(key_in(item))
    if key is None:
        return item
    return item.without("key").fill("key", key) if isinstance(item, Row) else key


def is_file(item: Any) -> bool:
    return isinstance(item, str) and is_bibliography(item)


def path_of(cv: str, name: str, known: Bibliographies) -> str:
    """The path of a file: beside the CV, or in `data/`."""
    places = (dirname(cv), "data", *(f"data/{folder}" for folder in FOLDERS))
    paths = (normpath(join(place, name)) for place in places)
    return next((path for path in paths if path in known), "")
