"""Rows as a page has them, invented, and what is seen of a picture made of them."""

from __future__ import annotations

from collections import defaultdict
from xml.etree import ElementTree

from markupsafe import Markup

from kg.publish.formats.urls import Cell, Link
from kg.publish.pages.rows import Row
from kg.text import dates

HOSTILE = [
    "</svg><script>alert(1)</script>",
    "\"quoted\" & 'so' <b>bold</b>",
    "محمد بن موسى الخوارزمي",
    "שרה כהן",
    "王小明",
    "👩🏽‍🔬 Ada 🎉",
    "Wolfeschlegelsteinhausenbergerdorff the Eleventh of Somewhere Far Away",
]


def row(**cells: Cell | list[Cell] | None) -> Row:
    """A row with these cells, and its period in words."""
    made: Row = defaultdict(list)
    for name, value in cells.items():
        if value is not None:
            made[name] = value if isinstance(value, list) else [value]
    start, end, edtf = (
        str(made[name][0]) if made[name] else None for name in ("start", "end", "edtf")
    )
    if when := dates.period(start, end, edtf):
        made["when"] = [when]
    return made


def people(count: int) -> list[Link]:
    names = [*HOSTILE, *(f"Person Number{number}" for number in range(count))][:count]
    return [Link(name, f"p{number}.html") for number, name in enumerate(names)]


def seen(figure: Markup) -> ElementTree.Element:
    """The picture as XML, which it is well formed as."""
    return ElementTree.fromstring(f"<all>{figure}</all>")  # noqa: S314  of our own making


def texts(figure: Markup) -> list[str]:
    return ["".join(text.itertext()) for text in seen(figure).iter("text")]


def classes(figure: Markup, name: str) -> list[str | None]:
    return [element.get("class") for element in seen(figure).iter(name)]
