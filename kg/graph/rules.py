"""The triples that follow from others, by the rules in `queries/rules/`.

All rules read asserted triples only, so one pass in any order is enough. They make no new nodes: each triple they give has a
subject that some line of YAML describes, and goes into that subject's graph.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from kg.engine.memory import Memory
from kg.mapping import iris


def derive(memory: Memory, rules: Iterable[Path]) -> list[str]:
    """What the rules say about a graph, as lines of N-Quads."""
    return [in_its_graph(line) for rule in rules for line in memory.construct(rule.read_text(encoding="utf-8"))]


def in_its_graph(line: str) -> str:
    """A line of N-Triples as a line of N-Quads, in the graph of its subject."""
    subject = line[1 : line.index(">")]
    return f"{line[:-2]} <{iris.document_of(subject)}> .\n"
