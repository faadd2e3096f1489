"""SVG elements and text widths. All incoming text is escaped here, and nowhere else.

Widths are estimated without a font: slightly more than most sans-serif fonts need.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping

from markupsafe import Markup, escape

from kg.publish.figures import Figure
from kg.publish.formats.urls import Cell, cell_text

Rows = Iterable[Mapping[str, list[Cell]]]  # of a section

WIDTHS = 4  # line widths
NARROWEST = 300  # px: width of a picture on a phone of 360 px, minus margins
SIZE = 12  # px: font size
NARROW, CAPITAL, OTHER, FULL = 0.33, 0.74, 0.58, 1.1  # relative to the font size


def element(name: str, *inside: str, **attributes: str | float | None) -> Markup:
    """An SVG element. Its content is escaped unless it is an element. `class_` is `class`,
    `font_size` is `font-size`.
    """
    pairs = "".join(
        f' {key.strip("_").replace("_", "-")}="'
        f'{number(value) if isinstance(value, float | int) else escape(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    body = "".join(escape(part) for part in inside)
    # Escaped above.
    return Markup(f"<{name}{pairs}>{body}</{name}>" if body else f"<{name}{pairs}/>")  # noqa: S704


def number(value: float) -> str:
    """The shortest text with a precision of a tenth of a pixel."""
    return f"{value:.1f}".removesuffix(".0")


def percent(share: float) -> str:
    return number(share * 100) + "%"


def picture(
    name: str,
    title: str,
    description: str,
    height: float,
    inside: Iterable[str],
    is_group: bool = False,
    note: str = "",
) -> Markup:
    """A picture with its text alternative and a note below it. With links inside, it has the role
    of a group, since an image has no parts.
    """
    drawing = element(
        "svg",
        element("title", title, id=f"{name}-title"),
        element("desc", f"{description} {note}".rstrip(), id=f"{name}-desc"),
        *inside,
        class_=f"drawn {name}",
        width="100%",
        height=height,
        role="group" if is_group else "img",
        aria_labelledby=f"{name}-title",
        aria_describedby=f"{name}-desc",
    )
    figure = Figure(drawing + element("p", note, class_="note") if note else drawing)
    figure.note = note
    return figure


def web(lines: Iterable[tuple[complex, complex, float]], size: float) -> Markup:
    """Lines between points of a square, with a width by strength (0 to 1); the square stretches
    with the picture, the line widths do not.
    """
    paths: dict[int, list[str]] = {}
    for start, end, strength in lines:
        paths.setdefault(1 + round(strength * (WIDTHS - 1)), []).append(
            f"M{start.real:.0f} {start.imag:.0f}L{end.real:.0f} {end.imag:.0f}"
        )
    drawn = (
        element("path", d="".join(paths[width]), class_=f"w{width}") for width in sorted(paths)
    )
    return element(
        "svg",
        *drawn,
        class_="web",
        viewBox=f"0 0 {number(size)} {number(size)}",
        preserveAspectRatio="none",
        height="100%",
    )


def text_of(cells: list[Cell]) -> str:
    """The first cell as text, or empty."""
    found = cell_text(cells[0]) if cells else ""
    return found.striptags() if isinstance(found, Markup) else found


def width(text: str) -> float:
    return sum(map(letter_width, text)) * SIZE


def letter_width(letter: str) -> float:
    if letter in " .,:;'|!ijltfrI()[]-·":
        return NARROW
    if unicodedata.category(letter) in ("Mn", "Me", "Cf"):
        return 0
    if unicodedata.east_asian_width(letter) in "WF":
        return FULL
    return CAPITAL if letter.isupper() or letter in "mw%@&–" else OTHER


def shortened(text: str, most: float) -> str:
    """The text, shortened with an ellipsis to fit."""
    if width(text) <= most:
        return text
    fitting = text
    while width(fitting) > most - SIZE:
        fitting = fitting[:-1]
    return fitting.rstrip() + "…"
