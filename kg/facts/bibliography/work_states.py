"""Reads the state of a work out of other fields: `2025 - under review`, `Submitted to Nature`.

A work without a state counts as published, so what other formats say in a year, a note or the name
of a journal must not be lost.
"""

from __future__ import annotations

import re
from typing import NamedTuple

STATES = {
    "inpress": "to-appear",
    "in press": "to-appear",
    "forthcoming": "to-appear",
    "to appear": "to-appear",
    "to-appear": "to-appear",
    "accepted": "accepted",
    "submitted": "submitted",
    "under review": "submitted",
    "inpreparation": "in-preparation",
    "in preparation": "in-preparation",
    "in-preparation": "in-preparation",
    "draft": "in-preparation",
    "revised": "revised",
    "prepublished": "preprint",
    "preprint": "preprint",
    "published": "published",
    "advance online publication": "published",
}
ENDS = r"(?=\W*$|\s*[^\w\s]|\s+(?:in|at|to|by|for|with|on)\b|\s+\d)"
SHOWN = "(?:an? )?(?:oral|poster|spotlight|presentation|talk)"
PHRASES = {
    "submitted": (
        r"(?:under|in) (?:[\w-]+ )?review|under (?:revision|submission|consideration)"
        r"|in (?:submission|revision)|submitted|revise (?:and|&) resubmit|r&r"
        r"|(?:major|minor) revisions?"
    ),
    "in_preparation": rf"in prep(?:aration)?\b\.?{ENDS}|in progress(?=\W*$)",
    "to_appear": rf"(?:in press|to appear|forthcoming){ENDS}",
    "accepted": rf"accepted(?: for publication)?(?! for {SHOWN}){ENDS}",
}
BEFORE = r"\b(?:currently|now|still|manuscript|paper|article|preprint|work)\s+"
# At the beginning, behind a number or a sign, or behind a word for the work itself.
STATE = re.compile(
    rf"(?:^|[^\w\s]\s*|\d\s*|{BEFORE})"
    rf"(?:{'|'.join(f'(?P<{name}>{words})' for name, words in PHRASES.items())})(?!\w)",
    re.IGNORECASE,
)
YEAR = re.compile(r"(?<!\d)[12]\d{3}(?!\d)")
UNPUBLISHED = ("submitted", "in-preparation")  # what has appeared nowhere
AROUND = " ()[],;:.-–—"
PREPOSITION = re.compile(r"^(?:in|at|by|to|for|with)\b:?\s*(?:the\s+)?", re.IGNORECASE)
LONGEST_NOTE = 100  # characters, of a text that tells the state


class StatedVenue(NamedTuple):
    """A text that was written where the venue is: its name and the state. `note` is the text, where
    it names no venue that the work appeared in.
    """

    name: str
    status: str = ""
    note: str = ""


def status_in(text: str) -> str:
    """The status that a short text tells; empty where it tells none."""
    if known := STATES.get(text.strip().lower()):
        return known
    found = STATE.search(text) if len(text) <= LONGEST_NOTE else None
    return str(found.lastgroup).replace("_", "-") if found else ""


def venue_in(text: str) -> StatedVenue:
    """`Journal of Ice (in press)` -> the journal and the status; `Submitted to Ice` is a note."""
    status, found = status_in(text), STATE.search(text)
    if not status or status in ("preprint", "published"):
        return StatedVenue(text)
    name = ""
    if found and status not in UNPUBLISHED:
        parts = (text[: found.start(str(found.lastgroup))], text[found.end() :])
        before, after = (re.sub(f"{BEFORE}$", "", part, flags=re.I).strip(AROUND) for part in parts)
        named = before or PREPOSITION.sub("", after)
        name = named if re.search(r"[^\W\d_]", named) else ""
    return StatedVenue(name, status, "" if name else text)
