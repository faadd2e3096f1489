"""The documents of a server for plain RDF files: the query form and its static files. There is no
site, so there are no pages, dumps or problems.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from kg.check.redirects import Redirects
from kg.publish.document import Document, static_body, static_files
from kg.publish.dumps.packing import Large
from kg.publish.pages.frame import Frame
from kg.settings import Site
from kg.sparql.reading.questions import Question

MOST_NAMED = 3


class QueryOnly:
    """Has the interface of `Documents`, for the web server."""

    graph = finder = None
    addresses: frozenset[str] = frozenset()
    former = Redirects()
    questions: Mapping[str, Question] = {}
    large: Mapping[str, Large] = {}

    def __init__(self, base: str, title: str) -> None:
        self.base = base
        self.pages = Frame(Site(Path(), base, title))
        self.files = dict(static_files())

    def near(self, path: str) -> list[str]:
        return []

    def link_header(self, path: str) -> str:
        return ""

    def get(self, path: str) -> Document:
        return Document(path, self.files[path][1], static_body(path))


def title(paths: Sequence[Path]) -> str:
    """The file names without folders: `a.ttl, b.nq`."""
    names = [path.name for path in paths]
    more = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
