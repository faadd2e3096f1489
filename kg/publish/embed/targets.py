"""Files of others, into which our script goes: all are read and checked before the first is
written, and each is replaced in one step.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from kg.errors import KgError
from kg.publish.embed.inject import inject


def keep(script: str, files: Iterable[Path]) -> list[tuple[Path, bool]]:
    """Puts the script into the files, or renews it there. A file that is not there yet becomes one
    with nothing else in it. Gives each file and whether it was changed; one that has the script
    already is not touched.
    """
    named = {file.resolve(): file for file in files}  # through links, and each once
    pages = {file: file.read_bytes() if file.exists() else b"" for file in named}
    made = {file: injected(named[file], page, script) for file, page in pages.items()}
    changed = [file for file in made if made[file] != pages[file]]
    for file in changed:
        may_be_written(file, named[file])
    for file in changed:
        write(file, made[file])
    return [(name, file in changed) for file, name in named.items()]


def injected(name: Path, page: bytes, script: str) -> bytes:
    try:
        return inject(page, script)
    except KgError as error:
        raise KgError(f"{name}: {error}") from error


def may_be_written(file: Path, name: Path) -> None:
    if file.exists() and not (file.stat().st_mode & 0o222 and os.access(file, os.W_OK)):
        raise KgError(
            f"{name} is read-only. Nothing was written; make it writable (chmod u+w), or "
            "leave it out."
        )
    folder = next(folder for folder in file.parents if folder.exists())
    if not os.access(folder, os.W_OK):
        raise KgError(f"{name}: nothing can be written into its folder. Nothing was changed.")


def write(file: Path, body: bytes) -> None:
    """Beside the old one, then in its place: whoever reads meanwhile finds one of them whole."""
    file.parent.mkdir(parents=True, exist_ok=True)
    beside = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        with beside.open("xb") as opened:
            opened.write(body)
        if file.exists():
            beside.chmod(file.stat().st_mode & 0o7777)
        beside.replace(file)
    finally:
        beside.unlink(missing_ok=True)
