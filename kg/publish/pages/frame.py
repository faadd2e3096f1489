"""The layout of every page, and pages without a graph: the query form, errors, redirects.

Templates are built in or from the site; an error in a site's template is reported with file and
line.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, lru_cache
from pathlib import Path

import jinja2

from kg.errors import KgError
from kg.files.atomic import replace_cache
from kg.publish.document import FONT, STATIC
from kg.publish.formats.media import FOLDER_META
from kg.publish.formats.urls import (
    contact,
    href,
    page_at,
    query_answer,
    query_page,
    root_of,
    slug_of,
)
from kg.publish.pages import lines
from kg.publish.questions import editor
from kg.publish.questions.questions import GENERAL_QUESTIONS, questions
from kg.publish.questions.results import (
    GRAPH_FORMS,
    TABLE_FORMS,
    CellMaker,
    QueryResult,
    heading,
    numeric_columns,
    things_in,
)
from kg.settings import Site
from kg.sparql.reading.questions import Question
from kg.store.protocol import Graphs
from kg.text.dates import folded, unbroken
from kg.text.person_names import initials
from kg.text.wording import KINDS, address
from kg.vocab import ALL_PREFIXES, home

BUILTIN_TEMPLATES = Path(__file__).parents[1] / "templates"
BYTECODE_FOLDER, SITE_PREFIX = BUILTIN_TEMPLATES / "__pycache__", "own-"
MENU = {  # registry names; not imported, since servers of RDF files do not load registries
    "people/": "People",
    "publications/": "Publications",
    "orgs/": "Organisations",
    "topics/": "Topics",
}
MENU_OF_ONE = {"": "CV", "publications/": "Publications"}  # for a site with one CV
QUESTIONS_ENTRY = ("queries/", "Explore")
FILTERS = {
    "by_level": lines.by_level,
    "by_role": lines.by_role,
    "folded": folded,
    "initials": initials,
    "address": address,
    "slug": slug_of,
    "stints": lines.stints,
    "unbroken": unbroken,
}
MIN_LINES, MAX_LINES = 6, 16  # of the query field


class SiteLoader(jinja2.FileSystemLoader):
    def get_source(
        self, environment: jinja2.Environment, template: str
    ) -> tuple[str, str, Callable[[], bool]]:
        try:
            return super().get_source(environment, template)
        except UnicodeDecodeError as error:
            path = Path(self.searchpath[0], template)
            raise TemplateFault(str(path), 1, "it is not valid UTF-8") from error


class BytecodeMemo(jinja2.BytecodeCache):
    """Caches compiled templates in memory, and built-in ones also in `__pycache__`."""

    def __init__(self) -> None:
        self.known: dict[tuple[str, str], bytes] = {}

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        is_ours = filename is not None and Path(filename).is_relative_to(BUILTIN_TEMPLATES)
        return f"{'' if is_ours else SITE_PREFIX}{super().get_cache_key(name, filename)}"

    def load_bytecode(self, bucket: jinja2.bccache.Bucket) -> None:
        if (bucket.key, bucket.checksum) in self.known:
            bucket.bytecode_from_string(self.known[bucket.key, bucket.checksum])
        elif not bucket.key.startswith(SITE_PREFIX):
            with suppress(OSError), (BYTECODE_FOLDER / f"{bucket.key}.pyc").open("rb") as file:
                bucket.load_bytecode(file)

    def dump_bytecode(self, bucket: jinja2.bccache.Bucket) -> None:
        body = self.known[bucket.key, bucket.checksum] = bucket.bytecode_to_string()
        if not bucket.key.startswith(SITE_PREFIX) and not sys.dont_write_bytecode:
            with suppress(OSError):
                BYTECODE_FOLDER.mkdir(exist_ok=True)
                replace_cache(BYTECODE_FOLDER / f"{bucket.key}.pyc", body)


bytecode_memo = lru_cache(maxsize=1)(BytecodeMemo)


def environment(own: Path | None) -> jinja2.Environment:
    """Templates of the site come first; to change a few lines of a built-in one, start with `{%
    extends "shipped/page.html" %}`.
    """
    ours = jinja2.FileSystemLoader(BUILTIN_TEMPLATES)
    first = [SiteLoader(own)] if own else []
    found = jinja2.Environment(
        loader=jinja2.ChoiceLoader([*first, ours, jinja2.PrefixLoader({"shipped": ours})]),
        # values for Markdown are already escaped
        autoescape=jinja2.select_autoescape((), ("md",), default=True),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        bytecode_cache=bytecode_memo(),
    )
    found.filters.update(FILTERS)
    return found


class TemplateFault(KgError):
    """An error in a template of the site: file, line and reason."""

    def __init__(self, file: str, line: int, reason: str) -> None:
        super().__init__(file, line, reason)
        self.file, self.line, self.reason = file, line, reason.rstrip(".")

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: cannot render this template: {self.reason}. Fix it."


class Frame:
    """Renders pages in the layout of a site. Without `has_pages`, nothing links to documents."""

    has_pages = False
    added: frozenset[str] = frozenset()  # paths of files that plugins add
    example = GENERAL_QUESTIONS[-1].text
    today = ""  # the day that the build or the server was asked for

    def __init__(self, site: Site) -> None:
        self.site = site
        # whether a question is included in the site
        self.is_asked: Callable[[Question], bool] = lambda question: True

    @cached_property
    def documents(self) -> frozenset[str]:
        return frozenset()

    def has_list(self, path: str) -> bool:
        """Whether a list has entries."""
        return self.site.base + path in self.documents

    @cached_property
    def is_of_one(self) -> bool:
        """Whether the site has exactly one CV."""
        return False

    @cached_property
    def templates(self) -> jinja2.Environment:
        templates = environment(self.own)
        templates.globals.update(
            has_pages=self.has_pages,
            added=self.added,
            menu=self.menu,
            is_of_one=self.is_of_one,
            font=self.font,
            contact=contact(self.site.contact),
            kinds=KINDS,
        )
        return templates

    @cached_property
    def font(self) -> str:
        """The font file, from the root of the site; empty if there is none."""
        return FONT if (STATIC / Path(FONT).name).is_file() else ""

    @property
    def menu(self) -> list[tuple[str, str]]:
        """The entries of the menu, at most five: addresses from the root of the site, and names."""
        lists = MENU_OF_ONE if self.is_of_one else MENU
        found = [item for item in lists.items() if self.has_list(item[0])]
        return [*found, QUESTIONS_ENTRY] if self.has_pages else []

    @property
    def now(self) -> str:
        """The date of the present in figures, for pages that do not state theirs."""
        return self.site.modified or self.today

    @property
    def own(self) -> Path | None:
        return self.site.folder / "templates" if self.has_pages else None

    def rendered(self, name: str, **values: object) -> bytes:
        """A rendered template. An error in a template of the site becomes a TemplateFault; other
        errors are bugs.
        """
        try:
            return self.templates.get_template(name).render(site=self.site, **values).encode()
        except jinja2.TemplateSyntaxError as error:
            reason = error.message or "it cannot be read"
            raise TemplateFault(error.filename or name, error.lineno, reason) from error
        except KgError:
            raise
        except Exception as error:  # a template can raise anything
            steps = [
                step
                for step in traceback.extract_tb(error.__traceback__)
                if self.own and Path(step.filename).is_relative_to(self.own)
            ]
            if not steps:
                raise
            reason = (
                f"unknown template '{error.name}'"
                if isinstance(error, jinja2.TemplateNotFound)
                else str(error) or type(error).__name__
            )
            raise TemplateFault(steps[-1].filename, steps[-1].lineno or 1, reason) from error

    @cached_property
    def has_editor(self) -> bool:
        return bool(editor.files())

    def error(
        self, path: str, title: str, message: str, near: Sequence[str] = (), root: str | None = None
    ) -> bytes:
        """The error page for a path; `near` are suggested addresses. Links start at `root`
        (default: relative, from the path).
        """
        top = root_of(path) if root is None else root
        links = [(self.called(address), top + page_at(address)) for address in near]
        return self.rendered("error.html", title=title, message=message, near=links, root=top)

    def called(self, address: str) -> str:
        """The title of the page at an address."""
        return address

    def names_of(self, things: Sequence[str]) -> Mapping[str, str]:
        """The names of resources; those without a name are left out."""
        return {}

    def moved(self, path: str, target: str) -> bytes:
        """A page that redirects from the path of a document to its new one, or to its list."""
        root, page = root_of(path), page_at(target)
        return self.rendered(
            "moved.html",
            target=root + page,
            canonical=self.site.base + target,
            is_gone=page == target,
            root=root,
        )

    def lead(self, path: str, target: str) -> bytes:
        """A page that redirects from the folder named like a document to its file."""
        address = self.site.base + target.removesuffix(".html")
        return self.rendered("folder.html", target=root_of(path) + target, address=address)

    @cached_property
    def questions(self) -> list[Question]:
        return (
            [*filter(self.is_asked, questions(self.site))] if self.has_pages else GENERAL_QUESTIONS
        )

    def page_of(self, iri: str) -> str:
        """The page of a resource, from the root of the site; empty if it has none."""
        has_page = home(self.site.base, iri) in self.documents
        return (href(self.site.base, iri, "") or "./") if has_page else ""

    def sparql(
        self,
        query: str = "",
        message: str = "",
        result: QueryResult | None = None,
        graphs: Graphs = Graphs(),
        chosen: str = "html",
        limits: str = "",
        is_served: bool = True,
        hints: Sequence[str] = (),
        loads: Mapping[str, str] | None = None,
    ) -> bytes:
        """The query form with a query and an error message, or its result and hints.

        `chosen` is the format of the result, `limits` a sentence about query limits. A page in a
        folder (not `is_served`) runs queries in the browser with the files it `loads`; without them
        it must not link to answers, since there is no endpoint.
        """
        names = self.names_of(things_in(result.rows, self.site.base)) if result else {}
        cells = CellMaker(self.site.base, self.page_of, names, self.now)
        rows = [[cells.of(term) for term in row] for row in result.rows] if result else []
        shown = query or ("" if message else self.example)
        return self.rendered(
            "sparql.html",
            query=shown,
            lines=min(max(shown.count("\n") + 2, MIN_LINES), MAX_LINES),
            has_query=bool(query),
            message=message,
            result=result,
            hints=hints,
            rows=rows,
            numeric=numeric_columns(rows),
            downloads=[
                (name, query_answer(query, form, graphs)) for form, name in result.forms.items()
            ]
            if result
            else [],
            graphs=graphs,
            chosen=chosen,
            forms={
                "Tables (SELECT, ASK)": TABLE_FORMS,
                "Graphs (CONSTRUCT, DESCRIBE)": GRAPH_FORMS,
            },
            general=[each for each in self.questions if not each.needed],
            particular=[each for each in self.questions if each.needed],
            query_page=query_page,
            query_answer=query_answer,
            limits=limits,
            is_served=is_served,
            has_editor=self.has_editor if is_served else bool(loads),
            has_answers=is_served or bool(loads),
            loads=loads,
            policy=FOLDER_META,
            headings=[heading(column) for column in result.columns] if result else [],
            prefixes=ALL_PREFIXES,
            root="./",
        )
