"""Tables of ISO 639-1 languages (`languages.tsv`) and ISO 3166 countries (`countries.tsv`).

They are TSV, because nearly every check loads them and parsing YAML would take 16 ms.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path


@cache
def read_table(name: str) -> list[list[str]]:
    """Reads a TSV file beside this module, without its header line."""
    text = Path(__file__).with_name(f"{name}.tsv").read_text(encoding="utf-8")
    return [line.split("\t") for line in text.splitlines()[1:]]


@cache
def languages() -> dict[str, str]:
    """tag -> English name"""
    return {tag: names.split(", ")[0] for tag, names, *_ in read_table("languages")}


@cache
def tags() -> dict[str, str]:
    """casefolded name -> tag; English names win over native ones"""
    rows = read_table("languages")
    own = ((tag, others[0]) for tag, _, *others in rows if others)
    english = ((tag, names) for tag, names, *_ in rows)
    return {name.casefold(): tag for tag, names in (*own, *english) for name in names.split(", ")}


@cache
def countries() -> dict[str, str]:
    """casefolded name -> code"""
    return {
        name.casefold(): code
        for code, names in read_table("countries")
        for name in names.split(", ")
    }


@cache
def country_names() -> dict[str, str]:
    """code -> usual name. The table has no Georgia, whose name is also that of a state."""
    names = {code: names.split(", ")[0] for code, names in read_table("countries")}
    return {**names, "GE": "Georgia"}
