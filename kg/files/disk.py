"""Lists the readable files of a folder, and explains why others cannot be read.

A link to a file counts as a file. A linked folder directly in the top folder is read once, without
its subfolders, so every walk ends. Unreadable files are reported, never skipped; nothing that could
block is opened.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
import sys
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path

MOST = 100_000_000  # maximum size of a text file in bytes
KINDS = {
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFDIR: "a folder",
}
PARENT_FOLDER = "a folder that contains it"
Identity = tuple[int, int]
Stamp = tuple[int, int]  # modification time in nanoseconds, and size


@dataclass
class Walk:
    """The content of a folder, by relative path: readable files (shallow ones first), folders, and
    faults of the others.
    """

    files: list[str] = field(default_factory=list)
    folders: list[str] = field(default_factory=list)
    faults: dict[str, str] = field(default_factory=dict)


def walk(top: Path, most: int = MOST) -> Walk:
    """Walks a folder without hidden files, ordered by name."""
    found = Walk()
    if not top.is_dir():
        if os.path.lexists(top):
            found.faults[""] = "This is not a folder. Replace it with a folder, or delete it."
        return found
    seen: dict[Identity, str] = {}
    around = {identity(folder) for folder in (top, *top.resolve().parents)}
    waiting, links = deque([""]), deque[str]()
    while waiting or links:
        is_link = not waiting
        name = (waiting or links).popleft()
        folder = top / name
        try:
            here = identity(folder)
            if is_link and (here in seen or here in around):
                known = (
                    f"{top.name}/{seen[here]}, which is already read"
                    if here in seen
                    else PARENT_FOLDER
                )
                found.faults[name] = f"This link points to {known}. Delete it."
                continue
            seen[here] = name
            with os.scandir(folder) as entries:
                shown = [entry for entry in entries if not entry.name.startswith(".")]
        except OSError as error:
            found.faults[name] = (
                f"cannot read this folder: {error.strerror}. Change its permissions, or move it."
            )
            continue
        for entry in sorted(shown, key=lambda entry: entry.name):
            path = f"{name}/{entry.name}" if name else entry.name
            if not is_folder(entry):
                if fault := fault_of(Path(entry.path), most):
                    found.faults[path] = fault
                else:
                    found.files.append(path)
            elif is_link:
                found.faults[name] = (
                    f"Subfolders of a linked folder are not read ({entry.name}). Link to them "
                    f"from {top.name}/, or move their files there."
                )
            elif name and entry.is_symlink():
                found.faults[path] = (
                    f"A linked folder is only read directly in {top.name}/. Move its files here, "
                    "or link to each of them."
                )
            else:
                found.folders.append(path)
                (links if entry.is_symlink() else waiting).append(path)
    found.files.sort(key=in_order)
    return found


def content_digest(top: Path) -> bytes:
    """Digest of a folder: names, locations, contents and faults."""
    found, below = hashlib.blake2b(digest_size=16), walk(top, sys.maxsize)
    found.update(repr(below).encode())
    for path in (top / name for name in below.files):
        content = read_bytes(path)
        body = content if isinstance(content, bytes) else repr(content).encode()
        found.update(f"{os.path.realpath(path)} {len(body)}\n".encode() + body)
    return found.digest()


def in_order(path: str) -> tuple[int, list[str]]:
    """Sort key of paths: shallow ones first."""
    return path.count("/"), path.split("/")


def stamp_of(path: Path) -> Stamp:
    try:
        status = path.stat()
    except OSError:  # a dangling link, or it was deleted meanwhile
        return 0, 0
    return status.st_mtime_ns, status.st_size


def leads_out(path: Path, folder: Path) -> bool:
    """Whether a path, with links resolved, is outside a folder."""
    return not path.resolve().is_relative_to(folder.resolve())


def is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a loop of links
        return False


def identity(path: Path) -> Identity:
    status = path.stat()
    return status.st_dev, status.st_ino


def fault_of(path: Path, most: int = MOST) -> str:
    """Why a file cannot be read, and what to do; empty if it can."""
    try:
        status = path.stat()
    except OSError as error:
        if error.errno == errno.ELOOP:
            return "This link points to itself. Delete it, or correct its target."
        if path.is_symlink() and error.errno == errno.ENOENT:
            there = f"{path.readlink()} does not exist"
            return f"This link is broken: {there}. Correct or delete it."
        return unreadable(error)
    if not stat.S_ISREG(status.st_mode):
        kind = KINDS.get(stat.S_IFMT(status.st_mode), "something else")
        return f"This is {kind}, not a file. Replace it with a file, or delete it."
    if status.st_size > most:
        bound = f"the limit is {most // 1_000_000} MB"
        return (
            f"This file has {status.st_size // 1_000_000} MB; {bound}. Split it into several files."
        )
    may_read = os.access(path, os.R_OK)
    return (
        ""
        if may_read
        else (f"You do not have permission to read this file. Run: chmod u+r {path.name}")
    )


def unreadable(error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return "file not found. Check the path."
    return f"cannot read this file: {error.strerror}. Fix this, or move the file out of the folder."


def read_bytes(path: Path) -> bytes | OSError:
    """Returns the content of a file, or the error."""
    try:
        return path.read_bytes()
    except OSError as error:
        return error.with_traceback(None)
