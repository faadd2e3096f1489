"""The site as a folder for any web host: written beside the old one, then put in its place in one step."""

from __future__ import annotations

import ctypes
import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from kg.errors import KgError, Problem, ProblemsFound, tidy
from kg.publish.examples import own
from kg.publish.leaks import search
from kg.publish.site import Documents

MARKER = ".cv-kg"  # a folder without it was not written by us, and is not replaced
AT_FDCWD, RENAME_EXCHANGE = -100, 2


def export(documents: Documents, target: Path, progress: Callable[[int, int], None] = lambda done, total: None) -> int:
    """Writes all documents into a folder and gives their number. What was there before stays whole until the end."""
    target = target.absolute()
    if target.exists() and (not target.is_dir() or (any(target.iterdir()) and not (target / MARKER).exists())):
        raise KgError(f"{target} exists and was not written by kg build. Choose another folder, or empty it first.")
    target.parent.mkdir(parents=True, exist_ok=True)
    beside = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.parent))
    try:
        beside.chmod(0o755)
        (beside / MARKER).write_text("".join(f"{path}\n" for path in documents.files), encoding="utf-8")
        leaks: list[Problem] = []
        for number, path in enumerate(documents.files, 1):
            document = documents.make(path)
            assert document is not None  # noqa: S101
            has_facts = documents.files[path][0] in documents.addresses or path.startswith(("dump.", "completions.", "search"))
            if has_facts:
                leaks += search(path, document.body, documents.graph.secrets)
            elif path == "shapes.ttl":
                leaks += search(path, documents.shapes(own=True), documents.graph.secrets)
            elif path == "void.ttl":
                leaks += search(path, own(documents.graph.site), documents.graph.secrets)
            file = beside / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(document.body)
            progress(number, len(documents.files))
        if leaks:
            raise ProblemsFound(tidy(leaks), documents.graph.site.folder)
        carry_over(target, beside)
        replace(beside, target)
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    return len(documents.files)


def carry_over(old: Path, new: Path) -> None:
    """What others put into the folder (.git, CNAME) goes along: all that the last build did not write."""
    if not old.is_dir():
        return
    ours = {MARKER, *(old / MARKER).read_text(encoding="utf-8").splitlines()} if (old / MARKER).exists() else set()
    for path in old.rglob("*"):
        name = path.relative_to(old)
        if (path.is_file() or path.is_symlink()) and str(name) not in ours and not (new / name).exists():
            (new / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, new / name, follow_symlinks=False)


def replace(new: Path, old: Path) -> None:
    """Puts the new folder where the old one is; afterwards `new` holds the old one, if there was one."""
    if not old.exists():
        new.rename(old)
        return
    if not exchange(new, old):
        aside = new.with_name(new.name + "-old")
        old.rename(aside)
        new.rename(old)
        aside.rename(new)


def exchange(one: Path, other: Path) -> bool:
    """Swaps two folders in one step, where the system can (Linux)."""
    rename = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    return rename is not None and rename(AT_FDCWD, os.fsencode(one), AT_FDCWD, os.fsencode(other), RENAME_EXCHANGE) == 0
