"""What the last build of a site into a folder was made from, and what it reported. Where neither
these inputs nor the folder have changed, there is nothing to do, and little of the program is
loaded to find that out.

.kg-cache/site-….last       what it reported, with digests of its inputs and of the folder
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from kg import doors
from kg.errors import Place, Problem
from kg.files.atomic import replace_cache
from kg.files.disk import leads_out, walk
from kg.publish.export.folder import left_by_others, listed_files, stamp_of
from kg.publish.questions import editor
from kg.settings import FOLDERS, shipped

PROGRAM = Path(__file__).parents[2]
PACKAGES = ("site-packages", "dist-packages")


@dataclass(frozen=True)
class LastBuild:
    """The report of a build."""

    counts: str
    files: int
    identity: str
    proof: str
    base: str
    problems: Sequence[Problem]


def digest(lines: Iterable[str]) -> str:
    text = "\n".join(lines).encode("utf-8", "surrogateescape")
    return hashlib.blake2b(text, digest_size=12).hexdigest()


def cache_file(cache: Path, target: Path, suffix: str) -> Path:
    """A file about the builds into a folder."""
    name = hashlib.blake2b(str(target).encode(), digest_size=6).hexdigest()
    return cache / f"site-{name}.{suffix}"


def inputs_digest(site: Path, options: Iterable[object]) -> str:
    """Of all that a build depends on: the program, the installed packages, the options, and the
    files of the site.
    """
    lines = [sys.version, program_digest(), *sys.path, *map(repr, options)]
    lines += [f"{path} {stamp_of(path)}" for path in editor.files().values()]
    packages = [Path(path) for path in sys.path if path.endswith(PACKAGES)]
    lines += [f"{path.stat().st_mtime_ns}" for path in packages if path.is_dir()]
    for name in FOLDERS:
        found = walk(site / name, sys.maxsize)
        lines += [name, *found.folders, *map(repr, found.faults.items())]
        for path in found.files:
            file = site / name / path
            content = hashlib.blake2b(file.read_bytes(), digest_size=16).hexdigest()
            lines.append(f"{path} {leads_out(file, site)} {content}")
    return digest(lines)


def program_digest() -> str:
    """Of the names, sizes and times of all files of the program."""
    files = (
        f"{above}/{name}"
        for folder in (PROGRAM, shipped("queries"), shipped("shapes"))
        for above, _, names in os.walk(folder)
        for name in names
        if not name.endswith(".pyc")
    )
    return digest(sorted(f"{path} {stamp_of(path)}" for path in files))


def folder_digest(target: Path) -> str:
    """Of the names, sizes and times of the files in a built folder."""
    paths = sorted(listed_files(target))
    return digest(f"{path} {stamp_of(f'{target}/{path}')}" for path in paths)


def find(cache: Path, target: Path, inputs: str) -> LastBuild | None:
    """The last build, if it was made from these inputs and the folder is as that left it."""
    try:
        saved = json.loads(cache_file(cache, target, "last").read_bytes())
        if saved["inputs"] != inputs or saved["folder"] != folder_digest(target):
            return None
        problems = [
            Problem(Place(**at), severity, message, rule, tuple(Place(**each) for each in others))
            for at, severity, message, rule, others in map(dict.values, saved["build"]["problems"])
        ]
        found = LastBuild(**{**saved["build"], "problems": problems})
        return None if left_by_others(target) else found
    except (OSError, ValueError, LookupError, TypeError):
        return None  # there is none, or another version of the program wrote it


def save(cache: Path, target: Path, inputs: str, build: LastBuild) -> None:
    """Where nothing can be written, the next build is only slower. Nothing is saved where a plugin
    of somebody else checks, for it may change at any time.
    """
    if doors.foreign("kg.checks"):
        return
    saved = {"inputs": inputs, "folder": folder_digest(target), "build": asdict(build)}
    with suppress(OSError):
        replace_cache(cache_file(cache, target, "last"), json.dumps(saved).encode())
