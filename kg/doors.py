"""Finds and loads plugins by their entry points.

A package declares its plugins in its `pyproject.toml`, in one of these groups; our own optional
parts in `kg/plugins/` are declared in the same way. Reading the declarations imports nothing. A
plugin is imported when it is needed; one that fails to load is reported in one line and skipped.
"""

from __future__ import annotations

import sys
from functools import cache
from importlib.metadata import Distribution, EntryPoint, entry_points
from typing import TypeVar

from kg.errors import is_interrupt

GROUPS = {
    "kg.commands": "a command of kg: click.Command",
    "kg.openers": "a source that kg.open reads: kg.opened_site.Opener",
    "kg.importers": "a format that kg import reads",
    "kg.exporters": "a format that kg export writes",
    "kg.site_exporters": "a format of whole sites for kg export: kg.opened_site.SiteFormat",
    "kg.checks": "a rule with its explanation: kg.check.rules.PluginRule",
    "kg.fixers": "what kg check --fix does: kg.check.site_state.Fixer",
    "kg.bibliographies": "a format of bibliographies: kg.facts.bibliography.bibliographies",
    "kg.page_files": "a file beside pages: kg.publish.page_files.PageFile",
    "kg.site_files": "files of every site: kg.publish.added_files.FileAdder",
    "kg.figures": "a figure of pages: kg.publish.figures.FigureMaker",
    "kg.reports": "a format of kg check: kg.check.report.selection.ReportFormat",
    "kg.routes": "paths of the server: kg.web.extensions.Route",
    "kg.backends": "servers that answer queries for a built folder: kg.web.extensions.Backend",
}
OURS = "cv-kg"
Plugin = TypeVar("Plugin")


class NotLoaded(Exception):
    """A plugin cannot be imported, or has the wrong type for its group."""


@cache
def name_of(found: Distribution) -> str:
    return found.name  # slow: parses all metadata, including the README


def distribution(entry: EntryPoint) -> str:
    return name_of(entry.dist) if entry.dist else ""


@cache
def by_group() -> dict[str, list[EntryPoint]]:
    """All plugins by group. Packages are read once, because that is slow if there are many."""
    found = entry_points()
    groups = [group for group in found.groups if group.startswith("kg.")]
    return {group: sorted(found.select(group=group), key=precedence) for group in groups}


def declared() -> list[EntryPoint]:
    """All plugins, including those in unknown groups: in the order of the groups, ours first."""
    groups = (*GROUPS, *sorted(by_group().keys() - GROUPS.keys()))
    return [entry for group in groups for entry in by_group().get(group, [])]


def installed(group: str) -> dict[str, EntryPoint]:
    """The plugins of a group by name. If two have the same name, ours is used, otherwise that of
    the first distribution in alphabetical order.
    """
    found = dict[str, EntryPoint]()
    for entry in by_group().get(group, []):
        found.setdefault(entry.name, entry)
    return found


def versions() -> list[str]:
    """The plugins of others with the versions of their packages, for keys of caches."""
    return [
        f"{entry.group} {entry.name}={entry.value} {distribution(entry)} {entry.dist.version}"
        for entry in declared()
        if entry.dist and distribution(entry) != OURS
    ]


def precedence(entry: EntryPoint) -> tuple[bool, str, str]:
    return distribution(entry) != OURS, distribution(entry), entry.name


def load(entry: EntryPoint, kind: type[Plugin]) -> Plugin:
    """Imports a plugin. Raises NotLoaded."""
    try:
        found = entry.load()
    except (Exception, SystemExit) as error:  # a module can raise anything when it is imported
        if is_interrupt(error):
            raise KeyboardInterrupt from error
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        raise NotLoaded(reason) from error
    if not isinstance(found, kind):
        raise NotLoaded(f"{entry.value} is not a {kind.__module__}.{kind.__qualname__}")
    return found


@cache
def report_once(message: str) -> None:
    sys.stderr.write(f"{message}\n")


def loaded(entry: EntryPoint, kind: type[Plugin]) -> Plugin | None:
    """The plugin; or None, with a line on stderr, if it fails to load."""
    try:
        return load(entry, kind)
    except NotLoaded as error:
        name = f"{entry.name} ({entry.group}, {distribution(entry)})"
        report_once(f"The plugin {name} failed to load: {error}")
        return None


def each(group: str, kind: type[Plugin]) -> dict[str, Plugin]:
    """All plugins of a group that can be loaded, by name."""
    found = {name: loaded(entry, kind) for name, entry in installed(group).items()}
    return {name: plugin for name, plugin in found.items() if plugin is not None}
