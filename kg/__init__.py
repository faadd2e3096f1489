"""CV facts in YAML -> a checked knowledge graph, published.

    import kg
    kg.open(".")               a site to ask: its people, its questions, its graph
    kg.check(".")              the problems of a site
    kg.load("."), kg.build(…)  facts, and the graph of them
    kg.export(".", "site")     the whole site as a folder

Imports wait until they are needed, so that `import kg` and `kg --help` stay quick.
"""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from kg import check

if TYPE_CHECKING:
    from kg.errors import Problem
    from kg.facts.load import Facts
    from kg.graph.build import Graph
    from kg.library.opened_site import OpenSite

__all__ = ["build", "check", "export", "load", "open"]


def open(folder: str | Path = ".") -> OpenSite:
    """A site to ask. Raises ProblemsFound where it has errors, and SiteNotFound."""
    from kg.check.check import check_cached
    from kg.library.opened_site import OpenSite

    return OpenSite(check_cached(Path(folder)).good_graph(Path(folder)))


def load(folder: str | Path = ".") -> Facts:
    """The checked facts of a site; what is wrong is among their problems."""
    from kg.facts.load import load

    return load(Path(folder))


def build(facts: Facts) -> Graph:
    """The graph of facts."""
    from kg.errors import ProblemsFound
    from kg.graph.build import build

    if facts.site is None:
        raise ProblemsFound(facts.problems, facts.folder)
    return build(facts, facts.site)


def export(folder: str | Path = ".", target: str | Path = "site") -> int:
    """Writes the whole site into a folder; gives the number of files. Raises ProblemsFound, and
    writes nothing, on errors.
    """
    from kg.check.check import good
    from kg.check.redirects import FILE
    from kg.publish.export.export import export
    from kg.publish.site import Documents

    return export(Documents(good(Path(folder), previous=Path(target) / FILE)), Path(target)).files


class CheckVerb(ModuleType):
    """A package that can be called, for its name is taken by the room and wanted by the verb."""

    def __call__(self, folder: str | Path = ".", today: str = "") -> list[Problem]:
        """Without a day (2026-11-15) the rules about the present are left out."""
        from kg.check.check import check

        return check(Path(folder), today).problems


sys.modules["kg.check"].__class__ = CheckVerb
