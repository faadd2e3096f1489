"""Doors for plugins: what an installed package adds to the program, by entry points.

A package declares what it adds in its `pyproject.toml`, in one of these groups; our own extras, in
`kg/plugins/`, are declared in the same way. Reading the declarations imports nothing. A plugin is
imported when it is needed, and one that fails to load is reported in one line and left out.
"""

from __future__ import annotations

import sys
from functools import cache
from importlib.metadata import Distribution, EntryPoint, entry_points
from typing import TypeVar

GROUPS = {
    "kg.commands": "a command of kg: click.Command",
    "kg.importers": "a format that kg import reads",
    "kg.exporters": "a format that kg export writes",
    "kg.checks": "a rule with its explanation: kg.check.rules.PluginRule",
    "kg.routes": "paths of the server, with an answer: kg.web.extensions.Route",
    "kg.backends": "servers that answer the queries of a built folder: kg.web.extensions.Backend",
}
OURS = "cv-kg"
Plugin = TypeVar("Plugin")


class NotLoaded(Exception):
    """A plugin cannot be imported, or is not what its group is for."""


@cache
def name_of(found: Distribution) -> str:
    return found.name  # which parses all its metadata, README included


def distribution(entry: EntryPoint) -> str:
    return name_of(entry.dist) if entry.dist else ""


@cache
def by_group() -> dict[str, list[EntryPoint]]:
    """All plugins; the packages are read once, for it takes a while where there are many."""
    found = entry_points()
    groups = [group for group in found.groups if group.startswith("kg.")]
    return {group: sorted(found.select(group=group), key=precedence) for group in groups}


def declared() -> list[EntryPoint]:
    """All plugins, also in groups that do not exist: in the order of the groups, ours first."""
    groups = (*GROUPS, *sorted(by_group().keys() - GROUPS.keys()))
    return [entry for group in groups for entry in by_group().get(group, [])]


def installed(group: str) -> dict[str, EntryPoint]:
    """The plugins of a group by name. Where two have one name, ours counts, or else that of the
    distribution that comes first in the alphabet.
    """
    found = dict[str, EntryPoint]()
    for entry in by_group().get(group, []):
        found.setdefault(entry.name, entry)
    return found


def foreign(group: str) -> list[EntryPoint]:
    """The plugins of a group that are not ours."""
    return [entry for entry in by_group().get(group, []) if distribution(entry) != OURS]


def precedence(entry: EntryPoint) -> tuple[bool, str, str]:
    return distribution(entry) != OURS, distribution(entry), entry.name


def load(entry: EntryPoint, kind: type[Plugin]) -> Plugin:
    """Raises NotLoaded."""
    try:
        found = entry.load()
    except (Exception, SystemExit) as error:  # whatever a stranger's module does when imported
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        raise NotLoaded(reason) from error
    if not isinstance(found, kind):
        raise NotLoaded(f"{entry.value} is not a {kind.__module__}.{kind.__qualname__}")
    return found


@cache
def report_once(message: str) -> None:
    sys.stderr.write(f"{message}\n")


def loaded(entry: EntryPoint, kind: type[Plugin]) -> Plugin | None:
    """What a plugin adds; or None, with a line on stderr, if it fails to load."""
    try:
        return load(entry, kind)
    except NotLoaded as error:
        name = f"{entry.name} ({entry.group}, {distribution(entry)})"
        report_once(f"The plugin {name} failed to load: {error}")
        return None


def each(group: str, kind: type[Plugin]) -> dict[str, Plugin]:
    """All that plugins add in a group, by name."""
    found = {name: loaded(entry, kind) for name, entry in installed(group).items()}
    return {name: plugin for name, plugin in found.items() if plugin is not None}
