"""The frame of every page, and pages that need no graph: the query form, errors, redirects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path

import jinja2

from kg.publish.formats.headers import FOLDER_POLICY, policy_element
from kg.publish.formats.urls import contact, page_at, query_answer, root_of
from kg.publish.pages import templating
from kg.publish.queries import editor, examples
from kg.publish.queries.cells import CellMaker
from kg.publish.queries.results import GRAPH_FORMS, TABLE_FORMS, QueryResult
from kg.settings import Site
from kg.store.protocol import Graphs
from kg.vocab import names

FEWEST_LINES, MOST_LINES = 6, 16  # of the field for the query


class Frame:
    """Renders pages in the style of a site. Without `has_pages` nothing links to documents."""

    has_pages = False
    example = examples.GENERAL[-1].query

    def __init__(self, site: Site) -> None:
        self.site = site

    @cached_property
    def templates(self) -> jinja2.Environment:
        templates = templating.environment(self.own)
        templates.globals.update(
            has_pages=self.has_pages, menu=self.menu, contact=contact(self.site.contact)
        )
        return templates

    @property
    def own(self) -> Path | None:
        """The folder of the site's own templates."""
        return self.site.folder / "templates" if self.has_pages else None

    def rendered(self, name: str, **values: object) -> bytes:
        return templating.render(self.templates, self.own, name, site=self.site, **values)

    @cached_property
    def has_editor(self) -> bool:
        return bool(editor.files())

    def error(
        self, path: str, title: str, message: str, near: Sequence[str] = (), root: str | None = None
    ) -> bytes:
        """The page of an error at a path; `near` are suggested addresses. Links begin at `root`: by
        default relative, up from the path.
        """
        top = root_of(path) if root is None else root
        links = [(self.called(address), top + page_at(address)) for address in near]
        return self.rendered("error.html", title=title, message=message, near=links, root=top)

    def called(self, address: str) -> str:
        """What the page at an address is about."""
        return address

    def moved(self, path: str, target: str) -> bytes:
        """A page that leads from the path of a document to its new one."""
        root, canonical = root_of(path), self.site.base + target
        return self.rendered(
            "moved.html", target=f"{root}{target}.html", canonical=canonical, root=root
        )

    @cached_property
    def examples(self) -> list[examples.Example]:
        return list(examples.examples(self.site)) if self.has_pages else examples.GENERAL

    @property
    def menu(self) -> list[tuple[str, str]]:
        """The lists that every page links to: addresses from the top of the site, and names."""
        return []

    def page_of(self, iri: str) -> str:
        """The page of a thing, from the top of the site; empty where it has none."""
        return ""

    def sparql(
        self,
        query: str = "",
        message: str = "",
        result: QueryResult | None = None,
        graphs: Graphs = Graphs(),  # noqa: B008
        chosen: str = "html",
        limits: str = "",
        is_served: bool = True,
        hints: Sequence[str] = (),
        loads: Mapping[str, str] | None = None,
    ) -> bytes:
        """The query form, with a query in it, and what was wrong with it, or its result and hints.

        `chosen` is the format of the result, `limits` a sentence about the limits of a query. A
        page that our server does not serve (`is_served`) answers queries by itself with what it
        `loads`; without, it must not link to answers that no endpoint gives.
        """
        cells = CellMaker(self.site.base, self.page_of)
        rows = [[cells.of(term) for term in row] for row in result.rows] if result else []
        columns = enumerate(zip(*rows, strict=True))
        numeric = {
            place
            for place, column in columns
            if {cell.is_number for cell in column if cell.text} == {True}
        }
        shown = query or ("" if message else self.example)
        return self.rendered(
            "sparql.html",
            query=shown,
            lines=min(max(shown.count("\n") + 2, FEWEST_LINES), MOST_LINES),
            is_asked=bool(query),
            message=message,
            result=result,
            hints=hints,
            rows=rows,
            numeric=numeric,
            whole=[(name, query_answer(query, form, graphs)) for form, name in result.forms.items()]
            if result
            else [],
            graphs=graphs,
            chosen=chosen,
            forms={
                "Tables (SELECT, ASK)": TABLE_FORMS,
                "Graphs (CONSTRUCT, DESCRIBE)": GRAPH_FORMS,
            },
            examples=[example for example in self.examples if not example.about],
            particular=[example for example in self.examples if example.about],
            limits=limits,
            is_served=is_served,
            has_editor=self.has_editor if is_served else bool(loads),
            has_answers=is_served or bool(loads),
            loads=loads,
            policy=policy_element(FOLDER_POLICY),
            prefixes=names(self.site.base),
            root="./",
        )
