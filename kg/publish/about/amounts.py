"""What the files about a whole site are made of: how much there is of what, and what things are
called.

A process that builds again and again keeps it, and finds what it is after an edit from what it was.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kg.check.impact.diff import read
from kg.graph.build import Publishable
from kg.graph.sorted_lines import Lines
from kg.publish.about.completions import LABELS, labelled
from kg.publish.about.counts import Counts, count
from kg.publish.about.recount import recount
from kg.store.memory import Memory


@dataclass(frozen=True)
class Amounts:
    """`graph` is the digest of the one in which this was counted."""

    graph: str
    counts: Counts
    labels: dict[str, str]


def amounts(graph: Publishable, name: str) -> Amounts:
    """`name` is the digest of the graph."""
    return Amounts(name, count(graph.nquads), labelled(graph.memory, graph.site.base))


def after(
    before: Amounts, name: str, memory: Memory, lines: Lines, edit: tuple[list[str], list[str]]
) -> Amounts | None:
    """The same for the graph in memory, whose lines these are, after an edit: lines that went, and
    lines that came. None: too many.
    """
    gone, come = edit
    counts = recount(before.counts, memory, lines, gone, come)
    return (
        Amounts(name, counts, relabelled(before.labels, memory, [*gone, *come])) if counts else None
    )


def relabelled(labels: dict[str, str], memory: Memory, lines: Iterable[str]) -> dict[str, str]:
    changed = {change.subject for change in read(lines) if change.predicate in LABELS}
    if not changed:
        return labels
    kept = {thing: name for thing, name in labels.items() if thing not in changed}
    return kept | labelled(memory, memory.base, thing=sorted(changed))
