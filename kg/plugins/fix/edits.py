"""Edits of files: the fixes that can be applied together, and the texts with them."""

from __future__ import annotations

import codecs
import difflib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from kg.check.report.extents import Edit, Source, sources
from kg.errors import Place, Problem

# The text to write for a problem with a fix; None to leave it.
Choose = Callable[[Problem], str | None]


def certain(problem: Problem) -> str | None:
    return problem.fix.texts[0] if problem.fix and problem.fix.is_certain else None


def edits_of(
    folder: Path, problems: Iterable[Problem], choose: Choose
) -> dict[str, list[tuple[Problem, Edit]]]:
    """The edits by file, in the order of the text. Where two problems want different texts, neither
    is written; of edits that overlap, the first.
    """
    source = sources(folder)
    wanted: dict[tuple[Place, Place], dict[str, tuple[Problem, Edit]]] = defaultdict(dict)
    for problem in problems:
        text, there = choose(problem), source(problem.place.file)
        if text is None or problem.fix is None or there is None or not is_own(folder, there.file):
            continue
        if edit := there.edit(problem.place, problem.fix, text):
            wanted[edit.start, edit.end].setdefault(text, (problem, edit))
    found: dict[str, list[tuple[Problem, Edit]]] = defaultdict(list)
    for (start, _), texts in sorted(wanted.items()):
        before = found[start.file]
        if len(texts) == 1 and (not before or before[-1][1].end <= start):
            before += texts.values()
    return {file: edits for file, edits in found.items() if edits}


def moves_of(folder: Path, problems: Iterable[Problem], choose: Choose) -> dict[str, str]:
    """The files to move, with their new names. No file is replaced, and none leaves the site."""
    found: dict[str, str] = {}
    for problem in problems:
        new = choose(problem) if problem.fix and problem.fix.is_moved else None
        if new is None or new in found.values() or (folder / new).exists():
            continue
        if is_own(folder, problem.place.file) and is_own(folder, new):
            found[problem.place.file] = new
    return found


def is_own(folder: Path, file: str) -> bool:
    """Whether a file is in the site, and not a link to another place."""
    return (folder / file).resolve().is_relative_to(folder.resolve())


def applied(file: str, data: bytes, edits: Iterable[Edit]) -> bytes:
    """The file with the edits, from the last to the first, so that places above stay valid."""
    source = Source(file, data)
    text = source.text
    for edit in sorted(edits, reverse=True):
        text = text[: source.offset(edit.start)] + edit.text + text[source.offset(edit.end) :]
    mark = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    return mark + text.encode()


def is_text(data: bytes) -> bool:
    try:
        return bool(data.decode())
    except UnicodeDecodeError:
        return False


def diff(file: str, before: bytes, after: bytes) -> Iterator[str]:
    """The change of a file as a unified diff."""
    old, new = (data.decode().splitlines(keepends=True) for data in (before, after))
    for line in difflib.unified_diff(old, new, file, file, n=1):
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
