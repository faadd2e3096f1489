"""A last look before publishing: is anything private in what would be published?"""

from __future__ import annotations

import html
import re

from kg.errors import Problem
from kg.facts.secrets import Secret, Secrets
from kg.publish.queries.examples import own_queries
from kg.publish.site import Documents

# JSON, N-Triples and Turtle write the end of a line as two characters, and its `n` would hide where
# the next word begins.
ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|(.))")
FOR_HOSTS = ("_headers", ".htaccess")
ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}


def search(path: str, body: bytes, secrets: Secrets) -> list[Problem]:
    """The secrets that stand in a file."""
    return [told(path, secret) for secret in found_in(body, secrets)]


def told(path: str, secret: Secret) -> Problem:
    message = (
        f"A private value would be published: it stands in {path}. Find out why, or make it public."
    )
    return Problem(secret.place, "error", message, "leak")


def own_part(documents: Documents, path: str, body: bytes) -> bytes:
    """What a file says that not every site has. In the words of all sites a private one may well
    occur, and means nothing there.
    """
    if path.endswith(".gz") or path in FOR_HOSTS:  # proved to be a copy; names of ours and theirs
        return b""
    match documents.files.get(path, ("", ""))[0]:
        case "static" | "format":
            return b""
        case "shapes":
            return documents.shapes(own=True)
        case "void" | "sparql":
            return own_queries(documents.graph.site)
        case _:
            return body


def found_in(body: bytes, secrets: Secrets) -> list[Secret]:
    """The secrets that stand in a text, however it writes them."""
    return secrets.found_in(plain(body.decode("utf-8", "replace")))


def plain(text: str) -> str:
    """Text without the escapes of our forms: `\\u003cso\\u003e` and `&lt;so&gt;` are both
    `<so>`.
    """
    return html.unescape(
        ESCAPE.sub(
            lambda found: chr(int(found[1], 16)) if found[1] else ESCAPES.get(found[2], found[2]),
            text,
        )
    )
