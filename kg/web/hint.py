"""Hints to whoever asked, in a header: `Kg-Hint: No triple uses schema:autor; did you mean
schema:author?`

A header holds plain characters only, so all others are percent-encoded, and so is what ends a line:
decoded it is a hint on each.
"""

from __future__ import annotations

import string
from collections.abc import Iterable
from urllib.parse import quote

HEADER = "Kg-Hint"
LONGEST = 4_000
PLAIN = f"{string.punctuation} ".replace("%", "")
BETWEEN = quote("\n")


def header(hints: Iterable[str]) -> str:
    """The value of the header; as many hints as it has room for, and empty where there are none."""
    lines = [quote(hint, safe=PLAIN) for hint in hints]
    while len(BETWEEN.join(lines)) > LONGEST:
        lines.pop()
    return BETWEEN.join(lines)
