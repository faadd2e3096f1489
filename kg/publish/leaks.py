"""A last look before publishing: is anything private in what would be published?"""

from __future__ import annotations

import html
import re

from kg.errors import Problem
from kg.facts.secrets import Secrets

# JSON, N-Triples and Turtle write the end of a line as two characters, and its `n` would hide where the next word begins.
ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|(.))")
ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}


def search(path: str, body: bytes, secrets: Secrets) -> list[Problem]:
    """The secrets that stand in a file, however it writes them."""
    return [
        Problem(secret.place, "error", f"A private value would be published: it stands in {path}. Find out why, or make it public.", "leak")
        for secret in secrets.found_in(plain(body.decode("utf-8", "replace")))
    ]


def plain(text: str) -> str:
    """Text without the escapes of our forms: `\\u003cso\\u003e` and `&lt;so&gt;` are both `<so>`."""
    return html.unescape(ESCAPE.sub(lambda found: chr(int(found[1], 16)) if found[1] else ESCAPES.get(found[2], found[2]), text))
