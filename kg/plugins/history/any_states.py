"""Two states of any graph, and what differs: lines of N-Quads, in order.

Our own graphs have no blank nodes. Those of others do, and their labels mean nothing, so each gets
one that follows from what is said of it (colour refinement). Two states whose lines are equal after
that are the same graph; where blank nodes cannot be told apart, more may be shown than differs.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from pyoxigraph import BlankNode, Quad, RdfFormat, parse, serialize

from kg.check.impact import compare
from kg.graph.rdf_files import Read
from kg.publish.about.change_words import GraphDiff, GraphState

MOST_ROUNDS = 50  # of refinement; a longer chain of blank nodes is told apart less well
Colours = dict[BlankNode, str]


@dataclass(frozen=True)
class AnyState(GraphState):
    """`has_graphs`, if some lines are in named graphs."""

    has_graphs: bool = True


def patch(diff: GraphDiff) -> list[str]:
    """The lines in order, each behind its sign."""
    lines = [(line, "-") for line in diff.removed] + [(line, "+") for line in diff.added]
    return [f"{sign} {line}" for line, sign in sorted(lines)]


def difference(old: AnyState, new: AnyState) -> GraphDiff:
    """Without the names of graphs where only one of the two has any, as a Turtle file has none."""
    texts = old.nquads, new.nquads
    if old.has_graphs != new.has_graphs:
        texts = without_graphs(old), without_graphs(new)
    return GraphDiff(old, new, *compare(*texts))


def state_of(found: Read) -> AnyState:
    """That of any files."""
    lines = found.nquads
    if b"_:" in lines:
        lines = relabelled(list(parse(lines, format=RdfFormat.N_QUADS, lenient=True)))
    return AnyState(in_order(lines), found.graphs > 0)


def without_graphs(state: AnyState) -> bytes:
    quads = parse(state.nquads, format=RdfFormat.N_QUADS, lenient=True)
    return in_order(serialize((quad.triple for quad in quads), format=RdfFormat.N_TRIPLES) or b"")


def in_order(lines: bytes) -> bytes:
    return b"".join(dict.fromkeys(sorted(lines.splitlines(keepends=True))))


def relabelled(quads: list[Quad]) -> bytes:
    """The lines of quads whose blank nodes have labels by what is said of them."""
    colours: Colours = dict.fromkeys((node for quad in quads for node in blanks(quad)), "")
    for _ in range(MOST_ROUNDS):
        finer = refined(quads, colours)
        is_stable = len({*finer.values()}) == len({*colours.values()})
        colours = finer
        if is_stable:
            break
    seen: Counter[str] = Counter()
    labels: dict[BlankNode, BlankNode] = {}
    for node, colour in colours.items():  # those that look the same, in the order of the file
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
