"""Exports the public part of a CV to another format, and reports what the format cannot hold."""

from __future__ import annotations

from typing import NamedTuple

from kg import doors
from kg.errors import KgError, Problem, ProblemsFound
from kg.facts.load import Facts
from kg.graph.build import Publishable
from kg.plugins.exchange.draft import Unplaced
from kg.plugins.exchange.writers.public_cv import ExportFormat, public_cv
from kg.publish.citations.citation import Citations
from kg.text.nearest import closest

LEAK = "This value is private, but a public field contains it, too. Remove it from that field."
GROUP = "kg.exporters"


class NotExported(KgError):
    """The person or the format does not exist."""


def format_named(name: str) -> ExportFormat:
    found = doors.loaded(doors.installed(GROUP)[name], ExportFormat)
    if found is None:
        raise NotExported(f"The format '{name}' is not available.")
    return found


class Exported(NamedTuple):
    """Exported files by name (a single file has the name ""), and values that were not exported."""

    files: dict[str, bytes]
    left: list[Unplaced]


def export_cv(facts: Facts, graph: Publishable, slug: str, name: str) -> Exported:
    """Converts the public part of a CV to a format; raises if the result has private values."""
    if slug not in facts.owners or ("people", slug) in facts.private:
        near = closest(slug, facts.owners)
        hint = f" Closest: {', '.join(near)}." if near else ""
        raise NotExported(f"There is no public CV '{slug}'.{hint}")
    works = Citations(graph.memory, graph.site.base).read(f"people/{slug}")
    cv = public_cv(facts, slug, works)
    found = format_named(name).write(cv)
    files = found if isinstance(found, dict) else {"": found}
    for content in files.values():
        if secrets := graph.secrets.found_in(content.decode()):
            problems = [Problem(each.place, "error", LEAK, "leak") for each in secrets]
            raise ProblemsFound(problems, facts.folder)
    return Exported(files, cv.left())
