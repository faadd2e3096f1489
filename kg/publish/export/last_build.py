"""The last build of a site into a folder: its inputs and its report. If neither the inputs nor the
folder have changed, there is nothing to do, and finding that out loads little of the program.
"""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from kg.check.site_state import SiteState
from kg.errors import Problem
from kg.graph.parallel.run import Run
from kg.publish.export.folder import listed_files, stamp_of, temporary_folders
from kg.publish.questions import editor


@dataclass(frozen=True)
class LastBuild:
    """The report of a build."""

    counts: str
    files: int
    identity: str
    proof: str
    base: str
    problems: list[Problem]


def digest(lines: Iterable[str]) -> str:
    text = "\n".join(lines).encode("utf-8", "surrogateescape")
    return hashlib.blake2b(text, digest_size=12).hexdigest()


def name_for(target: Path, suffix: str) -> str:
    """The name of the cache entry for builds into a folder."""
    name = hashlib.blake2b(str(target).encode(), digest_size=6).hexdigest()
    return f"site-{name}.{suffix}"


def inputs_digest(site: Path, run: Run, options: Iterable[object]) -> str:
    """A digest of everything that a build depends on, except the target folder: the files of the
    site, the date, the editor and the options.
    """
    state = SiteState(site, replace(run, previous=None))
    files = (f"{path} {stamp_of(path)}" for path in editor.files().values())
    return digest([state.inputs().hex(), *files, *map(repr, options)])


def folder_digest(target: Path) -> str:
    """A digest of names, sizes and times of the files in a built folder."""
    paths = sorted(listed_files(target))
    return digest(f"{path} {stamp_of(f'{target}/{path}')}" for path in paths)


def find(site: Path, run: Run, target: Path, inputs: str) -> LastBuild | None:
    """The last build, if it had these inputs and the folder is unchanged."""
    saved = SiteState(site, run).cache.read(name_for(target, "last"))
    if not saved or not target.is_dir() or temporary_folders(target):
        return None
    last_inputs, last_folder, last = pickle.loads(saved)  # noqa: S301  written by us
    is_same = last_inputs == inputs and last_folder == folder_digest(target)
    return last if is_same and isinstance(last, LastBuild) else None


def save(site: Path, run: Run, target: Path, inputs: str, build: LastBuild) -> None:
    saved = pickle.dumps((inputs, folder_digest(target), build))
    SiteState(site, run).cache.write(name_for(target, "last"), saved)
