"""Searches published files for private values. Needs the facts, which define them."""

from __future__ import annotations

import re
from functools import lru_cache
from inspect import getfile
from pathlib import Path

from kg.errors import Problem
from kg.facts.secrets import Secret, Secrets
from kg.publish.added_files import FileAdder, adders
from kg.publish.pages.question_page import LIST
from kg.publish.site import Documents
from kg.settings import shipped

FOR_HOSTS = ("_headers", ".htaccess")
PROGRAM = Path(__file__).parents[1]


def search(path: str, body: bytes, secrets: Secrets) -> list[Problem]:
    """The private values in a file."""
    return [leak(path, secret) for secret in found_in(body, secrets)]


def leak(path: str, secret: Secret) -> Problem:
    message = f"A private value would be published in {path}. Remove it there, or make it public."
    return Problem(secret.place, "error", message, "leak")


def own_part(documents: Documents, path: str, body: bytes) -> bytes:
    """The part of a file that is specific to the site: a private word can occur in the texts of
    every site and means nothing there.
    """
    origin = documents.files.get(path, ("", ""))[0]
    is_general = path.endswith(".gz") or path in FOR_HOSTS  # verified copies; hosts' settings
    if is_general or origin in ("static", "package"):
        return b""
    if added := documents.added.get(origin):
        return added.own(documents, body)
    match origin:
        case "shapes":
            return documents.shapes(own=True)
        case "void" | "sparql" | "questions":
            return documents.own_queries
        # The page and the table repeat the first file of an answer.
        case origin if origin.startswith(LIST) and path.endswith((".html", ".csv")):
            return documents.own_queries
        case _:
            return body


def found_in(body: bytes, secrets: Secrets) -> list[Secret]:
    found = secrets.found_in(body.decode("utf-8", "replace"))
    return [each for each in found if not is_on_every_site(each)]


@lru_cache(maxsize=1024)
def is_on_every_site(secret: Secret) -> bool:
    """Whether a text is in the templates and queries of every site, such as `Search`. Finding it on
    a page means nothing; `kg check` searches the facts for it.
    """
    if secret.contact or secret.former:
        return False
    return bool(re.search(rf"(?<!\w){re.escape(secret.text)}(?!\w)", program_text()))


def folder_of(adder: FileAdder) -> Path:
    return Path(getfile(adder.files_of)).parent


@lru_cache(maxsize=1)
def program_text() -> str:
    files = [
        *(path for end in ("*.py", "*.html") for path in PROGRAM.rglob(end)),
        *(path for each in adders().values() for path in folder_of(each).glob("*.py")),
        *shipped("queries").rglob("*.rq"),
    ]
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(files))
