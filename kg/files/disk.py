"""The files of a folder, as they lie on the disk: which there are, and which nobody can read.

A link is a file of the folder, wherever it leads. A folder that is linked to directly below the
top is read like any other, but once, and no folder in it: so every walk ends. What cannot be read
is given with the reason and never skipped; nothing is opened that could block.
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

MOST = 100_000_000  # bytes of a file that is read as text
KINDS = {
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFDIR: "a folder",
}
AROUND = "a folder that contains it"
Identity = tuple[int, int]
Stamp = tuple[int, int]  # when a file was last written, in nanoseconds, and its size


@dataclass
class Walk:
    """What is below a folder, by paths from there: the files that can be read, the highest first;
    the folders; and what is wrong with the others.
    """

    files: list[str] = field(default_factory=list)
    folders: list[str] = field(default_factory=list)
    faults: dict[str, str] = field(default_factory=dict)


def walk(top: Path, most: int = MOST) -> Walk:
    """Without what is hidden, in an order that depends on names alone."""
    found = Walk()
    if not top.is_dir():
        if os.path.lexists(top):
            found.faults[""] = "This is no folder. Put one in its place, or delete it."
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
                    f"{top.name}/{seen[here]}, which is read already" if here in seen else AROUND
                )
                found.faults[name] = f"This link leads to {known}. Delete it."
                continue
            seen[here] = name
            with os.scandir(folder) as entries:
                shown = [entry for entry in entries if not entry.name.startswith(".")]
        except OSError as error:
            found.faults[name] = (
                f"This folder cannot be read: {error.strerror}. Allow it, or move it."
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
                    f"Folders in a linked folder are not read, such as {entry.name}. Link to them "
                    f"from {top.name}/, or put their files there."
                )
            elif name and entry.is_symlink():
                found.faults[path] = (
                    f"A linked folder is only read directly in {top.name}/. Put its files here, or "
                    "link to each."
                )
            else:
                found.folders.append(path)
                (links if entry.is_symlink() else waiting).append(path)
    found.files.sort(key=in_order)
    return found


def content_digest(top: Path) -> bytes:
    """Of all that is below a folder: names, places and contents, and what is wrong with them."""
    found, below = hashlib.blake2b(digest_size=16), walk(top, sys.maxsize)
    found.update(repr(below).encode())
    for path in (top / name for name in below.files):
        content = read_bytes(path)
        body = content if isinstance(content, bytes) else repr(content).encode()
        found.update(f"{os.path.realpath(path)} {len(body)}\n".encode() + body)
    return found.digest()


def in_order(path: str) -> tuple[int, list[str]]:
    """Sorts the paths of files: the highest first."""
    return path.count("/"), path.split("/")


def stamp_of(path: Path) -> Stamp:
    try:
        status = path.stat()
    except OSError:  # a link that leads nowhere, or it vanished meanwhile
        return 0, 0
    return status.st_mtime_ns, status.st_size


def leads_out(path: Path, folder: Path) -> bool:
    """Whether a path, its links followed, is not in a folder."""
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
    """Why a file cannot be read, and what to do; empty where it can."""
    try:
        status = path.stat()
    except OSError as error:
        if error.errno == errno.ELOOP:
            return "This link leads back to itself. Delete it, or let it lead to a file."
        if path.is_symlink() and error.errno == errno.ENOENT:
            there = f"there is no {path.readlink()}"
            return f"This link leads nowhere: {there}. Correct it, or delete it."
        return unreadable(error)
    if not stat.S_ISREG(status.st_mode):
        kind = KINDS.get(stat.S_IFMT(status.st_mode), "something else")
        return f"This is {kind}, and a file is expected. Put one in its place, or delete it."
    if status.st_size > most:
        bound = f"at most {most // 1_000_000} MB are read"
        return (
            f"This file has {status.st_size // 1_000_000} MB, and {bound}. Split it into several."
        )
    may_read = os.access(path, os.R_OK)
    return "" if may_read else f"You are not permitted to read this. Type: chmod u+r {path.name}"


def unreadable(error: OSError) -> str:
    return f"This file cannot be read: {error.strerror}. Correct that, or move it elsewhere."


def read_bytes(path: Path) -> bytes | OSError:
    """What is in a file, or why it cannot be read after all."""
    try:
        return path.read_bytes()
    except OSError as error:
        return error.with_traceback(None)
