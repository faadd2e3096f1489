"""The languages of ISO 639-1 by their English and their own names (`languages.tsv`), and the
countries of ISO 3166 by their English ones (`countries.tsv`).

Nearly every check needs them: YAML would take 16 ms to parse, these lines take less than one.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path


@cache
def read_table(name: str) -> list[list[str]]:
    """The lines of a table beside this module, cell by cell, without its heading."""
    text = Path(__file__).with_name(f"{name}.tsv").read_text(encoding="utf-8")
    return [line.split("\t") for line in text.splitlines()[1:]]


@cache
def languages() -> dict[str, str]:
    """The English name of each tag."""
    return {tag: names.split(", ")[0] for tag, names, *_ in read_table("languages")}


@cache
def tags() -> dict[str, str]:
    """The tag of each name, in small letters; an English name counts before another's own name."""
    rows = read_table("languages")
    own = ((tag, others[0]) for tag, _, *others in rows if others)
    english = ((tag, names) for tag, names, *_ in rows)
    return {name.casefold(): tag for tag, names in (*own, *english) for name in names.split(", ")}


@cache
def countries() -> dict[str, str]:
    """The code of each name, in small letters."""
    return {
        name.casefold(): code
        for code, names in read_table("countries")
        for name in names.split(", ")
    }


@cache
def country_names() -> dict[str, str]:
    """The usual name of each code."""
    return {code: names.split(", ")[0] for code, names in read_table("countries")}
