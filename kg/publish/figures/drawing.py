"""SVG elements. All text that comes in is escaped here, and nowhere else."""

from __future__ import annotations

from collections.abc import Iterable

from markupsafe import Markup, escape

from kg.publish.figures.forces import Place
from kg.publish.formats.urls import Cell, Link

WIDTHS = 4  # of lines
NARROWEST = 300  # px that a picture has for itself on a phone 360 px wide, with some air


def element(name: str, *inside: str, **attributes: str | float | None) -> Markup:
    """An element; what is inside is escaped unless it is an element. `class_` is `class`,
    `font_size` is `font-size`.
    """
    pairs = "".join(
        f' {key.strip("_").replace("_", "-")}="{shown(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    body = "".join(escape(part) for part in inside)
    # Escaped above.
    return Markup(f"<{name}{pairs}>{body}</{name}>" if body else f"<{name}{pairs}/>")  # noqa: S704


def shown(value: str | float) -> str:
    return number(value) if isinstance(value, float | int) else escape(value)


def number(value: float) -> str:
    """As short as can be seen: a tenth of a pixel."""
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
) -> Markup:
    """A picture with its text alternative. With links inside it is a group, since an image has no
    parts.
    """
    words = [
        element("title", title, id=f"{name}-title"),
        element("desc", description, id=f"{name}-desc"),
    ]
    return element(
        "svg",
        *words,
        *inside,
        class_=f"drawn {name}",
        width="100%",
        height=height,
        role="group" if is_group else "img",
        aria_labelledby=f"{name}-title",
        aria_describedby=f"{name}-desc",
    )


def web(
    lines: Iterable[tuple[Place, Place, float]],
    across: float,
    down: float,
    kind: str = "",
    **placed: float,
) -> Markup:
    """Lines between places, as wide as they are strong (0 to 1), stretched across with the picture
    but not in their own width.
    """
    paths: dict[int, list[str]] = {}
    for (x1, y1), (x2, y2), strength in lines:
        paths.setdefault(1 + round(strength * (WIDTHS - 1)), []).append(
            f"M{x1:.0f} {y1:.0f}L{x2:.0f} {y2:.0f}"
        )
    drawn = (
        element("path", d="".join(paths[width]), class_=f"w{width}") for width in sorted(paths)
    )
    box = f"0 0 {number(across)} {number(down)}"
    return element(
        "svg",
        *drawn,
        class_=f"web {kind}".strip(),
        viewBox=box,
        preserveAspectRatio="none",
        **({"height": "100%"} | placed),
    )


def text_of(cells: list[Cell]) -> str:
    """The first of some cells as text, or nothing."""
    return "" if not cells else cells[0].text if isinstance(cells[0], Link) else cells[0]


def href_of(cells: list[Cell]) -> str:
    return cells[0].href if cells and isinstance(cells[0], Link) else ""


def counted(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"
