"""Figures of pages as SVG, drawn from rows.

Horizontal positions are in percent; vertical ones and text are in pixels. So one picture fits
phones and wide screens without shrinking its text, and what does not overlap at the narrowest width
never overlaps. Colours and sizes are in `style/`, by class.
"""

from __future__ import annotations

from collections.abc import Callable

from markupsafe import Markup

from kg.publish.figures.life import presence, timeline
from kg.publish.figures.networks import explore

# By name in blocks; each takes the rows of a section and the subject of the page.
FIGURES: dict[str, Callable[..., Markup]] = {
    "explore": explore,
    "presence": presence,
    "timeline": timeline,
}
