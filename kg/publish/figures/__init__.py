"""Figures of a page as SVG: rows in, text out.

Across, everything is in percent; down, and for letters, in pixels. So one picture fits a phone and
a wide screen without its words shrinking, and what does not overlap at the narrowest width overlaps
at none. Colours and sizes are in `style/`, by class.
"""

from __future__ import annotations

from collections.abc import Callable

from markupsafe import Markup

from kg.publish.figures.charts import acceptance
from kg.publish.figures.life import presence, timeline
from kg.publish.figures.networks import explore

# By the name that a block calls it: each takes the rows of a section and what the page is about.
FIGURES: dict[str, Callable[..., Markup]] = {
    "acceptance": acceptance,
    "explore": explore,
    "presence": presence,
    "timeline": timeline,
}
