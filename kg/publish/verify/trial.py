"""Trial rendering of pages for sites with their own templates or blocks: errors that appear only
when rendering are found before anything is published.
"""

from __future__ import annotations

import re
import traceback
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from jinja2 import Environment, nodes

from kg.check.blocks import Setting, settings_of
from kg.check.check import Checked
from kg.check.own_files import has_own_pages
from kg.errors import Place, Problem, ProblemsFound, tidy
from kg.graph.build import Publishable
from kg.mapping import iris
from kg.publish.formats.media import PAGE_SUFFIXES
from kg.publish.formats.urls import file_of
from kg.publish.page_files import PageFile
from kg.publish.pages.frame import BUILTIN_TEMPLATES, TemplateFault
from kg.publish.site import Documents
from kg.settings import Site, own_resources, resources
from kg.sparql.reading.own_queries import columns

PAGES_PER_KIND = 5  # pages of a kind
OTHERS = ("sparql.html", "search.html", "format.html", "api.html", "queries/index.html")
ATTRIBUTE = re.compile(r"has no attribute '(\w+)'")


def tried_documents(
    graph: Publishable,
    suffixes: Mapping[str, str] = PAGE_SUFFIXES,
    is_lean: bool = False,
    files: Sequence[PageFile] | None = None,
    previous: Path | None = None,
    today: str = "",
) -> Documents:
    """The documents of a graph. Raises ProblemsFound if some pages cannot be rendered."""
    documents = Documents(graph, suffixes, is_lean, files, previous, today)
    problems = tidy(try_pages(documents)) if has_own_pages(graph.site) else []
    if problems:
        raise ProblemsFound(problems, graph.site.folder)
    return documents


def with_trial(checked: Checked) -> Checked:
    """Adds problems that show only when pages are rendered with the site's own templates."""
    if not (checked.graph and checked.publishable and has_own_pages(checked.graph.site)):
        return checked
    try:
        tried_documents(checked.graph)
    except ProblemsFound as error:
        return replace(checked, problems=tidy([*checked.problems, *error.problems]))
    return checked


def try_pages(documents: Documents) -> Iterator[Problem]:
    """Renders some pages of each kind, and those that every site has."""
    kinds: dict[tuple[str, bool], list[str]] = defaultdict(list)
    for address in sorted(documents.addresses):
        kinds[address.partition("/")[0], iris.is_list(address)].append(address)
    chosen = [each for some in kinds.values() for each in some[:: -(-len(some) // PAGES_PER_KIND)]]
    forms = [suffix for suffix in (".html", ".md") if suffix in documents.suffixes]
    pages = [file_of(address, suffix) for address in chosen for suffix in forms]
    for path in [*pages, *OTHERS]:
        try:
            documents.make(path)
        except Exception as error:  # a template can raise anything
            problem = problem_of(error, documents.graph.site)
            if problem is None:
                raise
            yield problem


def problem_of(error: Exception, site: Site) -> Problem | None:
    """The file of the site that causes a rendering error, if any."""
    if isinstance(error, TemplateFault):
        file = Path(error.file).relative_to(site.folder)
        place = Place(str(file), max(error.line, 1))
        return Problem(place, "error", in_words(error.reason, file), "template")
    steps = [Path(step.filename) for step in traceback.extract_tb(error.__traceback__)]
    shown = {
        step.stem
        for step in steps
        if step.parent in (BUILTIN_TEMPLATES / "blocks", BUILTIN_TEMPLATES / "markdown" / "blocks")
    }
    for block in own_resources(site, "queries", "pages/*.rq"):
        query = block.read_text(encoding="utf-8-sig")
        template = settings_of(query).get(("template", ""), Setting(""))
        if template.value in shown or not shown:
            place = Place(f"queries/pages/{block.name}", template.line, template.column)
            hint = builtin_columns(site, template.value) or "Choose another template."
            message = f"'blocks/{template.value}.html' cannot show the result of this query. {hint}"
            return Problem(place, "error", message, "page-block")
    return None


def in_words(reason: str, file: Path) -> str:
    if found := ATTRIBUTE.search(reason):
        return f"Unknown name '{found[1]}'. Correct or remove it."
    missed, used = re.search(r"'(\w+)' is undefined", reason), names_used(file)
    hint = f"This template may use: {', '.join(used)}. " if missed and used else ""
    return f"Cannot render this: {reason}. {hint}Fix this line."


def names_used(file: Path) -> list[str]:
    """The names that the built-in template uses; for a new block, that of entries."""
    folder = BUILTIN_TEMPLATES / file.relative_to("templates").parent
    paths = (folder / name for name in (file.name, "entries.html"))
    built_in = next((path for path in paths if path.is_file()), None)
    text = built_in.read_text(encoding="utf-8") if built_in else ""
    parsed = Environment(autoescape=True).parse(text)
    names = list(parsed.find_all(nodes.Name))
    imported = (name for each in parsed.find_all(nodes.FromImport) for name in each.names)
    own = {*imported, *(each.name for each in names if each.ctx != "load")}
    return sorted({each.name for each in names} - own)


def builtin_columns(site: Site, template: str) -> str:
    """The columns of the built-in block with the fewest columns for a template."""
    own = own_resources(site, "queries", "pages/*.rq")
    paths = [path for path in resources(site, "queries", "pages/*.rq") if path not in own]
    texts = [path.read_text(encoding="utf-8") for path in paths]
    given = [
        [name for name in columns(text, site.base) if name != "thing"]
        for text in texts
        if settings_of(text).get(("template", ""), Setting("")).value == template
    ]
    least = next(iter(sorted(given, key=len)), [])
    return f"The built-in queries return at least ?{', ?'.join(least)}." if least else ""
