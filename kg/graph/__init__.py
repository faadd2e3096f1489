"""What is known: the graph of a site, and the triples that follow from it.

The package is also a verb, for notebooks: `kg.graph(".")` gives the graph of a site as an rdflib
Dataset.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    import rdflib


class Verb(ModuleType):
    """A package that can be called, for its name is taken by the room and wanted by the verb."""

    def __call__(self, folder: str | Path = ".") -> rdflib.Dataset:
        from pathlib import Path  # noqa: PLC0415

        from rdflib import Dataset  # noqa: PLC0415

        from kg.check.check import good  # noqa: PLC0415
        from kg.vocab import prefixes  # noqa: PLC0415

        graph = good(Path(folder))
        dataset = Dataset(default_union=True)
        for prefix, namespace in prefixes(graph.site.base).items():
            dataset.bind(prefix, namespace, replace=True)
        dataset.parse(data=bytes(graph.nquads), format="nquads")
        return dataset


sys.modules[__name__].__class__ = Verb
