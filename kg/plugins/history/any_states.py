"""Compares two states of any graph as sorted N-Quads lines.

Our own graphs have no blank nodes. In other graphs, blank nodes get labels derived from their
statements (colour refinement), because the original labels mean nothing. If the lines are then
equal, the graphs are the same. If blank nodes cannot be distinguished, the difference shown may be
too large.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from pyoxigraph import BlankNode, Quad, RdfFormat, parse, serialize

from kg.graph.rdf_files import Read
from kg.graph.sorted_lines import compare
from kg.plugins.changes.change_words import GraphDiff, GraphState

MAX_ROUNDS = 50  # of refinement; longer chains of blank nodes are distinguished less well
Colours = dict[BlankNode, str]


@dataclass(frozen=True)
class AnyState(GraphState):
    """The state of any graph. `has_graphs`: some lines are in named graphs."""

    has_graphs: bool = True


def patch(diff: GraphDiff) -> list[str]:
    """The lines of a difference in order, each after `-` or `+`."""
    lines = [(line, "-") for line in diff.removed] + [(line, "+") for line in diff.added]
    return [f"{sign} {line}" for line, sign in sorted(lines)]


def difference(old: AnyState, new: AnyState) -> GraphDiff:
    """The difference of two states. If only one of them has named graphs, graph names are
    ignored.
    """
    texts = old.nquads, new.nquads
    if old.has_graphs != new.has_graphs:
        texts = without_graphs(old), without_graphs(new)
    return GraphDiff(old, new, *compare(*texts))


def state_of(found: Read) -> AnyState:
    """The state of RDF files."""
    lines = found.nquads
    if b"_:" in lines:
        lines = relabelled(list(parse(lines, format=RdfFormat.N_QUADS, lenient=True)))
    return AnyState(sorted_lines(lines), found.graphs > 0)


def without_graphs(state: AnyState) -> bytes:
    quads = parse(state.nquads, format=RdfFormat.N_QUADS, lenient=True)
    return sorted_lines(
        serialize((quad.triple for quad in quads), format=RdfFormat.N_TRIPLES) or b""
    )


def sorted_lines(lines: bytes) -> bytes:
    return b"".join(dict.fromkeys(sorted(lines.splitlines(keepends=True))))


def relabelled(quads: list[Quad]) -> bytes:
    """The quads as lines, with blank nodes labelled by their statements."""
    colours: Colours = dict.fromkeys((node for quad in quads for node in blanks(quad)), "")
    for _ in range(MAX_ROUNDS):
        finer = refined(quads, colours)
        is_stable = len({*finer.values()}) == len({*colours.values()})
        colours = finer
        if is_stable:
            break
    seen: Counter[str] = Counter()
    labels: dict[BlankNode, BlankNode] = {}
    for node, colour in colours.items():  # equal ones are numbered in the order of the file
        labels[node] = BlankNode(f"b{colour}{seen[colour] or ''}")
        seen[colour] += 1
    renamed = (Quad(*(labels.get(term, term) for term in quad)) for quad in quads)
    return serialize(renamed, format=RdfFormat.N_QUADS) or b""


def blanks(quad: Quad) -> Iterable[BlankNode]:
    return [term for term in quad if isinstance(term, BlankNode)]


def refined(quads: list[Quad], colours: Colours) -> Colours:
    said: dict[BlankNode, list[str]] = defaultdict(list)
    for quad in quads:
        if found := blanks(quad):
            words = " ".join(colours.get(term, "") or kind_of(term) for term in quad)
            for node in found:
                places = [place for place, term in enumerate(quad) if term == node]
                said[node].append(f"{places} {words}")
    return {
        node: hashlib.blake2b("\n".join(sorted(said[node])).encode(), digest_size=10).hexdigest()
        for node in colours
    }


def kind_of(term: object) -> str:
    return "_:" if isinstance(term, BlankNode) else str(term)
