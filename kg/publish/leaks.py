"""A last look before publishing: is anything private in what would be published?"""

from __future__ import annotations

import html

from kg.errors import Problem
from kg.facts.secrets import Secrets


def search(path: str, body: bytes, secrets: Secrets) -> list[Problem]:
    """The secrets that stand in a file, as they are or as HTML writes them."""
    text = body.decode("utf-8", "replace")
    for written, meant in (("\\u003c", "<"), ("\\u003e", ">"), ("\\u0026", "&"), ('\\"', '"')):
        text = text.replace(written, meant)
    return [
        Problem(secret.place, "error", f"A private value would be published: it stands in {path}. Find out why, or make it public.", "leak")
        for secret in secrets.found_in(html.unescape(text))
    ]
