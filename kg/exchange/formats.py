"""The formats that can be imported, and which of them a file is of."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

from kg.exchange.draft import Format
from kg.exchange.source_files import NotImported, SourceFile

# The modules of readers, in the order in which they are asked: those come first whose files are
# like no others.
READERS = (
    "rendercv",
    "al_folio",
    "hugo_blox",
    "europass",
    "linkedin",
    "json_resume",
    "orcid",
    "citation_cff",
    "html_page",
    "linked_data",
    "csl_items",
    "bibtex_entries",
    "prose.markdown_cv",
    "prose.text_cv",
)


@cache
def formats() -> dict[str, Format]:
    """By name."""
    found = (import_module(f"kg.exchange.readers.{each}").FORMAT for each in READERS)
    return {each.name: each for each in found}


def named(name: str) -> Format:
    if name not in formats():
        raise NotImported(f"There is no format '{name}'. Known: {', '.join(formats())}.")
    return formats()[name]


def recognised(source: SourceFile) -> Format | None:
    """The format of a file, or None where it is of none."""
    return next(matching(source), None)


def matching(source: SourceFile) -> Iterator[Format]:
    return (each for each in formats().values() if each.looks(source))


def unknown(path: Path, files: int) -> str:
    """What is said of a file, or of a folder of some files, of which none is recognised."""
    known = ", ".join(each.title for each in formats().values())
    what = "no file in it is" if files != 1 or path.is_dir() else "this is not"
    return (
        f"{path}: {what} of a format that is known here: {known}. If it is, name it: --from "
        f"{'|'.join(formats())}."
    )
