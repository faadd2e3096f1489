"""Reads past states of a folder from git: at a revision, or at the end of a day.

Only objects are read (`ls-tree`, `cat-file`). There is no checkout, so no hook, filter or other
program of the repository runs, nothing is fetched, and nothing is written to the repository.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from shutil import which
from typing import NamedTuple

from kg.errors import KgError

DAY = re.compile(r"\d{4}-\d\d-\d\d")
LINK, FILES = "120000", ("100644", "100755")
GIT_TIMEOUT = 120  # seconds
# A partial clone would fetch missing objects, and a fetch can run programs that the repository
# configures.
GIT_ENVIRONMENT = {
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
SAFE_OPTIONS = (
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "protocol.allow=never",
)


class StoredFile(NamedTuple):
    """A file of a revision: path in the folder, object name, and whether it is a link."""

    path: str
    name: str
    is_link: bool


def commit_of(folder: Path, revision: str) -> str:
    """The commit of a revision (`HEAD~3`, a tag, `main@{yesterday}`) or a day: the last commit on
    the current branch until that day.
    """
    if DAY.fullmatch(revision):
        return commit_on(folder, revision)
    try:
        found = git(
            folder, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}"
        )
    except GitFailed as error:
        if error.reason:
            raise
        raise KgError(
            f"'{revision}' is neither a file or folder nor a revision in git. Give a folder, a "
            "dump, a commit, a tag, or a day such as 2026-01-31."
        ) from error
    return found.decode().strip()


def commit_on(folder: Path, day: str) -> str:
    """Uses the dates in the commits, so that the result does not depend on the time zone, and
    follows the first parent of merges.
    """
    try:
        lines = git(folder, "rev-list", "--first-parent", "--format=%H %cs", "HEAD").decode()
    except GitFailed as error:
        if (
            "ambiguous argument 'HEAD'" not in error.reason
            and "unknown revision" not in error.reason
        ):
            raise
        raise KgError(f"{folder} has no commits yet. Run: git add . && git commit") from error
    commits = [line.split() for line in lines.splitlines()[1::2]]
    for name, date in commits:
        if date <= day:
            return name
    raise KgError(
        f"The history of {folder} in git begins on {commits[-1][1]}, after {day}. Give a later day."
    )


def restore(folder: Path, revision: str, parts: Iterable[str], target: Path) -> None:
    """Writes parts of a folder, as of a revision, to another folder."""
    commit = commit_of(folder, revision)
    found = list(stored_files(folder, commit, parts))
    if not found:
        raise KgError(f"{folder} does not exist in git at {revision}. Give a later revision.")
    links: dict[str, str] = {}
    for file, body in zip(found, contents(folder, [each.name for each in found]), strict=True):
        if file.is_link:
            links[file.path] = body.decode("utf-8", "surrogateescape")
            continue
        path = target / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body)
    # Links last, so that nothing is written through them.
    for name, leads_to in links.items():
        path = target / name
        if os.path.lexists(path):
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        if not (path.parent / leads_to).resolve().is_relative_to(target.resolve()):
            raise KgError(
                f"At {revision}, {name} links to a file outside the site, which is not in git. "
                "Give another revision."
            )
        path.symlink_to(leads_to)


def stored_files(folder: Path, commit: str, parts: Iterable[str]) -> Iterator[StoredFile]:
    listing = git(folder, "ls-tree", "-r", "-z", commit, "--", *(f"{part}/" for part in parts))
    for line in filter(None, listing.split(b"\0")):
        about, _, name = line.partition(b"\t")
        mode, _, object_name = about.decode().split(" ")
        path = name.decode("utf-8", "surrogateescape")
        if mode in (LINK, *FILES) and is_inside(path):
            yield StoredFile(path, object_name, mode == LINK)


def is_inside(path: str) -> bool:
    """Guards against absolute and parent paths, which git never writes but others may."""
    pieces = PurePosixPath(path).parts
    return bool(pieces) and pieces[0] != "/" and ".." not in pieces


def contents(folder: Path, names: list[str]) -> Iterator[bytes]:
    """The contents of objects as committed."""
    output = git(folder, "cat-file", "--batch", given="".join(f"{name}\n" for name in names))
    start = 0
    for name in names:
        end = output.index(b"\n", start)
        head = output[start:end].decode().split()
        if len(head) != 3:
            raise KgError(f"The repository of {folder} lacks the object {name}. Run: git fsck")
        size = int(head[2])
        yield output[end + 1 : end + 1 + size]
        start = end + size + 2


class GitFailed(KgError):
    """git failed; `reason` is its message."""

    def __init__(self, folder: Path, reason: str) -> None:
        super().__init__(folder, reason)
        self.folder, self.reason = folder, reason

    def __str__(self) -> str:
        if "not a git repository" in self.reason:
            return (
                f"{self.folder} is not in a git repository, so it has no history. Run: git init "
                "&& git add . && git commit"
            )
        return f"git cannot read the history of {self.folder}: {self.reason}"


def git(folder: Path, *command: str, given: str = "") -> bytes:
    program = which("git")
    if program is None:
        raise KgError("git is not installed, but the history is in git. Install git.")
    try:
        done = subprocess.run(  # noqa: S603
            [program, "--no-pager", *SAFE_OPTIONS, "-C", str(folder), *command],
            input=given.encode(),
            capture_output=True,
            env=os.environ | GIT_ENVIRONMENT,
            timeout=GIT_TIMEOUT,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise GitFailed(folder, f"no answer within {GIT_TIMEOUT} s") from error
    if done.returncode:
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise GitFailed(folder, lines[0].removeprefix("fatal: ") if lines else "")
    return done.stdout
