"""CV facts in YAML -> a checked knowledge graph, published.

    import kg
    kg.check(".")              the problems of a site
    kg.graph(".")              its graph, as an rdflib Dataset
    kg.load("."), kg.build(…)  the two steps on the way there
    kg.export(".", "site")     the whole site as a folder

Imports wait until they are needed, so that `import kg` and `kg --help` stay quick.
"""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from kg import check, graph

if TYPE_CHECKING:
    import rdflib

    from kg.errors import Problem
    from kg.facts.load import Facts
    from kg.graph.build import Graph

__all__ = ["build", "check", "export", "graph", "load"]


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


class GraphVerb(ModuleType):
    def __call__(self, folder: str | Path = ".") -> rdflib.Dataset:
        from rdflib import Dataset

        from kg.check.check import good
        from kg.vocab import prefixes

        graph = good(Path(folder))
        dataset = Dataset(default_union=True)
        for prefix, namespace in prefixes(graph.site.base).items():
            dataset.bind(prefix, namespace, replace=True)
        dataset.parse(data=bytes(graph.nquads), format="nquads")
        return dataset


sys.modules["kg.check"].__class__ = CheckVerb
sys.modules["kg.graph"].__class__ = GraphVerb
