"""The frame of every page, and the pages that need no graph: the form for questions, and what is said where nothing is."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

import jinja2

from kg.publish.document import root_of
from kg.settings import Site


class Frame:
    """Makes such pages in the looks of a site. Without further pages there are no links to any."""

    has_pages = False
    example = """# Ten triples. Those of named graphs are found with GRAPH ?graph { ?subject ?predicate ?object }.
SELECT * WHERE {
  ?subject ?predicate ?object
} LIMIT 10"""

    def __init__(self, site: Site) -> None:
        self.site = site

    @cached_property
    def templates(self) -> jinja2.Environment:
        templates = jinja2.Environment(
            loader=jinja2.FileSystemLoader(Path(__file__).parent / "templates"),
            autoescape=True,
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        templates.globals["has_pages"] = self.has_pages
        return templates

    def error(self, path: str, title: str, message: str) -> bytes:
        """A page for what is not there; `path` is where it was looked for."""
        template = self.templates.get_template("error.html")
        return template.render(title=title, message=message, root=root_of(path), site=self.site).encode()

    def sparql(self, query: str | None = None, message: str = "") -> bytes:
        """The form for questions, with a question in it and what was wrong with it."""
        template = self.templates.get_template("sparql.html")
        return template.render(query=self.example if query is None else query, message=message, root="./", site=self.site).encode()
