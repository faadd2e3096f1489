"""The SHACL rules about the whole dataset: shapes that target the base and ask a SPARQL question.

pyshacl would answer them with rdflib, two orders of magnitude slower. They are taken out of the shapes and asked of the store.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kg.engine.memory import Memory
from kg.engine.store import Solution
from kg.errors import BadQuery, KgError
from kg.vocab import prefixes

if TYPE_CHECKING:
    import rdflib


@dataclass(frozen=True, slots=True)
class Finding:
    """One SHACL result: the node, the path and value where there are any, the rule, how bad, and the message."""

    focus: str
    path: str | None
    value: str | None
    rule: str
    severity: str
    message: str


def local(iri: str | None) -> str:
    return (iri or "").rpartition("#")[2]


def findings(memory: Memory, shapes: rdflib.Graph) -> list[Finding]:
    """What the dataset rules find; they are removed from the shapes."""
    from rdflib import URIRef  # noqa: PLC0415
    from rdflib.namespace import SH  # noqa: PLC0415

    found: list[Finding] = []
    for shape in sorted(shapes.subjects(SH.targetNode, URIRef(memory.base)), key=str):
        severity = local(str(shapes.value(shape, SH.severity) or SH.Violation))
        for constraint in list(shapes.objects(shape, SH.sparql)):
            message = str(shapes.value(constraint, SH.message) or shapes.value(shape, SH.message) or "")
            found += ask(memory, str(shapes.value(constraint, SH.select)), str(shape), severity, message)
            shapes.remove((shape, SH.sparql, constraint))
    return found


def ask(memory: Memory, query: str, shape: str, severity: str, message: str) -> Iterator[Finding]:
    header = "".join(f"PREFIX {prefix}: <{namespace}> " for prefix, namespace in prefixes(memory.base).items())  # lines keep their numbers
    try:
        rows = memory.select(header + query, this=memory.base)
    except (BadQuery, ValueError) as error:  # it may also lack the place where $this is bound
        raise KgError(f"The shapes cannot be used: the query of {local(shape)} is wrong: {error}") from error
    for row in rows:
        path, value = (row[name].value if name in row else None for name in ("path", "value"))
        yield Finding(memory.base, path, value, local(shape), severity, filled(message, row))


def filled(message: str, row: Solution) -> str:
    """`{?start}` in a message stands for what the query found."""
    return re.sub(r"\{[?$](\w+)\}", lambda name: row[name[1]].value if name[1] in row else name[0], message)
