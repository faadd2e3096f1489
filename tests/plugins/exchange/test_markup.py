"""Marks of LaTeX and Typst in values of other formats."""

from __future__ import annotations

import pytest

from kg.errors import Place
from kg.plugins.exchange.draft import Value
from kg.plugins.exchange.markup import plain, prose

WRITTEN = {
    "The ``Slow Sand'' project": ("The “Slow Sand” project", "The “Slow Sand” project"),
    "An `Erasmus+' stay": ("An ‘Erasmus+’ stay", "An ‘Erasmus+’ stay"),
    "the `sand` of dogs' beds": ("the `sand` of dogs' beds", "the `sand` of dogs' beds"),
    "#underline[Mira] Sand": ("Mira Sand", "Mira Sand"),
    '#link("https://a.example.org")[Sand]': ("[Sand](https://a.example.org)", "Sand"),
    r"\textbf{Ice} \emph{and} \underline{sand}": ("**Ice** *and* sand", "Ice and sand"),
    "## News ##\nSand.\n\nIce": ("**News**\n\nSand.\n\nIce", "## News ## Sand. Ice"),
    "<b>Sand</b>\n\n### News\n\nIce": ("**Sand**\n\n**News**\n\nIce", "Sand ### News Ice"),
    "> Sand\n> and ice": ("Sand\nand ice", "> Sand > and ice"),
    "> 20 stones": ("> 20 stones", "> 20 stones"),
    "Sand.\n\n[//]: # (Put a picture here.)": ("Sand.", "Sand. [//]: # (Put a picture here.)"),
    "C# and F# [tools]": ("C# and F# [tools]", "C# and F# [tools]"),
}


@pytest.mark.parametrize("written", WRITTEN)
def test_marks_become_markdown_in_prose_and_vanish_in_names(written: str) -> None:
    value = Value.of(written, Place(""), "")
    assert (prose(value), plain(value)) == WRITTEN[written]
