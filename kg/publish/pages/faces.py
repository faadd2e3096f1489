"""Faces of people in lists: a picture from the site's own folder, else the initials of the name."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from kg.publish.formats.urls import Link, cell_text
from kg.publish.pages.rows import PageSection, Row

TEMPLATE = "people"
MOST_LETTERS = 2


def initials(name: str) -> str:
    """`Minjia Zhang` -> `MZ`, `Juan de la Cruz` -> `JC`; a script without capitals gives its first
    sign.
    """
    words = ["".join(filter(str.isalpha, word)) for word in name.partition(",")[0].split()]
    words = [word for word in words if word]
    capital = [word for word in words if word[0].isupper()] or words[:1]
    chosen = capital if len(capital) < MOST_LETTERS else [capital[0], capital[-1]]
    return "".join(word[0] for word in chosen)


def add_faces(sections: Iterable[PageSection], folder: Path) -> None:
    """Gives each row of people a `face`, which a template prints as a picture or as letters."""
    for section in sections:
        for row in section.rows if section.template == TEMPLATE else []:
            row["face"] = [picture(row, folder) or initials(cell_text(row["item"][0]))]


def picture(row: Row, folder: Path) -> Link | None:
    """The first picture of a row that is in the folder of the site; the check reports those that
    are not there, and nothing is loaded from elsewhere.
    """
    found = (
        cell
        for cell in row["face"]
        if isinstance(cell, Link) and (folder / cell.href.lstrip("./")).is_file()
    )
    return next(found, None)
